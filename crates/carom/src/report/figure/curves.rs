//! Curves over time with axes, as papers print them.

use super::drawing::{Align, Colour, Drawing, INK, Item, Stroke};
use super::png::text_width;
use crate::report::colours::of_channels;
use crate::report::document::{Motion, Plot, Scale};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 42.0;
const RIGHT: f64 = 14.0;
const TEXT: f64 = 12.0;
/// Height of a line of the legend.
const LINE: f64 = 17.0;
/// Bounds farther away than this many spans of the curves are not drawn.
const FAR: f64 = 8.0;
/// Dashes tell motions apart, colours channels.
const DASHES: [[f64; 2]; 4] = [[0.0, 0.0], [6.0, 3.0], [2.0, 3.0], [9.0, 3.0]];

/// A curve to draw.
struct Curve {
    name: String,
    points: Vec<[f64; 2]>,
    colour: Colour,
    dash: [f64; 2],
    /// Bounds that it keeps to.
    bounds: Vec<f64>,
}

/// The plots of a title of all motions on common axes; `None` where no motion has one.
pub fn chart(motions: &[Motion], title: &str) -> Option<Drawing> {
    let mut curves = Vec::new();
    let mut found: Option<&Plot> = None;
    let colours = of_channels(motions);
    for (m, motion) in motions.iter().enumerate() {
        let Some(plot) = motion.plots.iter().find(|p| p.title == title) else {
            continue;
        };
        found = found.or(Some(plot));
        for series in &plot.series {
            let value = |v: f64| {
                if plot.scale == Scale::Log {
                    v.abs().log10()
                } else {
                    v
                }
            };
            curves.push(Curve {
                name: match motions.len() {
                    1 => series.name.clone(),
                    _ => format!("{}, {}", series.name, motion.name),
                },
                points: stairs(
                    (plot.time.0.iter().zip(&series.values.0))
                        .map(|(t, v)| [*t, value(*v)])
                        .filter(|p| p[0].is_finite() && p[1].is_finite()),
                    plot.scale == Scale::Steps,
                ),
                colour: Colour::hex(colours.get(&series.name).copied().unwrap_or_default()),
                dash: DASHES[m % DASHES.len()],
                bounds: series.bounds.iter().flatten().flatten().copied().collect(),
            });
        }
    }
    let plot = found?;
    let timed = motions.iter().filter(|_| plot.axis.is_empty());
    let times: Vec<f64> = timed.flat_map(|m| m.contacts.time.0.clone()).collect();
    Some(draw(plot, &curves, &times))
}

/// Points of a curve; where each value holds until the next, with the corners in between.
fn stairs(points: impl Iterator<Item = [f64; 2]>, holds: bool) -> Vec<[f64; 2]> {
    let mut out: Vec<[f64; 2]> = Vec::new();
    for point in points {
        if let (true, Some(before)) = (holds, out.last().copied()) {
            out.push([point[0], before[1]]);
        }
        out.push(point);
    }
    out
}

