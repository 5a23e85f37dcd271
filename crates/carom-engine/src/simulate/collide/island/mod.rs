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
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | the stepper, its points and their floors |
//! | `balance` | the impulses at the start, trial by trial |
//! | `catch` | points that join and leave the problem where trials end |
//! | `finish` | the impulses at the end |
//! | `point` | points of contacts as points of the problem |
//! | `rim` | rims that rock: where they come down |
//! | `rub` | dry friction in joints |
//! | `still` | where nothing moves |
//! | `trend` | where trials lead |
//! | `turn` | rolling and torsional friction at points |

mod balance;
mod catch;
mod finish;
mod point;
mod rim;
mod rub;
mod still;
mod trend;
mod turn;

pub(super) use point::{point_gap, press_rate, push_point};

use nalgebra::Vector3;

use super::impulse::apply;
use super::resting::{RestInfo, Resting};
use super::touching::path;
use super::{Setup, Workspace};
use crate::contact::{
    Borne, Bounce, ContactPoint, Grip, Key, Outcome, Pair, Point, Rows, Stage, Stake,
};
use crate::mechanics::{Parts, Twist, log, turned};
use crate::simulate::scheme::Scheme;
use crate::simulate::state::PointImpulse;
use crate::simulate::{PairImpulse, SimulateError, State, StepInfo};
use point::{recalled, slip};
use rub::Rub;
use trend::Trend;
use turn::Turn;

/// Times points are added to a step.
const MOST_ADDITIONS: usize = 24;
/// Points of a patch that differ by less touch alike, in body sizes.
const LEVEL: f64 = 1e-7;
/// Overlap that a step takes back, in the same: too slow to be felt.
const RECOVERED: f64 = 1e-13;
/// How far a point is lifted in a step to be level with the others of its patch, in the same: pinched
/// bodies could not bear more.
const LIFTED: f64 = 1e-12;

/// Solver of such steps.
#[derive(Debug, Default)]
pub struct IslandStepper {
    rows: Rows,
    points: Vec<Point>,
    /// What held points bear.
    borne: Borne,
    bounces: Vec<Bounce>,
    /// Friction against rolling and turning, and all points of the problem with it.
    turns: Vec<Turn>,
    /// Dry friction in joints.
    rubs: Vec<Rub>,
    all: Vec<Point>,
    /// Of each resting pair: how fast it was struck, and the speed below which it comes to rest.
    strokes: Vec<[f64; 2]>,
    /// Entry and point of each point of the problem, and the gap it must keep; those of the problem before.
    spots: Vec<Spot>,
    past: Past,
    /// Bodies of the island.
    bodies: Vec<usize>,
    /// M⁻¹ of the impulses, and velocities at the start.
    nu: Vec<f64>,
    start_nu: Vec<f64>,
    before: Vec<f64>,
    rates: Vec<f64>,
    trend: Trend,
    gaps: Vec<f64>,
    found: Vec<ContactPoint>,
    /// Points that were given up in this step, with their entries.
    gone: Vec<(usize, ContactPoint)>,
    /// Entries whose one point came down elsewhere than where it pushes.
    strayed: Vec<usize>,
    /// Entry, place on the first body and impulse of those just given up.
    left_over: Vec<(usize, Vector3<f64>, Vector3<f64>)>,
    /// Size of the rates of the last step, and whether it moved many degrees of freedom.
    speed: f64,
    large: bool,
    /// Whether nothing moved when it began.
    calm: bool,
    /// Rates by which contacts may contradict each other.
    rate: f64,
    /// What each resting pair did, and the impulses it gave.
    pub info: Vec<RestInfo>,
    pub pushes: Vec<PairImpulse>,
    /// Change of energy by the contacts, and the energy they moved.
    pub energy: f64,
    pub at_stake: Stake,
    /// Work of surfaces that move.
    pub belts: f64,
    /// Work of dry friction in joints: not positive.
    rubbed: f64,
    /// Mean twists, in the step, of bodies whose motion is given; none at an instant.
    means: Vec<(usize, Twist)>,
    /// The part of what the island had and forces brought that contacts gained.
    pub gain: f64,
    /// Whether the next step is one of Moreau's: gaps by their rates at the start alone.
    pub plain: bool,
    /// A pair that lets go where the next steps end: it gives nothing there.
    pub letting_go: Option<Key>,
    /// Where rims were pushed and came down in the trials of the step.
    rims: Vec<rim::Rim>,
    /// Impulses of the points, for the next step's start.
    pub impulses: Vec<PointImpulse>,
    /// Those of other flights over the same time.
    attempt: Attempt,
    /// What the last step reached.
    pub outcome: Outcome,
    /// Overlap it left, and the pair.
    pub overlap: (f64, Option<Pair>),
}

