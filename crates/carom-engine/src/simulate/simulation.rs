//! A run: state, integrator and ledger.

mod measure;
mod press;
mod refuse;

use std::sync::Arc;

use super::collide::Collisions;
use super::elastic;
use super::event::ContactEvent;
use super::impulses::{PairImpulse, merge};
use super::judge::{self, Judge};
use super::ledger::{Ledger, StepInfo, Totals};
use super::scheme::{Scheme, Setup};
use super::{Settings, SimulateError, State};
use crate::contact::{Pressed, Unsettled, Widths};
use crate::mechanics::{
    NO_WRENCH, Share, Twist, VelocitySolver, Wrench, linkage, out_of_range, sample_controls,
    violation,
};
use crate::model::Model;
pub use measure::kinetic_energy;
use refuse::{check_belts, check_friction, check_given};

/// A simulation in progress.
///
/// ```
/// use carom::geometry::{Polytope, Shape};
/// use carom::model::{BodySpec, ModelBuilder};
/// use carom::simulate::{Settings, Simulation};
/// use nalgebra::Vector3;
/// let mut builder = ModelBuilder::new();
/// let block = Shape::single(Polytope::cuboid(0.1, 0.2, 0.3).unwrap(), 500.0).unwrap();
/// builder.body(BodySpec::rigid("block").shape(block).angular_velocity(Vector3::new(0.01, 2.0, 0.0)));
/// let mut simulation = Simulation::new(builder.build().unwrap(), Settings::with_step(0.01)).unwrap();
/// simulation.run(1000).unwrap();
/// let ledger = simulation.ledger();
/// assert!(ledger.energy.spread() < 1e-13 * ledger.energy.initial);
/// ```
#[derive(Debug)]
pub struct Simulation {
    model: Arc<Model>,
    settings: Settings,
    state: State,
    /// The state before the present step, to go back to if it fails.
    before: State,
    scheme: Scheme,
    collisions: Option<Box<Collisions>>,
    events: Vec<ContactEvent>,
    /// What overlapped at the end of the last step; storage only.
    pressed: Vec<Pressed>,
    /// What contacts gave since it was last taken, and when that was.
    impulses: Vec<PairImpulse>,
    impulses_since: f64,
    pushes: Vec<PairImpulse>,
    velocity: VelocitySolver,
    share: Share,
    /// V_A at the present state.
    cushions: f64,
    /// The longest stable step, where there is one.
    stable_step: Option<f64>,
    /// How thick bodies are; for contact potentials only.
    widths: Option<Widths>,
    ledger: Ledger,
    /// Energy and momentum of the present state.
    now: Totals,
    /// What did not settle in the present step.
    unsettled: Vec<Unsettled>,
    controls: Vec<f64>,
    /// Whether impacts cut the last step.
    cut: bool,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    wrenches: Vec<Wrench>,
    nu: Vec<f64>,
    twists: Vec<Twist>,
    rates: Vec<f64>,
    /// Mass matrix of a linkage, row by row.
    mass: Vec<f64>,
    end: linkage::End,
}

impl Simulation {
    /// Starts a model from its own start.
    pub fn new(model: impl Into<Arc<Model>>, settings: Settings) -> Result<Self, SimulateError> {
        let model = model.into();
        let state = State::start(&model)?;
        Self::from_state(model, settings, state)
    }

