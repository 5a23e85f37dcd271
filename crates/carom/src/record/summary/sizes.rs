//! How large things are in a run.

use crate::model::{BodyKind, Solid};
use crate::simulate::{Range, Simulation};

/// How large things are in a run: small and large numbers are so relative to these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Reach of the largest body, in m; one where nothing has a shape.
    pub length: f64,
    /// Largest kinetic energy, range of the potential energy and work of loads together, in J.
    pub energy: f64,
    /// What round-off makes of the energy, in J.
    pub energy_round_off: f64,
    /// √(2 m T) of all mass and the largest kinetic energy, and what gravity gives it in a step, in
    /// N s.
    pub momentum: f64,
    /// What round-off in the places of nodes of elastic bodies makes of the momentum of a step, in N s.
    pub momentum_round_off: f64,
    /// √(2 m T) alone, in N s.
    pub linear: f64,
    /// How far from the origin bodies get, in m.
    pub reach: f64,
}

/// What contacts are solved to, as a part of the length of the largest body.
const SOLVED: f64 = 1e-10;

impl Sizes {
    /// How large linear and angular momentum would be if those of the bodies did not cancel.
    pub(crate) fn momenta(&self) -> [f64; 2] {
        [self.linear, self.linear * self.reach.max(self.length)]
    }

    /// Those of a simulation so far.
    pub(super) fn of(simulation: &Simulation) -> Self {
        let (model, ledger) = (simulation.model(), simulation.ledger());
        let reaches = model.bodies().iter().map(|body| body.reach());
        let elastic = model.solids().iter().map(|s| s.size());
        let length = reaches.chain(elastic).fold(0.0, f64::max);
        let largest = |range: &Range| range.max.abs().max(range.min.abs());
        let bodies = model.bodies().iter().filter(|b| b.kind != BodyKind::Static);
        let links = model.linkages().iter().flat_map(|l| &l.spec.links);
        let mass = bodies.map(|b| b.mass()).sum::<f64>() + links.map(|l| l.mass).sum::<f64>();
        let fall = mass * model.forces().gravity.norm() * simulation.settings().step;
        let linear = (2.0 * mass * ledger.kinetic.max).sqrt();
        // h m ω² ε |x| at every node, in any direction: the sum of n of them grows like √n.
        let rounding = |s: &Solid| s.rounding() * (s.particles.len() as f64).sqrt();
        let rounding = model.solids().iter().map(rounding).sum::<f64>();
        let length = if length > 0.0 { length } else { 1.0 };
        // What rests gives way by as little as contacts are solved to, under what it carries.
        let gained = ledger.linear_momentum.last - ledger.linear_momentum.initial;
        let time = ledger.steps.max(1) as f64 * simulation.settings().step;
        let carried = match ledger.contact_residual_max > 0.0 {
            true => (gained - ledger.forces.linear).norm() / time,
            false => 0.0,
        };
        Self {
            length,
            energy: ledger.energy_scale() + ledger.work.abs(),
            energy_round_off: 64.0
                * f64::EPSILON
                * largest(&ledger.energy).max(largest(&ledger.potential))
                + carried * SOLVED * length,
            momentum: linear + fall,
            momentum_round_off: simulation.settings().step * rounding * ledger.reach,
            linear,
            reach: ledger.reach,
        }
    }
}
