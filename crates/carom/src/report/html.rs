//! `report.html`: one self-contained page, and the way back from it to the data.
//!
//! The page is the viewer (built from `viewer/`, committed under `viewer/dist`) with the reports as
//! JSON in a `script` element that is data to the browser, never code. `<` does not occur in it, so
//! that no name of a scenario can end the element.

use std::path::{Path, PathBuf};

use super::document::{REPORT_FORMAT, Report};

const SCRIPT: &str = include_str!("../../../../viewer/dist/viewer.js");
const STYLE: &str = include_str!("../../../../viewer/dist/viewer.css");
const OPEN: &str = "<script type=\"application/json\" id=\"carom-reports\">";
const CLOSE: &str = "</script>";

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is none, or it cannot be opened.
    #[error("{}: {source}\n  help: give the folder of a run, as `carom run` writes it", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not a report of this version.
    #[error("{}: {message}\n  help: run the scenario again", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// The page that shows one report, or several side by side.
///
/// ```
/// use carom::report::{self, Motion, Report};
/// let time: Vec<f64> = (0..100).map(|k| 0.01 * k as f64).collect();
/// let thrust = time.iter().map(|t| t.sin()).collect();
/// let motion = Motion {
///     name: "solution".into(),
///     plots: vec![report::plot("Controls", "N", &time, vec![("thrust".into(), thrust)])],
///     ..Motion::default()
/// };
/// let report = Report {
///     format: report::REPORT_FORMAT,
///     title: "A plan".into(),
///     motions: vec![motion],
///     ..Report::default()
/// };
/// assert!(report::page(&[report]).contains("A plan"));
/// ```
pub fn page(reports: &[Report]) -> String {
    let title = match reports {
        [one] => one.title.clone(),
        many => {
            let names: Vec<&str> = many.iter().map(|r| r.name.as_str()).collect();
            names.join(" | ")
        }
    };
    let data = serde_json::to_string(reports).unwrap_or_else(|_| "[]".into());
    let data = data.replace('<', "\\u003c");
    let mut page = String::with_capacity(data.len() + SCRIPT.len() + STYLE.len() + 1024);
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Nothing is ever loaded from elsewhere.
    page.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n",
    );
    page.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    page.push_str(&format!("<title>{}</title>\n", escape(&title)));
    page.push_str("<style>");
    page.push_str(STYLE);
    page.push_str("</style>\n</head>\n<body>\n<div id=\"app\"></div>\n");
    page.push_str("<noscript>This report needs JavaScript to show the motion.</noscript>\n");
    page.push_str(OPEN);
    page.push_str(&data);
    page.push_str(CLOSE);
    page.push_str("\n<script>");
    page.push_str(SCRIPT);
    page.push_str("</script>\n</body>\n</html>\n");
    page
}

/// Reads the report of a run's folder back from its `report.html`.
pub fn read(folder: &Path) -> Result<Report, ReadError> {
    let path = folder.join("report.html");
    let text = std::fs::read_to_string(&path).map_err(|source| ReadError::Io {
        path: path.clone(),
        source,
    })?;
    let wrong = |message: String| ReadError::Content {
        path: path.clone(),
        message,
    };
    let start = text.find(OPEN).map(|at| at + OPEN.len());
    let data = start.and_then(|start| {
        let end = text[start..].find(CLOSE)?;
        Some(&text[start..start + end])
    });
    let data = data.ok_or_else(|| wrong("is not a report of this version of carom".into()))?;
    let mut reports: Vec<Report> =
        serde_json::from_str(data).map_err(|error| wrong(format!("broken data: {error}")))?;
    match reports.pop() {
        Some(report) if report.format == REPORT_FORMAT => {
            check(&report).map_err(wrong)?;
            Ok(report)
        }
        Some(report) => Err(wrong(format!("format {} is not known", report.format))),
        None => Err(wrong("holds no report".into())),
    }
}

/// Reads the reports of several runs. Those of the same scenario are named after their folders, so that they can be told
/// apart.
pub fn read_all(folders: &[PathBuf]) -> Result<Vec<Report>, ReadError> {
    let reports: Result<Vec<_>, _> = folders.iter().map(|folder| read(folder)).collect();
    let mut reports = reports?;
    let names: Vec<String> = reports.iter().map(|r| r.name.clone()).collect();
    let last = |folder: &Path| folder.file_name().map(|name| name.to_os_string());
    for (k, folder) in folders.iter().enumerate() {
        let twins = || (0..names.len()).filter(|other| *other != k && names[*other] == names[k]);
        if twins().next().is_none() {
            continue;
        }
        let own = last(folder);
        let alone = twins().all(|other| last(&folders[other]) != own);
        reports[k].name = match own.filter(|_| alone) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => folder.display().to_string(),
        };
    }
    Ok(reports)
}

/// Whether all indices and lengths fit, so that nothing that draws has to doubt them.
fn check(report: &Report) -> Result<(), String> {
    for motion in &report.motions {
        let scene = &motion.scene;
        let poses = motion.time.0.len() * motion.slots();
        let bodies = scene.bodies.len();
        let anchors = scene.links.iter().flat_map(|l| [l.a, l.b]);
        let anchors = anchors.chain(scene.charges.iter().map(|c| c.at));
        let sound = motion.position.0.len() == 3 * poses
            && motion.rotation.0.len() == 4 * poses
            && scene.bodies.iter().all(|b| {
                b.shape.is_none_or(|s| s < scene.shapes.len())
                    && b.slot.is_none_or(|s| s < motion.slots())
            })
            && anchors
                .into_iter()
                .all(|a| a.body.is_none_or(|b| b < bodies))
            && scene.shapes.iter().all(|shape| {
                let corners = (shape.vertices.0.len() / 3) as u32;
                shape.loops().all(|face| face.iter().all(|k| *k < corners))
            })
            && motion.plots.iter().all(|plot| {
                let n = plot.time.0.len();
                plot.series.iter().all(|s| s.values.0.len() == n)
            });
        if !sound {
            return Err("its parts do not fit together".into());
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_text_and_come_back() {
        let report = Report {
            format: REPORT_FORMAT,
            title: "</title><script>alert(1)</script>".into(),
            name: "</script><!-- \" ' \u{2028} 机器".into(),
            ..Report::default()
        };
        let page = page(std::slice::from_ref(&report));
        assert!(!page.contains("alert(1)</script>"));
        assert_eq!(
            page.matches(CLOSE).count(),
            2 + SCRIPT.matches(CLOSE).count()
        );
        let folder = std::env::temp_dir().join(format!("carom-html-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("report.html"), &page).unwrap();
        let back = read(&folder).unwrap();
        assert_eq!(back.name, report.name);
        std::fs::write(folder.join("report.html"), "<html>").unwrap();
        assert!(matches!(read(&folder), Err(ReadError::Content { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(read(&folder), Err(ReadError::Io { .. })));
    }
}
