//! A step of an island whose contacts rest, slide or hold.
//!
//! Impulses at the start of the step keep every point from sinking in by its end (unilateral problem
//! on the gaps at q⁺, friction against the sliding of the step); impulses at its end leave no momentum
//! that points into a contact (the same problem on the velocities at q⁺). At rest nothing moves, to
//! round-off; holonomic constraints are treated alike.
//!
//! Which points come down within the step is found on the way: where a pair overlaps at q⁺, the
//! points of its patch there join the problem, and the step is made again. Contacts that close within
//! the step are *caught*: what their approach brought is taken up at the start and given back at the
//! end by Poisson's law, never more than it was.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::resting::{RestInfo, Resting};
use super::touching::{apply, gap_in, path};
use super::units::Units;
use super::{Setup, Workspace};
use crate::contact::{
    Aim, Bounce, ContactPoint, Grip, Key, Leeway, Outcome, Pair, Point, Push, ROUND_OFF, Rows,
    SOLVED, Stage, evaluate,
};
use crate::simulate::scheme::Scheme;
use crate::simulate::state::PointImpulse;
use crate::simulate::{SimulateError, State, StepInfo};

/// Trials of a step with other impulses, and times points are added to it.
const MOST_TRIALS: usize = 40;
const MOST_ADDITIONS: usize = 24;
/// Up to so many additions points of features that are left behind are given up.
const FORGETFUL: usize = 8;
/// Trials of a step whose contact problem is not solved.
const MOST_FAILED: u32 = 6;
/// Impulses are settled when they move no point by more than this, in body sizes.
const SETTLED: f64 = 1e-13;
/// The same for islands of many degrees of freedom, with the residual of their contact problems.
const LARGE: usize = 60;
const SETTLED_LARGE: f64 = 1e-10;
const FINEST_LARGE: f64 = 1e-10;
/// Residual of the first trial of small and of large islands.
const FIRST: f64 = 1e-6;
const FIRST_LARGE: f64 = 1e-2;
/// Pairs that overlap join in once trials move no point by more than this, in body sizes.
const CATCHING: f64 = 1e-3;
/// Points of a patch that differ by less touch alike, in the same.
const LEVEL: f64 = 1e-7;
/// Points closer than this are one, in the same.
const BESIDE: f64 = 1e-2;
/// Contacts of several pairs may contradict each other by so much, in the same.
const CONSISTENT: f64 = 1e-10;
/// What counts as settled where round-off stands in the way.
const NEARLY_SETTLED: f64 = 1e-9;
/// Overlap that a step may leave, in body sizes.
const CLEAN: f64 = 1e-12;
/// Points this far apart take part in the velocities at the end, in the same.
const CLOSE: f64 = 1e-6;
/// Strokes this part of the speed of rest are above it.
const TIE: f64 = 1.0 + 1e-9;
/// Overlap that a step takes back, in the same: too slow to be felt.
const RECOVERED: f64 = 1e-13;

/// Solver of such steps.
#[derive(Debug, Default)]
pub struct IslandStepper {
    rows: Rows,
    points: Vec<Point>,
    bounces: Vec<Bounce>,
    /// Of each resting pair: how fast it was struck, and the speed below which it comes to rest.
    strokes: Vec<[f64; 2]>,
    /// Entry and point of each point of the problem, and the gap it must keep.
    spots: Vec<Spot>,
    /// M⁻¹ of the impulses, and velocities at the start.
    nu: Vec<f64>,
    start_nu: Vec<f64>,
    before: Vec<f64>,
    rates: Vec<f64>,
    gaps: Vec<f64>,
    found: Vec<ContactPoint>,
    /// Size of the rates of the last step, and whether it moved many degrees of freedom.
    speed: f64,
    large: bool,
    /// Rates by which contacts may contradict each other.
    rate: f64,
    /// What each resting pair did.
    pub info: Vec<RestInfo>,
    /// Change of energy by the contacts, and the energy they moved.
    pub energy: f64,
    pub at_stake: f64,
    /// The part of what the island had and forces brought that contacts gained.
    pub gain: f64,
    /// Impulses of the points, for the next step's start.
    pub impulses: Vec<PointImpulse>,
    /// What the last step reached.
    pub outcome: Outcome,
    /// Overlap it left, and the pair.
    pub overlap: (f64, Option<Pair>),
}

