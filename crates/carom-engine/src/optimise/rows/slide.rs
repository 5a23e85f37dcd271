//! Sticking or sliding at an impact, without a choice between them beforehand.
//!
//! With the impulse τ across a contact, the sliding v that is left and the impulse λ along its normal,
//! Coulomb's law is v = −κ τ with κ ≥ 0, |τ| ≤ μλ, and κ = 0 wherever |τ| < μλ. The first is a
//! [`jump`](super::jump) row with products of unknowns; the rest is one row here,
//!
//! ```text
//! √(κ² + s² + 2ε²) − κ − s = 0,   s = ((μλ)² − |τ|²)/I²
//! ```
//!
//! (Fischer and Burmeister), which says κ ≥ 0, s ≥ 0 and κ s = ε². A search that stalls at the corner between
//! sticking and sliding comes near it with ε falling from plan to plan, and then takes one side of it: κ = 0 and
//! s ≥ 0, or κ ≥ 0 and s = 0.
//!
//! Where several points stick, each holds what others hold, too, and impulses are not unique. There κ − κ₀ stands in
//! place of κ, with a small κ₀: what sticks creeps a little, and of all impulses the smallest are taken.

use crate::optimise::corner::{Corner, SHARP, Side, Stand};
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// Unknowns with their factors.
pub(crate) type Linear = Vec<(usize, f64)>;

/// What a row says.
#[derive(Clone, Debug)]
pub(crate) enum Slide {
    /// A sum of unknowns is zero.
    Sum(Linear),
    /// Where it slides the cone is reached, and only there.
    Cone {
        /// κ.
        slip: usize,
        /// μλ.
        limit: Linear,
        /// τ.
        across: [Linear; 2],
        /// I, the size of the impulse across.
        size: f64,
        /// κ₀, the slip of what sticks.
        creep: f64,
        /// Points that take sides together.
        group: String,
    },
}

/// A row at a node.
#[derive(Clone, Debug)]
pub(crate) struct SlideRow {
    pub node: usize,
    pub what: String,
    pub slide: Slide,
    /// The side it is on, if that is chosen.
    pub side: Option<Side>,
}

impl SlideRow {
    pub fn new(node: usize, what: String, slide: Slide) -> Self {
        Self {
            node,
            what,
            slide,
            side: None,
        }
    }
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Slides {
    pub rows: Vec<SlideRow>,
    /// ε.
    width: f64,
}

impl Default for Slides {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            width: SHARP,
        }
    }
}

fn sum(list: &Linear, x: &[f64]) -> f64 {
    list.iter().map(|(k, w)| w * x[*k]).sum()
}

/// The function of κ and s with its first and second derivatives: value, by κ, by s, twice by κ, by both,
/// twice by s.
fn both(kappa: f64, s: f64, width: f64) -> [f64; 6] {
    let round = 2.0 * width * width;
    let r = (kappa * kappa + s * s + round).sqrt();
    // r − κ − s without cancellation where one of them is small: (2ε² − 2κs)/(r + κ + s).
    let value = match kappa + s > 0.0 {
        true => (round - 2.0 * kappa * s) / (r + kappa + s),
        false => r - kappa - s,
    };
    let cube = r * r * r;
    [
        value,
        kappa / r - 1.0,
        s / r - 1.0,
        (s * s + round) / cube,
        -kappa * s / cube,
        (kappa * kappa + round) / cube,
    ]
}

/// s with its gradient and the constant parts of its second derivatives: factor and linear form of each
/// square.
fn room(limit: &Linear, across: &[Linear; 2], size: f64, x: &[f64]) -> (f64, Linear) {
    let f = 1.0 / (size * size);
    let mut value = 0.0;
    let mut slope: Linear = Vec::new();
    for (form, sign) in [(limit, f), (&across[0], -f), (&across[1], -f)] {
        let v = sum(form, x);
        value += sign * v * v;
        slope.extend(form.iter().map(|(k, w)| (*k, 2.0 * sign * v * w)));
    }
    (value, slope)
}

