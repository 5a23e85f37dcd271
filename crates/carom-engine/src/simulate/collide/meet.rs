//! When pairs meet on their way through a step.
//!
//! Bodies move on the discrete path itself: where a step of size t leads. Conservative advancement on
//! it cannot miss anything: as long as two parts are a distance d apart they cannot meet before their
//! points have moved by d towards each other. Islands with resting contacts are looked at where the
//! step ends, and on screws to there.

use super::flight::{Flight, INSTANT};
use super::near::sides;
use super::root::root;
use super::touching::gap_in;
use super::*;
use crate::contact::{Collider, Leg, Trip, body_of, clearance, gap_of};
use crate::mechanics::turned;
use touching::path;

/// Parts that glide along each other are looked at after moving by this part of the smaller one.
const THIN: f64 = 1e-3;

impl Collisions {
    /// The time at which a pair meets on its way to the end of the step, if it does. `start` is its
    /// gap at `from` where known.
    pub(super) fn meeting(
        &mut self,
        flight: &mut Flight,
        near: usize,
        from: f64,
        start: Option<(f64, f64)>,
    ) -> Result<Option<f64>, SimulateError> {
        let setup = flight.setup;
        let n = self.near.all[near];
        let skin = SKIN * self.work.size;
        let Pair::Bodies(a, b) = &n.pair else {
            // A limit follows one coordinate.
            let at_end = gap_of(setup.model, &n.pair, &path(flight.state), &mut None);
            if at_end >= -skin {
                return Ok(None);
            }
            return self.exact_time(flight, near, [from, self.line.h]);
        };
        let speed = self.relative_speed(flight, a, b);
        if speed * (self.line.h - from) == 0.0 {
            return Ok(None);
        }
        let (gap, steepness) = match start {
            Some(known) => known,
            None => self.start_gap_at(setup, near, from),
        };
        // Far from each other, as most are.
        if gap > skin && from + gap / (steepness * speed) >= self.line.h {
            return Ok(None);
        }
        let stands = sides(&n).any(|u| self.islands.all[self.islands.of[u]].stands());
        if stands {
            // Steps of such islands are dear: what overlaps at the end, or on screws to it.
            let bases = &mut self.work.bases;
            let bracket = if gap_in(setup.model, bases, &n.pair, n.key, flight.state) < -skin {
                Some([from, self.line.h])
            } else {
                self.screw_bracket(setup, flight.state, near, from, self.line.h)
            };
            return match bracket {
                Some(b) => self.exact_time(flight, near, b),
                None => Ok(None),
            };
        }
        match self.advance(flight, near, from, speed)? {
            Some(b) => self.exact_time(flight, near, b),
            None => Ok(None),
        }
    }

    /// Gap of a pair where both sides stand at a time that is the later of their last cuts.
    fn start_gap_at(&mut self, setup: &Setup, near: usize, from: f64) -> (f64, f64) {
        let n = self.near.all[near];
        if sides(&n).all(|u| self.line.since[u] >= from) {
            return self.start_gap(setup, &n.pair, n.key);
        }
        // One of them was cut earlier: nothing is known without flying it.
        (0.0, 1.0)
    }

