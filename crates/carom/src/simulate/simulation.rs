//! A run: state, integrator and ledger.

use std::sync::Arc;

use nalgebra::Vector3;

use super::ledger::{Ledger, StepInfo, Totals};
use super::stepper::Stepper;
use super::velocity::VelocitySolver;
use super::{Integrator, Reaction, Settings, SimulateError, State};
use crate::mechanics::{
    NO_WRENCH, Row, Twist, Wrench, body_rows, carry, inertia, joint_frame, joint_rows, linkage,
    potential,
};
use crate::model::{BodyKind, Model};

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
    stepper: Stepper,
    velocity: VelocitySolver,
    ledger: Ledger,
    controls: Vec<f64>,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    wrenches: Vec<Wrench>,
    nu: Vec<f64>,
    twists: Vec<Twist>,
    rates: Vec<f64>,
    rows: Vec<Row>,
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
        if matches!(settings.integrator, Integrator::Newmark { .. }) {
            return Err(SimulateError::Unsupported {
                integrator: "Newmark",
                reason: "it is not available".into(),
            });
        }
        let stepper = Stepper::new(&model, &settings)?;
        let mut simulation = Self {
            velocity: VelocitySolver::new(&model),
            controls: vec![0.0; model.controls()],
            scratch: Scratch {
                wrenches: vec![NO_WRENCH; model.bodies().len()],
                nu: vec![0.0; model.tree_freedom],
                twists: vec![Twist::default(); model.bodies().len()],
                rates: vec![0.0; model.coordinates],
                rows: Vec::new(),
            },
            ledger: Ledger::new(&Totals::default()),
            stepper,
            settings,
            state,
            model,
        };
        let totals = simulation.totals();
        simulation.ledger = Ledger::new(&totals);
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

    /// Goes on from another state (the ledger goes on too).
    pub fn restore(&mut self, state: State, ledger: Ledger) {
        self.state = state;
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

    fn advance(&mut self, h: f64) -> Result<StepInfo, SimulateError> {
        let info = self.stepper.step(
            &self.model,
            &self.settings,
            &mut self.state,
            h,
            &self.controls,
        )?;
        let totals = self.totals();
        let violation = self.violation();
        self.ledger.enter(&info, &totals, violation);
        Ok(info)
    }

    /// Twists of all bodies from the projected momentum; joint velocities are in `scratch.nu`.
    fn solve_velocities(&mut self) {
        let s = &mut self.scratch;
        let model = &*self.model;
        for (k, body) in model.bodies().iter().enumerate() {
            s.wrenches[k] = match body.kind {
                BodyKind::Rigid { .. } => {
                    self.state.momenta[k].wrench(&self.state.poses[k].directors)
                }
                BodyKind::Particle { .. } => Wrench {
                    force: self.state.momenta[k].force,
                    torque: Vector3::zeros(),
                },
                BodyKind::Static => NO_WRENCH,
            };
        }
        self.velocity
            .solve(model, &self.state.poses, &mut s.wrenches, &mut s.nu);
        for (j, joint) in model.joints().iter().enumerate() {
            let frame = joint_frame(model, &self.state.poses, joint);
            let parent = joint
                .parent
                .map_or(Twist::default(), |p| s.twists[p.index()]);
            let first = model.offsets[j];
            let mut twist = carry(&frame, &parent, &s.nu[first..first + frame.freedom]);
            if model.is_particle(joint.child) {
                twist.w = Vector3::zeros();
            }
            s.twists[joint.child.index()] = twist;
        }
    }

    /// Energy and momentum now.
    pub fn totals(&mut self) -> Totals {
        self.solve_velocities();
        let model = &*self.model;
        let mut t = Totals {
            potential: potential(model, &self.state.poses),
            ..Totals::default()
        };
        for (k, body) in model.bodies().iter().enumerate() {
            if body.kind == BodyKind::Static {
                continue;
            }
            let twist = self.scratch.twists[k].vector();
            let momentum = inertia(&body.kind, &self.state.poses[k]) * twist;
            let (p, l) = (
                momentum.fixed_rows::<3>(0).into_owned(),
                momentum.fixed_rows::<3>(3).into_owned(),
            );
            t.kinetic += 0.5 * twist.dot(&momentum);
            t.linear += p;
            t.angular += l + self.state.poses[k].position.cross(&p);
        }
        for l in model.linkages() {
            let range = l.first..l.first + l.freedom();
            let q = &self.state.coordinates[range.clone()];
            let p =
                nalgebra::DVector::from_column_slice(&self.state.coordinate_momenta[range.clone()]);
            let rates = linkage::mass_matrix(l, q)
                .lu()
                .solve(&p)
                .unwrap_or_else(|| p.clone() * 0.0);
            t.kinetic += 0.5 * rates.dot(&p);
            t.potential += linkage::potential(l, &model.forces().gravity, q);
            for (link, (x, v)) in l
                .spec
                .links
                .iter()
                .zip(linkage::ends(l, q, rates.as_slice()))
            {
                t.linear += v * link.mass;
                t.angular += x.cross(&v) * link.mass;
            }
            self.scratch.rates[range].copy_from_slice(rates.as_slice());
        }
        t
    }

    /// What every joint of the tree, then every loop closure, did to its child at the node where the
    /// last step began; empty before the first step.
    pub fn joint_reactions(&mut self) -> Vec<Reaction> {
        self.stepper.reactions(&self.model)
    }

    /// Twist of every body now.
    pub fn twists(&mut self) -> &[Twist] {
        self.solve_velocities();
        &self.scratch.twists
    }

    /// Rates of the coordinates of all linkages now.
    pub fn coordinate_rates(&mut self) -> &[f64] {
        self.totals();
        &self.scratch.rates
    }

    /// Largest violation of a constraint now: directors, joints, loops.
    fn violation(&mut self) -> f64 {
        let model = &*self.model;
        let mut worst: f64 = 0.0;
        for (body, pose) in model.bodies().iter().zip(&self.state.poses) {
            if matches!(body.kind, BodyKind::Rigid { .. }) {
                worst = body_rows(pose)
                    .iter()
                    .fold(worst, |m, r| m.max(r.value.abs()));
            }
        }
        let rows = &mut self.scratch.rows;
        rows.clear();
        for joint in model.joints().iter().chain(model.closures()) {
            joint_rows(joint, &self.state.poses, rows);
        }
        rows.iter().fold(worst, |m, r| m.max(r.value.abs()))
    }
}

/// Kinetic energy of one body that moves with a twist.
pub fn kinetic_energy(kind: &BodyKind, pose: &carom_gap::Pose, twist: &Twist) -> f64 {
    let t = twist.vector();
    0.5 * t.dot(&(inertia(kind, pose) * t))
}
