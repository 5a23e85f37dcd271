//! A step of an island whose contacts rest, slide or hold.
//!
//! Half of the contact impulses act at the start of the step, so that no point sinks in by its end
//! (unilateral problem on the gaps at q⁺, friction against the sliding of the step); the other half
//! at its end, so that momentum does not point into the contact there (the same problem on the
//! velocities at q⁺). At rest nothing moves, to round-off; holonomic constraints are treated alike.

use carom_gap::Pose;
use carom_gap::gap::Feature;
use nalgebra::Vector3;

use super::Setup;
use super::touching::{Contact, apply, path};
use super::units::Units;
use crate::contact::{
    ContactPoint, Key, MassMetric, Pair, Push, RestPoint, Rows, evaluate, solve_rest,
};
use crate::simulate::scheme::Scheme;
use crate::simulate::state::Standing;
use crate::simulate::{SimulateError, State, StepInfo};

/// A pair that rests or holds during a step.
#[derive(Clone, Debug)]
pub struct Resting {
    pub pair: Pair,
    pub key: Key,
    pub friction: f64,
    /// What touches on each side.
    pub features: [Option<Feature>; 2],
    /// Its points where the step begins.
    pub points: Vec<ContactPoint>,
    /// Whether it holds as a joint.
    pub held: bool,
    /// Whether a held point may slip.
    pub slips: bool,
}

/// What a resting pair did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestInfo {
    /// Normal impulses at the start and at the end.
    pub start: f64,
    pub end: f64,
    /// Whether it slid.
    pub slid: bool,
    /// Whether it still touches at the end.
    pub touches: bool,
    /// Impulse on the first of the pair.
    pub impulse: Vector3<f64>,
}

/// Solver of such steps.
#[derive(Debug, Default)]
pub struct Rester {
    rows: Rows,
    points: Vec<RestPoint>,
    spots: Vec<(usize, ContactPoint)>,
    nu: Vec<f64>,
    start_nu: Vec<f64>,
    /// What each resting pair did.
    pub info: Vec<RestInfo>,
    /// Change of energy by the contacts.
    pub energy: f64,
}

/// Steps with other impulses before it is given up.
const MOST_TRIALS: usize = 40;

/// Some of the units, and the size of the largest body.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub units: &'a Units,
    pub which: &'a [usize],
    pub size: f64,
}

/// What is stepped, from where, for how long.
pub struct Span<'a> {
    pub scope: Scope<'a>,
    pub base: &'a State,
    pub time: f64,
    pub h: f64,
    /// Step size that controls are sampled for.
    pub sampled: f64,
}

impl Resting {
    /// A contact that holds as a joint.
    pub fn held(c: &Contact, standing: &Standing) -> Self {
        Self {
            pair: c.pair,
            key: c.key,
            friction: c.surface.friction,
            features: c.row.features,
            points: standing.points.clone(),
            held: true,
            slips: standing.slips,
        }
    }
}

impl Rester {
    /// Steps the units of an island into `probe`.
    pub fn step(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        metric: &mut MassMetric,
        resting: &[Resting],
        span: &Span,
        probe: &mut State,
    ) -> Result<StepInfo, SimulateError> {
        let model = setup.model;
        self.nu.resize(model.freedom(), 0.0);
        self.start_nu.resize(model.freedom(), 0.0);
        self.set_up(setup, metric, resting, span.base);
        let Scope { units, which, size } = span.scope;
        for &u in which {
            for &f in &units.all[u].freedoms {
                self.nu[f] = 0.0;
            }
        }
        let mut info = StepInfo::default();
        let mut iterations = 0;
        for trial in 0..MOST_TRIALS {
            units.copy(model, which, span.base, probe);
            probe.time = span.time;
            apply(model, probe, &self.rows, 1.0);
            info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
            iterations += info.iterations;
            let speed = self.measure(setup, resting, span, probe);
            let before = self.rows.lambda.clone();
            solve_rest(&self.points, &mut self.rows, &mut self.nu, 10.0 * speed);
            let mut moved: f64 = 0.0;
            for (row, old) in before.iter().enumerate() {
                let change = (self.rows.lambda[row] - old).abs() * self.rows.weight(row);
                moved = moved.max(change * span.h);
            }
            if moved <= 2e-15 * size || trial + 1 == MOST_TRIALS {
                // The probe is where the impulses before this last touch lead.
                self.rows.lambda.copy_from_slice(&before);
                break;
            }
        }
        info.iterations = iterations;
        self.gather(false);
        self.look_for_sliding(span, probe);
        self.energy = self.start_energy(setup, metric, span);
        self.finish(setup, metric, resting, &span.scope, probe);
        Ok(info)
    }

    /// Rows of all points at a configuration.
    fn set_up(
        &mut self,
        setup: &Setup,
        metric: &mut MassMetric,
        resting: &[Resting],
        state: &State,
    ) {
        self.rows.clear();
        self.points.clear();
        self.spots.clear();
        self.info.clear();
        self.info.resize(resting.len(), RestInfo::default());
        for (r, rest) in resting.iter().enumerate() {
            for p in &rest.points {
                self.push(setup, metric, state, r, rest, p);
            }
        }
    }

    fn push(
        &mut self,
        setup: &Setup,
        metric: &mut MassMetric,
        state: &State,
        r: usize,
        rest: &Resting,
        p: &ContactPoint,
    ) {
        let (model, at) = (setup.model, path(state));
        let push = |direction: &Vector3<f64>| Push::at(p, direction, &state.poses);
        let n = p.normal(&state.poses);
        let normal = self.rows.push(model, metric, &at, push(&n));
        let grips = if rest.held {
            !rest.slips
        } else {
            rest.friction > 0.0
        };
        let tangents = grips && p.freedom.is_none();
        if tangents {
            for t in p.tangents(&state.poses) {
                self.rows.push(model, metric, &at, push(&t));
            }
        }
        self.points.push(RestPoint {
            normal,
            tangents,
            friction: rest.friction,
            bias: [0.0; 3],
            held: rest.held,
            resists: None,
        });
        self.spots.push((r, *p));
    }

