//! How well a step resolves contact potentials: the energy that each of them gains or loses in it.
//!
//! A step that takes the force at q̄ does the work ⟨−∇V(q̄), Δq⟩ (Newmark's: at both ends) where the
//! potential changes by V(q⁺) − V(q). Within an overlap V is quadratic and the two agree; where a step runs into an overlap
//! or out of it, they differ by up to ½ C Δg².

use carom_gap::Pose;

use super::pair_gap::{Bearing, Path};
use super::potential::{ContactPotential, moved};
use crate::mechanics::Increment;
use crate::model::{BodyKind, Model};

/// A step as potentials see it.
#[derive(Clone, Copy, Debug)]
pub struct Passing<'a> {
    /// Configurations from q to q⁺, each with the weight of its forces; those sum to one.
    pub nodes: &'a [(&'a [Pose], f64)],
    /// q⁺ − q.
    pub increments: &'a [Increment],
    /// Its size.
    pub h: f64,
    /// Size of the step it is a part of.
    pub whole: f64,
}

/// What a potential did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deed {
    /// Potential and gap at the start.
    start: Option<(f64, f64)>,
    /// Work of its forces.
    work: f64,
    /// The mass that the gap feels, where there was an overlap.
    mass: Option<f64>,
}

impl ContactPotential {
    /// The largest energy that a potential gained or lost in a step, relative to the kinetic energy
    /// of its approach, or to what gravity gives in the step if that is more.
    pub fn misfit(&mut self, model: &Model, step: &Passing) -> f64 {
        let mut deeds = std::mem::take(&mut self.deeds);
        deeds.clear();
        deeds.resize(self.count(), Deed::default());
        for (poses, weight) in step.nodes {
            let at = Path {
                poses,
                coordinates: &[],
            };
            self.evaluate(model, &at);
            for (k, deed) in deeds.iter_mut().enumerate() {
                deed.start.get_or_insert(self.level(k));
                let loads = self.loads(k);
                let power: f64 = loads.map(|(p, f)| f * moved(p, step.increments)).sum();
                deed.work += weight * power;
                let first = self.loads(k).next();
                deed.mass = deed.mass.or(first.map(|(p, _)| mass(model, p, poses)));
            }
        }
        let fall = model.forces().gravity.norm_squared() * step.h * step.whole;
        let mut worst: f64 = 0.0;
        for (k, deed) in deeds.iter().enumerate() {
            let (Some((v0, g0)), Some(m)) = (deed.start, deed.mass) else {
                continue;
            };
            let (v1, g1) = self.level(k);
            let speed = (g1 - g0) / step.h;
            let scale = 0.5 * m * (speed * speed + fall);
            worst = worst.max((v1 - v0 + deed.work).abs() / scale.max(f64::MIN_POSITIVE));
        }
        self.deeds = deeds;
        worst
    }
}

/// The mass that a gap feels, joints aside: 1/Σ wᵀ M⁻¹ w with the wrenches w of its gradient.
fn mass(model: &Model, p: &Bearing, poses: &[Pose]) -> f64 {
    let mut inverse = 0.0;
    for (body, g) in p.gradient.iter().flatten() {
        let pose = &poses[body.index()];
        let w = g.wrench(&pose.directors);
        inverse += match &model.body(*body).kind {
            BodyKind::Static => 0.0,
            BodyKind::Particle { mass } => w.force.norm_squared() / mass,
            BodyKind::Rigid { mass, euler_tensor } => {
                let inertia = nalgebra::Matrix3::identity() * euler_tensor.trace() - euler_tensor;
                let torque = pose.directors.tr_mul(&w.torque);
                let turned = inertia
                    .try_inverse()
                    .map_or(0.0, |m| torque.dot(&(m * torque)));
                w.force.norm_squared() / mass + turned
            }
        };
    }
    1.0 / inverse.max(f64::MIN_POSITIVE)
}
