//! Steps through collisions.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | one step: free trial, contacts on the way, contacts at the end, what stands |
//! | `line` | the time line of a step: where every unit was cut last, and what comes |
//! | `islands` | units that fly as one |
//! | `told` | what is told of a step |
//! | `units` | parts of the model that fly on their own between contacts |
//! | `near` | pairs that may meet in the step, and who is near whom |
//! | `flight` | along the time line islands are cut where pairs meet (thesis 3.4); `meetings` are those to come |
//! | `groups` | who belongs together: units that touch, the islands of a pair |
//! | `crowd` | islands that are not cut: they catch what meets them |
//! | `meet` | when pairs meet on their way; `root` finds roots of one number |
//! | `settle` | units cut at one instant: jump, or rest |
//! | `onward` | islands fly to the end of the step, in parts where they do not settle |
//! | `crew` | many islands fly at once, on all cores |
//! | `touching` | contacts at one instant; `jump`: the jump of momentum there; `impulse`: impulses on a state |
//! | `island` | steps of islands whose contacts rest, slide or hold; `resting` is such a contact |
//! | `null_space` | the jump in the contact-null-space form |
//! | `hold` | plastic contacts: closing and holding; `strike`: what closes or is struck at an instant; `release`: when they let go |
//! | `stand` | what stands at the end of a step, for the record and the next one |
//! | `spare` | lists that are not in use |
//! | `projection` | decomposition contact response: groups, closest points, lift, jump (thesis 3.5) |

mod crew;
mod crowd;
mod flight;
mod groups;
mod hold;
mod impulse;
mod island;
mod islands;
mod jump;
mod line;
mod meet;
mod meetings;
mod near;
mod null_space;
mod onward;
mod projection;
mod release;
mod resting;
mod root;
mod settle;
mod spare;
mod stand;
mod strike;
mod told;
mod touching;
mod units;

use std::sync::Arc;

use carom_gap::gap::Basis;

use super::error::SimulateError;
use super::event::{ContactEvent, ContactKind};
use super::impulses::unturned;
use super::ledger::StepInfo;
use super::scheme::{Scheme, Setup};
use super::state::Standing;
use super::{Settings, State};
use crate::contact::{
    Bases, ContactPoint, Detector, Faces, Key, MassMetric, Outcome, Pair, Poisson, Solver,
    Surfaces, evaluate,
};
use crate::mechanics::Parts;
use crate::model::{Law, Model, Release};

use crew::Crew;
use flight::Flight;
use hold::Holding;
use island::IslandStepper;
use islands::{Island, Islands};
use line::TimeLine;
use near::Near;
use projection::Projection;
use spare::Spare;
pub(super) use told::Told;
use touching::Instant;

/// Gap that counts as touching, in sizes of the largest body.
const TOUCH: f64 = 1e-11;
/// Overlap that counts as none on the way, in the same.
const SKIN: f64 = 1e-12;
/// Points of a patch may be this far off at least, in the same.
const WITHIN: f64 = 1e-3;

/// Halvings of a step that fails.
const MOST_HALVINGS: u32 = 5;
/// See [`Collisions::spread`].
const SPREAD: f64 = 0.7;

/// What contacts are found and solved with.
#[derive(Debug)]
struct Workspace {
    bases: Bases,
    surfaces: Arc<Surfaces>,
    faces: Arc<Faces>,
    metric: MassMetric,
    solver: Solver,
    poisson: Poisson,
    /// Size of the largest body.
    size: f64,
    /// Lists of units, islands and pairs by their numbers, and of points.
    numbers: Spare<usize>,
    points: Spare<ContactPoint>,
}

impl Workspace {
    /// For a model whose largest body is of some size.
    fn new(model: &Model, surfaces: &Arc<Surfaces>, faces: &Arc<Faces>, size: f64) -> Self {
        Self {
            bases: Bases::default(),
            surfaces: surfaces.clone(),
            faces: faces.clone(),
            metric: MassMetric::new(model),
            solver: Solver::default(),
            poisson: Poisson::default(),
            size,
            numbers: Spare::default(),
            points: Spare::default(),
        }
    }
}