/// What is kept of a problem while the next one is set up.
#[derive(Debug, Default)]
struct Past {
    spots: Vec<Spot>,
    points: Vec<Point>,
    lambda: Vec<f64>,
    /// How fast points came along their normals, and what an impulse does to that.
    arrivals: Vec<[f64; 2]>,
}

/// Impulses that flights over one time found, in the order of their keys: a wider island starts from them.
#[derive(Debug, Default)]
struct Attempt {
    time: f64,
    h: f64,
    impulses: Vec<PointImpulse>,
}

impl Attempt {
    /// Becomes like what another one holds of some pairs, which are in the order of their keys.
    fn copy(&mut self, other: &Self, pairs: &[NearGap]) {
        (self.time, self.h) = (other.time, other.h);
        self.impulses.clear();
        for n in pairs {
            let from = other.impulses.partition_point(|i| i.key < n.key);
            let own = other.impulses[from..].iter().take_while(|i| i.key == n.key);
            self.impulses.extend(own);
        }
    }

    fn is_of(&self, span: &Span) -> bool {
        self.time == span.time && self.h == span.h
    }

    /// Keeps what a flight found, in place of what others found of the same pairs.
    fn keep(&mut self, time: f64, h: f64, impulses: &[PointImpulse]) {
        if self.time != time || self.h != h {
            self.impulses.clear();
            (self.time, self.h) = (time, h);
        }
        self.impulses
            .retain(|old| impulses.iter().all(|new| new.key != old.key));
        self.impulses.extend_from_slice(impulses);
        if !self.impulses.is_sorted_by_key(|i| i.key) {
            self.impulses.sort_by_key(|i| i.key);
        }
    }
}

/// A point of the problem.
#[derive(Clone, Copy, Debug)]
struct Spot {
    entry: usize,
    point: ContactPoint,
    /// The gap may not fall below this.
    floor: f64,
    /// The gap where the last trial ended.
    gap: f64,
    /// Whether it was found where a trial of this step ended.
    caught: bool,
    /// Impulse at the start, and a guess of that at the end.
    start: [f64; 3],
    end: [f64; 3],
}