    /// Rates of all points over the step to `probe`, as biases; returns the largest.
    fn measure(&mut self, setup: &Setup, resting: &[Resting], span: &Span, probe: &State) -> f64 {
        let mut largest: f64 = 0.0;
        let base = &span.base.poses;
        for (point, (r, p)) in self.points.iter_mut().zip(&self.spots) {
            let gap = match p.freedom {
                Some(_) => {
                    let pair = &resting[*r].pair;
                    evaluate(setup.model, pair, &path(probe), &mut None).gap
                }
                None => p.gap(&probe.poses),
            };
            let mut rates = [gap / span.h, 0.0, 0.0];
            if point.tangents {
                let mut moved = p.a.place(&probe.poses) - p.b.place(&probe.poses);
                if !point.held {
                    moved -= p.a.place(base) - p.b.place(base);
                }
                for (k, t) in p.tangents(base).iter().enumerate() {
                    rates[1 + k] = moved.dot(t) / span.h;
                }
            }
            let rows = if point.tangents { 3 } else { 1 };
            for (k, rate) in rates.iter().enumerate().take(rows) {
                point.bias[k] = rate - self.rows.rate(point.normal + k, &self.nu);
                largest = largest.max(point.bias[k].abs());
            }
        }
        largest
    }

    /// Sums the impulses of each pair.
    fn gather(&mut self, end: bool) {
        for (point, (r, _)) in self.points.iter().zip(&self.spots) {
            let info = &mut self.info[*r];
            let normal = self.rows.lambda[point.normal];
            if end {
                info.end += normal;
            } else {
                info.start += normal;
            }
            info.impulse += self.rows.direction(point.normal) * normal;
            if point.tangents {
                let across = [1, 2].map(|k| self.rows.lambda[point.normal + k]);
                for (k, a) in across.iter().enumerate() {
                    info.impulse += self.rows.direction(point.normal + 1 + k) * *a;
                }
            }
        }
    }

    /// Notes which pairs moved across their normals.
    fn look_for_sliding(&mut self, span: &Span, probe: &State) {
        let base = &span.base.poses;
        for (point, (r, p)) in self.points.iter().zip(&self.spots) {
            if point.held || p.freedom.is_some() || self.rows.lambda[point.normal] <= 0.0 {
                continue;
            }
            let apart = |poses: &[Pose]| p.a.place(poses) - p.b.place(poses);
            let moved = apart(&probe.poses) - apart(base);
            let n = p.normal(base);
            if (moved - n * moved.dot(&n)).norm() > 1e-12 * span.scope.size {
                self.info[*r].slid = true;
            }
        }
    }

    /// Σ λ (v⁻ + v⁺)/2 of the impulses at the start.
    fn start_energy(&mut self, setup: &Setup, metric: &mut MassMetric, span: &Span) -> f64 {
        let Scope { units, which, .. } = span.scope;
        units.velocities(setup.model, metric, which, span.base, &mut self.start_nu);
        (0..self.rows.len())
            .map(|r| {
                let rate = self.rows.rate(r, &self.start_nu) + 0.5 * self.rows.rate(r, &self.nu);
                self.rows.lambda[r] * rate
            })
            .sum()
    }

    /// Impulses at the end of the step.
    fn finish(
        &mut self,
        setup: &Setup,
        metric: &mut MassMetric,
        resting: &[Resting],
        scope: &Scope,
        probe: &mut State,
    ) {
        self.rows.clear();
        self.points.clear();
        let spots = std::mem::take(&mut self.spots);
        for (r, p) in &spots {
            let rest = &resting[*r];
            let gap = match p.freedom {
                Some(_) => evaluate(setup.model, &rest.pair, &path(probe), &mut None).gap,
                None => p.gap(&probe.poses),
            };
            if rest.held || gap <= super::TOUCH * scope.size {
                self.info[*r].touches = true;
                self.push(setup, metric, probe, *r, rest, p);
            }
        }
        let which = scope.which;
        let units = scope.units;
        units.velocities(setup.model, metric, which, probe, &mut self.nu);
        let before: Vec<f64> = (0..self.rows.len())
            .map(|r| self.rows.rate(r, &self.nu))
            .collect();
        let speed = before.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        solve_rest(&self.points, &mut self.rows, &mut self.nu, 10.0 * speed);
        apply(setup.model, probe, &self.rows, 1.0);
        self.energy += (0..self.rows.len())
            .map(|r| 0.5 * self.rows.lambda[r] * (before[r] + self.rows.rate(r, &self.nu)))
            .sum::<f64>();
        self.gather(true);
    }

    /// Takes momentum out of contacts that close without rebound: what `finish` does, at a state.
    pub fn settle(
        &mut self,
        setup: &Setup,
        metric: &mut MassMetric,
        resting: &[Resting],
        scope: &Scope,
        state: &mut State,
    ) {
        self.nu.resize(setup.model.freedom(), 0.0);
        self.info.clear();
        self.info.resize(resting.len(), RestInfo::default());
        self.energy = 0.0;
        self.spots.clear();
        for (r, rest) in resting.iter().enumerate() {
            self.spots.extend(rest.points.iter().map(|p| (r, *p)));
        }
        self.finish(setup, metric, resting, scope, state);
    }
}