/// Whether anything but contact changes velocities.
fn forces_act(model: &Model) -> bool {
    let forces = model.forces();
    forces.gravity != nalgebra::Vector3::zeros()
        || !forces.pairs.is_empty()
        || !forces.user.is_empty()
        || !model.actuators().is_empty()
}

/// The laws pairs meet by.
#[derive(Debug)]
struct Laws {
    /// Whether some pair meets by decomposition, and whether forces act: overlaps are then caught,
    /// because a projection would lift bodies against them.
    decomposed: bool,
    forced: bool,
    /// Boxes of bodies are widened by this part of their ways: impacts may turn them back.
    spread: f64,
    /// How releases are refined.
    release: Option<Release>,
}

/// Steps a model through its collisions.
#[derive(Debug)]
pub(super) struct Collisions {
    laws: Laws,
    detector: Detector,
    work: Workspace,
    crew: Crew,

    units: Parts,
    near: Near,
    line: TimeLine,
    islands: Islands,
    /// Contacts at the instant that is dealt with.
    instant: Instant,
    stepper: IslandStepper,
    holding: Holding,
    projection: Projection,
    pub told: Told,
}

impl Collisions {
    /// For a model and its state; `None` if no pair meets by a law of this module.
    pub fn new(model: &Model, settings: &Settings, scheme: &Scheme, state: &State) -> Option<Self> {
        let laws = model.contact().surfaces.iter().filter_map(|s| s.law);
        let laws: Vec<Law> = laws.chain([settings.law]).collect();
        let decomposed = laws.iter().any(|l| matches!(l, Law::Decomposition { .. }));
        let exact = |l: &Law| matches!(l, Law::Exact { .. } | Law::Plastic { .. });
        let projects = |l: &Law| matches!(l, Law::Decomposition { projected, .. } if *projected);
        let forced = forces_act(model) && !laws.iter().any(projects);
        let detector = Detector::new(model);
        let units = scheme.units(model);
        let islands = Islands::new(model, &units);
        let collides = (decomposed || laws.iter().any(exact)) && !detector.is_empty();
        if !collides && !islands.rubbing.contains(&true) {
            return None;
        }
        let size = model.bodies().iter().map(|b| b.reach()).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let spreads = laws.iter().any(exact) || forced;
        Some(Self {
            laws: Laws {
                decomposed,
                forced,
                spread: if spreads { SPREAD } else { 0.0 },
                release: laws.iter().find_map(|l| match l {
                    Law::Plastic { release, .. } if *release != Release::Plain => Some(*release),
                    _ => None,
                }),
            },
            work: Workspace::new(
                model,
                detector.surfaces(),
                &Arc::new(Faces::new(model)),
                size,
            ),

            crew: Crew::new(model, scheme),
            detector,
            near: Near::default(),
            line: TimeLine::new(model, state, units.all.len(), size),
            islands,
            units,
            instant: Instant::new(model),
            stepper: IslandStepper::default(),
            holding: Holding::default(),
            projection: Projection::new(model, state),
            told: Told::default(),
        })
    }

    /// Where the gap solver starts for each pair.
    pub fn warm(&self) -> Vec<(Key, Basis)> {
        self.work.bases.all()
    }

    /// Takes over where the gap solver starts.
    pub fn set_warm(&mut self, warm: Vec<(Key, Basis)>) {
        for (key, basis) in warm {
            self.work.bases.remember(key, Some(basis));
        }
    }

    /// Advances the state by h; after an error the state is anywhere.
    pub fn step(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        self.told.begin();
        let flight = &mut Flight {
            setup,
            scheme,
            state,
            events,
            info: StepInfo::default(),
        };
        match self.laws.release {
            None => self.step_halved(flight, h, 0)?,
            Some(mode) => self.step_refined(flight, h, mode)?,
        }
        let mut info = flight.info;
        // Particles do not turn: angular momentum that friction would give them is lost.
        let lost = unturned(setup.model, &self.told.pushes);
        info.forces.angular -= lost;
        info.supports.angular -= lost;
        Ok(info)
    }