/// A point of the problem.
#[derive(Clone, Copy, Debug)]
struct Spot {
    entry: usize,
    point: ContactPoint,
    /// The gap may not fall below this.
    floor: f64,
    /// Whether it was found where a trial of this step ended.
    caught: bool,
    /// Impulse at the start, and a guess of that at the end.
    start: [f64; 3],
    end: [f64; 3],
}

/// Some of the units.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub units: &'a Units,
    pub which: &'a [usize],
}

/// What is stepped, from where, for how long.
pub struct Span<'a> {
    pub scope: Scope<'a>,
    pub base: &'a State,
    pub time: f64,
    pub h: f64,
    /// Step size that controls are sampled for.
    pub sampled: f64,
    /// Pairs within the island that may come to touch, with their gaps at the start.
    pub near: &'a [NearGap],
    /// Change of velocity by forces in the step as a whole.
    pub press: &'a [f64],
    /// Size of the step as a whole.
    pub whole: f64,
}

impl Span<'_> {
    /// Part of the whole step: what is taken back of an overlap is taken back at one speed.
    fn part(&self) -> f64 {
        (self.h / self.whole).min(1.0)
    }
}

/// A pair that may come to touch, with its gap at the start.
#[derive(Clone, Copy, Debug)]
pub struct NearGap {
    pub pair: Pair,
    pub key: Key,
    pub gap: f64,
    /// How far it is apart at least.
    pub apart: f64,
}

impl IslandStepper {
    /// Steps the units of an island into `probe`; contacts that close join `resting`.
    pub fn step(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        work: &mut Workspace,
        resting: &mut Vec<Resting>,
        span: &Span,
        probe: &mut State,
    ) -> Result<StepInfo, SimulateError> {
        let model = setup.model;
        self.nu.resize(model.freedom(), 0.0);
        self.start_nu.resize(model.freedom(), 0.0);
        let Scope { units, which } = span.scope;
        units.velocities(
            model,
            &mut work.metric,
            which,
            span.base,
            &mut self.start_nu,
        );
        self.rows.clear();
        self.points.clear();
        self.spots.clear();
        for &u in which {
            for &f in &units.all[u].freedoms {
                self.nu[f] = 0.0;
            }
        }
        for (entry, rest) in resting.iter().enumerate() {
            // One floor for all points that touch: points of a face that are not quite level
            // would contradict each other.
            let known = span.near.iter().find(|n| n.key == rest.key);
            let touch = known.map_or(0.0, |n| n.gap.min(0.0));
            let within = LEVEL * work.size;
            let level = |gap: &f64| (gap - touch).abs() <= within;
            self.gaps.clear();
            let gaps = rest.points.iter();
            self.gaps
                .extend(gaps.map(|p| point_gap(setup, rest, p, span.base)));
            // Their mean: the deepest would let the others sink after it, step by step.
            let (mut sum, mut count) = (0.0, 0.0_f64);
            for gap in self.gaps.iter().filter(|g| level(g)) {
                (sum, count) = (sum + gap, count + 1.0);
            }
            let mean = if count > 0.0 { sum / count } else { touch };
            for (k, p) in rest.points.iter().enumerate() {
                let gap = self.gaps[k];
                let lowest = if level(&gap) { mean } else { gap };
                // What is held stays as it is: to ask for more may ask for what cannot be.
                let floor = match rest.held {
                    true => gap,
                    false => (lowest + RECOVERED * work.size * span.part()).min(0.0),
                };
                self.push(setup, work, span.base, rest, entry, p, floor);
            }
        }
        self.recall(span.base, resting);
        let (info, outcome) = self.balance(setup, scheme, work, resting, span, probe)?;
        self.outcome = outcome;
        self.info.clear();
        self.info.resize(resting.len(), RestInfo::default());
        self.gather(false);
        self.look_for_sliding(work.size, resting, span, probe);
        self.energy = self.start_energy();
        self.at_stake = self.rows.at_stake();
        self.finish(
            setup,
            work,
            resting,
            &span.scope,
            span.press,
            Some(span.h),
            probe,
        );
        let bodies: Vec<usize> = which
            .iter()
            .flat_map(|&u| units.all[u].bodies.iter().copied())
            .collect();
        let kinetic = |nu: &[f64]| {
            let metric = &work.metric;
            metric.kinetic(model, &span.base.poses, &bodies, nu)
        };
        let had = kinetic(&self.start_nu) + kinetic(span.press);
        self.gain = if had > 0.0 { self.energy / had } else { 0.0 };
        Ok(info)
    }

