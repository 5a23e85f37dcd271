//! What happens between the materials of a pair.

use super::pairs::{Collider, Pair};
use crate::model::{Model, Touching};

/// What happens between any two materials, looked up once.
#[derive(Debug)]
pub struct Surfaces {
    /// Material of each part of each body, and of each wall; 0 is the default.
    bodies: Vec<Vec<usize>>,
    walls: Vec<usize>,
    table: Vec<Touching>,
    count: usize,
}

impl Surfaces {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let rules = model.contact();
        let index = |name: Option<&str>| {
            let known = name.and_then(|n| rules.materials.iter().position(|m| m.name == n));
            known.map_or(0, |k| k + 1)
        };
        let count = rules.materials.len() + 1;
        let name = |k: usize| (k > 0).then(|| rules.materials[k - 1].name.as_str());
        let table = (0..count * count)
            .map(|k| rules.between(name(k / count), name(k % count)))
            .collect();
        let bodies = model.bodies().iter();
        let walls = rules.walls.iter();
        Self {
            bodies: bodies.map(|b| b.materials().map(index).collect()).collect(),
            walls: walls.map(|w| index(w.material.as_deref())).collect(),
            table,
            count,
        }
    }

    /// Restitution, friction and law of a pair.
    #[inline]
    pub fn of(&self, pair: &Pair) -> Touching {
        let material = |c: &Collider| match c {
            Collider::Part { body, part } => self.bodies[body.index()][*part],
            Collider::Bead { body } => self.bodies[body.index()][0],
            Collider::Wall { index } => self.walls[*index],
        };
        let [a, b] = match pair {
            Pair::Bodies(a, b) => [material(a), material(b)],
            _ => [0, 0],
        };
        self.table[a * self.count + b]
    }
}
