//! Columns of node sets: where nodes of elastic bodies are on the mean, and what holds them.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::columns::{Column, XYZ};
use crate::mechanics::{Supports, Twist, point_velocity};
use crate::model::Model;

/// The node sets of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeColumns {
    sets: Vec<Set>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Set {
    solid: usize,
    /// Among those of the solid.
    index: usize,
    /// What it is held by, if all of it is held.
    held: Option<Supports>,
}

impl NodeColumns {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let mut sets = Vec::new();
        for (solid, of) in model.solids().iter().enumerate() {
            for (index, set) in of.sets.iter().enumerate() {
                sets.push(Set {
                    solid,
                    index,
                    held: Supports::of_nodes(model, solid, &set.nodes),
                });
            }
        }
        Self { sets }
    }

    /// Names, units and meanings.
    pub fn describe(&self, model: &Model, add: &mut dyn FnMut(Column)) {
        for set in &self.sets {
            let solid = &model.solids()[set.solid];
            let name = &solid.sets[set.index].name;
            let nodes = format!("the nodes {name} of {}", solid.name);
            let mut three = |part: &str, unit, what: String| {
                for c in XYZ {
                    add(Column {
                        name: format!("nodes.{name}.{part}{c}"),
                        unit,
                        frame: "world",
                        meaning: format!("{what}, {c}"),
                    });
                }
            };
            three("", "m", format!("mean place of {nodes}"));
            three("v", "m/s", format!("mean velocity of {nodes}"));
            if set.held.is_some() {
                let what =
                    format!("force on the body of what holds {nodes}, without their own weight");
                three("force.", "N", what);
            }
        }
    }

    /// The values at a configuration.
    pub fn row(&self, model: &Model, poses: &[Pose], twists: &[Twist], row: &mut Vec<f64>) {
        for set in &self.sets {
            let solid = &model.solids()[set.solid];
            let nodes = &solid.sets[set.index].nodes;
            let count = nodes.len() as f64;
            let place = nodes.iter().map(|n| solid.place(*n, poses));
            row.extend((place.sum::<Vector3<f64>>() / count).iter());
            let velocity = |n: &u32| point_velocity(&solid.points[*n as usize], poses, twists);
            let velocity = nodes.iter().map(velocity);
            row.extend((velocity.sum::<Vector3<f64>>() / count).iter());
            if let Some(held) = &set.held {
                let velocity = |p: &_| point_velocity(p, poses, twists);
                row.extend(held.impulse(model, poses, 1.0, velocity).force.iter());
            }
        }
    }
}