    /// A point of a contact as a point of the problem at a configuration.
    #[allow(clippy::too_many_arguments)]
    fn push(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
        rest: &Resting,
        entry: usize,
        p: &ContactPoint,
        floor: f64,
    ) {
        let point = push_point(setup, work, &mut self.rows, state, rest, p);
        self.points.push(point);
        self.spots.push(Spot {
            entry,
            point: *p,
            floor,
            caught: false,
            start: [0.0; 3],
            end: [0.0; 3],
        });
    }

    /// Starts from the impulses of the last step where points are the same.
    fn recall(&mut self, base: &State, resting: &[Resting]) {
        for (at, spot) in self.spots.iter_mut().enumerate() {
            let Some(i) = recalled(base, resting[spot.entry].key, &spot.point) else {
                continue;
            };
            spot.end = i.end;
            let p = &self.points[at];
            for k in 0..p.rows {
                if i.start[k] != 0.0 {
                    self.rows.add(p.first + k, i.start[k], &mut self.nu);
                }
            }
        }
    }

    /// Finds the impulses at the start: the contact problem with the gaps of a trial step, linear
    /// in the impulses, then the trial step again. Pairs that overlap where a trial ends join in as
    /// soon as trials are close to each other.
    fn balance(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        work: &mut Workspace,
        resting: &mut Vec<Resting>,
        span: &Span,
        probe: &mut State,
    ) -> Result<(StepInfo, Outcome), SimulateError> {
        let model = setup.model;
        let Scope { units, which } = span.scope;
        let stage = Stage {
            model,
            at: path(span.base),
        };
        let freedoms: usize = which.iter().map(|&u| units.all[u].freedoms.len()).sum();
        self.large = freedoms > LARGE;
        let (settled, finest, first) = if self.large {
            (SETTLED_LARGE * work.size, FINEST_LARGE, FIRST_LARGE)
        } else {
            (SETTLED * work.size, ROUND_OFF, FIRST)
        };
        let nearly = NEARLY_SETTLED * work.size;
        self.rate = if self.large { CONSISTENT } else { 0.0 } * work.size / span.h;
        let mut info = StepInfo::default();
        let mut outcome = Outcome::default();
        let (mut iterations, mut additions) = (0, 0);
        let mut last = f64::INFINITY;
        // Solutions are as good as the next trial needs them.
        let mut enough = first;
        let mut failed = 0;
        for trial in 0..MOST_TRIALS {
            units.copy(model, which, span.base, probe);
            probe.time = span.time;
            apply(model, probe, &self.rows, 1.0);
            info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
            iterations += info.iterations;
            let speed = self.measure(setup, resting, span, probe);
            self.speed = self.noise(work.size, span).max(speed);
            let speed = self.speed;
            self.before.clear();
            self.before.extend_from_slice(&self.rows.lambda);
            let mut moved: f64;
            loop {
                self.rates.clear();
                let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
                self.rates.extend(rates);
                outcome = work.solver.solve(
                    &stage,
                    &mut work.metric,
                    &self.points,
                    &mut self.rows,
                    &mut self.nu,
                    &Aim {
                        speed,
                        enough,
                        good: SOLVED.max(self.rate / speed),
                    },
                );
                moved = 0.0;
                for (row, old) in self.rates.iter().enumerate() {
                    let change = (self.rows.rate(row, &self.nu) - old).abs();
                    moved = moved.max(change * span.h);
                }
                // What the solution left undone counts as well as what it moved.
                let left = outcome.residual * speed * span.h;
                if enough <= finest || left <= settled || moved > left {
                    break;
                }
                enough = (1e-2 * enough).max(finest);
            }
            outcome.rounds = trial as u32 + 1;
            let rough = enough > finest && outcome.residual > SOLVED;
            let stuck = trial > 3 && moved > 0.5 * last && moved <= nearly;
            let done = !rough && (moved <= settled || stuck);
            let added = moved <= CATCHING * work.size
                && additions < MOST_ADDITIONS
                && self.catch(setup, work, resting, span, probe, 2.0 * moved, additions);
            additions += usize::from(added);
            // What the solver cannot solve again and again it will not solve in other trials.
            failed += u32::from(outcome.residual > enough.max(1e3 * SOLVED));
            if done && !added {
                // The probe is where the impulses before this last touch lead.
                for (row, old) in self.before.iter().enumerate() {
                    let back = old - self.rows.lambda[row];
                    self.rows.add(row, back, &mut self.nu);
                }
                break;
            }
            let part = 2e-3 * moved / (span.h * speed);
            enough = part.clamp(finest, first);
            if trial + 1 == MOST_TRIALS || failed == MOST_FAILED {
                outcome.residual = outcome.residual.max(moved / work.size);
                outcome.converged &= moved <= nearly && !added;
                units.copy(model, which, span.base, probe);
                probe.time = span.time;
                apply(model, probe, &self.rows, 1.0);
                info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
                self.catch(setup, work, resting, span, probe, 0.0, MOST_ADDITIONS);
                break;
            }
            last = if added {
                f64::INFINITY
            } else {
                last.min(moved)
            };
        }
        info.iterations = iterations;
        Ok((info, outcome))
    }

