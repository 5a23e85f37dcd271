//! When pairs meet on their way through a step.

use super::flight::{Flight, INSTANT};
use super::root::root;
use super::touching::{gap_in, path};
use super::{Collisions, MOST_IMPACTS, SKIN, Setup, TOUCH};
use crate::contact::{Key, Leg, Pair, Trip, gap_between, gap_of, pair_poses};
use crate::model::Law;
use crate::simulate::scheme::Scheme;
use crate::simulate::{SimulateError, State};

impl Collisions {
    /// Whether a pair is looked at during the step: it may meet exactly, or rest.
    pub(super) fn takes_part(&self, setup: &Setup, pair: &Pair) -> bool {
        let surface = self.detector.surface(pair);
        match setup.law(&surface) {
            Law::None | Law::Potential { .. } => false,
            Law::Decomposition { .. } => {
                setup.settings.rest_speed(setup.model, surface.restitution) > 0.0
            }
            Law::Exact { .. } | Law::Plastic { .. } => true,
        }
    }

    /// Whether the time a pair meets is found.
    pub(super) fn meets(&self, setup: &Setup, pair: &Pair) -> bool {
        let law = setup.law(&self.detector.surface(pair));
        matches!(law, Law::Exact { .. } | Law::Plastic { .. })
    }

    /// Gap and its steepness in `self.base`.
    pub(super) fn start_gap(&mut self, setup: &Setup, pair: &Pair, key: Key) -> (f64, f64) {
        let mut warm = self.detector.basis(key);
        let gap = match pair {
            Pair::Bodies(a, b) => {
                let [pa, pb] = pair_poses(setup.model, a, b, &self.base.poses);
                gap_between(setup.model, a, b, pa, pb, &mut warm)
            }
            _ => (gap_of(setup.model, pair, &path(&self.base), &mut warm), 1.0),
        };
        self.detector.remember(key, warm);
        gap
    }

    /// A bracket in which a pair meets on the way from `self.base` to `state`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn bracket(
        &mut self,
        setup: &Setup,
        state: &State,
        pair: &Pair,
        key: Key,
        from: f64,
        end: f64,
        gap: Option<(f64, f64)>,
    ) -> Option<[f64; 2]> {
        let skin = SKIN * self.size;
        if !matches!(pair, Pair::Bodies(..)) {
            // A limit follows one coordinate.
            let at_end = gap_of(setup.model, pair, &path(state), &mut None);
            return (at_end < -skin).then_some([from, end]);
        }
        let warm = self.detector.basis(key);
        let (base, since, units) = (&self.base, &self.since, &self.units);
        let leg = |body: usize| {
            let since = since[units.of_body(body)];
            Leg::new(&base.poses[body], since, &state.poses[body], end)
        };
        let mut trip = Trip::new(setup.model, pair, &base.poses, leg, warm)?;
        trip.first_contact(from, end, skin, gap)
    }

    /// The time within a bracket at which the gap of a pair vanishes on the discrete paths; `None`
    /// if it does not after all.
    pub(super) fn exact_time(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        pair: &Pair,
        key: Key,
        bracket: [f64; 2],
    ) -> Result<Option<f64>, SimulateError> {
        let islands = self.islands_of(setup, pair);
        let since = islands
            .iter()
            .map(|&i| self.since[self.islands[i].units[0]])
            .fold(0.0, f64::max);
        let mut gap = |this: &mut Self, time: f64| -> Result<f64, SimulateError> {
            for &i in &islands {
                this.fly_island(setup, scheme, flight, i, time)?;
            }
            let (detector, probe) = (&mut this.detector, &this.probe);
            Ok(gap_in(setup.model, detector, pair, key, probe))
        };
        let [mut a, mut b] = bracket;
        let mut fb = gap(self, b)?;
        while fb >= 0.0 && b < flight.h {
            a = b;
            b = (b + 0.25 * (flight.h - b) + 1e-3 * flight.h).min(flight.h);
            fb = gap(self, b)?;
        }
        if fb >= 0.0 {
            return Ok(None);
        }
        if a <= since {
            // Touching there, perhaps: the gap opens first.
            a = since + 0.5 * (b - since);
        }
        let mut fa = gap(self, a)?;
        while fa < 0.0 {
            (b, fb) = (a, fa);
            a = since + 0.5 * (a - since);
            if a - since <= INSTANT * flight.h {
                return Ok(Some(since));
            }
            fa = gap(self, a)?;
        }
        let tiny = 2.0 * f64::EPSILON * self.size;
        let narrow = |b: f64| f64::EPSILON * b.abs().max(flight.h);
        let time = root([a, fa], [b, fb], tiny, narrow, |t| gap(self, t))?;
        Ok(Some(time))
    }

    /// The first of the pairs of some islands that overlaps at a time, if it met before.
    pub(super) fn met_before(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        islands: &[usize],
        pair: &Pair,
        time: f64,
    ) -> Result<Option<(f64, Pair, Key)>, SimulateError> {
        let mut overlapping: Vec<(Pair, Key)> = Vec::new();
        for k in 0..self.candidates.len() {
            let (other, key) = self.candidates[k];
            if other == *pair
                || self.resting_keys.contains(&key)
                || !self.meets(setup, &other)
                || self.hits.get(&key).is_some_and(|h| *h > MOST_IMPACTS)
                || !self
                    .islands_of(setup, &other)
                    .iter()
                    .all(|i| islands.contains(i))
            {
                continue;
            }
            let gap = gap_in(setup.model, &mut self.detector, &other, key, &self.probe);
            if gap < -TOUCH * self.size {
                overlapping.push((other, key));
            }
        }
        let mut first: Option<(f64, Pair, Key)> = None;
        for (other, key) in overlapping {
            let bracket = [0.0, time];
            let met = self.exact_time(setup, scheme, flight, &other, key, bracket)?;
            if let Some(t) = met.filter(|t| *t < time)
                && first.as_ref().is_none_or(|f| t < f.0)
            {
                first = Some((t, other, key));
            }
        }
        Ok(first)
    }
}
