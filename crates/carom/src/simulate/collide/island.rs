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
    Bounce, ContactPoint, Grip, Key, Outcome, Pair, Point, Push, ROUND_OFF, Rows, SOLVED, Stage,
    evaluate,
};
use crate::simulate::scheme::Scheme;
use crate::simulate::state::PointImpulse;
use crate::simulate::{SimulateError, State, StepInfo};

/// Trials of a step with other impulses, and times points are added to it.
const MOST_TRIALS: usize = 40;
const MOST_ADDITIONS: usize = 24;
/// Trials of a step whose contact problem is not solved.
const MOST_FAILED: u32 = 6;
/// Impulses are settled when they move no point by more than this, in body sizes.
const SETTLED: f64 = 1e-13;
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
    found: Vec<ContactPoint>,
    /// Size of the rates of the last step.
    speed: f64,
    /// What each resting pair did.
    pub info: Vec<RestInfo>,
    /// Change of energy by the contacts, and the energy they moved.
    pub energy: f64,
    pub at_stake: f64,
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
            for p in &rest.points {
                let gap = point_gap(setup, rest, p, span.base);
                // What is held stays as it is: to ask for more may ask for what cannot be.
                let floor = match rest.held {
                    true => gap,
                    false => (gap + RECOVERED * work.size * span.part()).min(0.0),
                };
                self.push(setup, work, span.base, rest, entry, p, floor);
            }
        }
        self.recall(span.base, resting);
        let mut info = StepInfo::default();
        let mut iterations = 0;
        let mut settled = Outcome::default();
        for addition in 0..=MOST_ADDITIONS {
            (info, settled) = self.balance(setup, scheme, work, resting, span, probe)?;
            iterations += info.iterations;
            if !self.catch(setup, work, resting, span, probe) || addition == MOST_ADDITIONS {
                break;
            }
        }
        info.iterations = iterations;
        self.outcome = settled;
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

    /// Finds the impulses at the start for the points there are.
    fn balance(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        work: &mut Workspace,
        resting: &[Resting],
        span: &Span,
        probe: &mut State,
    ) -> Result<(StepInfo, Outcome), SimulateError> {
        let model = setup.model;
        let Scope { units, which } = span.scope;
        let stage = Stage {
            model,
            at: path(span.base),
        };
        let mut info = StepInfo::default();
        let mut outcome = Outcome::default();
        let mut iterations = 0;
        let mut last = f64::INFINITY;
        // The first solutions are for a step that is made again anyway.
        let mut enough = 1e-7;
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
            self.rates.clear();
            let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
            self.rates.extend(rates);
            outcome = work.solver.solve(
                &stage,
                &mut work.metric,
                &self.points,
                &mut self.rows,
                &mut self.nu,
                speed,
                enough,
            );
            let mut moved: f64 = 0.0;
            for (row, old) in self.rates.iter().enumerate() {
                let change = (self.rows.rate(row, &self.nu) - old).abs();
                moved = moved.max(change * span.h);
            }
            outcome.rounds = trial as u32 + 1;
            // What the solver cannot solve again and again it will not solve in other trials.
            failed += u32::from(outcome.residual > enough.max(1e3 * SOLVED));
            let rough = enough > ROUND_OFF && outcome.residual > ROUND_OFF;
            enough = (1e-3 * enough).max(ROUND_OFF);
            if rough && moved <= NEARLY_SETTLED * work.size {
                last = last.min(moved);
                continue;
            }
            let stuck = trial > 3 && moved > 0.5 * last && moved <= NEARLY_SETTLED * work.size;
            if moved <= SETTLED * work.size || stuck {
                // The probe is where the impulses before this last touch lead.
                for (row, old) in self.before.iter().enumerate() {
                    let back = old - self.rows.lambda[row];
                    self.rows.add(row, back, &mut self.nu);
                }
                break;
            }
            if trial + 1 == MOST_TRIALS || failed == MOST_FAILED {
                outcome.residual = outcome.residual.max(moved / work.size);
                outcome.converged &= moved <= NEARLY_SETTLED * work.size;
                units.copy(model, which, span.base, probe);
                probe.time = span.time;
                apply(model, probe, &self.rows, 1.0);
                info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
                break;
            }
            last = last.min(moved);
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
                largest = largest.max(point.bias[k].abs());
            }
        }
        largest
    }

    /// Adds the points of pairs that overlap at the end; false if there is nothing to add.
    fn catch(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &mut Vec<Resting>,
        span: &Span,
        probe: &State,
    ) -> bool {
        let model = setup.model;
        let mut added = false;
        let clean = CLEAN * work.size;
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
            let floor = (start + RECOVERED * work.size * span.part()).min(0.0);
            for k in 0..self.found.len() {
                let p = self.found[k];
                if p.freedom.is_none() && p.gap(&probe.poses) >= allowed {
                    continue;
                }
                let known = resting[entry]
                    .points
                    .iter()
                    .any(|o| same_point(o, &p, work.size));
                if known || held.is_some_and(|k| resting[k].holds_at(&p, &probe.poses, work.size)) {
                    continue;
                }
                added = true;
                resting[entry].points.push(p);
                let rest = resting[entry].clone();
                self.push(setup, work, span.base, &rest, entry, &p, floor);
            }
            if -gap > self.overlap.0 {
                self.overlap = (-gap, Some(*pair));
            }
        }
        added
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
        let spent = (-self.energy).max(0.0);
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
            spent,
            1e-2 * self.speed,
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
        self.speed = 0.0;
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