    /// Rates that are nothing beside how fast the island moves and how finely it is resolved.
    fn noise(&self, size: f64, span: &Span) -> f64 {
        let Scope { units, which } = span.scope;
        let freedoms = which.iter().flat_map(|&u| &units.all[u].freedoms);
        let fastest = freedoms.fold(0.0_f64, |m, &f| m.max(self.start_nu[f].abs()));
        1e-4 * fastest + 1e-11 * size / span.h
    }

    /// Rates of all points over the step to `probe`, as biases; returns the largest.
    fn measure(&mut self, setup: &Setup, resting: &[Resting], span: &Span, probe: &State) -> f64 {
        let mut largest: f64 = 0.0;
        let base = &span.base.poses;
        for (point, spot) in self.points.iter_mut().zip(&self.spots) {
            let rest = &resting[spot.entry];
            let p = &spot.point;
            let gap = point_gap(setup, rest, p, probe);
            let mut rates = [(gap - spot.floor) / span.h, 0.0, 0.0];
            if point.rows > 1 {
                let apart = |poses: &[Pose]| p.a.place(poses) - p.b.place(poses);
                let moved = apart(&probe.poses) - apart(base);
                for (k, t) in rest.across(p, base).take(point.rows - 1).enumerate() {
                    rates[1 + k] = moved.dot(&t) / span.h;
                }
            }
            for k in 0..point.rows {
                point.bias[k] = rates[k] - self.rows.rate(point.first + k, &self.nu);
            }
            // What stays apart by itself says nothing of what contacts have to do.
            if rest.held || point.bias[0] < 0.0 {
                let all = point.bias.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
                largest = largest.max(all);
            }
        }
        largest
    }

