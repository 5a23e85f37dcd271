//! The ledger of a run: what was kept, what changed, by how much. It sees every step.

use nalgebra::Vector3;

use crate::contact::{Stake, Unsettled};

/// First, last, least and largest value of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// At the start.
    pub initial: f64,
    /// At the end.
    pub last: f64,
    /// Least.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

impl Range {
    fn new(value: f64) -> Self {
        Self {
            initial: value,
            last: value,
            min: value,
            max: value,
        }
    }

    fn add(&mut self, value: f64) {
        self.last = value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Largest minus least.
    pub fn spread(&self) -> f64 {
        self.max - self.min
    }
}

/// First and last value of a vector and its largest change from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// At the start.
    pub initial: Vector3<f64>,
    /// At the end.
    pub last: Vector3<f64>,
    /// Largest |value − initial|.
    pub max_change: f64,
}

impl Drift {
    fn new(value: Vector3<f64>) -> Self {
        Self {
            initial: value,
            last: value,
            max_change: 0.0,
        }
    }

    fn add(&mut self, value: Vector3<f64>) {
        self.last = value;
        self.max_change = self.max_change.max((value - self.initial).norm());
    }
}

/// The line of best fit through the values of a number at every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trend {
    /// Number of values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// Sum of the values times their numbers, counted from zero.
    pub moment: f64,
}

impl Trend {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.moment += self.count as f64 * value;
        self.count += 1;
    }

    /// Mean of the values.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// How much the line changes from the first value to the last: b (n − 1) with the slope
    /// b = 12 Σ (k − (n − 1)/2) u_k / (n (n² − 1)).
    pub fn change(&self) -> f64 {
        let n = self.count as f64;
        if self.count < 2 {
            return 0.0;
        }
        12.0 * (self.moment - 0.5 * (n - 1.0) * self.sum) / (n * (n + 1.0))
    }
}

/// Energy and momentum at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Kinetic energy ½ πᵀ(PᵀMP)⁻¹π of the projected momentum.
    pub kinetic: f64,
    /// Potential energy V(q).
    pub potential: f64,
    /// Linear momentum.
    pub linear: Vector3<f64>,
    /// Angular momentum about the origin.
    pub angular: Vector3<f64>,
}

impl Totals {
    /// H_d = kinetic + potential.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// A linear impulse, and an angular one about the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse {
    /// In N s.
    pub linear: Vector3<f64>,
    /// In N m s.
    pub angular: Vector3<f64>,
}

impl Impulse {
    /// The same, times a number.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self {
            linear: self.linear * factor,
            angular: self.angular * factor,
        }
    }
}

impl std::ops::AddAssign for Impulse {
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
}

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepInfo {
    /// Time at the end of the step.
    pub time: f64,
    /// Step size.
    pub h: f64,
    /// Newton iterations.
    pub iterations: u32,
    /// E_d = −∂L_d/∂h.
    pub energy_discrete: f64,
    /// What remains of the change of momentum when all known impulses are taken off (thesis (4.11)–(4.15)).
    pub momentum_residual: f64,
    /// Work of the controls and loads.
    pub work: f64,
    /// Work of dampers, drag and dry friction in joints: what they add, so that it is negative.
    pub damping: f64,
    /// Impulse of gravity, springs, loads, dampers and drag on all bodies, and of `supports`.
    pub forces: Impulse,
    /// The part of it that comes from nodes that are held, from contact by potentials, and from what keeps particles
    /// that rub on each other from turning.
    pub supports: Impulse,
    /// What contacts did in the step.
    pub contact: ContactInfo,
}

impl StepInfo {
    /// Adds what forces, loads and dampers did in another part of the step, or takes it off (sign −1).
    pub(super) fn add_forces(&mut self, part: &Self, sign: f64) {
        self.work += part.work * sign;
        self.damping += part.damping * sign;
        self.forces += part.forces.scaled(sign);
        self.supports += part.supports.scaled(sign);
    }
}

/// What contacts did in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactInfo {
    /// Events.
    pub count: u64,
    /// Largest overlap of two bodies.
    pub overlap: f64,
    /// Worst relative residual of the contact problems solved.
    pub residual: f64,
    /// Contact problems that did not reach their tolerance.
    pub unsettled: u32,
    /// Contacts that closed within the step and were caught at its end.
    pub caught: u32,
    /// Change of energy by impulses at contacts and by drag.
    pub energy: f64,
    /// What these impulses have at stake.
    pub at_stake: Stake,
    /// Change of energy by closest-point projections.
    pub projection_energy: f64,
    /// Change of angular momentum by closest-point projections.
    pub projection_angular: Vector3<f64>,
}

impl ContactInfo {
    /// Of two parts of one step.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut at_stake = self.at_stake;
        at_stake += other.at_stake;
        Self {
            count: self.count + other.count,
            overlap: self.overlap.max(other.overlap),
            residual: self.residual.max(other.residual),
            unsettled: self.unsettled + other.unsettled,
            caught: self.caught + other.caught,
            energy: self.energy + other.energy,
            at_stake,
            projection_energy: self.projection_energy + other.projection_energy,
            projection_angular: self.projection_angular + other.projection_angular,
        }
    }
}

