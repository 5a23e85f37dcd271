//! Bodies whose motion is given, in a plan: where they are at its nodes, and how that changes with the time
//! scales. Between two nodes they go straight and turn evenly, like all others.

use carom_gap::Pose;
use nalgebra::SVector;

use super::layout::{Layout, Scale, grid};
use super::path::{Path, place_at};
use super::problem::Problem;
use crate::model::Model;

/// Position and directors, column by column.
pub(crate) type Vector12 = SVector<f64, 12>;

/// Puts bodies whose motion is given where they are at the nodes of a guess.
pub(crate) fn place(problem: &Problem, scales: &[f64], poses: &mut [Vec<Pose>]) {
    if !is_given(&problem.model) {
        return;
    }
    let mut time = 0.0;
    for (node, step) in (0..).zip(grid(problem).iter().map(Some).chain([None])) {
        if let Some(here) = poses.get_mut(node).filter(|here| !here.is_empty()) {
            place_at(&problem.model, time, here);
        }
        time += step.map_or(0.0, |s| s.base * scales[s.phase]);
    }
}

/// Whether the motion of any body is given.
pub(crate) fn is_given(model: &Model) -> bool {
    model.bodies().iter().any(|b| b.motion.is_some())
}

impl Layout {
    /// When a node is.
    pub fn time(&self, node: usize, x: &[f64]) -> f64 {
        (0..node).map(|step| self.h(step, x)).sum()
    }

    /// What the time of a node depends on: unknown time scales, and how much.
    pub fn time_slopes(&self, node: usize) -> Vec<(usize, f64)> {
        let mut out: Vec<(usize, f64)> = Vec::new();
        for step in &self.grid[..node] {
            if let Scale::Unknown(index) = self.scales[step.phase] {
                match out.iter_mut().find(|(k, _)| *k == index) {
                    Some((_, slope)) => *slope += step.base,
                    None => out.push((index, step.base)),
                }
            }
        }
        out
    }
}

impl Path {
    /// (φ̇, Ḋ) and (φ̈, D̈) of a body whose motion is given, at a node.
    pub fn given_rates(&self, body: usize, node: usize) -> Option<[Vector12; 2]> {
        let body = &self.model.bodies()[body];
        let motion = body.motion.as_ref()?;
        let time = self.layout.time(node, self.x());
        let [rate, bend] = motion.rates(&body.start, time);
        Some([rate, bend].map(|pose| {
            let mut out = Vector12::zeros();
            out.fixed_rows_mut::<3>(0).copy_from(&pose.position);
            out.fixed_rows_mut::<9>(3)
                .copy_from_slice(pose.directors.as_slice());
            out
        }))
    }
}
