//! Curves as inline SVG.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 234.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
/// Colours that people with colour blindness can tell apart (Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// Named curves over time.
pub(super) struct Plot<'a> {
    pub time: &'a [f64],
    pub series: &'a [(&'a str, &'a [f64])],
}

impl Plot<'_> {
    /// The drawing.
    pub fn svg(&self) -> String {
        let finite = |values: &[f64]| -> (f64, f64) {
            let values = values.iter().copied().filter(|v| v.is_finite());
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v), b.max(v))
            })
        };
        let (t0, t1) = finite(self.time);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, values) in self.series {
            let (a, b) = finite(values);
            (low, high) = (low.min(a), high.max(b));
        }
        if !(low.is_finite() && high.is_finite() && t0.is_finite()) {
            return String::from("<p>nothing to draw</p>");
        }
        // Round-off must not look like motion: a constant gets room around it.
        let room = 1e-9 * low.abs().max(high.abs());
        if high - low <= room {
            let room = if room > 0.0 { room } else { 1.0 };
            (low, high) = (low - room, high + room);
        }
        let x = |t: f64| LEFT + (WIDTH - LEFT - RIGHT) * (t - t0) / (t1 - t0).max(1e-300);
        let y = |v: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - v) / (high - low);
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-size=\"12\" fill=\"currentColor\">"
        );
        for k in 0..5 {
            let share = f64::from(k) / 4.0;
            let (value, time) = (low + share * (high - low), t0 + share * (t1 - t0));
            let _ = write!(
                out,
                "<line x1=\"{LEFT}\" x2=\"{1}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"currentColor\" stroke-opacity=\".15\"/>\
                 <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\
                 <text x=\"{5:.1}\" y=\"{6}\" text-anchor=\"middle\">{7}</text>",
                y(value),
                WIDTH - RIGHT,
                LEFT - 6.0,
                y(value) + 4.0,
                label(value, high - low),
                x(time),
                HEIGHT - 16.0,
                label(time, t1 - t0),
            );
        }
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">time in s</text>",
            (LEFT + WIDTH) / 2.0,
            HEIGHT - 2.0
        );
        for (k, (name, values)) in self.series.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let points: String = (self.time.iter().zip(*values))
                .filter(|(_, v)| v.is_finite())
                .map(|(t, v)| format!("{:.1},{:.1} ", x(*t), y(*v)))
                .collect();
            let _ = write!(
                out,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"{colour}\" text-anchor=\"end\">{name}</text>",
                points.trim_end(),
                WIDTH - RIGHT - 70.0 * (self.series.len() - 1 - k) as f64,
                TOP - 12.0,
            );
        }
        out + "</svg>"
    }
}

/// A number with as many digits as the span of the axis asks for.
fn label(value: f64, span: f64) -> String {
    if value.abs() < 1e-12 * span {
        return "0".into();
    }
    let size = value.abs().max(span);
    let digits = (size / span.max(1e-300)).log10().max(0.0) as usize + 2;
    if (1e-3..1e5).contains(&size) && digits <= 6 {
        let decimals = (digits as f64 - size.log10().floor()).clamp(0.0, 8.0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.precision$e}", precision = digits.min(9))
    }
}
