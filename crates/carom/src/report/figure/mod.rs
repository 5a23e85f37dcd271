//! Figures for papers: a time-lapse strip of the motion, and curves, as SVG and PNG.

mod camera;
mod curves;
mod drawing;
mod gif;
mod png;
mod scene;
mod svg;

pub use drawing::{Align, Colour, Drawing, Item, Stroke};
pub use gif::{Movie, gif};
pub use png::png;
pub use svg::svg;

use super::document::Report;

/// The figures of a report with their names: the motion at `panels` moments, energy, momentum, gaps,
/// controls.
pub fn figures(report: &Report, panels: usize) -> Vec<(&'static str, Drawing)> {
    let chart = |title| curves::chart(&report.motions, title);
    let mut figures = vec![("motion", scene::strip(&report.motions, panels))];
    let charts = [
        ("energy", "Energy"),
        ("linear-momentum", "Linear momentum"),
        ("angular-momentum", "Angular momentum about the origin"),
        ("gaps", "Gaps"),
        ("forces", "Controls and loads: forces"),
        ("torques", "Controls and loads: torques"),
        ("joints", "Controls and loads on joints"),
        ("objective", "Convergence: objective"),
        (
            "violation",
            "Convergence: largest violated constraint, scaled",
        ),
    ];
    for (name, title) in charts {
        figures.extend(chart(title).map(|drawing| (name, drawing)));
    }
    figures
}