fn draw(plot: &Plot, curves: &[Curve], contacts: &[f64]) -> Drawing {
    let range = |c: usize| {
        let values = curves
            .iter()
            .flat_map(|k| k.points.iter().map(move |p| p[c]));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
            (a.min(v), b.max(v))
        })
    };
    let (t0, t1) = widened(range(0), 0.0);
    let seen = with_bounds(range(1), curves);
    let (low, high) = match seen {
        // Round-off of what cancels is drawn as the zero it stands for.
        (a, b) if a.abs().max(b.abs()) <= 1e-9 * plot.size => (-plot.size, plot.size),
        range => widened(range, 0.06),
    };
    let log = plot.scale == Scale::Log;
    let across = ticks(t0, t1, false);
    let along = ticks(low, high, log);
    let left = 34.0 + (along.iter().map(|(_, label)| text_width(label, TEXT))).fold(0.0, f64::max);
    // Names that do not fit into one line take more of them, and the drawing grows.
    let rows = legend_rows(curves, left);
    let more = LINE * (rows.len().max(1) - 1) as f64;
    let (top, height) = (TOP + more, HEIGHT + more);
    let mut drawing = Drawing {
        width: WIDTH,
        height,
        ..Drawing::default()
    };
    let x = |t: f64| left + (WIDTH - left - RIGHT) * (t - t0) / (t1 - t0);
    let y = |v: f64| top + (height - top - BOTTOM) * (high - v) / (high - low);
    // Contacts as faint lines, one per pixel.
    let mut columns: Vec<i64> = (contacts.iter())
        .filter(|t| (t0..=t1).contains(*t))
        .map(|t| x(*t).round() as i64)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    for column in columns {
        let at = column as f64;
        let faint = Stroke {
            opacity: 0.25,
            ..Stroke::plain(Colour::hex(0xe0245e), 0.8)
        };
        drawing.line(vec![[at, y(low)], [at, y(high)]], faint);
    }
    let fine = Stroke::plain(Colour::hex(0xe3e7ec), 0.8);
    for (value, label) in &across {
        drawing.line(vec![[x(*value), y(low)], [x(*value), y(high)]], fine);
        let at = [x(*value), height - BOTTOM + 16.0];
        drawing.text(at, Align::Middle, TEXT, label, INK);
    }
    for (value, label) in &along {
        drawing.line(vec![[x(t0), y(*value)], [x(t1), y(*value)]], fine);
        let at = [left - 6.0, y(*value) + 4.0];
        drawing.text(at, Align::End, TEXT, label, INK);
    }
    for curve in curves {
        // Bounds as fine lines in the colour of what they bound.
        for bound in (curve.bounds.iter()).filter(|b| (low..=high).contains(*b)) {
            let fine = Stroke {
                opacity: 0.6,
                ..Stroke::plain(curve.colour, 0.7)
            };
            drawing.line(vec![[x(t0), y(*bound)], [x(t1), y(*bound)]], fine);
        }
        drawing.line(
            curve.points.iter().map(|p| [x(p[0]), y(p[1])]).collect(),
            Stroke {
                dash: curve.dash,
                ..Stroke::plain(curve.colour, 1.4)
            },
        );
    }
    drawing.items.push(Item::Polygon {
        points: vec![
            [x(t0), y(low)],
            [x(t1), y(low)],
            [x(t1), y(high)],
            [x(t0), y(high)],
        ],
        fill: None,
        stroke: Some(Stroke::plain(INK, 1.0)),
    });
    let middle = [0.5 * (x(t0) + x(t1)), height - 8.0];
    let across = match plot.axis.is_empty() {
        true => "time in s",
        false => &plot.axis,
    };
    drawing.text(middle, Align::Middle, TEXT, across, INK);
    let name = match plot.unit.is_empty() {
        true => plot.title.clone(),
        false => format!("{} in {}", plot.title, plot.unit),
    };
    // A long name is written smaller, and stays on the paper.
    let room = height - 8.0;
    let size = TEXT * (room / text_width(&name, TEXT)).min(1.0);
    let half = 0.5 * text_width(&name, size) + 4.0;
    let middle =
        (0.5 * (y(low) + y(high))).clamp(half.min(0.5 * height), height - half.min(0.5 * height));
    drawing.items.push(Item::Text {
        at: [14.0, middle],
        align: Align::Middle,
        size,
        text: name,
        colour: INK,
        upwards: true,
    });
    legend(&mut drawing, &rows, left);
    drawing
}

/// Curves whose names share a line of the legend.
fn legend_rows(curves: &[Curve], left: f64) -> Vec<Vec<&Curve>> {
    let mut rows: Vec<Vec<&Curve>> = Vec::new();
    let mut at = f64::INFINITY;
    for curve in curves {
        let width = entry_width(curve);
        if at + width > WIDTH {
            rows.push(Vec::new());
            at = left;
        }
        if let Some(row) = rows.last_mut() {
            row.push(curve);
        }
        at += width;
    }
    rows
}

fn entry_width(curve: &Curve) -> f64 {
    26.0 + text_width(&curve.name, TEXT) + 16.0
}