    /// A step, in two halves where it fails as a whole: impacts may leave bodies spinning faster than
    /// the step bears.
    fn step_halved(
        &mut self,
        flight: &mut Flight,
        h: f64,
        depth: u32,
    ) -> Result<(), SimulateError> {
        // Before the first halving into storage that is there.
        let mut saved = match depth {
            0 => std::mem::take(&mut self.line.saved),
            _ => None,
        };
        match &mut saved {
            Some(saved) => (**saved).clone_from(flight.state),
            None => saved = Some(Box::new(flight.state.clone())),
        }
        let count = flight.events.len();
        let unsettled = self.told.unsettled.len();
        let pushes = self.told.pushes.len();
        let failed = match self.step_once(flight, h) {
            Err(e) if depth < MOST_HALVINGS => e,
            done => {
                self.line.saved = saved;
                return done;
            }
        };
        if let Some(saved) = &saved {
            flight.state.clone_from(saved);
        }
        let end = (flight.state.time, flight.state.time_carry);
        self.line.saved = saved;
        flight.events.truncate(count);
        self.told.unsettled.truncate(unsettled);
        self.told.pushes.truncate(pushes);
        let half = 0.5 * h;
        // The reason that stands is that of the step as the user asked for it.
        (self.step_halved(flight, half, depth + 1)).map_err(|_| failed.clone())?;
        let first = flight.info;
        (self.step_halved(flight, half, depth + 1)).map_err(|_| failed)?;
        // Halves add up to the step but for round-off: stay on the grid.
        let Flight { state, info, .. } = flight;
        (state.time, state.time_carry) = end;
        state.tick(h);
        info.time = state.time;
        info.h = h;
        info.iterations += first.iterations;
        info.add_forces(&first, 1.0);
        info.momentum_residual = info.momentum_residual.max(first.momentum_residual);
        info.contact = info.contact.and(&first.contact);
        Ok(())
    }

    /// A step as a whole: the free step, the contacts on its way, those at its end, and what stands then.
    fn step_once(&mut self, flight: &mut Flight, h: f64) -> Result<(), SimulateError> {
        let unsettled = self.told.unsettled.len();
        let from = flight.events.len();
        self.holding.begin(flight.state);
        self.line.begin(flight.state, h);
        flight.info = (flight.scheme).step(flight.setup, flight.state, h)?;
        self.find_near(flight.setup, flight.state);
        self.fly(flight)?;
        if self.laws.decomposed && !self.laws.forced {
            self.project(flight);
        }
        let holds = |state: &State| state.standing.iter().any(Standing::is_held);
        let stands = self.islands.all.iter().any(Island::stands);
        let overlapped = flight.info.contact.overlap > SKIN * self.work.size;
        if stands || overlapped {
            self.clear(flight);
        }
        self.stand(flight);
        // The next step looks at what this one leaves; after the last one there is none.
        let unsettled = self.told.unsettled.len() - unsettled;
        if unsettled > 0 || holds(flight.state) {
            let left = self.overlap_left(flight.setup, flight.state);
            flight.info.contact.overlap = flight.info.contact.overlap.max(left);
        }
        flight.info.contact.count = (flight.events.len() - from) as u64;
        flight.info.contact.unsettled = unsettled as u32;
        Ok(())
    }

    /// Notes what a contact problem at a time within the step reached.
    fn judge(
        &mut self,
        flight: &mut Flight,
        what: &'static str,
        time: f64,
        pair: Option<Pair>,
        outcome: Outcome,
    ) {
        let at = (what, self.line.origin + time);
        (self.told).judge(flight.setup, &mut flight.info, at, pair, outcome);
    }
}
