//! Islands fly on to the end of the step, in parts where their contacts do not settle, and look for what they meet.

use super::flight::{FINEST, Flight};
use super::near::sides;
use super::*;

/// Overlap, in sizes of the largest body, and residual that do not make a flight rough: the overlap
/// is cleared at the end of the step, the residual is noted.
const CLEARED: f64 = 1e-4;
const BEARABLE: f64 = 1e-4;
/// Energy gained by contacts, as a part of what there was, that makes a flight rough.
const GAINED: f64 = 1e-3;
/// The same where the flight cannot be parted further and is made by rates alone.
const MULTIPLIED: f64 = 0.1;
/// Flights of islands in one step that look for parts that settle.
const MOST_TRIES: u32 = 12;
/// Flights of an island that meets others than was thought.
const MOST_WIDER: usize = 8;

impl Collisions {
    /// Makes islands of a group by the contacts in `self.islands.rests`; adds them to a list.
    pub(super) fn renew(&mut self, group: &[usize], catching: bool, islands: &mut Vec<usize>) {
        let spare = &mut self.work.points;
        (self.islands).renew(group, catching, spare, islands);
        for &u in group {
            self.line.meetings.forget(u);
        }
    }

    /// Flies islands to the end of the step, into `flight.state`, in parts where they do not settle; then looks for what they
    /// meet.
    pub(super) fn fly_out(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        let mut looked = self.work.numbers.take();
        for &i in islands {
            if self.islands.all[i].units.is_empty() {
                // It joined another one.
                continue;
            }
            let flown = self.fly_wide(flight, i);
            let mut units = self.work.numbers.copy(&self.islands.all[i].units);
            units.sort_unstable();
            if self.is_rough(i, flown)? {
                if let Some(rough) = &mut self.line.rough {
                    rough.push(units[0]);
                    self.work.numbers.give(units);
                    continue;
                }
                // Not settled: in two parts.
                let mut middle = self.smooth_part(flight, i);
                let mut met = self.met_before_time(flight, i, middle)?;
                if met.contains(&i) {
                    // What meets within it on the way is caught.
                    self.islands.all[i].catching = true;
                    middle = self.smooth_part(flight, i);
                    met = self.met_before_time(flight, i, middle)?;
                }
                let holds = met.iter().chain([&i]).any(|&k| self.islands.all[k].holds());
                if !met.is_empty() && !holds {
                    // What it meets there joins it, and is caught from where it was.
                    met.push(i);
                    met.sort_unstable();
                    self.join(flight, &met)?;
                    self.work.numbers.give(units);
                    continue;
                }
                self.cut(flight, &[i], middle)?;
                self.settle(flight, &units, middle)?;
                self.work.numbers.give(units);
                continue;
            }
            self.calm(flight, i, self.line.h)?;
            if let Some(time) = self.let_go(flight, i)? {
                self.settle(flight, &units, time)?;
            } else {
                self.units
                    .copy(setup.model, &units, &self.line.probe, flight.state);
                looked.extend_from_slice(&units);
            }
            self.work.numbers.give(units);
        }
        looked.sort_unstable();
        self.look_ahead(flight, &looked, time)?;
        self.work.numbers.give(looked);
        Ok(())
    }

    /// Flies an island to the end of the step. Its contacts may lead it to others than was thought:
    /// then once more with those.
    fn fly_wide(&mut self, flight: &mut Flight, island: usize) -> Result<(), SimulateError> {
        let setup = flight.setup;
        for _ in 0..MOST_WIDER {
            if !self.was_ahead(flight, island) {
                self.fly_island(flight, island, self.line.h)?;
            }
            if !self.islands.all[island].stands() {
                break;
            }
            let units = std::mem::take(&mut self.islands.all[island].units);
            self.units
                .copy(setup.model, &units, &self.line.probe, flight.state);
            let wider = self.widen_near(setup, flight.state, &units);
            self.islands.all[island].units = units;
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
        flight: &mut Flight,
        island: usize,
        time: f64,
    ) -> Result<(), SimulateError> {
        let i = &self.islands.all[island];
        let held = i.holds();
        if !i.stands() || held || i.gain <= MULTIPLIED {
            return Ok(());
        }
        let gain = i.gain;
        self.stepper.plain = true;
        let flown = self.fly_island(flight, island, time);
        self.stepper.plain = false;
        if flown.is_err() || self.islands.all[island].gain > gain {
            self.fly_island(flight, island, time)?;
        }
        Ok(())
    }

    /// The time to which an island that does not settle to the end of the step is flown first: half
    /// of what is left, or half of that.
    fn smooth_part(&mut self, flight: &mut Flight, island: usize) -> f64 {
        let since = self.line.since[self.islands.first(island)];
        let mut part = 0.5 * (self.line.h - since);
        while part > FINEST * self.line.h && self.line.tries < MOST_TRIES {
            self.line.tries += 1;
            let flown = self.fly_island(flight, island, since + part);
            if flown.is_ok() && !self.islands.all[island].by_rates && self.is_settled(island) {
                break;
            }
            part *= 0.5;
        }
        since + part
    }

    /// Whether the contacts of an island settled in its last flight, without overlap.
    fn is_settled(&self, island: usize) -> bool {
        let i = &self.islands.all[island];
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
        island: usize,
        flown: Result<(), SimulateError>,
    ) -> Result<bool, SimulateError> {
        let i = &self.islands.all[island];
        let left = self.line.h - self.line.since[i.units[0]];
        let halves = i.stands() && left > FINEST * self.line.h;
        match flown {
            Err(_) if halves => Ok(true),
            Err(e) => Err(e),
            Ok(()) if i.by_rates => Ok(halves),
            Ok(()) => Ok(halves && !self.is_settled(island) && self.line.tries < MOST_TRIES),
        }
    }

    /// Looks for contacts of the group on the rest of the way.
    pub(super) fn look_ahead(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        if self.line.h <= time || group.is_empty() {
            return Ok(());
        }
        self.widen_near(setup, flight.state, group);
        let mut pairs = self.work.numbers.take();
        for &u in group {
            pairs.extend(self.near.of(u).iter().map(|&k| k as usize));
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &k in &pairs {
            let n = self.near.all[k];
            if !n.takes_part || self.islands.resting_keys.contains(&n.key) {
                continue;
            }
            if !n.meets && !self.catches(&n) {
                continue;
            }
            // What is caught within one island is looked for by its own steps.
            let islands = self.islands.of_pair(&n);
            if islands.len() == 1 && self.islands.all[islands[0]].stands() && self.catches(&n) {
                continue;
            }
            let from = self.line.latest(sides(&n));
            if let Some(t) = self.meeting(flight, k, from, None)? {
                self.line.meetings.push(t, k, n.sides);
            }
        }
        self.work.numbers.give(pairs);
        Ok(())
    }
}
