//! A drawing of polygons, lines and text: what SVG and PNG have in common.

/// A colour, 0 to 1 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f64; 3]);

impl Colour {
    /// From `0xrrggbb`.
    pub const fn hex(rgb: u32) -> Self {
        Self([
            (rgb >> 16 & 255) as f64 / 255.0,
            (rgb >> 8 & 255) as f64 / 255.0,
            (rgb & 255) as f64 / 255.0,
        ])
    }

    /// Darker below one, the same at one.
    pub fn shade(self, light: f64) -> Self {
        Self(self.0.map(|c| (c * light).clamp(0.0, 1.0)))
    }

    /// As `#rrggbb`.
    pub fn css(self) -> String {
        let [r, g, b] = self.0.map(|c| (255.0 * c).round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// Nearly black.
pub const INK: Colour = Colour::hex(0x1b1f24);
/// A line's colour, width and dashes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour.
    pub colour: Colour,
    /// Width in points.
    pub width: f64,
    /// Lengths of a dash and the gap after it; zero for none.
    pub dash: [f64; 2],
    /// 1 is opaque.
    pub opacity: f64,
}

impl Stroke {
    /// An opaque line without dashes.
    pub fn plain(colour: Colour, width: f64) -> Self {
        Self {
            colour,
            width,
            dash: [0.0; 2],
            opacity: 1.0,
        }
    }
}

/// Where the point of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its left end.
    Start,
    /// In its middle.
    Middle,
    /// At its right end.
    End,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub enum Item {
    /// A closed loop.
    Polygon {
        /// Corners.
        points: Vec<[f64; 2]>,
        /// Colour and opacity of its inside.
        fill: Option<(Colour, f64)>,
        /// Its rim.
        stroke: Option<Stroke>,
    },
    /// An open line.
    Line {
        /// Points.
        points: Vec<[f64; 2]>,
        /// How it is drawn.
        stroke: Stroke,
    },
    /// A circle.
    Circle {
        /// Centre.
        at: [f64; 2],
        /// Radius.
        radius: f64,
        /// Colour of its inside.
        fill: Colour,
        /// Its rim.
        stroke: Option<Stroke>,
    },
    /// A line of text.
    Text {
        /// Where it stands, on the base line.
        at: [f64; 2],
        /// Which part of it stands there.
        align: Align,
        /// Size in points.
        size: f64,
        /// The words.
        text: String,
        /// Colour.
        colour: Colour,
        /// Whether it runs upwards.
        upwards: bool,
    },
}

/// A drawing; the origin is at the top left.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Width in points.
    pub width: f64,
    /// Height in points.
    pub height: f64,
    /// From back to front.
    pub items: Vec<Item>,
}

impl Drawing {
    /// Adds a line.
    pub fn line(&mut self, points: Vec<[f64; 2]>, stroke: Stroke) {
        self.items.push(Item::Line { points, stroke });
    }

    /// Adds text.
    pub fn text(&mut self, at: [f64; 2], align: Align, size: f64, text: &str, colour: Colour) {
        self.items.push(Item::Text {
            at,
            align,
            size,
            text: text.into(),
            colour,
            upwards: false,
        });
    }
}