/// Collected over all steps of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// Steps made.
    pub steps: u64,
    /// H_d of the projected momentum (thesis (3.72)).
    pub energy: Range,
    /// Its kinetic part.
    pub kinetic: Range,
    /// Its potential part.
    pub potential: Range,
    /// E_d; of the first step at the start.
    pub energy_discrete: Option<Range>,
    /// Total linear momentum.
    pub linear_momentum: Drift,
    /// Total angular momentum about the origin.
    pub angular_momentum: Drift,
    /// Largest momentum residual of a step.
    pub momentum_residual_max: f64,
    /// Largest constraint violation.
    pub constraint_violation_max: f64,
    /// Newton iterations of all steps.
    pub newton_iterations: u64,
    /// Work of the controls and loads.
    pub work: f64,
    /// Work of dampers, drag and dry friction in joints.
    pub damping: f64,
    /// Impulse of gravity, springs, loads, dampers and drag on all bodies, and of `supports`.
    pub forces: Impulse,
    /// The part of it that comes from nodes that are held, from contact by potentials, and from what keeps particles
    /// that rub on each other from turning.
    pub supports: Impulse,
    /// What of the energy nothing explains, over time: energy − start − work − damping − contacts −
    /// projections.
    pub unexplained: Range,
    /// Whether it grows.
    pub trend: Trend,
    /// How far from the origin bodies got, in m.
    pub reach: f64,
    /// Contact events.
    pub contact_count: u64,
    /// Largest overlap of two bodies.
    pub overlap_max: f64,
    /// Change of energy by impulses at contacts and by drag.
    pub contact_energy: f64,
    /// Change of energy by closest-point projections.
    pub projection_energy: f64,
    /// Change of angular momentum by closest-point projections.
    pub projection_angular: Vector3<f64>,
    /// Worst relative residual of the contact problems solved.
    pub contact_residual_max: f64,
    /// Contact problems that did not reach their tolerance.
    pub unsettled_count: u64,
    /// The first [`Ledger::UNSETTLED_KEPT`] of them.
    pub unsettled: Vec<Unsettled>,
    /// Contacts that closed within a step and were caught at its end.
    pub caught_count: u64,
}

impl Ledger {
    /// How many unsettled instants are kept one by one.
    pub const UNSETTLED_KEPT: usize = 100;

    /// A ledger that starts with these totals.
    pub fn new(totals: &Totals) -> Self {
        Self {
            steps: 0,
            energy: Range::new(totals.energy()),
            kinetic: Range::new(totals.kinetic),
            potential: Range::new(totals.potential),
            energy_discrete: None,
            linear_momentum: Drift::new(totals.linear),
            angular_momentum: Drift::new(totals.angular),
            momentum_residual_max: 0.0,
            constraint_violation_max: 0.0,
            newton_iterations: 0,
            work: 0.0,
            damping: 0.0,
            forces: Impulse::default(),
            supports: Impulse::default(),
            unexplained: Range::new(0.0),
            trend: Trend::default(),
            reach: 0.0,
            contact_count: 0,
            overlap_max: 0.0,
            contact_energy: 0.0,
            projection_energy: 0.0,
            projection_angular: Vector3::zeros(),
            contact_residual_max: 0.0,
            unsettled_count: 0,
            unsettled: Vec::new(),
            caught_count: 0,
        }
    }

    /// The energy that is at stake: the largest kinetic energy so far and the range of the potential
    /// one, whose zero is anywhere.
    pub fn energy_scale(&self) -> f64 {
        self.kinetic.max + self.potential.spread()
    }

    /// Whether there is room for what does not settle.
    pub(super) fn keeps_unsettled(&self) -> bool {
        self.unsettled.len() < Self::UNSETTLED_KEPT
    }

    /// Keeps what did not settle in a step, as far as there is room.
    pub fn keep_unsettled(&mut self, found: &mut Vec<Unsettled>) {
        let room = Self::UNSETTLED_KEPT.saturating_sub(self.unsettled.len());
        self.unsettled.extend(found.drain(..).take(room));
    }

    /// Enters a step.
    pub fn enter(&mut self, info: &StepInfo, totals: &Totals, violation: f64) {
        self.steps += 1;
        self.energy.add(totals.energy());
        self.kinetic.add(totals.kinetic);
        self.potential.add(totals.potential);
        match &mut self.energy_discrete {
            Some(range) => range.add(info.energy_discrete),
            None => self.energy_discrete = Some(Range::new(info.energy_discrete)),
        }
        self.linear_momentum.add(totals.linear);
        self.angular_momentum.add(totals.angular);
        self.momentum_residual_max = self.momentum_residual_max.max(info.momentum_residual);
        self.constraint_violation_max = self.constraint_violation_max.max(violation);
        self.newton_iterations += u64::from(info.iterations);
        self.work += info.work;
        self.damping += info.damping;
        self.forces += info.forces;
        self.supports += info.supports;
        self.contact_count += info.contact.count;
        self.overlap_max = self.overlap_max.max(info.contact.overlap);
        self.contact_energy += info.contact.energy;
        self.projection_energy += info.contact.projection_energy;
        self.projection_angular += info.contact.projection_angular;
        self.contact_residual_max = self.contact_residual_max.max(info.contact.residual);
        self.unsettled_count += u64::from(info.contact.unsettled);
        self.caught_count += u64::from(info.contact.caught);
        let known = self.work + self.damping + self.contact_energy + self.projection_energy;
        let unexplained = self.energy.last - self.energy.initial - known;
        self.unexplained.add(unexplained);
        self.trend.add(unexplained);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_is_the_line_of_best_fit() {
        let fit = |values: &dyn Fn(f64) -> f64| {
            let mut trend = Trend::default();
            (0..1000).for_each(|k| trend.add(values(k as f64)));
            trend.change()
        };
        assert!((fit(&|k| 3.0 + 0.5 * k) - 0.5 * 999.0).abs() < 1e-9);
        assert_eq!(fit(&|_| 0.0), 0.0);
        assert!(fit(&|k| (0.3 * k).sin()).abs() < 0.05);
    }
}
