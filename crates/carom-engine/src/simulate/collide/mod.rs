//! Steps through collisions.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | one step: free trial, contacts on the way, contacts at the end, what stands |
//! | `units` | parts of the model that fly on their own between contacts |
//! | `near` | pairs that may meet in the step, and who is near whom |
//! | `flight` | the time line of a step: islands are cut where pairs meet (thesis 3.4); `meetings` are those to come |
//! | `groups` | who belongs together: units that touch, the islands of a pair |
//! | `crowd` | islands that are not cut: they catch what meets them |
//! | `meet` | when pairs meet on their way; `root` finds roots of one number |
//! | `settle` | units cut at one instant: jump, rest, fly on |
//! | `touching` | contacts at one instant; `jump`: the jump of momentum there; `impulse`: impulses on a state |
//! | `island` | steps of islands whose contacts rest, slide or hold; `resting` is such a contact |
//! | `null_space` | the jump in the contact-null-space form |
//! | `hold` | plastic contacts: closing and holding; `release`: when they let go |
//! | `stand` | what stands at the end of a step, for the record and the next one |
//! | `spare` | lists that are not in use |
//! | `projection` | decomposition contact response: groups, closest points, lift, jump (thesis 3.5) |

mod crowd;
mod flight;
mod groups;
mod hold;
mod impulse;
mod island;
mod jump;
mod meet;
mod meetings;
mod near;
mod null_space;
mod projection;
mod release;
mod resting;
mod root;
mod settle;
mod spare;
mod stand;
mod touching;
mod units;

use std::collections::{HashMap, HashSet};

use carom_gap::Pose;
use carom_gap::gap::Basis;

use super::error::SimulateError;
use super::event::{ContactEvent, ContactKind};
use super::impulses::{PairImpulse, unturned};
use super::ledger::StepInfo;
use super::scheme::{Scheme, Setup};
use super::sets::Sets;
use super::state::{PointImpulse, Standing};
use super::{Settings, State};
use crate::contact::{
    ContactPoint, Detector, Faces, Key, MassMetric, Outcome, Pair, Poisson, Solver, Stake,
    Unsettled, evaluate,
};
use crate::mechanics::{Increment, Share};
use crate::model::{JointLaw, Law, Model, Release};
use flight::Open;
use groups::Groups;
use hold::{Given, Strike};
use island::{IslandStepper, NearGap};
use meetings::{Hits, Meetings};
use near::Near;
use projection::{Overlaps, Search};
use release::Loads;
use resting::{RestInfo, Resting};
use spare::Spare;
use touching::Instant;
use units::Units;

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
    detector: Detector,
    faces: Faces,
    metric: MassMetric,
    solver: Solver,
    poisson: Poisson,
    /// Size of the largest body.
    size: f64,
    /// Lists of units, islands and pairs by their numbers, and of points.
    numbers: Spare<usize>,
    points: Spare<ContactPoint>,
}

/// Whether anything but contact changes velocities.
fn forces_act(model: &Model) -> bool {
    let forces = model.forces();
    forces.gravity != nalgebra::Vector3::zeros()
        || !forces.pairs.is_empty()
        || !forces.user.is_empty()
        || !model.actuators().is_empty()
}

/// Units tied together by contacts that rest or hold; they fly as one.
#[derive(Clone, Debug, Default)]
struct Island {
    units: Vec<usize>,
    resting: Vec<Resting>,
    /// Whether what comes to touch within it is caught, though nothing rests yet.
    catching: bool,
    /// Whether dry friction acts in its joints.
    rubs: bool,
    /// Cuts of it in this step.
    cuts: u32,
    /// E_d and so on of its last part of the step.
    info: StepInfo,
    /// What its resting contacts did in it, the impulses of their points, and the energy it cost.
    rest_info: Vec<RestInfo>,
    pushes: Vec<PairImpulse>,
    impulses: Vec<PointImpulse>,
    rest_energy: f64,
    at_stake: Stake,
    /// Energy its contacts gained, as a part of what it had and forces brought.
    gain: f64,
    /// Whether its last flight was made by rates alone, since it failed otherwise.
    by_rates: bool,
    outcome: Outcome,
    /// Overlap its last part left.
    overlap: (f64, Option<Pair>),
    /// Whether its last flight led to the end of the step, and what it was there if it was looked at
    /// on its way again.
    ended: bool,
    at_end: Option<Box<Island>>,
}