    /// Adds the points of pairs that overlap at the end by more than the trial is `unsure` of; false
    /// if there is nothing to add.
    #[allow(clippy::too_many_arguments)]
    fn catch(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &mut Vec<Resting>,
        span: &Span,
        probe: &State,
        unsure: f64,
        additions: usize,
    ) -> bool {
        let model = setup.model;
        let (mut added, mut replaced) = (false, false);
        let clean = unsure.max(CLEAN * work.size);
        self.overlap = (0.0, None);
        for n in span.near {
            let (pair, key, start) = (&n.pair, &n.key, n.gap);
            if far_apart(model, pair, n.apart, span.base, probe) {
                continue;
            }
            let gap = gap_in(model, &mut work.detector, pair, *key, probe);
            let allowed = start.min(0.0) - clean;
            if gap >= allowed {
                continue;
            }
            let entry = resting.iter().position(|r| r.key == *key && !r.held);
            let held = resting.iter().position(|r| r.key == *key && r.held);
            let mut warm = work.detector.basis(*key);
            let at = path(probe);
            let row = evaluate(model, pair, &at, &mut warm);
            work.detector.remember(*key, warm);
            self.found.clear();
            work.faces
                .points(model, pair, &at, &row, -0.5 * gap, &mut self.found);
            let entry = entry.unwrap_or_else(|| {
                let surface = setup.touching(work.detector.surface(pair));
                let caught = Resting::caught(*pair, *key, surface, row.features);
                resting.push(match held {
                    Some(k) => Resting {
                        caught: true,
                        ..resting[k].beside()
                    },
                    None => caught,
                });
                resting.len() - 1
            });
            if additions < FORGETFUL && self.forget(entry, resting, work.size) {
                (added, replaced) = (true, true);
            }
            let floor = (start + RECOVERED * work.size * span.part()).min(0.0);
            for k in 0..self.found.len() {
                let p = self.found[k];
                if p.freedom.is_none() && p.gap(&probe.poses) >= allowed {
                    continue;
                }
                if held.is_some_and(|k| resting[k].holds_at(&p, &probe.poses, work.size)) {
                    continue;
                }
                let points = &mut resting[entry].points;
                let known = |o: &ContactPoint| {
                    same_point(o, &p, work.size) || covers(o, &p, &probe.poses, work.size)
                };
                if points.iter().any(known) {
                    continue;
                }
                added = true;
                // A point close by of the same plane gives way: it was found where a trial ended
                // that was not the last.
                if let Some(at) = points.iter().position(|o| beside(o, &p, work.size)) {
                    let old = std::mem::replace(&mut points[at], p);
                    self.replace(entry, &old, &p);
                    replaced = true;
                    continue;
                }
                points.push(p);
                let rest = resting[entry].clone();
                self.push(setup, work, span.base, &rest, entry, &p, floor);
                if let Some(spot) = self.spots.last_mut() {
                    spot.caught = true;
                }
            }
            // How much deeper than at the start.
            let deeper = start.min(0.0) - gap;
            if deeper > self.overlap.0 {
                self.overlap = (deeper, Some(*pair));
            }
        }
        if replaced {
            self.push_again(setup, work, span, resting);
        }
        added
    }

    /// Gives up points of a pair that were found where an earlier trial ended and are of other
    /// features than those found now; whether there were any.
    fn forget(&mut self, entry: usize, resting: &mut [Resting], size: f64) -> bool {
        let found = &self.found;
        let stale = |s: &Spot| {
            s.caught
                && s.entry == entry
                && !found
                    .iter()
                    .any(|p| beside(&s.point, p, size) || same_point(&s.point, p, size))
        };
        let gone: Vec<usize> = (0..self.spots.len())
            .filter(|&k| stale(&self.spots[k]))
            .collect();
        for &k in gone.iter().rev() {
            let spot = self.spots.remove(k);
            self.points.remove(k);
            let points = &mut resting[entry].points;
            points.retain(|p| p.a.local != spot.point.a.local || p.frame != spot.point.frame);
        }
        !gone.is_empty()
    }

    /// Puts one point in the place of another.
    fn replace(&mut self, entry: usize, old: &ContactPoint, new: &ContactPoint) {
        let same = |s: &&mut Spot| s.entry == entry && s.point.a.local == old.a.local;
        if let Some(spot) = self.spots.iter_mut().find(same) {
            spot.point = *new;
        }
    }

