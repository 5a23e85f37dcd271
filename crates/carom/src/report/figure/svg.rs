//! A drawing as SVG.

use std::fmt::Write;

use super::drawing::{Align, Drawing, Item, Stroke};
use crate::report::html::escape;

/// The drawing as text.
pub fn svg(drawing: &Drawing) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" \
         viewBox=\"0 0 {0:.0} {1:.0}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        drawing.width, drawing.height
    );
    for item in &drawing.items {
        let _ = match item {
            Item::Polygon {
                points,
                fill,
                stroke,
            } => {
                let fill = fill.map_or("fill=\"none\"".into(), |(colour, opacity)| {
                    let opacity = match opacity < 1.0 {
                        true => format!(" fill-opacity=\"{opacity:.2}\""),
                        false => String::new(),
                    };
                    format!("fill=\"{}\"{opacity}", colour.css())
                });
                let stroke = stroke.as_ref().map_or(String::new(), attributes);
                writeln!(out, "<path d=\"{}Z\" {fill}{stroke}/>", path(points))
            }
            Item::Line { points, stroke } => writeln!(
                out,
                "<path d=\"{}\" fill=\"none\"{}/>",
                path(points),
                attributes(stroke)
            ),
            Item::Circle {
                at,
                radius,
                fill,
                stroke,
            } => writeln!(
                out,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{}\"{}/>",
                at[0],
                at[1],
                fill.css(),
                stroke.as_ref().map_or(String::new(), attributes)
            ),
            Item::Text {
                at,
                align,
                size,
                text,
                colour,
                upwards,
            } => {
                let anchor = match align {
                    Align::Start => "start",
                    Align::Middle => "middle",
                    Align::End => "end",
                };
                let place = match upwards {
                    true => format!(
                        "transform=\"translate({:.2} {:.2}) rotate(-90)\"",
                        at[0], at[1]
                    ),
                    false => format!("x=\"{:.2}\" y=\"{:.2}\"", at[0], at[1]),
                };
                writeln!(
                    out,
                    "<text {place} text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{}\">{}</text>",
                    colour.css(),
                    escape(text)
                )
            }
        };
    }
    out + "</svg>\n"
}

fn path(points: &[[f64; 2]]) -> String {
    let mut out = String::new();
    for (k, [x, y]) in points.iter().enumerate() {
        let command = if k == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{command}{x:.2} {y:.2}");
    }
    out
}

fn attributes(stroke: &Stroke) -> String {
    let mut out = format!(
        " stroke=\"{}\" stroke-width=\"{:.2}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        stroke.colour.css(),
        stroke.width
    );
    if stroke.dash[0] > 0.0 {
        let _ = write!(
            out,
            " stroke-dasharray=\"{} {}\"",
            stroke.dash[0], stroke.dash[1]
        );
    }
    if stroke.opacity < 1.0 {
        let _ = write!(out, " stroke-opacity=\"{:.2}\"", stroke.opacity);
    }
    out
}
