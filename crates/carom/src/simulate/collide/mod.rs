//! Steps through collisions.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | one step: trial, contacts on the way, contacts at the end |
//! | `root` | roots of one number |
//! | `units` | parts of the model that fly on their own between contacts |
//! | `flight` | exact collision times: islands cut their own steps (thesis 3.4) |
//! | `meet` | when pairs meet on their way |
//! | `settle` | units cut at one instant: jump, rest, fly on |
//! | `touching` | contacts at one instant and the jump of momentum |
//! | `rest` | steps of islands whose contacts rest, slide or hold |
//! | `null_space` | the jump in the contact-null-space form |
//! | `hold` | plastic contacts: closing, holding, release |
//! | `projection` | decomposition contact response: groups, closest points, lift, jump (thesis 3.5) |

mod flight;
mod hold;
mod meet;
mod null_space;
mod projection;
mod rest;
mod root;
mod settle;
mod touching;
mod units;

use std::collections::{HashMap, HashSet};

use carom_gap::Pose;
use carom_gap::gap::Basis;

use super::error::SimulateError;
use super::event::{ContactEvent, ContactKind};
use super::ledger::StepInfo;
use super::scheme::{Scheme, Setup};
use super::sets::Sets;
use super::state::Standing;
use super::{Settings, State};
use crate::contact::{Detector, Key, Pair, evaluate};
use crate::mechanics::{Increment, Share};
use crate::model::{Law, Model, Release};
use rest::{RestInfo, Rester, Resting};
use touching::Kit;
use units::Units;

/// Gap that counts as touching, in sizes of the largest body.
const TOUCH: f64 = 1e-11;
/// Overlap that counts as none on the way, in the same.
const SKIN: f64 = 1e-12;
/// Points of a patch may be this far off at least, in the same.
const WITHIN: f64 = 1e-3;
/// Impacts of one pair within one step after which it comes to rest.
const MOST_IMPACTS: u32 = 60;

/// Units tied together by contacts that rest or hold; they fly as one.
#[derive(Clone, Debug, Default)]
struct Island {
    units: Vec<usize>,
    resting: Vec<Resting>,
    /// E_d and so on of its last part of the step.
    info: StepInfo,
    /// What its resting contacts did in it, and the energy it cost.
    rest_info: Vec<RestInfo>,
    rest_energy: f64,
}

/// Steps a model through its collisions.
#[derive(Debug)]
pub(super) struct Collisions {
    detector: Detector,
    kit: Kit,
    rester: Rester,
    units: Units,
    /// Every unit where and when it last was cut (at the start of the step if it was not).
    base: State,
    since: Vec<f64>,
    /// Time of the start of the step: within it times count from there, so that they stay fine
    /// however long a run is.
    origin: f64,
    probe: State,
    islands: Vec<Island>,
    island_of: Vec<usize>,
    sets: Sets,
    candidates: Vec<(Pair, Key)>,
    /// Pairs on their way to meet: in a bracket of time, then at their time.
    brackets: Vec<([f64; 2], Pair, Key)>,
    times: Vec<(f64, Pair, Key)>,
    hits: HashMap<Key, u32>,
    /// Pairs that rest or hold in the present step, and those of the islands being made.
    resting_keys: HashSet<Key>,
    rests: Vec<(usize, Resting)>,
    /// Points of a patch may be this far off.
    within: f64,
    /// The whole model, and storage for displacements.
    share: Share,
    increments: Vec<Increment>,
    next: Vec<Pose>,
    /// Size of the largest body.
    size: f64,
    /// Keys of the held contacts of the last velocity problem.
    held_keys: Vec<Key>,
    /// Whether a contact would have had to let go in the past.
    backward: bool,
    /// How releases are refined, and the state before the last step with its size.
    refine: Option<Release>,
    previous: Option<(State, f64)>,
    /// Whether some pair meets by decomposition.
    decomposed: bool,
}