/// Some of the units.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub units: &'a Parts,
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
        work.solver.forget();
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
        self.turns.clear();
        self.rubs.clear();
        self.spots.clear();
        self.rims.clear();
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
                let lifted = gap + LIFTED * work.size * span.part();
                let lowest = if level(&gap) { mean.min(lifted) } else { gap };
                // What is held stays as it is: to ask for more may ask for what cannot be.
                let floor = match rest.held {
                    true => gap,
                    false => (lowest + RECOVERED * work.size * span.part()).min(0.0),
                };
                self.push(setup, work, span.base, rest, entry, p, floor);
            }
        }
        self.silence_borne(&span.scope);
        if !self.plain {
            (0..self.spots.len()).for_each(|at| self.recall(span, resting, at));
        }
        if let Some(info) = self.stand_still(setup, scheme, work, resting, span, probe)? {
            self.attempt.keep(span.time, span.h, &self.impulses);
            return Ok(info);
        }
        let (mut info, outcome) = self.balance(setup, scheme, work, resting, span, probe)?;
        self.outcome = outcome;
        self.begin(resting);
        self.note_means(setup, span, probe);
        self.gather(false, span.base);
        self.look_for_sliding(setup, work.size, resting, span, probe);
        self.belts = self.belt_work(setup, resting, span.base);
        self.energy = self.start_energy() - self.belts;
        self.rubbed = self.rubs_at_start();
        self.at_stake = self.rows.at_stake(&self.nu, |_| 0.0);
        self.finish(
            setup,
            work,
            resting,
            &span.scope,
            span.press,
            Some(span.h),
            probe,
        );
        self.attempt.keep(span.time, span.h, &self.impulses);
        self.bodies.clear();
        let bodies = which.iter().flat_map(|&u| &units.all[u].bodies);
        self.bodies.extend(bodies);
        let bodies = &self.bodies;
        let turn = |&k: &usize| turned(&span.base.poses[k].directors, &probe.poses[k].directors);
        self.at_stake.swung = self.at_stake.moved * bodies.iter().map(turn).fold(0.0, f64::max);
        let mut kinetic = |nu: &[f64]| (work.metric).kinetic(model, &span.base.poses, bodies, nu);
        info.work += self.belts;
        let had = kinetic(&self.start_nu) + kinetic(span.press);
        self.gain = if had > 0.0 { self.energy / had } else { 0.0 };
        // Friction in joints is no contact, though it is solved with them.
        info.damping += self.rubbed;
        self.energy -= self.rubbed;
        Ok(info)
    }

    /// What flights over the present time found of some pairs, in the order of their keys, is what another one knows.
    pub fn know(&mut self, other: &Self, pairs: &[NearGap]) {
        self.attempt.copy(&other.attempt, pairs);
    }

    /// Keeps what another one found over this time.
    pub fn keep(&mut self, time: f64, h: f64, impulses: &[PointImpulse]) {
        self.attempt.keep(time, h, impulses);
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
            gap: f64::INFINITY,
            caught: false,
            start: [0.0; 3],
            end: [0.0; 3],
        });
    }

    /// Silences rows that held points bear without them: held ones that depend on others, normals before what is
    /// across, and points that can only press against what is held anyway.
    fn silence_borne(&mut self, scope: &Scope) {
        let Scope { units, which } = *scope;
        let freedoms = which.iter().flat_map(|&u| &units.all[u].freedoms);
        self.borne.reset(freedoms.copied());
        let held = |p: &Point| p.grip == Grip::Held;
        if !self.borne.is_small() || !self.points.iter().any(held) {
            return;
        }
        let holds = self.points.iter().filter(|p| held(p));
        let normals = holds.clone().map(|p| p.first);
        let across = holds.flat_map(|p| p.first + 1..p.first + p.rows);
        for row in normals.chain(across) {
            if !self.borne.take(&self.rows, row) {
                self.rows.silence(row, &mut self.nu);
            }
        }
        (0..self.points.len()).for_each(|at| self.silence_if_borne(at));
    }

    /// Silences a point that pushes only, if what is held bears its normal.
    fn silence_if_borne(&mut self, at: usize) {
        let p = self.points[at];
        if p.grip != Grip::Held && self.borne.bears(&self.rows, p.first) {
            for row in p.first..p.first + p.rows {
                self.rows.silence(row, &mut self.nu);
            }
        }
    }

    /// Notes how bodies whose motion is given moved in the step.
    fn note_means(&mut self, setup: &Setup, span: &Span, probe: &State) {
        self.means.clear();
        for (k, body) in setup.model.bodies().iter().enumerate() {
            if body.motion.is_some() {
                let (from, to) = (&span.base.poses[k], &probe.poses[k]);
                let turn = log(&(to.directors * from.directors.transpose()));
                let twist = Twist {
                    v: (to.position - from.position) / span.h,
                    w: turn / span.h,
                };
                self.means.push((k, twist));
            }
        }
    }

    /// Work of bodies whose motion is given, by the impulses in the rows.
    fn given_work(&self) -> f64 {
        if self.means.is_empty() {
            return self.rows.given_work();
        }
        let means = &self.means;
        self.rows.given_work_over(|b| {
            let own = means.iter().find(|(k, _)| *k == b.index());
            own.map_or(Twist::default(), |(_, twist)| *twist)
        })
    }

    /// Starts a point from what the nearest one of its pair gave in another flight over this time, or
    /// in the last step.
    fn recall(&mut self, span: &Span, resting: &[Resting], at: usize) {
        let spot = &mut self.spots[at];
        let key = resting[spot.entry].key;
        let now = self
            .attempt
            .is_of(span)
            .then_some(&self.attempt.impulses[..]);
        let of = |list| recalled(list, key, &spot.point);
        let Some(i) = now.and_then(of).or_else(|| of(&span.base.impulses)) else {
            return;
        };
        spot.end = i.end;
        let p = &self.points[at];
        for k in 0..p.rows {
            if i.start[k] != 0.0 && self.rows.weight(p.first + k) > 0.0 {
                self.rows.add(p.first + k, i.start[k], &mut self.nu);
            }
        }
    }

    /// Notes which pairs moved across their normals.
    fn look_for_sliding(
        &mut self,
        setup: &Setup,
        size: f64,
        resting: &[Resting],
        span: &Span,
        probe: &State,
    ) {
        let base = &span.base.poses;
        for (point, spot) in self.points.iter().zip(&self.spots) {
            let p = &spot.point;
            let held = resting[spot.entry].held;
            if held || p.freedom.is_some() || self.rows.lambda[point.first] <= 0.0 {
                continue;
            }
            let moved = slip(setup, &resting[spot.entry], p, span.base, probe, span.h);
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
}
