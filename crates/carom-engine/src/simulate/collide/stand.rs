//! What stands at the end of a step.

use super::resting::{RestInfo, Resting};
use super::touching::gap_in;
use super::*;

/// Overlap that a step may leave, in sizes of the largest body: where something is held, and where it is cleared at the
/// end of the step.
pub(super) const LEFT: f64 = 1e-9;
pub(super) const LEFT_TO_CLEAR: f64 = 1e-8;

impl Collisions {
    /// Tells of a pair that overlaps at the start of a step.
    pub(super) fn judge_overlap(&mut self, flight: &mut Flight, pair: &Pair, overlap: f64) {
        if overlap > 1e-9 * self.work.size {
            let left = Outcome {
                residual: overlap / self.work.size,
                ..Outcome::default()
            };
            self.judge(flight, "overlap", 0.0, Some(*pair), left);
        }
    }

    /// The deepest overlap of pairs near each other at the end of a step.
    pub(super) fn overlap_left(&mut self, setup: &Setup, state: &State) -> f64 {
        let near = self.near.all.iter().filter(|n| n.takes_part);
        let bases = &mut self.work.bases;
        let depths = near.map(|n| -gap_in(setup.model, bases, &n.pair, n.key, state));
        depths.fold(0.0, f64::max)
    }

    /// Notes what the contacts of an island reached in the part of the step it flew to a time.
    pub(super) fn judge_island(&mut self, flight: &mut Flight, island: usize, time: f64) {
        let i = &self.islands.all[island];
        if !i.stands() {
            return;
        }
        let (outcome, overlap) = (i.outcome, i.overlap);
        let pair = overlap.1.or(i.resting.first().map(|r| r.pair));
        self.judge(flight, "rest", time, pair, outcome);
        let allowed = match self.islands.all[island].holds() {
            true => LEFT,
            false => LEFT_TO_CLEAR,
        };
        if overlap.0 > allowed * self.work.size {
            let left = Outcome {
                residual: overlap.0 / self.work.size,
                ..Outcome::default()
            };
            self.judge(flight, "overlap", time, overlap.1, left);
        }
    }

    /// Notes which contacts stand at the end of a step, and tells of those that began to rest, to
    /// slide or to stick, or opened.
    pub(super) fn stand(&mut self, flight: &mut Flight) {
        let setup = flight.setup;
        let mut before = std::mem::take(&mut self.told.stood);
        let spare = &mut self.work.points;
        before.drain(..).for_each(|s| spare.give(s.points));
        std::mem::swap(&mut before, &mut flight.state.standing);
        // What potentials hold apart is told of elsewhere.
        let kept = before.extract_if(.., |s| s.kind == ContactKind::Impact);
        flight.state.standing.extend(kept);
        flight.state.impulses.clear();
        for island in self.islands.all.iter().filter(|i| !i.units.is_empty()) {
            flight.state.impulses.extend_from_slice(&island.impulses);
            for (rest, did) in island.resting.iter().zip(&island.rest_info) {
                if !did.touches || rest.beside {
                    continue;
                }
                let kind = match (rest.friction > 0.0 || rest.held, did.slid) {
                    (true, true) => ContactKind::Slide,
                    (true, false) => ContactKind::Stick,
                    (false, _) => ContactKind::Rest,
                };
                let found = before.binary_search_by_key(&rest.key, |s| s.key);
                let last = found.ok().map(|k| &before[k]);
                let mut tell = |kind| {
                    flight
                        .events
                        .push(standing_event(rest, did, kind, flight.state))
                };
                if last.is_none() && !rest.held {
                    tell(ContactKind::Rest);
                }
                if last.map(|s| s.kind) != Some(kind) && kind != ContactKind::Rest {
                    tell(kind);
                }
                flight.state.standing.push(Standing {
                    key: rest.key,
                    kind,
                    points: match rest.held {
                        true => self.work.points.copy(&rest.points),
                        false => Vec::new(),
                    },
                    hold: rest.hold,
                });
            }
        }
        // Mostly they are in order already.
        if !flight.state.impulses.is_sorted_by_key(|i| i.key) {
            flight.state.impulses.sort_by_key(|i| i.key);
        }
        if !flight.state.standing.is_sorted_by_key(|s| s.key) {
            flight.state.standing.sort_by_key(|s| s.key);
        }
        // What let go and still touches must not close again by itself.
        let touches = TOUCH * self.work.size;
        for s in &self.line.base.standing {
            if s.kind == ContactKind::Release
                && flight
                    .state
                    .standing
                    .binary_search_by_key(&s.key, |o| o.key)
                    .is_err()
                && let Some(pair) = self.detector.pair(s.key)
                && touching::gap_in(
                    setup.model,
                    &mut self.work.bases,
                    &pair,
                    s.key,
                    flight.state,
                ) <= touches
            {
                flight.state.standing.push(s.clone());
                flight.state.standing.sort_by_key(|s| s.key);
            }
        }
        for old in before
            .iter()
            .filter(|s| !s.is_held() && s.kind != ContactKind::Release)
        {
            let stands = flight
                .state
                .standing
                .binary_search_by_key(&old.key, |s| s.key);
            if stands.is_err()
                && let Some(pair) = self.detector.pair(old.key)
            {
                let mut warm = self.work.bases.of(old.key);
                let row = evaluate(setup.model, &pair, &touching::path(flight.state), &mut warm);
                let kind = ContactKind::Release;
                flight.events.push(ContactEvent {
                    features: row.features,
                    ..ContactEvent::at(flight.state.time, kind, pair, row.point, row.normal)
                });
            }
        }
        self.told.stood = before;
    }
}

/// The event of a contact that stands.
fn standing_event(
    rest: &Resting,
    did: &RestInfo,
    kind: ContactKind,
    state: &State,
) -> ContactEvent {
    let count = rest.points.len().max(1) as f64;
    let places = rest.points.iter().map(|p| p.a.place(&state.poses));
    let normal = rest.points.first();
    let normal = normal.map_or(Default::default(), |p| p.normal(&state.poses));
    let along = did.impulse.dot(&normal);
    let point = places.sum::<nalgebra::Vector3<f64>>() / count;
    ContactEvent {
        features: rest.features,
        impulse: did.impulse,
        normal_impulse: did.start + did.end,
        tangential_impulse: (did.impulse - normal * along).norm(),
        ..ContactEvent::at(state.time, kind, rest.pair, point, normal)
    }
}
