//! What happens when units stand cut at one instant: momentum jumps where they approach, contacts
//! that are slow come to rest, and everything flies on to the end of the step.

use super::flight::{FINEST, Flight};
use super::hold::{jumps, touching_points};
use super::near::sides;
use super::touching::{Contact, Look, gap_in};
use super::*;
use crate::contact::Rows;
use crate::model::{EnergyCondition, JumpForm};

/// Releases and halvings within releases and halvings before a step counts as failed.
const MOST_DEPTH: u32 = 100;
/// Overlap, in sizes of the largest body, and residual that do not make a flight rough: the overlap
/// is cleared at the end of the step, the residual is noted.
const CLEARED: f64 = 1e-4;
const BEARABLE: f64 = 1e-4;
/// Energy gained by contacts, as a part of what there was, that makes a flight rough.
const GAINED: f64 = 1e-3;
/// The same where the flight cannot be parted further and is made by rates alone.
const MULTIPLIED: f64 = 0.1;
/// Rounds of jump and rest at one instant.
const MOST_ROUNDS: usize = 50;
/// Flights of islands in one step that look for parts that settle.
const MOST_TRIES: u32 = 12;
/// Flights of an island that meets others than was thought.
const MOST_WIDER: usize = 8;

impl Collisions {
    /// Deals with all contacts of a group of units, whose states at `time` are in `self.base`, and
    /// flies them to the end of the step, into `state`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn settle(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let model = setup.model;
        flight.depth += 1;
        // Every contact may let go once.
        if flight.depth > MOST_DEPTH + self.near.all.len() as u32 {
            let first = self.units.all[group[0]].bodies.first();
            let name = first.map_or(String::new(), |&b| model.bodies()[b].name.clone());
            return Err(SimulateError::Impacts {
                time: self.origin + time,
                count: flight.depth as usize,
                pair: [name, "what it touches".into()],
            });
        }
        self.instant
            .velocities(model, &mut self.work, &self.units, group, &self.base);
        for round in 0..MOST_ROUNDS {
            self.gather(setup, group, round);
            self.close(setup);
            if self.holds() {
                // All that touches and all that holds at once.
                self.hold(setup, flight, group, time, events);
                break;
            }
            if !self.jump(setup, scheme, flight, group, time, events)? {
                break;
            }
            if round + 1 == MOST_ROUNDS {
                let pair = self.instant.contacts.first().map(|c| c.pair);
                let outcome = Outcome {
                    rounds: MOST_ROUNDS as u32,
                    residual: 1.0,
                    converged: false,
                };
                self.judge(setup, flight.info, "impact", time, pair, outcome);
            }
        }
        self.tie(setup, group);
        self.fly_on(setup, scheme, state, flight, group, time, false, events)?;
        flight.depth -= 1;
        Ok(())
    }

    /// Whether units that touch at the start of the step go on as if they did not: nothing rests, and impacts wait
    /// for the projection at its end.
    pub(super) fn goes_on(&mut self, setup: &Setup, state: &State, group: &[usize]) -> bool {
        let rubs = group.iter().any(|&u| self.rubbing[u]);
        if !self.decomposed || self.forced || rubs {
            return false;
        }
        group.iter().for_each(|&u| self.note_press(setup, state, u));
        let (work, units) = (&mut self.work, &self.units);
        self.instant
            .velocities(setup.model, work, units, group, &self.base);
        self.gather(setup, group, 0);
        let mut contacts = self.instant.contacts.iter();
        contacts.all(|c| {
            let decomposed = matches!(setup.law(&c.surface), Law::Decomposition { .. });
            decomposed && !self.stays(setup, c)
        })
    }

    /// Makes islands of a group by the contacts in `self.rests` and flies them to the end of the
    /// step, into `state`; then looks for what they meet.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn fly_on(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        catching: bool,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let islands = self.fresh_islands(group, catching);
        for &u in group {
            self.meetings.forget(u);
        }
        self.fly_out(setup, scheme, state, flight, &islands, time, events)?;
        self.work.numbers.give(islands);
        Ok(())
    }

    /// Flies islands to the end of the step, into `state`, in parts where they do not settle; then looks for what they
    /// meet.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn fly_out(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &mut Flight,
        islands: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let mut looked = self.work.numbers.take();
        for &i in islands {
            if self.islands[i].units.is_empty() {
                // It joined another one.
                continue;
            }
            let flown = self.fly_wide(setup, scheme, state, flight, i);
            let mut units = self.work.numbers.copy(&self.islands[i].units);
            units.sort_unstable();
            if self.is_rough(flight, i, flown)? {
                if let Some(rough) = &mut flight.rough {
                    rough.push(units[0]);
                    self.work.numbers.give(units);
                    continue;
                }
                // Not settled: in two parts.
                let mut middle = self.smooth_part(setup, scheme, flight, i);
                let mut met = self.met_before_time(setup, scheme, flight, i, middle)?;
                if met.contains(&i) {
                    // What meets within it on the way is caught.
                    self.islands[i].catching = true;
                    middle = self.smooth_part(setup, scheme, flight, i);
                    met = self.met_before_time(setup, scheme, flight, i, middle)?;
                }
                let holds = met.iter().chain([&i]).any(|&k| self.islands[k].holds());
                if !met.is_empty() && !holds {
                    // What it meets there joins it, and is caught from where it was.
                    met.push(i);
                    met.sort_unstable();
                    self.join(setup, scheme, state, flight, &met, events)?;
                    self.work.numbers.give(units);
                    continue;
                }
                self.cut(setup, scheme, flight, &[i], middle)?;
                self.settle(setup, scheme, state, flight, &units, middle, events)?;
                self.work.numbers.give(units);
                continue;
            }
            self.calm(setup, scheme, flight, i, flight.h)?;
            if let Some(time) = self.let_go(setup, scheme, flight, i, events)? {
                self.settle(setup, scheme, state, flight, &units, time, events)?;
            } else {
                self.units.copy(setup.model, &units, &self.probe, state);
                looked.extend_from_slice(&units);
            }
            self.work.numbers.give(units);
        }
        looked.sort_unstable();
        self.look_ahead(setup, scheme, state, flight, &looked, time)?;
        self.work.numbers.give(looked);
        Ok(())
    }

    /// Flies an island to the end of the step. Its contacts may lead it to others than was thought:
    /// then once more with those.
    fn fly_wide(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &Flight,
        island: usize,
    ) -> Result<(), SimulateError> {
        for _ in 0..MOST_WIDER {
            self.fly_island(setup, scheme, flight, island, flight.h)?;
            if !self.islands[island].stands() {
                break;
            }
            let units = std::mem::take(&mut self.islands[island].units);
            self.units.copy(setup.model, &units, &self.probe, state);
            let wider = self.widen_near(setup, state, &units);
            self.islands[island].units = units;
            if !wider {
                break;
            }
        }
        Ok(())
    }

    /// An island whose trials came to no end, so that its contacts would multiply its energy, makes a step of Moreau's
    /// instead: no impulse but against what approaches at the start. It overlaps by what rates do not tell, which is
    /// noted and cleared at the end of the step.
    pub(super) fn calm(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        island: usize,
        time: f64,
    ) -> Result<(), SimulateError> {
        let i = &self.islands[island];
        let held = i.holds();
        if !i.stands() || held || i.gain <= MULTIPLIED {
            return Ok(());
        }
        let gain = i.gain;
        self.stepper.plain = true;
        let flown = self.fly_island(setup, scheme, flight, island, time);
        self.stepper.plain = false;
        if flown.is_err() || self.islands[island].gain > gain {
            self.fly_island(setup, scheme, flight, island, time)?;
        }
        Ok(())
    }

    /// The time to which an island that does not settle to the end of the step is flown first: half
    /// of what is left, or half of that.
    fn smooth_part(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        island: usize,
    ) -> f64 {
        let since = self.since[self.islands[island].units[0]];
        let mut part = 0.5 * (flight.h - since);
        while part > FINEST * flight.h && self.tries < MOST_TRIES {
            self.tries += 1;
            let flown = self.fly_island(setup, scheme, flight, island, since + part);
            if flown.is_ok() && !self.islands[island].by_rates && self.is_settled(island) {
                break;
            }
            part *= 0.5;
        }
        since + part
    }

    /// Whether the contacts of an island settled in its last flight, without overlap.
    fn is_settled(&self, island: usize) -> bool {
        let i = &self.islands[island];
        // Where something is held nothing is cleared afterwards.
        let held = i.holds();
        let allowed = if held { super::stand::LEFT } else { CLEARED };
        let clean = i.overlap.0 <= allowed * self.work.size;
        let solved = i.outcome.converged || !held && i.outcome.residual <= BEARABLE;
        // What holds is a joint for the step: its energy swings with the integrator's, by more where steps are long.
        let calm = held || i.gain <= GAINED;
        !i.stands() || solved && clean && calm
    }

    /// Whether a flight to the end failed or did not settle, and can be made in two parts.
    fn is_rough(
        &self,
        flight: &Flight,
        island: usize,
        flown: Result<(), SimulateError>,
    ) -> Result<bool, SimulateError> {
        let i = &self.islands[island];
        let left = flight.h - self.since[i.units[0]];
        let halves = i.stands() && left > FINEST * flight.h;
        match flown {
            Err(_) if halves => Ok(true),
            Err(e) => Err(e),
            Ok(()) if i.by_rates => Ok(halves),
            Ok(()) => Ok(halves && !self.is_settled(island) && self.tries < MOST_TRIES),
        }
    }

    /// Sets up all contacts of the group.
    fn gather(&mut self, setup: &Setup, group: &[usize], round: usize) {
        self.instant.clear();
        let touch = TOUCH * self.work.size;
        let pairs = self.pairs_within(group);
        for &k in &pairs {
            let n = self.near.all[k];
            let detector = &mut self.work.detector;
            let gap = gap_in(setup.model, detector, &n.pair, n.key, &self.base);
            if gap > touch && self.base.held(n.key).is_none() {
                continue;
            }
            let faded = self.hits.get(&n.key).is_some_and(|h| h.are_faded());
            let look = Look {
                within: self.within,
                near: touch,
                tired: faded || round > MOST_ROUNDS / 2,
                press: &self.press,
            };
            self.instant
                .add(setup, &mut self.work, n.pair, n.key, &self.base, &look);
        }
        self.work.numbers.give(pairs);
    }

    /// Lets momentum jump if anything approaches fast; tells whether it did.
    fn jump(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<bool, SimulateError> {
        let instant = &self.instant;
        let forced = self.forced;
        let impact = |c: &&Contact| jumps(setup, forced, c) && instant.is_fast(c);
        let Some(first) = instant.contacts.iter().find(impact) else {
            return Ok(false);
        };
        let first = *first;
        for c in instant.contacts.iter().filter(impact) {
            let speed = instant.approach(c);
            let hits = self.hits.entry(c.key).or_default();
            if hits.count == 0 {
                hits.first = speed;
            }
            hits.count += 1;
            hits.last = speed;
        }
        let (condition, form) = match setup.law(&first.surface) {
            Law::Exact { condition, form } => (condition, form),
            _ => Default::default(),
        };
        let discrete = condition == EnergyCondition::Discrete;
        let before = group
            .iter()
            .map(|&u| self.island_of[u])
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .map(|i| self.islands[i].info)
            .collect::<Vec<_>>();
        let mut factor = 1.0;
        let flown = before.iter().all(|i| i.h > 0.0);
        let solve_energy = discrete && flown && flight.h - time > 0.0;
        let lossy = |c: &Contact| c.surface.restitution != 1.0;
        if solve_energy && self.instant.contacts.iter().any(lossy) {
            return Err(SimulateError::Unsupported {
                integrator: "the exact law with the discrete energy",
                reason: "restitution below one exists with the Hamiltonian condition only".into(),
                fix: "use that condition, or restitution 1",
            });
        }
        let energy: f64 = before.iter().map(|i| i.energy_discrete).sum();
        self.instant.note_rates();
        let outcome;
        if form == JumpForm::NullSpace && !self.instant.contacts.iter().any(lossy) {
            self.null_space_jump(setup.model, group, |this, multiple| {
                solve_energy.then(|| {
                    let push = |rows: &mut Rows, nu: &[f64]| {
                        for t in &this.instant.touches {
                            if !t.vertex && rows.rate(t.normal, nu) < 0.0 {
                                rows.lambda[t.normal] = multiple;
                            }
                        }
                    };
                    push(&mut this.instant.rows, &this.instant.nu);
                    let e = this.energy_after(setup, scheme, flight, group, time, 1.0);
                    this.instant.rows.lambda.fill(0.0);
                    Ok(e? - energy)
                })
            })?;
            (outcome, _) = self.instant.finish_jump(setup, &mut self.work, &self.base);
        } else {
            (outcome, _) = self.instant.finish_jump(setup, &mut self.work, &self.base);
            if solve_energy {
                factor = self.discrete_factor(setup, scheme, flight, group, time, energy)?;
            }
        }
        self.judge(
            setup,
            flight.info,
            "impact",
            time,
            Some(first.pair),
            outcome,
        );
        self.instant.apply(setup.model, &mut self.base, factor);
        if factor != 1.0 {
            self.instant
                .velocities(setup.model, &mut self.work, &self.units, group, &self.base);
        }
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.base.guess[f] = self.instant.nu[f];
                if f < setup.model.tree_freedom {
                    self.base.unbalanced[f] = 0.0;
                }
            }
        }
        let told = (&mut *events, &mut self.pushes);
        let (count, energy) = self.instant.events(self.origin + time, factor, told);
        let by_belts = self.instant.belt_work();
        flight.info.work += by_belts;
        flight.info.contact.energy += energy - by_belts;
        flight.info.contact.at_stake += self.instant.at_stake();
        Ok(count > 0)
    }

    /// The factor of the jump for which the discrete energy after is that before (3.76b). Near the
    /// explicit reflection, factor one; the trivial root (no bounce) is near zero.
    fn discrete_factor(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        group: &[usize],
        time: f64,
        before: f64,
    ) -> Result<f64, SimulateError> {
        let mut energy = |this: &mut Self, factor: f64| -> Result<f64, SimulateError> {
            Ok(this.energy_after(setup, scheme, flight, group, time, factor)? - before)
        };
        let (mut a, mut b) = (1.0, 1.0 + 1e-5);
        let (mut fa, mut fb) = (energy(self, a)?, energy(self, b)?);
        for _ in 0..60 {
            if fb == fa || fb == 0.0 {
                break;
            }
            let c = b - fb * (b - a) / (fb - fa);
            if !(c > 0.5 && c < 2.0) {
                break;
            }
            let fc = energy(self, c)?;
            let done = fc.abs() >= fb.abs()
                && fb.abs() <= 1e-12 * (before.abs() + fa.abs() + f64::MIN_POSITIVE);
            if done {
                break;
            }
            (a, fa, b, fb) = (b, fb, c, fc);
        }
        Ok(b)
    }

    /// E_d of the rest of the step after a multiple of the jump in the rows.
    fn energy_after(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        group: &[usize],
        time: f64,
        factor: f64,
    ) -> Result<f64, SimulateError> {
        let model = setup.model;
        let rest = flight.h - time;
        self.units.copy(model, group, &self.base, &mut self.probe);
        self.instant.apply(model, &mut self.probe, factor);
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.probe.guess[f] = 0.0;
            }
        }
        self.probe.time = self.origin + time;
        let info = scheme.step_units(setup, &mut self.probe, rest, rest, group)?;
        Ok(info.energy_discrete)
    }

    /// Ties units together whose contacts rest or hold.
    fn tie(&mut self, setup: &Setup, group: &[usize]) {
        for &u in group {
            for r in &self.islands[self.island_of[u]].resting {
                self.resting_keys.remove(&r.key);
            }
        }
        self.sets.reset(self.units.all.len());
        self.rests.clear();
        let mut left = self.work.numbers.take();
        for at in 0..self.instant.contacts.len() {
            let c = &self.instant.contacts[at];
            self.resting_keys.remove(&c.key);
            if self.stays(setup, c) {
                self.rest(setup, at);
            } else {
                left.push(at);
            }
        }
        // What opens so slowly that resting contacts may press it together again takes part.
        let any = !self.rests.is_empty();
        for &at in left.iter().filter(|_| any) {
            let c = &self.instant.contacts[at];
            if -self.instant.approach(c) <= 2.0 * c.pressed {
                self.rest(setup, at);
            }
        }
        self.work.numbers.give(left);
    }

    /// Whether a contact of the instant rests or holds from now on.
    fn stays(&self, setup: &Setup, c: &Contact) -> bool {
        let hits = self.hits.get(&c.key);
        let faded = hits.is_some_and(|h| h.are_faded() || h.again > 0);
        // What touches without any force is not pressed: it moves on as it does.
        // What approaches and did not jump waits for the projection at the end of the step.
        let decomposed = matches!(setup.law(&c.surface), Law::Decomposition { .. });
        let waits = decomposed && self.instant.is_fast(c);
        let rests = self.instant.is_slow(c) && c.pressed > 0.0 && !waits;
        self.base.held(c.key).is_some() || rests || faded
    }

    /// Lets a contact of the instant rest or hold.
    fn rest(&mut self, setup: &Setup, at: usize) {
        let c = &self.instant.contacts[at];
        let pair_sides = self.units.of(setup.model, &c.pair);
        let mut movable = pair_sides.iter().copied().filter(|u| *u != usize::MAX);
        let Some(first) = movable.next() else {
            return;
        };
        if let Some(second) = movable.next() {
            self.sets.merge(first, second);
        }
        let points = &self.instant.points[c.points()];
        self.resting_keys.insert(c.key);
        let Some(standing) = self.base.held(c.key) else {
            // What slid goes on with the friction of sliding; all else may hold.
            let slid = |s: &Standing| s.kind == ContactKind::Slide;
            let standing = self.base.standing.iter().find(|s| s.key == c.key);
            let mut rest = Resting::on(c, self.work.points.copy(points));
            if !standing.is_some_and(slid) {
                rest.friction = c.surface.static_friction;
                rest.grains = c.surface.static_grains;
            }
            self.rests.push((first, rest));
            return;
        };
        let (poses, size) = (&self.base.poses, self.work.size);
        let spare = &mut self.work.points;
        let mut outline = spare.take();
        touching_points(c, points, poses, size, &mut outline);
        let held = Resting::held(c, standing.hold, spare.copy(&standing.points), outline);
        let mut beside = Resting {
            points: spare.take(),
            ..held.beside()
        };
        let others = points.iter().filter(|p| !held.holds_at(p, poses, size));
        beside.points.extend(others);
        self.rests.push((first, held));
        match beside.points.is_empty() {
            true => beside.give_back(spare),
            false => self.rests.push((first, beside)),
        }
    }

    /// New islands of the group's units; the old ones are empty from now on. The list is to be given back.
    fn fresh_islands(&mut self, group: &[usize], catching: bool) -> Vec<usize> {
        let mut most = 0;
        for &u in group {
            let i = self.island_of[u];
            most = most.max(self.islands[i].cuts);
            self.islands[i].units.clear();
            self.islands[i].clear_resting(&mut self.work.points);
            self.islands[i].impulses.clear();
            self.islands[i].rubs = false;
            (self.islands[i].ended, self.islands[i].at_end) = (false, None);
        }
        let mut out = self.work.numbers.take();
        for &u in group {
            let root = self.sets.root(u);
            // The root is a unit of the group; its own number names the island.
            self.island_of[u] = root;
            self.islands[root].units.push(u);
            self.islands[root].cuts = most;
            self.islands[root].catching = catching;
            self.islands[root].rubs |= self.rubbing[u];
            if self.islands[root].units.len() == 1 {
                out.push(root);
            }
        }
        for (u, rest) in self.rests.drain(..) {
            let i = self.island_of[u];
            self.islands[i].resting.push(rest);
        }
        out
    }

    /// Looks for contacts of the group on the rest of the way.
    pub(super) fn look_ahead(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &State,
        flight: &Flight,
        group: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        if flight.h <= time || group.is_empty() {
            return Ok(());
        }
        self.widen_near(setup, state, group);
        let mut pairs = self.work.numbers.take();
        for &u in group {
            pairs.extend(self.near.of(u).iter().map(|&k| k as usize));
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &k in &pairs {
            let n = self.near.all[k];
            if !n.takes_part || self.resting_keys.contains(&n.key) {
                continue;
            }
            if !n.meets && !self.catches(&n) {
                continue;
            }
            // What is caught within one island is looked for by its own steps.
            let islands = self.islands_of(&n);
            if islands.len() == 1 && self.islands[islands[0]].stands() && self.catches(&n) {
                continue;
            }
            let from = sides(&n).map(|u| self.since[u]).fold(0.0, f64::max);
            if let Some(t) = self.meeting(setup, scheme, state, flight, k, from, None)? {
                self.meetings.push(t, k, n.sides);
            }
        }
        self.work.numbers.give(pairs);
        Ok(())
    }
}