    /// Makes the rows of all points anew, with the impulses they had.
    fn push_again(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        span: &Span,
        resting: &[Resting],
    ) {
        let lambda = std::mem::take(&mut self.rows.lambda);
        let before = std::mem::take(&mut self.points);
        let spots = std::mem::take(&mut self.spots);
        self.rows.clear();
        let Scope { units, which } = span.scope;
        for &f in which.iter().flat_map(|&u| &units.all[u].freedoms) {
            self.nu[f] = 0.0;
        }
        for (spot, old) in spots.iter().zip(&before) {
            let rest = &resting[spot.entry];
            self.push(
                setup,
                work,
                span.base,
                rest,
                spot.entry,
                &spot.point,
                spot.floor,
            );
            let at = self.spots.len() - 1;
            self.spots[at].end = spot.end;
            self.spots[at].caught = spot.caught;
            let p = self.points[at];
            for k in 0..p.rows {
                let had = lambda[old.first + k];
                if had != 0.0 {
                    self.rows.add(p.first + k, had, &mut self.nu);
                }
            }
        }
    }

    /// Sums the impulses of each pair.
    fn gather(&mut self, end: bool) {
        for (point, spot) in self.points.iter().zip(&mut self.spots) {
            let info = &mut self.info[spot.entry];
            let normal = self.rows.lambda[point.first];
            if end {
                info.end += normal;
            } else {
                info.start += normal;
            }
            for k in 0..point.rows {
                let lambda = self.rows.lambda[point.first + k];
                info.impulse += self.rows.direction(point.first + k) * lambda;
                if end {
                    let rate = self.rows.rate(point.first + k, &self.nu);
                    info.energy += 0.5 * lambda * (self.rates[point.first + k] + rate);
                } else {
                    spot.start[k] = lambda;
                }
            }
        }
    }

    /// Notes which pairs moved across their normals.
    fn look_for_sliding(&mut self, size: f64, resting: &[Resting], span: &Span, probe: &State) {
        let base = &span.base.poses;
        for (point, spot) in self.points.iter().zip(&self.spots) {
            let p = &spot.point;
            let held = resting[spot.entry].held;
            if held || p.freedom.is_some() || self.rows.lambda[point.first] <= 0.0 {
                continue;
            }
            let apart = |poses: &[Pose]| p.a.place(poses) - p.b.place(poses);
            let moved = apart(&probe.poses) - apart(base);
            let n = p.normal(base);
            if (moved - n * moved.dot(&n)).norm() > 1e-12 * size {
                self.info[spot.entry].slid = true;
            }
        }
    }

    /// Σ λ (v⁻ + v⁺)/2 of the impulses at the start.
    fn start_energy(&self) -> f64 {
        (0..self.rows.len())
            .map(|r| {
                let rate = self.rows.rate(r, &self.start_nu) + 0.5 * self.rows.rate(r, &self.nu);
                self.rows.lambda[r] * rate
            })
            .sum()
    }