    /// Starts from any state of the model, such as the end of another run.
    pub fn from_state(
        model: impl Into<Arc<Model>>,
        settings: Settings,
        state: State,
    ) -> Result<Self, SimulateError> {
        let model = model.into();
        settings.validate()?;
        settings.check_surfaces(&model)?;
        elastic::check_laws(&model, settings.law)?;
        check_friction(&model, settings.law)?;
        check_belts(&model, settings.law)?;
        check_given(&model, &settings)?;
        let stable_step = elastic::check(&model, &settings)?;
        let mut scheme = Scheme::new(&model, &settings)?;
        let collisions = Collisions::new(&model, &settings, &scheme, &state).map(Box::new);
        let mut simulation = Self {
            collisions,
            events: Vec::new(),
            impulses: Vec::new(),
            impulses_since: state.time,
            pressed: Vec::new(),
            pushes: Vec::new(),
            velocity: VelocitySolver::new(&model),
            share: Share::all(&model),
            cushions: 0.0,
            stable_step,
            widths: scheme.contact().map(|_| Widths::new(&model)),
            controls: vec![0.0; model.controls()],
            cut: false,
            scratch: Scratch {
                wrenches: vec![NO_WRENCH; model.bodies().len()],
                nu: vec![0.0; model.tree_freedom],
                twists: vec![Twist::default(); model.bodies().len()],
                rates: vec![0.0; model.coordinates],
                mass: Vec::new(),
                end: linkage::End::default(),
            },
            ledger: Ledger::new(&Totals::default()),
            now: Totals::default(),
            unsettled: Vec::new(),
            scheme,
            settings,
            before: state.clone(),
            state,
            model,
        };
        simulation.check_range()?;
        simulation.take_warm();
        simulation.press(false);
        simulation.ledger = Ledger::new(&simulation.measure());
        Ok(simulation)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The longest stable step of explicit schemes for the elastic bodies at rest; `None` if none of
    /// them limits the step.
    pub fn stable_step(&self) -> Option<f64> {
        self.stable_step
    }

    /// Where it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Time now.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// What was kept and what changed so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Contact events since the last call of [`take_events`](Self::take_events).
    pub fn events(&self) -> &[ContactEvent] {
        &self.events
    }

    /// Hands over the contact events so far.
    pub fn take_events(&mut self) -> Vec<ContactEvent> {
        std::mem::take(&mut self.events)
    }

    /// What contacts gave since [`take_contact_impulses`](Self::take_contact_impulses) was last called,
    /// pair by pair: impulses of impacts and of resting contact. Divided by the time since then they
    /// are mean forces.
    ///
    /// ```
    /// use carom::gap::HalfSpace;
    /// use carom::geometry::{Polytope, Shape};
    /// use carom::model::{BodySpec, Law, ModelBuilder};
    /// use carom::simulate::{Settings, Simulation, contact_impulse_on};
    /// use nalgebra::Vector3;
    /// let mut builder = ModelBuilder::new();
    /// builder.gravity(Vector3::new(0.0, 0.0, -10.0));
    /// let cube = Shape::single(Polytope::cuboid(1.0, 1.0, 1.0).unwrap(), 2.0).unwrap();
    /// let cube = builder.body(BodySpec::rigid("cube").shape(cube).position(Vector3::new(0.0, 0.0, 0.5)));
    /// builder.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    /// let settings = Settings { law: Law::exact(), ..Settings::with_step(0.01) };
    /// let mut simulation = Simulation::new(builder.build().unwrap(), settings).unwrap();
    /// simulation.run(10).unwrap();
    /// simulation.take_contact_impulses();
    /// simulation.run(100).unwrap();
    /// let (time, impulses) = simulation.take_contact_impulses();
    /// let force = contact_impulse_on(&impulses, cube).force / time;
    /// assert!((force.z - 20.0).abs() < 1e-9);
    /// ```
    pub fn contact_impulses(&self) -> &[PairImpulse] {
        &self.impulses
    }

    /// Hands over what contacts gave, with the time it took them.
    pub fn take_contact_impulses(&mut self) -> (f64, Vec<PairImpulse>) {
        let since = std::mem::replace(&mut self.impulses_since, self.state.time);
        (self.state.time - since, std::mem::take(&mut self.impulses))
    }

    /// When they were last handed over.
    pub fn contact_impulses_since(&self) -> f64 {
        self.impulses_since
    }

    /// Goes on from what contacts gave before another run was stopped.
    pub fn restore_contact_impulses(&mut self, since: f64, impulses: Vec<PairImpulse>) {
        self.impulses_since = since;
        self.impulses = impulses;
    }

    /// The state with all that is needed to go on from it bit for bit.
    pub fn snapshot(&mut self) -> State {
        let mut state = self.state.clone();
        let soft = self.scheme.contact().map_or(Vec::new(), |c| c.warm());
        state.warm = self.collisions.as_ref().map_or(Vec::new(), |c| c.warm());
        state.warm.extend(soft);
        state.warm.sort_by_key(|(key, _)| *key);
        state.warm.dedup_by_key(|(key, _)| *key);
        state
    }

    /// Goes on from another state (the ledger goes on too).
    pub fn restore(&mut self, state: State, ledger: Ledger) {
        self.state = state;
        self.take_warm();
        self.press(false);
        self.measure();
        self.ledger = ledger;
    }

    /// One step of the set size without controls.
    pub fn step(&mut self) -> Result<StepInfo, SimulateError> {
        self.controls.fill(0.0);
        self.advance(self.settings.step)
    }

    /// One step of size h with given controls: a plan's grid can be replayed.
    pub fn step_with(&mut self, h: f64, controls: &[f64]) -> Result<StepInfo, SimulateError> {
        if controls.len() != self.controls.len() {
            return Err(SimulateError::Controls {
                given: controls.len(),
                wanted: self.controls.len(),
            });
        }
        if !(h > 0.0 && h.is_finite()) {
            return Err(SimulateError::Setting {
                setting: "step",
                value: h,
                reason: "must be positive and finite",
                fix: "give a step in s",
            });
        }
        self.controls.copy_from_slice(controls);
        self.advance(h)
    }

    /// One step with controls from a feedback law, which sees the simulation.
    pub fn step_controlled(
        &mut self,
        controller: &mut dyn FnMut(&Simulation, &mut [f64]),
    ) -> Result<StepInfo, SimulateError> {
        let mut controls = std::mem::take(&mut self.controls);
        controls.fill(0.0);
        controller(self, &mut controls);
        self.controls = controls;
        self.advance(self.settings.step)
    }

    /// Many steps without controls.
    pub fn run(&mut self, steps: usize) -> Result<(), SimulateError> {
        for _ in 0..steps {
            self.step()?;
        }
        Ok(())
    }

    /// The steps as an iterator; it ends after the first error.
    pub fn steps(&mut self) -> impl Iterator<Item = Result<StepInfo, SimulateError>> + '_ {
        let mut failed = false;
        std::iter::from_fn(move || {
            if failed {
                return None;
            }
            let result = self.step();
            failed = result.is_err();
            Some(result)
        })
    }