    /// A bound on the speed with which any two points of a pair approach on their ways. The path
    /// x(t) of a step of size t starts with the velocity v and has the mean velocity u: within
    /// |u − v| of u all along.
    fn relative_speed(&mut self, flight: &mut Flight, a: &Collider, b: &Collider) -> f64 {
        let setup = flight.setup;
        let model = setup.model;
        let side = |this: &Self, c: &Collider| {
            let Some(body) = body_of(c).filter(|b| model.body(*b).moves()) else {
                return (nalgebra::Vector3::zeros(), 0.0);
            };
            let k = body.index();
            let span = self.line.h - this.line.since[this.units.of_body(k)];
            if span <= 0.0 {
                return (nalgebra::Vector3::zeros(), 0.0);
            }
            let (start, end) = (&this.line.base.poses[k], &flight.state.poses[k]);
            let u = (end.position - start.position) / span;
            // 2 sin(θ/2).
            let chord = turned(&start.directors, &end.directors);
            let angle = 2.0 * (0.5 * chord).min(1.0).asin();
            let reach = match c {
                Collider::Part { body, part } => {
                    let shape = model.body(*body).shape.as_ref();
                    shape.map_or(0.0, |s| s.vertices()[*part].reach())
                }
                _ => 0.0,
            };
            let turn = angle / span;
            let known = match model.body(body).motion {
                Some(_) => {
                    let [t, s] = [&this.line.base, flight.state].map(|s| s.given_twist(model, k));
                    // Twice as bent as at its ends.
                    let bent = (u - t.v).norm().max((u - s.v).norm());
                    let turns = (t.w.norm() - turn).abs().max((s.w.norm() - turn).abs());
                    Some((2.0 * bent, 2.0 * turns + 0.1 * turn))
                }
                None => None,
            };
            let (bent, bent_turn) =
                match this.work.metric.twist_alone(&this.line.base.poses, k, |k| {
                    this.line.base.momentum(model, k)
                }) {
                    _ if known.is_some() => known.unwrap_or_default(),
                    Some((v, w)) => ((u - v).norm(), (w.norm() - turn).abs() + 0.1 * turn),
                    None => (0.5 * u.norm() + turn * reach, 0.5 * turn),
                };
            let spin = (turn + bent_turn) * (1.0 + angle * angle);
            (u, bent + spin * reach)
        };
        let (ua, sa) = side(self, a);
        let (ub, sb) = side(self, b);
        1.02 * ((ua - ub).norm() + sa + sb)
    }

    /// A bracket in which a pair meets, by conservative advancement on the discrete paths.
    fn advance(
        &mut self,
        flight: &mut Flight,
        near: usize,
        from: f64,
        speed: f64,
    ) -> Result<Option<[f64; 2]>, SimulateError> {
        let setup = flight.setup;
        let n = self.near.all[near];
        let islands = self.islands.of_pair(&n);
        let Pair::Bodies(a, b) = &n.pair else {
            return Ok(None);
        };
        let skin = SKIN * self.work.size;
        let span = self.line.h - from;
        let mut look = |this: &mut Self, time: f64| -> Result<(f64, f64), SimulateError> {
            for &i in islands.iter() {
                this.fly_island(flight, i, time)?;
            }
            let mut warm = this.work.bases.of(n.key);
            let [pa, pb] = [a, b].map(|c| c.pose(&this.line.probe.poses));
            let found = clearance(setup.model, a, b, pa, pb, &mut warm, 0.02 * span * speed);
            this.work.bases.remember(n.key, warm);
            Ok(found)
        };
        let mut time = from;
        let (mut gap, mut apart) = look(self, from)?;
        // From touching on the distance says nothing: time goes on in parts that double. Nor does it
        // where parts glide along each other: then in parts so small that nothing is passed through.
        let reach = |c: &Collider| match c {
            Collider::Part { body, part } => {
                let shape = setup.model.body(*body).shape.as_ref();
                shape.map_or(f64::INFINITY, |s| s.vertices()[*part].reach())
            }
            Collider::Bead { body } => setup.model.body(*body).radius,
            Collider::Wall { .. } => f64::INFINITY,
        };
        let thin = reach(a).min(reach(b)).min(self.work.size);
        let least = (span / 128.0).min(THIN * thin / speed).max(1e-5 * span);
        let small = (1e-6 * thin / speed).min(least);
        let mut part = small;
        loop {
            let touching = gap <= skin;
            let free = if apart.is_finite() {
                apart / speed
            } else {
                least
            };
            if !touching && time + free >= self.line.h {
                return Ok(None);
            }
            let ahead = if touching { part } else { free.max(least) };
            part = if touching {
                (2.0 * part).min(least)
            } else {
                small
            };
            let next = (time + ahead).min(self.line.h);
            (gap, apart) = look(self, next)?;
            if gap < -skin {
                return Ok(Some([time, next]));
            }
            if next >= self.line.h {
                return Ok(None);
            }
            time = next;
        }
    }