fn legend(drawing: &mut Drawing, rows: &[Vec<&Curve>], left: f64) {
    for (k, row) in rows.iter().enumerate() {
        let (mut at, y) = (left, 16.0 + LINE * k as f64);
        for curve in row {
            let stroke = Stroke {
                dash: curve.dash,
                ..Stroke::plain(curve.colour, 1.8)
            };
            drawing.line(vec![[at, y], [at + 20.0, y]], stroke);
            drawing.text([at + 26.0, y + 4.0], Align::Start, TEXT, &curve.name, INK);
            at += entry_width(curve);
        }
    }
}

/// A range with the bounds in it, but for those so far away that the curves would be flat.
fn with_bounds((low, high): (f64, f64), curves: &[Curve]) -> (f64, f64) {
    let span = high - low;
    let bounds = curves.iter().flat_map(|c| &c.bounds);
    let near = bounds.filter(|b| (low - **b).max(**b - high) <= FAR * span);
    near.fold((low, high), |(a, b), v| (a.min(*v), b.max(*v)))
}

/// A range with room around it; round-off must not look like motion.
fn widened((low, high): (f64, f64), room: f64) -> (f64, f64) {
    if !(low.is_finite() && high.is_finite()) {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if size == 0.0 {
        return (-1.0, 1.0);
    }
    let span = high - low;
    if span <= 1e-9 * size {
        return (low - 0.1 * size, high + 0.1 * size);
    }
    (low - room * span, high + room * span)
}

/// About five round values between two, with labels.
fn ticks(low: f64, high: f64, log: bool) -> Vec<(f64, String)> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|s| s * power)
        .into_iter()
        .find(|s| *s >= rough)
        .unwrap_or(10.0 * power);
    let step = if log { step.max(1.0).round() } else { step };
    let size = low.abs().max(high.abs());
    let plain = log || (1e-3..1e5).contains(&size);
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let digits = ((size / step).log10().floor().max(0.0) as usize).min(12);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last.min(first + 20))
        .map(|k| {
            let value = k as f64 * step;
            let label = match (k, log, plain) {
                (_, true, _) => format!("1e{value:.0}"),
                (0, ..) => "0".into(),
                (_, _, true) => format!("{value:.decimals$}"),
                _ => format!("{value:.digits$e}"),
            };
            (value, label.replace('-', "\u{2212}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |low, high| -> Vec<String> {
            let ticks = ticks(low, high, false);
            assert!(
                ticks
                    .iter()
                    .all(|(v, _)| *v >= low - 1e-9 && *v <= high + 1e-9)
            );
            ticks.into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-2e-7, 2e-7)[0], "\u{2212}2e\u{2212}7");
        assert!(labels(0.0, 1e9).len() > 3);
    }

    #[test]
    fn the_legend_keeps_every_name() {
        let curve = |k: usize| Curve {
            name: format!("a rather long name of a curve, number {k}"),
            points: vec![[0.0, k as f64], [1.0, 2.0]],
            colour: INK,
            dash: DASHES[0],
            bounds: Vec::new(),
        };
        let curves: Vec<Curve> = (0..9).map(curve).collect();
        let drawing = draw(&Plot::default(), &curves, &[]);
        let written = |name: &str| {
            let mut items = drawing.items.iter();
            items.any(|item| matches!(item, Item::Text { text, .. } if text == name))
        };
        assert!(curves.iter().all(|c| written(&c.name)));
        assert!(drawing.height > HEIGHT);
        assert_eq!(draw(&Plot::default(), &curves[..1], &[]).height, HEIGHT);
    }

    #[test]
    fn a_constant_gets_room() {
        assert_eq!(widened((0.0, 0.0), 0.1), (-1.0, 1.0));
        let (low, high) = widened((2.0, 2.0 + 1e-15), 0.1);
        assert!(low < 1.9 && high > 2.1);
        assert_eq!(widened((f64::INFINITY, f64::NEG_INFINITY), 0.1), (0.0, 1.0));
    }
}
