//! Islands that stand still: where impulses can hold everything as it is, it stays as it is.
//!
//! Trials of a step find where its points come to be, as finely as round-off lets them; what stands would rock and
//! creep by that much, for ever. So where nothing moves any more, the step is first looked for in which nothing does:
//! impulses within their cones that take up what is left of the motion and what forces bring. Their sum is shared by
//! the start and the end of the step; the configuration stays what it is, bit for bit, and momentum is that of the
//! step with these impulses.

use super::*;
use crate::contact::{Aim, SOLVED};

/// Velocities at the start that are none beside those that forces bring in a step.
const SLOW: f64 = 1e-6;
/// Velocities that impulses may leave, in the same: bodies that must slip begin to at a slope that differs by no more
/// from the one that holds them.
const STILL: f64 = 1e-8;
/// Points this far apart touch, in body sizes: as much as contacts that move may contradict each other; and overlap that
/// may stay, since steps take back next to nothing of it.
const CLOSED: f64 = 1e-10;
const DEEPEST: f64 = 1e-9;
/// Residual of impulses that were found before, and of those that are looked for.
const KNOWN: f64 = 1e-11;
const ENOUGH: f64 = 1e-12;

impl IslandStepper {
    /// The step in which nothing of the island moves, into `probe`, if impulses can hold it and it does not move yet.
    pub(super) fn stand_still(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        work: &mut Workspace,
        resting: &[Resting],
        span: &Span,
        probe: &mut State,
    ) -> Result<Option<StepInfo>, SimulateError> {
        let model = setup.model;
        let Scope { units, which } = span.scope;
        if !self.may_stand(setup, work, resting, span) {
            return Ok(None);
        }
        self.push_turns(setup, work, resting, span.base);
        self.before.clear();
        self.before.extend_from_slice(&self.rows.lambda);
        let touches = CLOSED * work.size;
        for (p, spot) in self.points.iter_mut().zip(&mut self.spots) {
            spot.gap = point_gap(setup, &resting[spot.entry], &spot.point, span.base);
            let open = if spot.gap > touches { spot.gap } else { 0.0 };
            p.bias = [open / span.h, 0.0, 0.0];
        }
        // Both ends of the step at once.
        for at in 0..self.spots.len() {
            let (p, end) = (self.points[at], self.spots[at].end);
            for k in 0..p.rows {
                self.rows.add(p.first + k, end[k], &mut self.nu);
            }
        }
        let freedoms = || which.iter().flat_map(|&u| &units.all[u].freedoms);
        for &f in freedoms() {
            self.nu[f] += self.start_nu[f] + span.press[f];
        }
        self.list_all();
        let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, span.press).abs());
        let speed = rates.fold(f64::MIN_POSITIVE, f64::max);
        let stage = Stage {
            model,
            at: path(span.base),
        };
        let aim = Aim {
            speed,
            enough: ENOUGH,
            good: SOLVED,
            slack: 0.0,
            give: 0.0,
            calm: true,
        };
        let Self { all, rows, nu, .. } = self;
        // Those of the last step may do.
        let left = work.solver.judge(all, rows, nu, speed);
        let outcome = match left <= KNOWN {
            true => Outcome::solved(left),
            false => (work.solver).solve(&stage, &mut work.metric, all, rows, nu, &aim),
        };
        let stays = outcome.converged && is_slow(setup, work, span, &self.nu, STILL);
        for &f in freedoms() {
            self.nu[f] -= self.start_nu[f] + span.press[f];
        }
        if stays && let Some(info) = self.hold_still(setup, scheme, work, resting, span, probe)? {
            self.outcome = outcome;
            return Ok(Some(info));
        }
        // Turns have rows beyond those that were there.
        self.before.resize(self.rows.len(), 0.0);
        let before = std::mem::take(&mut self.before);
        self.rows.go_to(&before, &mut self.nu);
        self.before = before;
        Ok(None)
    }

    /// Whether an island is one that may stand still: forces press it, nothing moves, by itself or as it is given, and
    /// nothing holds it as a joint or overlaps.
    fn may_stand(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        span: &Span,
    ) -> bool {
        let Scope { units, which } = span.scope;
        let whole = span.h == span.whole && !self.plain && !self.spots.is_empty();
        let given = || {
            let moves = |p: &Point| (p.first..p.first + p.rows).any(|r| self.rows.drift(r) != 0.0);
            let belt = |r: &Resting| r.pair.belt(setup.model, &Vector3::zeros()).is_some();
            self.points.iter().any(moves) || resting.iter().any(belt)
        };
        let deepest = -DEEPEST * work.size;
        let rests = |r: &Resting| !r.held && !r.caught;
        whole
            && resting.iter().all(rests)
            && which.iter().all(|&u| units.all[u].linkages.is_empty())
            && is_slow(setup, work, span, &self.start_nu, SLOW)
            && !given()
            && (span.near.iter()).all(|n| n.gap >= deepest)
    }

    /// The step with half of the impulses in the rows at its start and half at its end, if it moves nothing.
    fn hold_still(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        work: &mut Workspace,
        resting: &[Resting],
        span: &Span,
        probe: &mut State,
    ) -> Result<Option<StepInfo>, SimulateError> {
        let model = setup.model;
        let Scope { units, which } = span.scope;
        for row in 0..self.rows.len() {
            self.rows
                .add(row, -0.5 * self.rows.lambda[row], &mut self.nu);
        }
        units.copy(model, which, span.base, probe);
        probe.time = span.time;
        apply(model, probe, &self.rows, 1.0);
        let info = scheme.step_units(setup, probe, span.h, span.sampled, which)?;
        let pressed = which.iter().flat_map(|&u| &units.all[u].freedoms);
        let pressed = pressed.fold(0.0_f64, |m, &f| m.max(span.press[f].abs()));
        let bodies = || which.iter().flat_map(|&u| &units.all[u].bodies);
        let moved = bodies().map(|&b| {
            let (from, to) = (&span.base.poses[b], &probe.poses[b]);
            let turn = turned(&from.directors, &to.directors);
            (to.position - from.position).norm() + turn * model.bodies()[b].reach()
        });
        if moved.fold(0.0, f64::max) > STILL * pressed * span.h {
            return Ok(None);
        }
        for &b in bodies() {
            probe.poses[b] = span.base.poses[b];
            probe.carry[b] = span.base.carry[b];
        }
        apply(model, probe, &self.rows, 1.0);
        self.begin(resting);
        self.means.clear();
        self.note_still(setup, work, resting, span);
        Ok(Some(info))
    }

    /// What contacts did in a step in which nothing moved, by the impulses in the rows at its start and at its end.
    fn note_still(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        span: &Span,
    ) {
        let Scope { units, which } = span.scope;
        let poses = &span.base.poses;
        self.rates.clear();
        self.rates.resize(self.rows.len(), 0.0);
        let stake = self.rows.at_stake(&self.nu, |_| 0.0);
        self.at_stake = stake;
        self.at_stake += stake;
        self.gather(false, span.base);
        let freedoms = which.iter().flat_map(|&u| &units.all[u].freedoms);
        freedoms.for_each(|&f| self.nu[f] = 0.0);
        self.gather(true, span.base);
        let touch = super::super::TOUCH * work.size;
        self.impulses.clear();
        for spot in &self.spots {
            self.info[spot.entry].touches |= spot.start[0] > 0.0 || spot.gap <= touch;
            self.impulses.push(PointImpulse {
                key: resting[spot.entry].key,
                place: spot.point.a.local,
                start: spot.start,
                end: spot.start,
            });
        }
        (self.energy, self.belts, self.rubbed, self.gain) = (0.0, 0.0, 0.0, 0.0);
        for &u in which {
            let bodies = &units.all[u].bodies;
            let mut kinetic = |nu: &[f64]| (work.metric).kinetic(setup.model, poses, bodies, nu);
            self.energy -= kinetic(&self.start_nu);
        }
        self.overlap = (0.0, None);
    }
}

/// Whether velocities of every unit are no more than a part of those that forces bring.
fn is_slow(setup: &Setup, work: &mut Workspace, span: &Span, nu: &[f64], part: f64) -> bool {
    let Scope { units, which } = span.scope;
    which.iter().all(|&u| {
        let bodies = &units.all[u].bodies;
        let poses = &span.base.poses;
        let mut kinetic = |nu: &[f64]| (work.metric).kinetic(setup.model, poses, bodies, nu);
        kinetic(nu) <= part * part * kinetic(span.press)
    })
}
