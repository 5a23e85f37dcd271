//! A motion with its bounds and all conditions there are, as they are put together.

use std::collections::BTreeSet;

use super::feature::Feature;
use super::path::Path;
use super::poly::Poly;
use super::problem::connected;
use super::push::Push;
use super::rows::jump::JumpRow;
use super::rows::{Anchors, Conditions, Cones, Formulas, Jumps, Recurrences, Slides};
use crate::model::BodyId;

/// A motion with its bounds and all conditions there are, and where to start.
pub(crate) struct Draft {
    pub path: Path,
    pub bounds: Vec<[f64; 2]>,
    pub conditions: Conditions,
    pub formulas: Formulas,
    pub jumps: Jumps,
    pub anchors: Anchors,
    pub cones: Cones,
    pub slides: Slides,
    pub recurrences: Recurrences,
    pub x: Vec<f64>,
}

/// No bounds.
pub(crate) const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Draft {
    /// Holds a constraint at a node: a condition g = 0, and a reaction in `range` where momentum is
    /// balanced. This is how a phase gets unknowns and rows of its own.
    pub fn hold(&mut self, node: usize, what: &str, poly: &Poly, range: [f64; 2]) {
        self.conditions.add(node, what, &[(poly.clone(), [0.0; 2])]);
        let layout = &mut self.path.layout;
        layout.held.push((node, poly.into(), range));
        let homes = layout.homes(poly.used());
        if homes.iter().any(|&c| layout.is_balanced(c, node)) {
            self.react(node, what, poly, range, 0.0);
        }
    }

    /// An impulse in `range` along a push, or the gradient of a polynomial, at a node, with the value it begins
    /// with; returns its unknown.
    pub fn react(
        &mut self,
        node: usize,
        what: &str,
        push: impl Into<Push>,
        range: [f64; 2],
        value: f64,
    ) -> usize {
        let layout = &mut self.path.layout;
        let number = layout.reactions.len();
        layout.add_reaction(node, push.into(), format!("{number} {what}"));
        self.x.push(value);
        self.bounds.push(range);
        self.x.len() - 1
    }

    /// Two colliders touch at a node as planned: avoidance leaves them alone there, and vertices beside what touches
    /// keep a height, in m. Where it `holds`, so that faces may come down flat, only vertices next to it have rows: those
    /// of the others would depend on them.
    pub fn touch(&mut self, node: usize, feature: &Feature, height: f64, holds: bool) {
        if let Some(pair) = feature.pair {
            self.path.layout.meet(pair, node);
        }
        for other in feature.others.iter().filter(|o| o.next || !holds) {
            let what = format!("{} beside {}", other.name, feature.name);
            let rows = [(other.height.clone(), [height, f64::INFINITY])];
            self.conditions.add(node, &what, &rows);
            if let Some(row) = self.conditions.rows.last_mut() {
                row.told = true;
            }
        }
    }

    /// Components with those that loops tie to them: what closes a loop pushes all of them, so that no velocity is one of
    /// some alone.
    pub fn with_loops(&self, components: BTreeSet<usize>) -> BTreeSet<usize> {
        let layout = &self.path.layout;
        let home = |b: &BodyId| layout.home_of(*b);
        let groups = connected(&self.path.model);
        let groups = (groups.iter()).map(|bodies| bodies.iter().filter_map(home).collect());
        let tied = |group: &BTreeSet<usize>| !group.is_disjoint(&components);
        groups.filter(tied).flatten().collect()
    }

    /// Velocities of components before or after a node as unknowns, which obey what holds there; says which side it is.
    pub fn add_side(&mut self, node: usize, before: bool, components: Vec<usize>) -> usize {
        let layout = &mut self.path.layout;
        let number = layout.add_side(node, before, components);
        let count = layout.sides[number].freedoms.len();
        self.x.extend(vec![0.0; count]);
        self.bounds.extend(vec![FREE; count]);
        let held: Vec<_> = (layout.held.iter())
            .filter(|(at, push, _)| {
                let homes = layout.homes(push.used());
                let own = &layout.sides[number].components;
                *at == node && homes.iter().any(|c| own.contains(c))
            })
            .cloned()
            .collect();
        for (_, push, range) in held {
            let homes = layout.homes(push.used());
            layout.couple_balance(node, &homes);
            let unknown = layout.unknown();
            layout.sides[number].pushes.push((push.clone(), unknown));
            self.x.push(0.0);
            self.bounds.push(range);
            self.jumps.rows.push(JumpRow {
                node,
                what: "velocity of what is held".into(),
                push,
                sides: vec![(number, 1.0)],
                products: Vec::new(),
                range: [0.0; 2],
            });
        }
        self.path.refresh(&self.x, false);
        let side = self.path.layout.sides[number].clone();
        let rates = self.path.side_rates(&side);
        for (k, &f) in side.freedoms.iter().enumerate() {
            self.x[side.first + k] = rates[f];
        }
        number
    }
}