impl Collisions {
    /// For a model and its state; `None` if no pair meets by a law of this module.
    pub fn new(model: &Model, settings: &Settings, scheme: &Scheme, state: &State) -> Option<Self> {
        let laws = model.contact().surfaces.iter().filter_map(|s| s.law);
        let laws: Vec<Law> = laws.chain([settings.law]).collect();
        let decomposed = laws.iter().any(|l| matches!(l, Law::Decomposition { .. }));
        let exact = |l: &Law| matches!(l, Law::Exact { .. } | Law::Plastic { .. });
        let detector = Detector::new(model);
        if !decomposed && !laws.iter().any(exact) || detector.is_empty() {
            return None;
        }
        let units = Units::new(model, scheme.unit_members(model));
        let size = model.bodies().iter().map(|b| b.reach()).fold(0.0, f64::max);
        let count = units.all.len();
        Some(Self {
            detector,
            kit: Kit::new(model),
            rester: Rester::default(),
            since: vec![0.0; count],
            origin: 0.0,
            island_of: vec![0; count],
            units,
            base: state.clone(),
            probe: state.clone(),
            islands: Vec::new(),
            sets: Sets::default(),
            candidates: Vec::new(),
            brackets: Vec::new(),
            times: Vec::new(),
            hits: HashMap::new(),
            resting_keys: HashSet::new(),
            rests: Vec::new(),
            within: WITHIN * size,
            share: Share::all(model),
            increments: vec![Increment::default(); state.poses.len()],
            next: state.poses.clone(),
            size: if size > 0.0 { size } else { 1.0 },
            held_keys: Vec::new(),
            backward: false,
            previous: None,
            refine: laws.iter().find_map(|l| match l {
                Law::Plastic { release, .. } if *release != Release::Plain => Some(*release),
                _ => None,
            }),
            decomposed,
        })
    }

    /// Where the gap solver starts for each pair.
    pub fn warm(&self) -> Vec<(Key, Basis)> {
        self.detector.bases()
    }

    /// Takes over where the gap solver starts.
    pub fn set_warm(&mut self, warm: Vec<(Key, Basis)>) {
        for (key, basis) in warm {
            self.detector.remember(key, Some(basis));
        }
    }

    /// Advances the state by h.
    pub fn step(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        match self.refine {
            None => self.step_once(setup, scheme, state, h, events),
            Some(mode) => self.step_refined(setup, scheme, state, h, mode, events),
        }
    }

    fn step_once(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        self.backward = false;
        self.origin = state.time;
        self.base.clone_from(state);
        let mut info = scheme.step(setup, state, h)?;
        self.since.fill(0.0);
        self.detector.candidates(
            setup.model,
            &self.base.poses,
            &state.poses,
            TOUCH * self.size,
            &mut self.candidates,
        );
        let from = events.len();
        self.islands.clear();
        self.fly(setup, scheme, state, h, &mut info, events)?;
        if self.decomposed {
            self.project(setup, state, h, &mut info, events)?;
        }
        self.stand(setup, state, events);
        info.contact.count = (events.len() - from) as u64;
        Ok(info)
    }

    /// Notes which contacts stand at the end of a step, and tells of those that began to rest, to
    /// slide or to stick, or opened.
    fn stand(&mut self, setup: &Setup, state: &mut State, events: &mut Vec<ContactEvent>) {
        // What potentials hold apart is told of elsewhere.
        let (kept, before): (Vec<_>, Vec<_>) = std::mem::take(&mut state.standing)
            .into_iter()
            .partition(|s| s.kind == ContactKind::Impact);
        state.standing = kept;
        for island in self.islands.iter().filter(|i| !i.units.is_empty()) {
            for (rest, did) in island.resting.iter().zip(&island.rest_info) {
                if !did.touches {
                    continue;
                }
                let kind = match (rest.friction > 0.0 || rest.held, did.slid) {
                    (true, true) => ContactKind::Slide,
                    (true, false) => ContactKind::Stick,
                    (false, _) => ContactKind::Rest,
                };
                let last = before.iter().find(|s| s.key == rest.key);
                let mut tell = |kind| events.push(standing_event(rest, did, kind, state));
                if last.is_none() && !rest.held {
                    tell(ContactKind::Rest);
                }
                if last.map(|s| s.kind) != Some(kind) && kind != ContactKind::Rest {
                    tell(kind);
                }
                state.standing.push(Standing {
                    key: rest.key,
                    kind,
                    points: if rest.held {
                        rest.points.clone()
                    } else {
                        Vec::new()
                    },
                    slips: rest.slips,
                    impulse: did.end,
                });
            }
        }
        // What let go and still touches must not close again by itself.
        let touches = TOUCH * self.size;
        for s in &self.base.standing {
            if s.kind == ContactKind::Release
                && !state.standing.iter().any(|o| o.key == s.key)
                && let Some(pair) = self.detector.pair(s.key)
                && touching::gap_in(setup.model, &mut self.detector, &pair, s.key, state) <= touches
            {
                state.standing.push(s.clone());
            }
        }
        state.standing.sort_by_key(|s| s.key);
        for old in before
            .iter()
            .filter(|s| !s.is_held() && s.kind != ContactKind::Release)
        {
            if !state.standing.iter().any(|s| s.key == old.key)
                && let Some((pair, _)) = self.candidates.iter().find(|(_, k)| *k == old.key)
            {
                let mut warm = self.detector.basis(old.key);
                let row = evaluate(setup.model, pair, &touching::path(state), &mut warm);
                let kind = ContactKind::Release;
                events.push(ContactEvent {
                    features: row.features,
                    ..ContactEvent::at(state.time, kind, *pair, row.point, row.normal)
                });
            }
        }
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
