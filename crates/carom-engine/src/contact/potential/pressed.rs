//! What is told of cushions: who presses on whom, where and how much.

use nalgebra::Vector3;

use super::{ContactPotential, Cushion};
use crate::contact::elements::{ElementContact, Pressing};
use crate::contact::pairs::{Key, Pair};

/// What a cushion did.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    /// The pair.
    pub pair: Pair,
    /// Its key.
    pub key: Key,
    /// Its gap.
    pub gap: f64,
    /// Force on the first; zero for limits.
    pub force: Vector3<f64>,
    /// Its size (on the limited coordinate for limits).
    pub along: f64,
    /// Where.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first.
    pub normal: Vector3<f64>,
}

impl ContactPotential {
    /// What overlaps, with the force of the potential.
    pub fn pressed(&mut self) -> impl Iterator<Item = Pressed> + '_ {
        if let Some(elements) = &mut self.elements {
            elements.sum_up();
        }
        let soft = self.cushions.iter().filter(|c| c.gap < 0.0);
        let elastic = self.elements.iter();
        let elastic = elastic.flat_map(|e| e.pressing().iter().filter_map(|p| told_of(e, p)));
        soft.map(|c| self.told(c)).chain(elastic)
    }

    /// A pair where it was evaluated last; without a place if it is far.
    pub fn pair(&self, key: Key) -> Option<Pressed> {
        if let (Some(e), Some([a, b])) = (&self.elements, elastic_key(key)) {
            let sides = e.parties([a, b])?;
            return Some(Pressed::nothing(Pair::Elastic(sides), key, f64::INFINITY));
        }
        if let Some(c) = self.cushions.iter().find(|c| c.key == key) {
            return Some(self.told(c));
        }
        Some(Pressed::nothing(
            self.detector.pair(key)?,
            key,
            f64::INFINITY,
        ))
    }

    fn told(&self, c: &Cushion) -> Pressed {
        let mut out = Pressed::nothing(c.pair, c.key, c.gap);
        out.along = c.answer.force;
        if let Pair::Bodies(..) = c.pair {
            for (p, force) in self.carriers(c) {
                out.force += p.gradient[0].map_or(Vector3::zeros(), |(_, g)| g.force * force);
                out.point += p.point * (force / c.answer.force);
                out.normal += p.normal * force;
            }
            out.along = out.force.norm();
            out.normal = out.normal.try_normalize(0.0).unwrap_or_default();
        }
        out
    }
}

/// Keys of pairs with elastic bodies have this bit.
const ELASTIC: u32 = 1 << 31;

/// The two sides of a key of a pair with an elastic body.
fn elastic_key(key: Key) -> Option<[usize; 2]> {
    let is = key.0 & ELASTIC != 0 && key.0 != u32::MAX;
    is.then_some([(key.0 & !ELASTIC) as usize, key.1 as usize])
}

/// What elements of two bodies did, as one.
fn told_of(elements: &ElementContact, p: &Pressing) -> Option<Pressed> {
    let sides = elements.parties(p.key)?;
    let key = (p.key[0] as u32 | ELASTIC, p.key[1] as u32);
    Some(Pressed {
        force: p.force,
        along: p.force.norm(),
        point: p.point,
        normal: p.force.try_normalize(0.0).unwrap_or_default(),
        ..Pressed::nothing(Pair::Elastic(sides), key, p.gap)
    })
}

impl Pressed {
    fn nothing(pair: Pair, key: Key, gap: f64) -> Self {
        let zero = Vector3::zeros();
        Self {
            pair,
            key,
            gap,
            force: zero,
            along: 0.0,
            point: zero,
            normal: zero,
        }
    }
}
