//! Many islands fly at once, on all cores.
//!
//! Islands that are made at one instant do not know of each other until they look for what they meet on their way.
//! So they all fly to the end of the step first, each on a core of its own, and then one after the other look at
//! where they came. A flight is a function of its island alone, so that the number of cores changes no bit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::flight::Flight;
use super::island::{NearGap, Scope, Span};
use super::line::TimeLine;
use super::*;
use crate::mechanics::Parts;
use crate::model::JointKind;
use crate::simulate::scheme::Stepping;

/// Points of resting contacts from which on it is worth waking other cores.
const WORTH: usize = 48;

/// Those who fly islands beside each other.
#[derive(Debug)]
pub(super) struct Crew {
    /// Whether units of the model fly by what is known of themselves alone.
    able: bool,
    hands: Vec<Hand>,
    tasks: Vec<Mutex<Task>>,
}

/// What one of them works with.
#[derive(Debug)]
struct Hand {
    stepper: IslandStepper,
    work: Workspace,
    scheme: Scheme,
    probe: State,
}

/// An island to be flown to the end of the step.
#[derive(Debug, Default)]
struct Task {
    /// Its number, itself, its units in their order, and pairs that may come to touch within it.
    number: usize,
    island: Island,
    units: Vec<usize>,
    near: Vec<NearGap>,
    /// Where the gap solver starts for these afterwards.
    bases: Vec<Option<Basis>>,
    since: f64,
    /// Who flew it, if it came to the end.
    by: Option<usize>,
}

impl Crew {
    /// For a model and how it is stepped.
    pub fn new(model: &Model, scheme: &Scheme) -> Self {
        let free = model.joints().iter().all(|j| j.kind == JointKind::Free);
        let given = model.bodies().iter().any(|b| b.motion.is_some());
        let whole = matches!(&scheme.stepping, Stepping::Variational(s) if s.steps_units());
        let tied = !model.closures().is_empty() || !model.linkages().is_empty();
        Self {
            able: whole && free && !given && !tied,
            hands: Vec::new(),
            tasks: Vec::new(),
        }
    }
}

/// A task, whatever became of who held it before.
fn held(task: &Mutex<Task>) -> MutexGuard<'_, Task> {
    task.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hand {
    fn new(setup: &Setup, work: &Workspace, state: &State) -> Result<Self, SimulateError> {
        Ok(Self {
            stepper: IslandStepper::default(),
            work: Workspace::new(setup.model, &work.surfaces, &work.faces, work.size),
            scheme: Scheme::new(setup.model, setup.settings)?,
            probe: state.clone(),
        })
    }

    /// Flies an island to the end of the step; whether it came there.
    fn fly(&mut self, setup: &Setup, units: &Parts, line: &TimeLine, task: &mut Task) -> bool {
        let Task { island, near, .. } = task;
        let h = line.h - task.since;
        let caught = island.resting.extract_if(.., |r| r.caught);
        caught.for_each(|r| r.give_back(&mut self.work.points));
        let span = Span {
            scope: Scope {
                units,
                which: &task.units,
            },
            base: &line.base,
            time: line.origin + task.since,
            h,
            sampled: h,
            near,
            press: &line.press,
            whole: line.h,
        };
        let flown = self.stepper.step(
            setup,
            &mut self.scheme,
            &mut self.work,
            &mut island.resting,
            &span,
            &mut self.probe,
        );
        let Ok(info) = flown else { return false };
        island.note_flown(info, &self.stepper);
        true
    }
}

