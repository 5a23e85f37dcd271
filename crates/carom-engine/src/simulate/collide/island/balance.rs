//! The impulses at the start of a step: the contact problem with the gaps of a trial step, then the
//! trial step again, until they agree.

use super::super::stand::LEFT_TO_CLEAR;
use super::point::{point_gap, slip};
use super::*;
use crate::contact::{Aim, HUGE, LARGE_ISLAND, ROUND_OFF, SOLVED};

/// Trials of a step with other impulses.
const MOST_TRIALS: usize = 60;
/// Trials of a step whose contact problem is not solved.
const MOST_FAILED: u32 = 6;
/// Trials, and those whose contact problem was not solved, after which points give way where impulses are huge beside
/// what the rates ask for, and how much: in rows of bodies that just fit, contacts at the start of a step contradict
/// those at its end by a little, and only impulses without bounds would make them agree.
const PATIENT: usize = 10;
const PATIENT_FAILED: u32 = 2;
const GIVE: f64 = 1e-8;
/// Trials from which on their trend says how far to go.
const FOLLOWED: usize = 3;
/// Trials after which impulses are taken that solve the contact problem of the step they lead to, though others that do
/// would move points.
const CONTENT: usize = 6;
/// Impulses are settled when they move no point by more than this, in body sizes.
const SETTLED: f64 = 1e-13;
/// The same for islands of many degrees of freedom, with the residual of their contact problems.
const SETTLED_LARGE: f64 = 1e-10;
pub(super) const FINEST_LARGE: f64 = 1e-10;
/// Rates at the start of a step that are none beside those it makes.
const CALM: f64 = 1e-6;
/// Residual of the first trial of small and of large islands.
const FIRST: f64 = 1e-3;
const FIRST_LARGE: f64 = 1e-2;
/// Pairs that overlap join in once trials move no point by more than this, in body sizes.
const CATCHING: f64 = 1e-3;
/// Contacts may contradict each other by so much, in the same: those of large islands, and of small ones that move.
const CONSISTENT: f64 = 1e-10;
/// Where impulses that solve the step they lead to end, others might lead elsewhere by this much, in the same.
const UNSURE: f64 = 1e-9;
/// What counts as settled where round-off stands in the way.
const NEARLY_SETTLED: f64 = 1e-9;

/// Rows that push nothing ask for nothing.
pub(super) fn quieten(point: &mut Point, rows: &Rows) {
    for k in 0..point.rows {
        if rows.weight(point.first + k) == 0.0 {
            point.bias[k] = 0.0;
        }
    }
}

impl IslandStepper {
    /// Finds the impulses at the start: the contact problem with the gaps of a trial step, linear
    /// in the impulses, then the trial step again. Pairs that overlap where a trial ends join in as
    /// soon as trials are close to each other.
    pub(super) fn balance(
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
        self.large = freedoms > LARGE_ISLAND;
        let (settled, finest, first) = if self.large {
            (SETTLED_LARGE * work.size, FINEST_LARGE, FIRST_LARGE)
        } else {
            (SETTLED * work.size, ROUND_OFF, FIRST)
        };
        let nearly = NEARLY_SETTLED * work.size;
        let unit = work.size / span.h;
        self.rate = if self.large { CONSISTENT * unit } else { 0.0 };
        self.gone.clear();
        self.trend.forget();
        let mut info = StepInfo::default();
        let mut outcome = Outcome::default();
        let (mut iterations, mut additions) = (0, 0);
        let mut last = f64::INFINITY;
        // Solutions are as good as the next trial needs them.
        let mut enough = if self.plain { SOLVED } else { first };
        let mut failed = 0;
        let mut give = 0.0;
        for trial in 0..MOST_TRIALS {
            units.copy(model, which, span.base, probe);
            probe.time = span.time;
            apply(model, probe, &self.rows, 1.0);
            info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
            iterations += info.iterations;
            let speed = self.measure(setup, resting, span, probe);
            self.push_turns(setup, work, resting, span.base);
            self.measure_turns(span, probe);
            self.push_rubs(setup, work, &span.scope, span.base);
            self.measure_rubs(setup, span, probe);
            self.speed = self.noise(work.size, span).max(speed);
            let speed = self.speed;
            // What joins in later may move.
            self.calm = (trial == 0 || self.calm) && self.is_calm();
            // What stands must not creep.
            let slack = match self.large {
                true => self.rate,
                false if self.calm => 0.0,
                false => CONSISTENT * unit,
            };
            self.before.clear();
            self.before.extend_from_slice(&self.rows.lambda);
            self.list_all();
            self.list_rubs(span.h);
            let mut aim = Aim {
                speed,
                enough,
                good: SOLVED.max(self.rate / speed),
                slack: slack / speed,
                give,
                calm: self.calm,
            };
            // Impulses that solve the step they lead to need not be looked for again.
            let may = trial >= CONTENT && !self.calm && give == 0.0;
            let left = may.then(|| (work.solver).judge(&self.all, &self.rows, &self.nu, speed));
            let solved = left.filter(|left| *left <= aim.good);
            let moved;
            (outcome, moved) = match solved {
                Some(residual) => (Outcome::solved(residual), residual * speed * span.h),
                None => self.solve(&stage, work, &mut aim, [finest, settled], span.h),
            };
            enough = aim.enough;
            outcome.rounds = trial as u32 + 1;
            let rough = enough > finest && outcome.residual > SOLVED;
            let stuck = trial > 3 && moved > 0.5 * last && moved <= nearly;
            let done = !rough && (moved <= settled || stuck) || solved.is_some();
            // Where a trial ends is known to what the next one would move; where none is to follow, what would be told
            // of is caught.
            let unsure = match solved {
                Some(_) => moved.clamp(UNSURE * work.size, 0.5 * LEFT_TO_CLEAR * work.size),
                None => moved,
            };
            self.note_strayed(setup, resting, probe);
            let sure = moved <= CATCHING * work.size || self.plain || !self.strayed.is_empty();
            let added = sure
                && additions < MOST_ADDITIONS
                && self.catch(setup, work, resting, span, probe, 2.0 * unsure, additions);
            additions += usize::from(added);
            // What the solver cannot solve again and again it will not solve in other trials.
            failed += u32::from(outcome.residual > enough.max(1e3 * SOLVED));
            if done && !added {
                // The probe is where the impulses before this last touch lead.
                self.rows.go_to(&self.before, &mut self.nu);
                break;
            }
            let part = 2e-3 * moved / (span.h * speed);
            enough = part.clamp(finest, first);
            // Impulses that leave nothing approaching at the start cannot gain energy; what overlaps is told.
            let plain = self.plain && !added;
            if trial + 1 == MOST_TRIALS || failed == MOST_FAILED || plain {
                outcome.residual = outcome.residual.max(moved / work.size);
                units.copy(model, which, span.base, probe);
                probe.time = span.time;
                apply(model, probe, &self.rows, 1.0);
                info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
                self.catch(setup, work, resting, span, probe, 0.0, MOST_ADDITIONS);
                outcome.converged &= moved <= nearly && (!added || self.overlap.0 <= nearly);
                break;
            }
            if added {
                self.trend.forget();
            } else if trial >= FOLLOWED && give == 0.0 && moved > nearly {
                let trend = &mut self.trend;
                trend.follow(&self.before, &self.rates, &mut self.rows, &mut self.nu);
            }
            let tried = trial + 1 >= PATIENT || failed >= PATIENT_FAILED;
            if give == 0.0 && tried && self.sunk(1.0) > HUGE * speed {
                (give, failed) = (GIVE, 0);
                self.rows.let_go(&mut self.nu);
            }
            last = if added {
                f64::INFINITY
            } else {
                last.min(moved)
            };
        }
        info.iterations = iterations;
        outcome.converged &= self.sunk(give) * span.h <= nearly;
        Ok((info, outcome))
    }