    /// Makes a step, or leaves state, events and ledger as they were.
    fn advance(&mut self, h: f64) -> Result<StepInfo, SimulateError> {
        self.before.clone_from(&self.state);
        let told = self.events.len();
        self.attempt(h).map_err(|error| {
            let error = elastic::blame(&self.model, &self.state.poses, error);
            std::mem::swap(&mut self.state, &mut self.before);
            self.events.truncate(told);
            self.unsettled.clear();
            self.pushes.clear();
            self.press(false);
            self.measure();
            error.in_step_from(self.state.time)
        })
    }

    /// Solenoids and fields know nothing beyond their range.
    fn check_range(&self) -> Result<(), SimulateError> {
        for influence in &self.model.forces().influences {
            if let Some(why) = out_of_range(influence, &self.state.poses) {
                return Err(SimulateError::OutOfRange {
                    time: self.state.time,
                    name: influence.name().into(),
                    why,
                });
            }
        }
        Ok(())
    }

    /// Makes a step and enters it into the ledger; after an error everything is half done.
    fn attempt(&mut self, h: f64) -> Result<StepInfo, SimulateError> {
        self.check_range()?;
        let setup = Setup {
            model: &self.model,
            settings: &self.settings,
            controls: &self.controls,
        };
        let (scheme, state) = (&mut self.scheme, &mut self.state);
        let mut info = match &mut self.collisions {
            None => scheme.step(&setup, state, h)?,
            Some(collisions) => {
                // Names are for the record and for errors.
                let last = self.settings.max_unsettled.is_some();
                collisions.told.names_unsettled = last || self.ledger.keeps_unsettled();
                let info = collisions.step(&setup, scheme, state, h, &mut self.events)?;
                self.unsettled.append(&mut collisions.told.unsettled);
                self.pushes.append(&mut collisions.told.pushes);
                info
            }
        };
        self.settle_potentials(h, &mut info);
        let totals = self.measure();
        let judge = Judge {
            model: &self.model,
            settings: &self.settings,
            ledger: &self.ledger,
            start: self.before.time,
            rolled: judge::rolled(&self.model, &self.before, &self.state),
        };
        judge.finite(&self.state, &totals)?;
        judge.gain(&mut info, &self.state, &totals, &mut self.unsettled)?;
        judge.settled(&info, &self.unsettled)?;
        let violation = violation(&self.model, &self.state.poses);
        self.cut = info.contact.count > 0;
        self.ledger.enter(&info, &totals, violation);
        let far = self
            .state
            .poses
            .iter()
            .map(|pose| pose.position.norm_squared());
        let far = far.fold(0.0, f64::max).sqrt();
        self.ledger.reach = self.ledger.reach.max(far);
        self.ledger.keep_unsettled(&mut self.unsettled);
        merge(&mut self.impulses, &mut self.pushes);
        Ok(info)
    }

    /// Hands over where the gap solver starts for each pair.
    fn take_warm(&mut self) {
        let warm = std::mem::take(&mut self.state.warm);
        if let Some(contact) = self.scheme.contact() {
            contact.set_warm(&warm);
        }
        if let Some(collisions) = &mut self.collisions {
            collisions.set_warm(warm);
        }
    }

    /// What every actuator and load does now: the controls of the last step, and loads at this time.
    pub fn applied_controls(&self) -> Vec<f64> {
        let mut tau = vec![0.0; self.controls.len()];
        sample_controls(&self.model, self.state.time, 0.0, &self.controls, &mut tau);
        tau
    }

    /// Whether impacts cut the last step into parts: forces in joints are impulses then.
    pub fn was_cut(&self) -> bool {
        self.cut
    }
}