    /// A bracket in which a pair meets on screws from `self.line.base` to `state`.
    fn screw_bracket(
        &mut self,
        setup: &Setup,
        state: &State,
        near: usize,
        from: f64,
        end: f64,
    ) -> Option<[f64; 2]> {
        let n = self.near.all[near];
        let warm = self.work.bases.of(n.key);
        let (base, since, units) = (&self.line.base, &self.line.since, &self.units);
        let leg = |body: usize| {
            let since = since[units.of_body(body)];
            Leg::new(&base.poses[body], since, &state.poses[body], end)
        };
        let mut trip = Trip::new(setup.model, &n.pair, &base.poses, leg, warm)?;
        trip.first_contact(from, end, SKIN * self.work.size, None)
    }

    /// The time within a bracket at which the gap of a pair vanishes on the discrete paths; `None`
    /// if it does not after all.
    pub(super) fn exact_time(
        &mut self,
        flight: &mut Flight,
        near: usize,
        bracket: [f64; 2],
    ) -> Result<Option<f64>, SimulateError> {
        let setup = flight.setup;
        let n = self.near.all[near];
        if self.catches(&n) {
            // Its exact time does not matter.
            return Ok(Some(bracket[0]));
        }
        let islands = self.islands.of_pair(&n);
        let since = (self.line).latest(islands.iter().map(|&i| self.islands.first(i)));
        let mut gap = |this: &mut Self, time: f64| -> Result<f64, SimulateError> {
            for &i in islands.iter() {
                this.fly_island(flight, i, time)?;
            }
            let (bases, probe) = (&mut this.work.bases, &this.line.probe);
            Ok(gap_in(setup.model, bases, &n.pair, n.key, probe))
        };
        let [mut a, mut b] = bracket;
        let mut fb = gap(self, b)?;
        while fb >= 0.0 && b < self.line.h {
            a = b;
            b = (b + 0.25 * (self.line.h - b) + 1e-3 * self.line.h).min(self.line.h);
            fb = gap(self, b)?;
        }
        if fb >= 0.0 {
            return Ok(None);
        }
        if a <= since {
            // Touching there, perhaps, and going on into each other without opening first.
            let soon = since + 1e-6 * (b - since);
            if gap(self, since)? <= TOUCH * self.work.size && gap(self, soon)? < 0.0 {
                return Ok(Some(since));
            }
            a = since + 0.5 * (b - since);
        }
        let mut fa = gap(self, a)?;
        while fa < 0.0 {
            (b, fb) = (a, fa);
            a = since + 0.5 * (a - since);
            if a - since <= INSTANT * self.line.h {
                return Ok(Some(since));
            }
            fa = gap(self, a)?;
        }
        // Steps with contacts are known to round-off of their impulses only.
        let stands = islands.iter().any(|&i| self.islands.all[i].stands());
        let tiny = if stands { 1e-13 } else { 2.0 * f64::EPSILON } * self.work.size;
        let h = self.line.h;
        let narrow = |b: f64| f64::EPSILON * b.abs().max(h);
        let time = root([a, fa], [b, fb], tiny, narrow, 0.0, |t| gap(self, t))?;
        Ok(Some(time))
    }

    /// The first of the pairs of some islands that overlaps at a time, if it met before.
    pub(super) fn met_before(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
        near: usize,
        time: f64,
    ) -> Result<Option<(f64, usize)>, SimulateError> {
        let setup = flight.setup;
        let mut units: Vec<usize> = Vec::new();
        for &i in islands {
            units.extend_from_slice(&self.islands.all[i].units);
        }
        units.sort_unstable();
        let mut overlapping: Vec<usize> = Vec::new();
        let pairs = self.pairs_within(&units);
        for &k in &pairs {
            let n = self.near.all[k];
            if k == near
                || !n.meets
                || self.islands.resting_keys.contains(&n.key)
                || self.catches(&n)
            {
                continue;
            }
            let bases = &mut self.work.bases;
            let gap = gap_in(setup.model, bases, &n.pair, n.key, &self.line.probe);
            if gap < -TOUCH * self.work.size {
                overlapping.push(k);
            }
        }
        self.work.numbers.give(pairs);
        let mut first: Option<(f64, usize)> = None;
        for k in overlapping {
            let met = self.exact_time(flight, k, [0.0, time])?;
            if let Some(t) = met.filter(|t| *t < time)
                && first.as_ref().is_none_or(|f| t < f.0)
            {
                first = Some((t, k));
            }
        }
        Ok(first)
    }
}
