//! The page of a plan: figures, controls of plan and guess side by side, energy and momentum.

use std::fmt::Write;

use super::plot::Plot;
use super::{Curves, escape};
use crate::model::Model;
use crate::optimise::Plan;
use crate::record::{PlanSummary, control_names};
use crate::scenario::Scenario;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}\
h1{font-size:1.5rem;margin-bottom:0}p.source{color:#59636e;margin-top:.2rem}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.3rem .9rem .3rem 0;text-align:left;border-bottom:1px solid #d1d9e0;font-variant-numeric:tabular-nums}\
.note{color:#9a6700}figure{margin:1.5rem 0}figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;height:auto}\
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}p.source{color:#9198a1}td,th{border-color:#3d444d}}";

/// The page.
pub fn plan_html(
    scenario: &Scenario,
    summary: &PlanSummary,
    plan: &Plan,
    model: &Model,
    curves: &Curves,
) -> String {
    let title = match scenario.meta.title.is_empty() {
        true => &scenario.meta.name,
        false => &scenario.meta.title,
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n\
         <p class=\"source\">{1} · {2}</p>\n",
        escape(title),
        escape(&scenario.meta.name),
        escape(&scenario.meta.source),
    );
    if let Some(error) = &summary.error {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(error));
    }
    page.push_str("<table>\n");
    for (what, value) in lines(summary) {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td></tr>",
            escape(&what),
            escape(&value)
        );
    }
    page.push_str("</table>\n");

    // Controls are constant in a step: drawn as stairs.
    let mut time = Vec::new();
    let mut now = 0.0;
    for h in &plan.steps {
        time.extend([now, now + h]);
        now += h;
    }
    let stairs = |controls: &[Vec<f64>], c: usize| -> Vec<f64> {
        controls.iter().flat_map(|tau| [tau[c], tau[c]]).collect()
    };
    let names = control_names(model);
    for actuator in model.actuators() {
        for group in actuator.range().collect::<Vec<_>>().chunks(3) {
            page.push_str("<div class=\"pair\">");
            for (which, controls) in [("plan", &plan.controls), ("guess", &plan.guess.controls)] {
                let curves: Vec<_> = group.iter().map(|&c| stairs(controls, c)).collect();
                let series: Vec<_> = (group.iter().zip(&curves))
                    .map(|(&c, curve)| (names[c].as_str(), curve.as_slice()))
                    .collect();
                let plot = Plot {
                    time: &time,
                    series: &series,
                };
                let caption = format!("Controls of the {which}: {}", escape(&actuator.name));
                let _ = write!(
                    page,
                    "<figure><figcaption>{caption}</figcaption>{}</figure>",
                    plot.svg()
                );
            }
            page.push_str("</div>\n");
        }
    }
    page.push_str(&super::figures(curves));
    page.push_str("</body></html>\n");
    page
}

/// The figures of a plan, for the page and the terminal.
pub fn lines(s: &PlanSummary) -> Vec<(String, String)> {
    let number = |v: f64| format!("{v:.8e}");
    let mut out = vec![
        ("status".into(), s.status.clone()),
        ("objective".into(), number(s.objective)),
        ("objective of the guess".into(), number(s.objective_guess)),
        (
            "iterations, rounds".into(),
            format!("{}, {}", s.iterations, s.rounds),
        ),
        (
            "unknowns, rows, entries".into(),
            format!("{}, {}, {}", s.unknowns, s.rows, s.jacobian_entries),
        ),
        ("time at the end".into(), format!("{:.6} s", s.time_end)),
        (
            "violation of rows".into(),
            format!("{:.2e}", s.constraint_violation_max),
        ),
        (
            "balance of momentum".into(),
            format!("{:.2e}", s.momentum_residual_max),
        ),
        (
            "replay by the simulator".into(),
            s.replay_error_max
                .map_or("failed".into(), |e| format!("{e:.2e}")),
        ),
        (
            "largest overlap".into(),
            format!("{:.2e} m", s.overlap_between_nodes_max),
        ),
    ];
    for v in s.violations.iter().take(5) {
        let what = v["what"].as_str().unwrap_or_default();
        let amount = v["amount"].as_f64().unwrap_or_default();
        out.push((format!("violated: {what}"), format!("{amount:.2e}")));
    }
    out
}
