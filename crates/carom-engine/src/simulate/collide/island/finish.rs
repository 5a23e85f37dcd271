//! The impulses at the end of a step, or at an instant: no momentum is left that points into a contact.

use super::super::impulse::work_of_belts;
use super::balance::{FINEST_LARGE, quieten};
use super::point::{point_gap, press_rate};
use super::turn::add_belt;
use super::*;
use crate::contact::Leeway;

/// Points this far apart take part in the velocities at the end, in the same.
const CLOSE: f64 = 1e-6;
/// Strokes this part of the speed of rest are above it.
const TIE: f64 = 1.0 + 1e-9;

impl IslandStepper {
    /// Impulses at the end of a step of size `h`, or at an instant. Points that are a little apart may
    /// come no faster than would close them in another such step.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn finish(
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
        let mut past = std::mem::take(&mut self.past);
        let rows = &self.rows;
        past.arrivals.clear();
        past.arrivals.extend(self.points.iter().map(|p| {
            let approach = -rows.rate(p.first, &self.start_nu) - rows.drift(p.first);
            [approach, rows.weight(p.first)]
        }));
        self.rows.clear();
        self.points.clear();
        self.turns.clear();
        self.rubs.clear();
        self.bounces.clear();
        self.strokes.clear();
        self.strokes.resize(resting.len(), [0.0; 2]);
        past.spots.clear();
        std::mem::swap(&mut self.spots, &mut past.spots);
        let touch = super::super::TOUCH * work.size;
        for (spot, &[approach, weight]) in past.spots.iter().zip(&past.arrivals) {
            let rest = &resting[spot.entry];
            if self.letting_go == Some(rest.key) {
                continue;
            }
            let gap = point_gap(setup, rest, &spot.point, probe);
            if !rest.held && gap > CLOSE * work.size {
                continue;
            }
            let touches = rest.held || gap <= touch;
            self.info[spot.entry].touches |= touches || spot.start[0] > 0.0;
            // Where a body rolls, the contact has moved on along it.
            let here = match rest.held {
                true => spot.point,
                false => spot.point.at(setup.model, &rest.pair, &path(probe)),
            };
            self.push(setup, work, probe, rest, spot.entry, &here, 0.0);
            let last = self.spots.len() - 1;
            if let Some(h) = h.filter(|_| !touches) {
                self.points[last].bias[0] = gap / h;
            }
            let point = &mut self.points[last];
            for k in 0..point.rows {
                point.bias[k] += self.rows.drift(point.first + k);
            }
            self.spots[last].start = spot.start;
            let p = self.points[last];
            self.rows.lambda[p.first..p.first + p.rows].copy_from_slice(&spot.end[..p.rows]);
            let rest_speed = setup.rest_speed(
                rest.restitution,
                press_rate(&self.rows, self.points[last].first, press),
            );
            let stroke = &mut self.strokes[spot.entry];
            stroke[0] = stroke[0].max(approach.max(spot.start[0] * weight));
            stroke[1] = stroke[1].max(rest_speed);
            self.bounces.push(Bounce {
                contact: spot.entry,
                restitution: rest.restitution,
                rest_speed,
                approach,
                given: spot.start[0].max(0.0),
            });
        }
        self.past = past;
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
        for (point, spot) in self.points.iter_mut().zip(&self.spots) {
            add_belt(setup, &resting[spot.entry], &spot.point, probe, point);
        }
        self.silence_borne(scope);
        let rows = &self.rows;
        self.points.iter_mut().for_each(|p| quieten(p, rows));
        self.push_turns(setup, work, resting, probe);
        self.list_all();
        self.push_rubs(setup, work, scope, probe);
        self.list_rubs(h.unwrap_or(0.0));
        for other in 0..self.turns.len() + self.rubs.len() {
            self.bounces.push(Bounce {
                contact: resting.len() + other,
                rest_speed: f64::INFINITY,
                ..Bounce::default()
            });
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
            &self.all,
            &self.bounces,
            &mut self.rows,
            &mut self.nu,
            &Leeway {
                spent: (-self.energy).max(0.0),
                speed: 1e-2 * self.speed,
                enough: if self.large { FINEST_LARGE } else { 0.0 },
                rate: self.rate,
                calm: self.calm,
            },
        );
        apply(setup.model, probe, &self.rows, 1.0);
        let by_belts = work_of_belts(&self.points, &self.rows) + self.given_work();
        self.belts += by_belts;
        self.energy += jumped.energy - by_belts;
        self.rubbed += self.rubs_at_end();
        self.at_stake += self.rows.at_stake(&self.nu, |row| self.rates[row]);
        self.outcome = self.outcome.and(jumped.outcome);
        self.gather(true, probe);
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

    /// Lets momentum jump at contacts, some of which hold: what `finish` does, at a state. Rates up to `still` count as
    /// none where the solver comes no further.
    #[allow(clippy::too_many_arguments)]
    pub fn settle(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        scope: &Scope,
        press: &[f64],
        still: f64,
        state: &mut State,
    ) {
        self.nu.resize(setup.model.freedom(), 0.0);
        self.start_nu.resize(setup.model.freedom(), 0.0);
        self.begin(resting);
        self.means.clear();
        self.energy = 0.0;
        self.belts = 0.0;
        self.rubbed = 0.0;
        self.at_stake = Stake::default();
        (self.speed, self.rate) = (0.0, still);
        self.calm = false;
        self.outcome = Outcome {
            converged: true,
            ..Outcome::default()
        };
        self.rows.clear();
        self.points.clear();
        self.turns.clear();
        self.rubs.clear();
        self.spots.clear();
        for (entry, rest) in resting.iter().enumerate() {
            for p in &rest.points {
                self.push(setup, work, state, rest, entry, p, 0.0);
            }
        }
        self.finish(setup, work, resting, scope, press, None, state);
    }

    /// Nothing was done yet.
    pub(super) fn begin(&mut self, resting: &[Resting]) {
        self.info.clear();
        self.info.resize(resting.len(), RestInfo::default());
        self.pushes.clear();
        let none = resting.iter().map(|r| PairImpulse::of(&r.pair));
        self.pushes.extend(none);
    }

    /// Sums the impulses of each pair, which act in a state.
    pub(super) fn gather(&mut self, end: bool, state: &State) {
        for turn in &self.turns {
            let push = &mut self.pushes[self.spots[turn.spot].entry];
            for row in turn.point.first..turn.point.first + turn.point.rows {
                push.add_row(&self.rows, row, self.rows.lambda[row], None);
            }
        }
        for (point, spot) in self.points.iter().zip(&mut self.spots) {
            let info = &mut self.info[spot.entry];
            let push = &mut self.pushes[spot.entry];
            let normal = self.rows.lambda[point.first];
            let place = spot.point.a.place(&state.poses);
            if end {
                info.end += normal;
            } else {
                info.start += normal;
            }
            for k in 0..point.rows {
                let lambda = self.rows.lambda[point.first + k];
                info.impulse += self.rows.direction(point.first + k) * lambda;
                let along = (k == 0).then_some((place, 1.0));
                push.add_row(&self.rows, point.first + k, lambda, along);
                if end {
                    let rate = self.rows.rate(point.first + k, &self.nu);
                    info.energy += 0.5 * lambda * (self.rates[point.first + k] + rate);
                } else {
                    spot.start[k] = lambda;
                }
            }
        }
    }
}