    /// Impulses at the end of a step of size `h`, or at an instant. Points that are a little apart may
    /// come no faster than would close them in another such step.
    #[allow(clippy::too_many_arguments)]
    fn finish(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        scope: &Scope,
        press: &[f64],
        h: Option<f64>,
        probe: &mut State,
    ) {
        // How fast what closes within the step came, seen from its start.
        let approaches: Vec<f64> = self
            .points
            .iter()
            .map(|p| -self.rows.rate(p.first, &self.start_nu))
            .collect();
        let weights: Vec<f64> = self
            .points
            .iter()
            .map(|p| self.rows.weight(p.first))
            .collect();
        self.rows.clear();
        self.points.clear();
        self.bounces.clear();
        self.strokes.clear();
        self.strokes.resize(resting.len(), [0.0; 2]);
        let spots = std::mem::take(&mut self.spots);
        let touch = super::TOUCH * work.size;
        for (at, spot) in spots.iter().enumerate() {
            let rest = &resting[spot.entry];
            let gap = point_gap(setup, rest, &spot.point, probe);
            if !rest.held && gap > CLOSE * work.size {
                continue;
            }
            let touches = rest.held || gap <= touch;
            self.info[spot.entry].touches |= touches || spot.start[0] > 0.0;
            self.push(setup, work, probe, rest, spot.entry, &spot.point, 0.0);
            let last = self.spots.len() - 1;
            if let Some(h) = h.filter(|_| !touches) {
                self.points[last].bias[0] = gap / h;
            }
            self.spots[last].start = spot.start;
            let p = self.points[last];
            self.rows.lambda[p.first..p.first + p.rows].copy_from_slice(&spot.end[..p.rows]);
            let rest_speed = setup.rest_speed(
                rest.restitution,
                press_rate(&self.rows, self.points[last].first, press),
            );
            let stroke = &mut self.strokes[spot.entry];
            stroke[0] = stroke[0].max(approaches[at].max(spot.start[0] * weights[at]));
            stroke[1] = stroke[1].max(rest_speed);
            self.bounces.push(Bounce {
                contact: spot.entry,
                restitution: rest.restitution,
                rest_speed,
                approach: approaches[at],
                given: spot.start[0].max(0.0),
            });
        }
        // A contact is struck as a whole, or not at all: a last bit must not tell its points apart.
        for b in &mut self.bounces {
            let [stroke, rest_speed] = self.strokes[b.contact];
            let struck = resting[b.contact].caught && stroke > TIE * rest_speed;
            b.rest_speed = rest_speed;
            if !struck {
                (b.approach, b.given) = (0.0, 0.0);
            }
            // At an instant what approaches is struck now.
            if !struck && h.is_some() {
                b.restitution = 0.0;
            }
        }
        let Scope { units, which } = *scope;
        units.velocities(setup.model, &mut work.metric, which, probe, &mut self.nu);
        let stage = Stage {
            model: setup.model,
            at: path(probe),
        };
        self.rates.clear();
        let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
        self.rates.extend(rates);
        let jumped = work.poisson.jump(
            &mut work.solver,
            &stage,
            &mut work.metric,
            &self.points,
            &self.bounces,
            &mut self.rows,
            &mut self.nu,
            &Leeway {
                spent: (-self.energy).max(0.0),
                speed: 1e-2 * self.speed,
                enough: if self.large { FINEST_LARGE } else { 0.0 },
                rate: self.rate,
            },
        );
        apply(setup.model, probe, &self.rows, 1.0);
        self.energy += jumped.energy;
        self.at_stake += self.rows.at_stake();
        self.outcome = self.outcome.and(jumped.outcome);
        self.gather(true);
        self.impulses.clear();
        for (point, spot) in self.points.iter().zip(&self.spots) {
            let mut end = [0.0; 3];
            let rows = point.first..point.first + point.rows;
            end[..point.rows].copy_from_slice(&self.rows.lambda[rows]);
            self.impulses.push(PointImpulse {
                key: resting[spot.entry].key,
                place: spot.point.a.local,
                start: spot.start,
                end,
            });
        }
    }

    /// Lets momentum jump at contacts, some of which hold: what `finish` does, at a state.
    pub fn settle(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        scope: &Scope,
        press: &[f64],
        state: &mut State,
    ) {
        self.nu.resize(setup.model.freedom(), 0.0);
        self.start_nu.resize(setup.model.freedom(), 0.0);
        self.info.clear();
        self.info.resize(resting.len(), RestInfo::default());
        self.energy = 0.0;
        self.at_stake = 0.0;
        (self.speed, self.rate) = (0.0, 0.0);
        self.outcome = Outcome {
            converged: true,
            ..Outcome::default()
        };
        self.rows.clear();
        self.points.clear();
        self.spots.clear();
        for (entry, rest) in resting.iter().enumerate() {
            for p in &rest.points {
                self.push(setup, work, state, rest, entry, p, 0.0);
            }
        }
        self.finish(setup, work, resting, scope, press, None, state);
    }
}

/// What the nearest point of a pair gave in the last step.
fn recalled<'a>(base: &'a State, key: Key, p: &ContactPoint) -> Option<&'a PointImpulse> {
    let from = base.impulses.partition_point(|i| i.key < key);
    let known = base.impulses[from..].iter().take_while(|i| i.key == key);
    known
        .map(|i| ((i.place - p.a.local).norm_squared(), i))
        .min_by(|x, y| x.0.total_cmp(&y.0))
        .map(|(_, i)| i)
}

