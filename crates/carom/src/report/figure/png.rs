//! A drawing as PNG. Letters are outlines of an embedded font, so that pictures look the same on
//! machines without fonts.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use super::drawing::{Align, Colour, Drawing, Item, Stroke};

const FONT: &[u8] = include_bytes!("DejaVuSans-subset.ttf");
/// Most pixels along a side.
const MOST_PIXELS: f64 = 8_000.0;

/// The drawing as a PNG file of `scale` pixels per point; `None` where there is nothing to draw.
pub fn png(drawing: &Drawing, scale: f64) -> Option<Vec<u8>> {
    paint_all(drawing, scale)?.encode_png().ok()
}

/// The drawing as pixels.
pub(super) fn paint_all(drawing: &Drawing, scale: f64) -> Option<Pixmap> {
    let most = drawing.width.max(drawing.height).max(1.0);
    let scale = scale.min(MOST_PIXELS / most);
    let size = |length: f64| (length * scale).round().max(1.0) as u32;
    let mut canvas = Pixmap::new(size(drawing.width), size(drawing.height))?;
    canvas.fill(Color::WHITE);
    let face = Face::parse(FONT, 0).ok()?;
    let transform = Transform::from_scale(scale as f32, scale as f32);
    for item in &drawing.items {
        match item {
            Item::Polygon {
                points,
                fill,
                stroke,
            } => {
                let Some(path) = loop_of(points, true) else {
                    continue;
                };
                if let Some((colour, opacity)) = fill {
                    fill_path(&mut canvas, &path, *colour, *opacity, transform);
                }
                if let Some(stroke) = stroke {
                    stroke_path(&mut canvas, &path, stroke, transform);
                }
            }
            Item::Line { points, stroke } => {
                if let Some(path) = loop_of(points, false) {
                    stroke_path(&mut canvas, &path, stroke, transform);
                }
            }
            Item::Circle {
                at,
                radius,
                fill,
                stroke,
            } => {
                let circle = PathBuilder::from_circle(at[0] as f32, at[1] as f32, *radius as f32);
                if let Some(path) = circle {
                    fill_path(&mut canvas, &path, *fill, 1.0, transform);
                    if let Some(stroke) = stroke {
                        stroke_path(&mut canvas, &path, stroke, transform);
                    }
                }
            }
            Item::Text {
                at,
                align,
                size,
                text,
                colour,
                upwards,
            } => {
                let (path, width) = letters(&face, text, *size);
                let shift = match align {
                    Align::Start => 0.0,
                    Align::Middle => -0.5 * width,
                    Align::End => -width,
                };
                let turn = if *upwards { -90.0 } else { 0.0 };
                let place = Transform::from_translate(shift as f32, 0.0)
                    .post_concat(Transform::from_rotate(turn))
                    .post_translate(at[0] as f32, at[1] as f32)
                    .post_concat(transform);
                if let Some(path) = path {
                    fill_path(&mut canvas, &path, *colour, 1.0, place);
                }
            }
        }
    }
    Some(canvas)
}

fn paint(colour: Colour, opacity: f64) -> Paint<'static> {
    let [r, g, b] = colour.0.map(|c| c.clamp(0.0, 1.0) as f32);
    let mut paint = Paint::default();
    let alpha = opacity.clamp(0.0, 1.0) as f32;
    paint.set_color(Color::from_rgba(r, g, b, alpha).unwrap_or(Color::BLACK));
    paint
}

fn fill_path(canvas: &mut Pixmap, path: &Path, colour: Colour, opacity: f64, at: Transform) {
    canvas.fill_path(path, &paint(colour, opacity), FillRule::Winding, at, None);
}

fn stroke_path(canvas: &mut Pixmap, path: &Path, stroke: &Stroke, at: Transform) {
    let pen = tiny_skia::Stroke {
        width: stroke.width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: StrokeDash::new(stroke.dash.map(|d| d as f32).to_vec(), 0.0)
            .filter(|_| stroke.dash[0] > 0.0),
        ..tiny_skia::Stroke::default()
    };
    canvas.stroke_path(path, &paint(stroke.colour, stroke.opacity), &pen, at, None);
}

/// A path through points; `None` where it has no extent or is not finite.
fn loop_of(points: &[[f64; 2]], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (k, [x, y]) in points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        match k {
            0 => builder.move_to(x, y),
            _ => builder.line_to(x, y),
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

struct Outline<'a> {
    builder: &'a mut PathBuilder,
    scale: f32,
    x: f32,
}

impl Outline<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, -self.scale * y)
    }
}

impl OutlineBuilder for Outline<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (a, b) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(a.0, a.1, b.0, b.1);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, c) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
    }
    fn close(&mut self) {
        self.builder.close();
    }
}

/// Outlines of a line of text and its width.
fn letters(face: &Face, text: &str, size: f64) -> (Option<Path>, f64) {
    let scale = size as f32 / f32::from(face.units_per_em());
    let mut builder = PathBuilder::new();
    let mut x = 0.0;
    for c in text.chars() {
        let glyph = face.glyph_index(c).unwrap_or_default();
        let mut outline = Outline {
            builder: &mut builder,
            scale,
            x,
        };
        face.outline_glyph(glyph, &mut outline);
        x += scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
    (builder.finish(), f64::from(x))
}

/// Width of a line of text in points.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    Face::parse(FONT, 0).map_or(0.6 * size * text.chars().count() as f64, |face| {
        letters(&face, text, size).1
    })
}
