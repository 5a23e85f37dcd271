//! Which pairs never collide.
//!
//! Nothing else decides that: detection, contact of elastic bodies, plans (by detection), columns of forces and reports
//! ask here. Apart stay neighbours on joints, unless these let them collide, and what joints fasten to static bodies;
//! pairs that the model leaves out; elastic bodies and what they are glued to. What stands still has no pairs with
//! its like.

use std::collections::HashSet;

use super::pairs::Side;
use crate::model::{BodyId, BodyKind, Model};

/// Pairs of sides that never collide.
#[derive(Clone, Debug)]
pub struct Exclusions {
    /// Each in order.
    apart: HashSet<[Side; 2]>,
    /// Whether a body stands still, or moves as given.
    still: Vec<bool>,
}

impl Exclusions {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let rules = model.contact();
        let joints = model.joints().iter().chain(model.closures());
        let neighbours = joints.filter(|j| !j.collide);
        let neighbours = neighbours.filter_map(|j| Some([j.parent?, j.child]));
        let listed = rules.excluded.iter().chain(&rules.fastened).copied();
        let bodies = neighbours.chain(listed).map(|ends| ends.map(Side::Body));
        let walls = rules.excluded_walls.iter();
        let walls = walls.map(|(body, wall)| [Side::Body(*body), Side::Wall(*wall)]);
        let solids = rules.excluded_solids.iter();
        let solids = solids.map(|parties| parties.map(Side::from));
        let glued = model.solids().iter().enumerate().flat_map(|(k, solid)| {
            let bodies = solid.points.iter().filter_map(|p| p.body);
            bodies.map(move |body| [Side::Solid(k), Side::Body(body)])
        });
        let all = bodies.chain(walls).chain(solids).chain(glued);
        let still = model.bodies().iter().map(|b| b.kind == BodyKind::Static);
        Self {
            apart: all.map(|[a, b]| ordered(a, b)).collect(),
            still: still.collect(),
        }
    }

    /// Whether two sides are kept apart by a rule.
    pub fn keep_apart(&self, a: Side, b: Side) -> bool {
        !self.apart.is_empty() && self.apart.contains(&ordered(a, b))
    }

    /// Whether two different sides may collide.
    pub fn may_meet(&self, a: Side, b: Side) -> bool {
        !(self.keep_apart(a, b) || self.stands_still(a) && self.stands_still(b))
    }

    /// Whether contacts never move a side.
    pub fn stands_still(&self, side: Side) -> bool {
        match side {
            Side::Body(b) => self.still[b.index()],
            Side::Wall(_) => true,
            _ => false,
        }
    }

    /// Pairs of bodies that a rule keeps apart.
    pub(super) fn bodies(&self) -> impl Iterator<Item = [BodyId; 2]> {
        self.apart.iter().filter_map(|pair| match pair {
            [Side::Body(a), Side::Body(b)] => Some([*a, *b]),
            _ => None,
        })
    }
}

fn ordered(a: Side, b: Side) -> [Side; 2] {
    [a.min(b), a.max(b)]
}