/// Steps a model through its collisions.
#[derive(Debug)]
pub(super) struct Collisions {
    work: Workspace,
    units: Units,
    /// Units with dry friction in their joints.
    rubbing: Vec<bool>,
    near: Near,
    /// Contacts at the instant that is dealt with.
    instant: Instant,
    stepper: IslandStepper,
    /// Every unit where and when it last was cut (at the start of the step if it was not).
    base: State,
    since: Vec<f64>,
    /// Time of the start of the step: within it times count from there, so that they stay fine
    /// however long a run is.
    origin: f64,
    probe: State,
    /// Change of every velocity by forces in the step, of units that were cut.
    press: Vec<f64>,
    islands: Vec<Island>,
    island_of: Vec<usize>,
    sets: Sets,
    meetings: Meetings,
    hits: HashMap<Key, Hits>,
    /// Pairs that rest or hold in the present step, and those of the islands being made.
    resting_keys: HashSet<Key>,
    rests: Vec<(usize, Resting)>,
    /// Pairs that are apart at the start of a step, groups of units that touch then, units that are cut.
    open: Vec<Open>,
    groups: Groups,
    cut: Vec<bool>,
    /// Gaps of pairs within the island that flies.
    near_gaps: Vec<NearGap>,
    /// Groups that overlap at the end of a step, and what moves them apart.
    overlaps: Overlaps,
    search: Search,
    /// Points of a patch may be this far off.
    within: f64,
    /// Boxes of bodies are widened by this part of their ways: impacts may turn them back.
    spread: f64,
    /// The whole model, and storage for displacements.
    share: Share,
    increments: Vec<Increment>,
    next: Vec<Pose>,
    /// Size of the step as a whole.
    whole: f64,
    /// What held points gave at their last node, and the pairs that let go in the present step.
    given: Vec<Given>,
    strike: Strike,
    loads: Loads,
    released: HashSet<Key>,
    /// Whether a contact would have had to let go in the past.
    backward: bool,
    /// How releases are refined, and the state before the last step with its size.
    refine: Option<Release>,
    previous: Option<(Box<State>, f64)>,
    /// Whether some pair meets by decomposition, and whether forces act: overlaps are then caught,
    /// because a projection would lift bodies against them.
    decomposed: bool,
    forced: bool,
    /// Flights of the present step that looked for a part that settles.
    tries: u32,
    /// What did not settle in the present step, and whether it is to say who.
    unsettled: Vec<Unsettled>,
    pub names_unsettled: bool,
    /// What contacts gave in the present step, piece by piece.
    pushes: Vec<PairImpulse>,
    /// The state before the step, and what stood in it.
    saved: Option<Box<State>>,
    stood: Vec<Standing>,
}

impl Island {
    /// Nothing is in it or known of it any more; its lists are kept.
    fn clear(&mut self, spare: &mut Spare<ContactPoint>) {
        self.clear_resting(spare);
        let mut old = std::mem::take(self);
        old.units.clear();
        old.rest_info.clear();
        old.pushes.clear();
        old.impulses.clear();
        *self = Self {
            units: old.units,
            resting: old.resting,
            rest_info: old.rest_info,
            pushes: old.pushes,
            impulses: old.impulses,
            ..Self::default()
        };
    }

    /// Nothing rests in it any more.
    fn clear_resting(&mut self, spare: &mut Spare<ContactPoint>) {
        self.resting.drain(..).for_each(|r| r.give_back(spare));
    }

    /// Whether its contacts are part of its steps.
    fn stands(&self) -> bool {
        self.catching || self.rubs || !self.resting.is_empty()
    }

