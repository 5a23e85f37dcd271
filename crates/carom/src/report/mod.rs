//! `report.html`: one self-contained page with the ledger and a few curves.

mod contacts;
mod ledger;
mod plan;
mod plot;

use std::fmt::Write;
use std::io;

pub use ledger::{Line, Verdict, ledger};
pub use plan::{lines as plan_lines, plan_html};

use crate::record::{Frames, Summary};
use crate::scenario::Scenario;
use plot::Plot;

/// Most points drawn of a curve.
const MOST_POINTS: u64 = 1_000;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    time: Vec<f64>,
    energy: Vec<f64>,
    kinetic: Vec<f64>,
    potential: Vec<f64>,
    linear: [Vec<f64>; 3],
    angular: [Vec<f64>; 3],
}

impl Curves {
    /// Reads the curves from the recorded frames.
    pub fn read(frames: &mut Frames) -> io::Result<Self> {
        let mut curves = Self::default();
        let every = frames.rows().div_ceil(MOST_POINTS).max(1);
        let last = frames.rows().saturating_sub(1);
        let mut k = 0u64;
        frames.read(&mut |row| {
            if k.is_multiple_of(every) || k == last {
                // The first columns are the same for every model.
                curves.time.push(row[0]);
                curves.energy.push(row[1]);
                curves.kinetic.push(row[2]);
                curves.potential.push(row[3]);
                for c in 0..3 {
                    curves.linear[c].push(row[4 + c]);
                    curves.angular[c].push(row[7 + c]);
                }
            }
            k += 1;
            Ok(())
        })?;
        Ok(curves)
    }
}

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}\
h1{font-size:1.5rem;margin-bottom:0}p.source{color:#59636e;margin-top:.2rem}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.3rem .9rem .3rem 0;text-align:left;border-bottom:1px solid #d1d9e0;font-variant-numeric:tabular-nums}\
.good{color:#1a7f37}.note{color:#9a6700}figure{margin:1.5rem 0}figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;height:auto}\
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}p.source{color:#9198a1}td,th{border-color:#3d444d}.good{color:#3fb950}.note{color:#d29922}}";

/// The page.
pub fn html(scenario: &Scenario, summary: &Summary, curves: &Curves) -> String {
    let mut page = String::new();
    let title = match scenario.meta.title.is_empty() {
        true => &scenario.meta.name,
        false => &scenario.meta.title,
    };
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n\
         <p class=\"source\">{1}{2}</p>\n",
        escape(title),
        escape(&scenario.meta.name),
        match &scenario.meta.variant {
            Some(variant) => format!(":{}", escape(variant)),
            None => String::new(),
        } + &match scenario.meta.source.is_empty() {
            true => String::new(),
            false => format!(" · {}", escape(&scenario.meta.source)),
        },
    );
    let _ = writeln!(
        page,
        "<p>{} steps of {} s to t = {} s in {:.2} s; {}.</p>",
        summary.steps, summary.step, summary.time_end, summary.wall_seconds, summary.status
    );
    if let Some(error) = &summary.error {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(error));
    }
    page.push_str("<table><tr><th>Ledger</th><th>Value</th><th>Verdict</th></tr>\n");
    for line in ledger(summary) {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>",
            escape(&line.what),
            escape(&line.value),
            line.verdict.class(),
            escape(&line.remark)
        );
    }
    page.push_str("</table>\n");
    page.push_str(&figures(curves));
    page.push_str("</body></html>\n");
    page
}

/// Energy and momentum over time.
fn figures(curves: &Curves) -> String {
    let mut page = String::new();
    let mut figure = |caption: &str, series: &[(&str, &[f64])]| {
        let plot = Plot {
            time: &curves.time,
            series,
        };
        let _ = writeln!(
            page,
            "<figure><figcaption>{caption}</figcaption>{}</figure>",
            plot.svg()
        );
    };
    figure(
        "Energy in J",
        &[
            ("total", &curves.energy),
            ("kinetic", &curves.kinetic),
            ("potential", &curves.potential),
        ],
    );
    figure("Total energy in J", &[("total", &curves.energy)]);
    let [x, y, z] = &curves.linear;
    figure("Linear momentum in N s", &[("x", x), ("y", y), ("z", z)]);
    let [x, y, z] = &curves.angular;
    figure(
        "Angular momentum about the origin in N m s",
        &[("x", x), ("y", y), ("z", z)],
    );
    page
}

/// Text as HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