impl Family for Slides {
    fn name(&self) -> &'static str {
        "slide"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        let range = |row: &SlideRow| match row.side {
            Some(Side::Sticks) => [0.0, f64::INFINITY],
            _ => [0.0; 2],
        };
        self.rows.iter().map(range).collect()
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let x = path.x();
        for (row, value) in self.rows.iter().zip(g) {
            *value = match &row.slide {
                Slide::Sum(list) => sum(list, x),
                Slide::Cone {
                    slip,
                    limit,
                    across,
                    size,
                    creep,
                    ..
                } => {
                    let s = room(limit, across, *size, x).0;
                    match row.side {
                        Some(_) => s,
                        None => both(x[*slip] - creep, s, self.width)[0],
                    }
                }
            };
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        let x = path.x();
        for (r, row) in self.rows.iter().enumerate() {
            match &row.slide {
                Slide::Sum(list) => list.iter().for_each(|(k, w)| sink(r, *k, *w)),
                Slide::Cone {
                    slip,
                    limit,
                    across,
                    size,
                    creep,
                    ..
                } => {
                    let (s, slope) = room(limit, across, *size, x);
                    let (mut by_slip, mut by_room) = (0.0, 1.0);
                    if row.side.is_none() {
                        [_, by_slip, by_room, ..] = both(x[*slip] - creep, s, self.width);
                    }
                    sink(r, *slip, by_slip);
                    slope.iter().for_each(|(k, v)| sink(r, *k, by_room * v));
                }
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let x = path.x();
        for (row, &mu) in self.rows.iter().zip(lambda) {
            let Slide::Cone {
                slip,
                limit,
                across,
                size,
                creep,
                ..
            } = &row.slide
            else {
                continue;
            };
            let (s, slope) = room(limit, across, *size, x);
            let [_, _, by_room, slip_slip, slip_room, room_room] = match row.side {
                Some(_) => [s, 0.0, 1.0, 0.0, 0.0, 0.0],
                None => both(x[*slip] - creep, s, self.width),
            };
            out.entries.push((*slip, *slip, mu * slip_slip));
            for (k, v) in &slope {
                out.entries.push((*slip, *k, mu * slip_room * v));
            }
            // φ_ss ∇s ∇sᵀ + φ_s ∇²s, ½ of each with its transpose.
            out.product(&slope, &slope, 0.5 * mu * room_room);
            let f = mu * by_room / (size * size);
            for (form, sign) in [(limit, f), (&across[0], -f), (&across[1], -f)] {
                out.product(form, form, sign);
            }
        }
    }

    fn write_corners(&mut self, corner: &Corner, bounds: &mut [[f64; 2]]) {
        let sides = match corner {
            Corner::Round(width) => {
                self.width = *width;
                return;
            }
            Corner::Sides(sides) => sides,
        };
        for row in &mut self.rows {
            let Slide::Cone {
                slip, creep, group, ..
            } = &row.slide
            else {
                continue;
            };
            row.side = sides.get(group).copied();
            bounds[*slip] = match row.side {
                Some(Side::Sticks) => [*creep; 2],
                Some(Side::Slides) => [*creep, f64::INFINITY],
                None => bounds[*slip],
            };
        }
    }

    fn stands(&self, path: &Path) -> Vec<Stand> {
        let x = path.x();
        let stand = |row: &SlideRow| match &row.slide {
            Slide::Sum(_) => None,
            Slide::Cone {
                slip,
                limit,
                across,
                size,
                creep,
                group,
            } => Some(Stand {
                group: group.clone(),
                slip: x[*slip] - creep,
                room: room(limit, across, *size, x).0,
            }),
        };
        self.rows.iter().filter_map(stand).collect()
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let row = &self.rows[row];
        path.layout.at_node(row.node, &row.what)
    }

    fn identity(&self, row: usize) -> String {
        let own = &self.rows[row];
        format!("{} {}", own.node, own.what)
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        if largest > 0.0 { largest } else { 1.0 }
    }
}