/// A point of a contact as rows and a grip.
pub(super) fn push_point(
    setup: &Setup,
    work: &mut Workspace,
    rows: &mut Rows,
    state: &State,
    rest: &Resting,
    p: &ContactPoint,
) -> Point {
    let at = path(state);
    let push = |direction: &Vector3<f64>| Push::at(p, direction, &state.poses);
    let n = p.normal(&state.poses);
    let first = rows.push(setup.model, &mut work.metric, &at, push(&n));
    let mut count = 1;
    for t in rest.across(p, &state.poses) {
        rows.push(setup.model, &mut work.metric, &at, push(&t));
        count += 1;
    }
    Point {
        first,
        rows: count,
        bias: [0.0; 3],
        grip: if rest.held {
            Grip::Held
        } else {
            Grip::Cone {
                friction: rest.friction,
            }
        },
    }
}

/// Gap of a point of a contact in a state.
fn point_gap(setup: &Setup, rest: &Resting, p: &ContactPoint, state: &State) -> f64 {
    match p.freedom {
        Some(_) => evaluate(setup.model, &rest.pair, &path(state), &mut None).gap,
        None => p.gap(&state.poses),
    }
}

/// By how much forces change the rate of a row in the step as a whole, side by side.
pub(super) fn press_rate(rows: &Rows, row: usize, press: &[f64]) -> f64 {
    if press.is_empty() {
        return 0.0;
    }
    // The two sides are pressed by themselves, one may be held up by a third, and what presses
    // across the normal may come along it through other contacts: |g| |Δν| of each, at most six
    // degrees of freedom long.
    let entries = rows.entries(row);
    let part = entries.len().clamp(1, 6);
    let of = |part: &[crate::contact::Entry]| {
        let mut v: f64 = 0.0;
        for half in part.chunks(3) {
            let square = |f: &dyn Fn(&crate::contact::Entry) -> f64| {
                half.iter().map(|e| f(e) * f(e)).sum::<f64>().sqrt()
            };
            v += square(&|e| e.gradient) * square(&|e| press[e.freedom]);
        }
        v
    };
    entries.chunks(part).map(of).sum()
}

/// Whether two points of a contact ask for the same.
fn same_point(a: &ContactPoint, b: &ContactPoint, size: f64) -> bool {
    a.frame == b.frame
        && (a.normal - b.normal).norm() <= 1e-12
        && (a.a.local - b.a.local).norm() <= 1e-9 * size
        && a.freedom == b.freedom
        // In its own plane the second point is free.
        && (a.frame.is_some() || a.b.body.is_none() || (a.b.local - b.b.local).norm() <= 1e-9 * size)
}

/// Whether a point does for another that is measured against the other body's face.
fn covers(a: &ContactPoint, b: &ContactPoint, poses: &[Pose], size: f64) -> bool {
    a.frame.is_some()
        && b.frame.is_some()
        && a.frame != b.frame
        && (a.a.place(poses) - b.a.place(poses)).norm() <= BESIDE * size
        && (a.normal(poses) - b.normal(poses)).norm() <= BESIDE
}

/// Whether two points are so close that one of them is enough.
fn beside(a: &ContactPoint, b: &ContactPoint, size: f64) -> bool {
    a.frame == b.frame
        && a.freedom.is_none()
        && b.freedom.is_none()
        && (a.a.local - b.a.local).norm() <= BESIDE * size
        && (a.normal - b.normal).norm() <= BESIDE
}

/// Whether a pair cannot have come to touch by moving as it did.
fn far_apart(
    model: &crate::model::Model,
    pair: &Pair,
    apart: f64,
    base: &State,
    probe: &State,
) -> bool {
    let Pair::Bodies(a, b) = pair else {
        return false;
    };
    let moved = |c: &crate::contact::Collider| {
        crate::contact::body_of(c).map_or(0.0, |body| {
            let k = body.index();
            let (from, to) = (&base.poses[k], &probe.poses[k]);
            let shift = (to.position - from.position).norm();
            shift + (to.directors - from.directors).norm() * model.bodies()[k].reach()
        })
    };
    apart.is_finite() && apart > 1.01 * (moved(a) + moved(b))
}
