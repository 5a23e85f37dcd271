//! Bodies whose motion is given, as a step sees them: where they go, and what that takes.

use carom_gap::Pose;
use nalgebra::Matrix3;

use crate::mechanics::{Covector, Increment, Wrench, log};
use crate::model::Model;

/// The bodies of a model whose motion is given.
#[derive(Debug)]
pub(super) struct Given {
    bodies: Vec<usize>,
}

impl Given {
    pub fn new(model: &Model) -> Self {
        let given = |k: &usize| model.bodies()[*k].motion.is_some();
        Self {
            bodies: (0..model.bodies().len()).filter(given).collect(),
        }
    }

    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// How they move in a step of size h, and where they are at its end.
    pub fn step(
        &self,
        model: &Model,
        time: f64,
        h: f64,
        (increments, next): (&mut [Increment], &mut [Pose]),
    ) {
        for &k in &self.bodies {
            let body = &model.bodies()[k];
            if let (Some((from, _)), Some((to, _))) = (body.given(time), body.given(time + h)) {
                let directors = to.directors - from.directors;
                increments[k] = Increment {
                    shift: to.position - from.position,
                    turn: directors * from.directors.transpose(),
                    directors,
                };
                next[k] = to;
            }
        }
    }

    /// Where they are between the ends of a step; γ is the weight of its start.
    pub fn between(&self, increments: &[Increment], next: &[Pose], gamma: f64, out: &mut [Pose]) {
        for &k in &self.bodies {
            out[k].position = next[k].position - increments[k].shift * gamma;
            out[k].directors = next[k].directors - increments[k].directors * gamma;
        }
    }

    /// Takes the forces on them for nothing.
    pub fn clear(&self, forces: &mut [Covector]) {
        self.bodies
            .iter()
            .for_each(|&k| forces[k] = Covector::default());
    }

    /// ⟨f, Δq⟩ of forces on them.
    pub fn work_of(&self, increments: &[Increment], forces: &[Covector]) -> f64 {
        let each = self.bodies.iter();
        each.map(|&k| forces[k].dot(&increments[k].shift, &increments[k].directors))
            .sum()
    }

    /// Products of impulses on them, at both ends of a step, with their motion.
    pub fn work(&self, increments: &[Increment], (start, end): (&[Wrench], &[Wrench])) -> f64 {
        let each = self.bodies.iter();
        each.map(|&k| {
            let i = &increments[k];
            let turn = log(&(i.turn + Matrix3::identity()));
            (start[k].force + end[k].force).dot(&i.shift)
                + (start[k].torque + end[k].torque).dot(&turn)
        })
        .sum()
    }
}