    /// Whether one of its contacts is held.
    fn holds(&self) -> bool {
        self.resting.iter().any(|r| r.held)
    }
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
        let dry = |l: &JointLaw| l.physics.friction > 0.0;
        let rubs = model.joint_laws().iter().any(dry);
        let collides = (decomposed || laws.iter().any(exact)) && !detector.is_empty();
        if !collides && !rubs {
            return None;
        }
        let units = Units::new(model, scheme.unit_members(model));
        let rubbing = (units.all.iter())
            .map(|u| {
                let laws = model.joint_laws().iter();
                laws.filter(|l| dry(l))
                    .any(|l| u.freedoms.contains(&l.freedom))
            })
            .collect();
        let size = model.bodies().iter().map(|b| b.reach()).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let count = units.all.len();
        Some(Self {
            work: Workspace {
                detector,
                faces: Faces::new(model),
                metric: MassMetric::new(model),
                solver: Solver::default(),
                poisson: Poisson::default(),
                size,
                numbers: Spare::default(),
                points: Spare::default(),
            },
            instant: Instant::new(model),
            stepper: IslandStepper::default(),
            near: Near::default(),
            since: vec![0.0; count],
            origin: 0.0,
            island_of: vec![0; count],
            units,
            rubbing,
            base: state.clone(),
            probe: state.clone(),
            press: vec![0.0; model.freedom()],
            islands: Vec::new(),
            sets: Sets::default(),
            meetings: Meetings::default(),
            hits: HashMap::new(),
            resting_keys: HashSet::new(),
            rests: Vec::new(),
            open: Vec::new(),
            groups: Groups::default(),
            cut: Vec::new(),
            near_gaps: Vec::new(),
            overlaps: Overlaps::default(),
            search: Search::default(),
            within: WITHIN * size,
            spread: if laws.iter().any(exact) || forced {
                SPREAD
            } else {
                0.0
            },
            share: Share::all(model),
            increments: vec![Increment::default(); state.poses.len()],
            next: state.poses.clone(),
            whole: 0.0,
            given: Vec::new(),
            strike: Strike::default(),
            loads: Loads::default(),
            released: HashSet::new(),
            backward: false,
            previous: None,
            refine: laws.iter().find_map(|l| match l {
                Law::Plastic { release, .. } if *release != Release::Plain => Some(*release),
                _ => None,
            }),
            decomposed,
            forced,
            tries: 0,
            unsettled: Vec::new(),
            names_unsettled: true,
            pushes: Vec::new(),
            saved: None,
            stood: Vec::new(),
        })
    }

    /// Where the gap solver starts for each pair.
    pub fn warm(&self) -> Vec<(Key, Basis)> {
        self.work.detector.bases()
    }

    /// Takes over where the gap solver starts.
    pub fn set_warm(&mut self, warm: Vec<(Key, Basis)>) {
        for (key, basis) in warm {
            self.work.detector.remember(key, Some(basis));
        }
    }

    /// What did not settle in the last step.
    pub fn unsettled(&mut self) -> &mut Vec<Unsettled> {
        &mut self.unsettled
    }

    /// What contacts gave in the last step.
    pub fn pushes(&mut self) -> &mut Vec<PairImpulse> {
        &mut self.pushes
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
        self.unsettled.clear();
        self.pushes.clear();
        let mut info = match self.refine {
            None => self.step_halved(setup, scheme, state, h, events, 0),
            Some(mode) => self.step_refined(setup, scheme, state, h, mode, events),
        }?;
        // Particles do not turn: angular momentum that friction would give them is lost.
        let lost = unturned(setup.model, &self.pushes);
        info.forces.angular -= lost;
        info.supports.angular -= lost;
        Ok(info)
    }

    /// A step, in two halves where it fails as a whole: impacts may leave bodies spinning faster than
    /// the step bears.
    fn step_halved(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        events: &mut Vec<ContactEvent>,
        depth: u32,
    ) -> Result<StepInfo, SimulateError> {
        // Before the first halving into storage that is there.
        let mut saved = match depth {
            0 => std::mem::take(&mut self.saved),
            _ => None,
        };
        match &mut saved {
            Some(saved) => (**saved).clone_from(state),
            None => saved = Some(Box::new(state.clone())),
        }
        let count = events.len();
        let unsettled = self.unsettled.len();
        let pushes = self.pushes.len();
        let failed = match self.step_once(setup, scheme, state, h, events) {
            Err(e) if depth < MOST_HALVINGS => e,
            done => {
                self.saved = saved;
                return done;
            }
        };
        if let Some(saved) = &saved {
            state.clone_from(saved);
        }
        let end = (state.time, state.time_carry);
        self.saved = saved;
        events.truncate(count);
        self.unsettled.truncate(unsettled);
        self.pushes.truncate(pushes);
        let half = 0.5 * h;
        let first = self.step_halved(setup, scheme, state, half, events, depth + 1);
        // The reason that stands is that of the step as the user asked for it.
        let first = first.map_err(|_| failed.clone())?;
        let second = self.step_halved(setup, scheme, state, half, events, depth + 1);
        let mut info = second.map_err(|_| failed)?;
        // Halves add up to the step but for round-off: stay on the grid.
        (state.time, state.time_carry) = end;
        state.tick(h);
        info.time = state.time;
        info.h = h;
        info.iterations += first.iterations;
        info.add_forces(&first, 1.0);
        info.momentum_residual = info.momentum_residual.max(first.momentum_residual);
        info.contact = info.contact.and(&first.contact);
        Ok(info)
    }

    fn step_once(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        let unsettled = self.unsettled.len();
        self.backward = false;
        self.origin = state.time;
        self.whole = h;
        self.tries = 0;
        self.released.clear();
        self.recall_given(state);
        self.base.clone_from(state);
        let mut info = scheme.step(setup, state, h)?;
        self.since.fill(0.0);
        self.find_near(setup, state);
        let from = events.len();
        self.fly(setup, scheme, state, h, &mut info, events)?;
        if self.decomposed && !self.forced {
            self.project(setup, state, h, &mut info, events)?;
        }
        let stands = self.islands.iter().any(Island::stands);
        let overlapped = info.contact.overlap > SKIN * self.work.size;
        if (stands || overlapped) && !state.standing.iter().any(Standing::is_held) {
            self.clear(setup, state, h, &mut info);
        }
        self.stand(setup, state, events);
        // The next step looks at what this one leaves; after the last one there is none.
        if self.unsettled.len() > unsettled || state.standing.iter().any(Standing::is_held) {
            info.contact.overlap = info.contact.overlap.max(self.overlap_left(setup, state));
        }
        info.contact.count = (events.len() - from) as u64;
        info.contact.unsettled = (self.unsettled.len() - unsettled) as u32;
        Ok(info)
    }

    /// Notes what a contact problem reached.
    fn judge(
        &mut self,
        setup: &Setup,
        info: &mut StepInfo,
        what: &'static str,
        time: f64,
        pair: Option<Pair>,
        outcome: Outcome,
    ) {
        info.contact.residual = info.contact.residual.max(outcome.residual);
        if !outcome.converged {
            let named = pair.filter(|_| self.names_unsettled);
            self.unsettled.push(Unsettled {
                time: self.origin + time,
                what,
                names: named.map(|p| p.names(setup.model)),
                residual: outcome.residual,
            });
        }
    }
}