impl Collisions {
    /// Flies islands to the end of the step ahead of their turns, into `flight.state`, where their flights depend on
    /// nothing but themselves. Those that fail are left for their turns.
    pub(super) fn fly_ahead(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
    ) -> Result<(), SimulateError> {
        if !self.crew.able {
            return Ok(());
        }
        let mut able = self.work.numbers.take();
        able.extend(islands.iter().filter(|i| self.flies_by_itself(**i)));
        let mut tasks = std::mem::take(&mut self.crew.tasks);
        let count = if able.len() > 1 { able.len() } else { 0 };
        let mut points = 0;
        while tasks.len() < count {
            tasks.push(Mutex::default());
        }
        for (task, &number) in tasks.iter().zip(&able[..count]) {
            let resting = self.islands.all[number].resting.iter();
            points += resting.map(|r| r.points.len()).sum::<usize>();
            self.set_task(flight.setup, number, &mut held(task));
        }
        self.work.numbers.give(able);
        let cores = match points >= WORTH {
            true => rayon::current_num_threads(),
            false => 1,
        };
        while self.crew.hands.len() < cores {
            let hand = Hand::new(flight.setup, &self.work, &self.line.base)?;
            self.crew.hands.push(hand);
        }
        self.fly_tasks(flight.setup, &tasks[..count], cores.min(count));
        for task in &tasks[..count] {
            self.take_back(flight, &mut held(task));
        }
        self.crew.tasks = tasks;
        Ok(())
    }

    /// Whether the flight of an island to the end of the step is one of itself alone.
    fn flies_by_itself(&self, number: usize) -> bool {
        let i = &self.islands.all[number];
        let stands = !i.units.is_empty() && i.stands() && !i.holds() && !i.rubs;
        stands && self.line.h > self.line.since[i.units[0]]
    }

    /// Makes an island a task.
    fn set_task(&mut self, setup: &Setup, number: usize, task: &mut Task) {
        task.units.clone_from(&self.islands.all[number].units);
        task.units.sort_unstable();
        let crowded = self.is_crowded(number);
        self.find_near_gaps(setup, &task.units, crowded);
        task.near.clone_from(&self.near.gaps);
        task.near.sort_unstable_by_key(|n| n.key);
        task.number = number;
        task.since = self.line.since[task.units[0]];
        task.by = None;
        task.island = std::mem::take(&mut self.islands.all[number]);
        task.island.turn_to(true);
        task.island.by_rates = false;
    }

    /// Flies tasks on so many cores, each taking the next one when it is done with the last.
    fn fly_tasks(&mut self, setup: &Setup, tasks: &[Mutex<Task>], cores: usize) {
        let (units, line, bases) = (&self.units, &self.line, &self.work.bases);
        let known = &self.stepper;
        let next = AtomicUsize::new(0);
        let fly = |who: usize, hand: &mut Hand| {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut task = held(task);
                hand.stepper.know(known, &task.near);
                hand.work.bases.clear();
                for n in &task.near {
                    hand.work.bases.remember(n.key, bases.of(n.key));
                }
                task.by = hand.fly(setup, units, line, &mut task).then_some(who);
                let Task { near, bases, .. } = &mut *task;
                bases.clear();
                bases.extend(near.iter().map(|n| hand.work.bases.of(n.key)));
            }
        };
        let hands = self.crew.hands[..cores].iter_mut().enumerate();
        match cores {
            0 | 1 => hands.for_each(|(who, hand)| fly(who, hand)),
            _ => rayon::scope(|s| hands.for_each(|(who, hand)| s.spawn(move |_| fly(who, hand)))),
        }
    }

    /// Takes an island back from those who flew it.
    fn take_back(&mut self, flight: &mut Flight, task: &mut Task) {
        self.islands.all[task.number] = std::mem::take(&mut task.island);
        if let Some(by) = task.by {
            let hand = &self.crew.hands[by];
            for (n, basis) in task.near.iter().zip(&task.bases) {
                self.work.bases.remember(n.key, *basis);
            }
            self.units
                .copy(flight.setup.model, &task.units, &hand.probe, flight.state);
            let island = &mut self.islands.all[task.number];
            island.ahead = true;
            self.stepper.keep(
                self.line.origin + task.since,
                self.line.h - task.since,
                &island.impulses,
            );
        }
    }

    /// Whether an island was flown to the end of the step ahead of its turn: then where it came is in
    /// `self.line.probe` as if it had been flown now.
    pub(super) fn was_ahead(&mut self, flight: &Flight, number: usize) -> bool {
        let island = &mut self.islands.all[number];
        if !std::mem::take(&mut island.ahead) {
            return false;
        }
        if let Some(end) = island.at_end.take() {
            *island = Island {
                ended: true,
                ahead: false,
                ..*end
            };
        }
        self.units.copy(
            flight.setup.model,
            &island.units,
            flight.state,
            &mut self.line.probe,
        );
        true
    }
}