    /// Solves the contact problem of a trial, from `aim.enough` on as finely as it moves points, down to `finest`;
    /// returns what it reached, and how far it moves points in a step of `h`.
    fn solve(
        &mut self,
        stage: &Stage,
        work: &mut Workspace,
        aim: &mut Aim,
        [finest, settled]: [f64; 2],
        h: f64,
    ) -> (Outcome, f64) {
        loop {
            self.rates.clear();
            let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
            self.rates.extend(rates);
            let Self { all, rows, nu, .. } = self;
            let outcome = (work.solver).solve(stage, &mut work.metric, all, rows, nu, aim);
            let old = self.rates.iter().enumerate();
            let changes = old.map(|(row, old)| (self.rows.rate(row, &self.nu) - old).abs());
            let moved = h * changes.fold(0.0, f64::max);
            // What the solution left undone counts as well as what it moved.
            let left = outcome.residual * aim.speed * h;
            if aim.enough <= finest || left <= settled || moved > left {
                return (outcome, moved);
            }
            aim.enough = (1e-2 * aim.enough).max(finest);
        }
    }

    /// Whether no point moved when the step began, beside what the step makes of it.
    fn is_calm(&self) -> bool {
        let rows = &self.rows;
        let rate = |row: usize| (rows.rate(row, &self.start_nu) + rows.drift(row)).abs();
        (0..rows.len()).all(|row| rate(row) <= CALM * self.speed)
    }

    /// The largest rate at which points give way to their impulses.
    fn sunk(&self, give: f64) -> f64 {
        let alone = self.points.iter().map(|p| p.alone(&self.rows));
        give * alone.fold(0.0, f64::max)
    }

    /// Rates that are nothing beside how fast the island moves and how finely it is resolved.
    pub(super) fn noise(&self, size: f64, span: &Span) -> f64 {
        let Scope { units, which } = span.scope;
        let freedoms = which.iter().flat_map(|&u| &units.all[u].freedoms);
        let fastest = freedoms.fold(0.0_f64, |m, &f| m.max(self.start_nu[f].abs()));
        1e-4 * fastest + 1e-11 * size / span.h
    }

    /// Rates of all points over the step to `probe`, as biases; returns the largest.
    pub(super) fn measure(
        &mut self,
        setup: &Setup,
        resting: &[Resting],
        span: &Span,
        probe: &State,
    ) -> f64 {
        let mut largest: f64 = 0.0;
        let base = &span.base.poses;
        for (point, spot) in self.points.iter_mut().zip(&mut self.spots) {
            let rest = &resting[spot.entry];
            let p = &spot.point;
            spot.gap = point_gap(setup, rest, p, probe);
            let mut rates = [(spot.gap - spot.floor) / span.h, 0.0, 0.0];
            if point.rows > 1 {
                let moved = slip(setup, rest, p, span.base, probe, span.h);
                for (k, t) in rest.across(p, base).take(point.rows - 1).enumerate() {
                    rates[1 + k] = moved.dot(&t) / span.h;
                }
            }
            for k in 0..point.rows {
                point.bias[k] = rates[k] - self.rows.rate(point.first + k, &self.nu);
            }
            quieten(point, &self.rows);
            // What stays apart by itself says nothing of what contacts have to do.
            if rest.held || point.bias[0] < 0.0 {
                let all = point.bias.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
                largest = largest.max(all);
            }
        }
        largest
    }
}
