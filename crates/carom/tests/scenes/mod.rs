//! Runs scenes step by step, keeps every frame, and asks what must hold of all of them.
//!
//! A scene runs in a thread of its own, so that one that never ends fails instead of hanging. The
//! clock decides nothing else. `CAROM_SCENE_SECONDS` changes how long a scene may take.
#![allow(dead_code)]

pub mod overlap;
pub mod random;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use carom::Pose;
use carom::mechanics::Twist;
use carom::model::{Body, BodyKind, Model};
use carom::scenario::{Options, Scenario};
use carom::simulate::{ContactEvent, ContactKind, Ledger, SimulateError, Simulation, Totals};
use nalgebra::Vector3;

/// Acceleration of gravity of all scenes.
pub const G: f64 = 9.81;

/// Energy, of what comes and goes, by which it may swing where a body rolls on an edge or slides on
/// something round: a contact is then a constraint that turns, and kept to the order of the scheme.
pub const ROLLING: f64 = 1e-3;

/// Wall time after which a scene counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// A state of a run, and the work that loads did so far.
#[derive(Clone, Debug)]
pub struct Frame {
    pub time: f64,
    pub poses: Vec<Pose>,
    pub twists: Vec<Twist>,
    pub rates: Vec<f64>,
    pub totals: Totals,
    pub work: f64,
    /// Energy that projections have added so far.
    pub projection: f64,
}

/// What came of a scene: the start and the end of every step.
pub struct Run {
    pub name: String,
    pub model: Arc<Model>,
    pub frames: Vec<Frame>,
    pub events: Vec<ContactEvent>,
    pub ledger: Ledger,
}

/// Why a run did not come to its end.
#[derive(Debug)]
pub enum Stopped {
    /// A step failed.
    Failed(SimulateError),
    /// The code panicked.
    Panicked(String),
    /// It took too long; the step it was in.
    Stuck(u64),
}

/// Wall time that a scene may take.
pub fn patience() -> Duration {
    let seconds = std::env::var("CAROM_SCENE_SECONDS").ok();
    let seconds = seconds.and_then(|s| s.parse().ok());
    seconds.map_or(PATIENCE, Duration::from_secs_f64)
}

/// The scenario of a file in `data/contact`, with overrides.
pub fn scenario(name: &str, set: &[&str]) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/contact");
    let options = Options {
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    Scenario::read(&folder.join(format!("{name}.toml")), &options)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a file of `data/contact`, with overrides, to its end.
pub fn run(name: &str, set: &[&str]) -> Run {
    finish(name, scenario(name, set))
}

/// Runs a scene given as text to its end.
pub fn run_text(name: &str, text: &str) -> Run {
    let scenario = Scenario::parse(name, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    finish(name, scenario)
}

fn finish(name: &str, scenario: Scenario) -> Run {
    let (run, stopped) = attempt(name, scenario, patience());
    match stopped {
        None => run.expect("a run that was not stopped"),
        Some(Stopped::Failed(error)) => panic!("{name}: {error}"),
        Some(Stopped::Panicked(message)) => panic!("{name}: {message}"),
        Some(Stopped::Stuck(step)) => {
            panic!("{name}: in step {step} after {:?}: stuck", patience())
        }
    }
}

/// Runs a scene as far as it goes. There is no run if the scene never gave one back.
pub fn attempt(name: &str, scenario: Scenario, limit: Duration) -> (Option<Run>, Option<Stopped>) {
    let (send, receive) = channel();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let begin = Instant::now();
    let progress = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let step = progress.clone();
    let name = name.to_string();
    let worker = std::thread::spawn(move || {
        let settings = scenario.settings.simulator();
        let model = scenario.build().unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = match Simulation::new(model, settings) {
            Ok(simulation) => simulation,
            Err(error) => {
                let _ = send.send((None, Some(Stopped::Failed(error))));
                return;
            }
        };
        let mut frames = vec![frame(&mut simulation)];
        let mut failed = None;
        for _ in 0..scenario.settings.steps {
            if let Err(error) = simulation.step() {
                failed = Some(Stopped::Failed(error));
                break;
            }
            frames.push(frame(&mut simulation));
            step.fetch_add(1, Ordering::Relaxed);
            if stopped.load(Ordering::Relaxed) {
                return;
            }
        }
        let run = Run {
            name,
            model: Arc::new(simulation.model().clone()),
            frames,
            events: simulation.take_events(),
            ledger: simulation.ledger().clone(),
        };
        let _ = send.send((Some(run), failed));
    });
    match receive.recv_timeout(limit.saturating_sub(begin.elapsed())) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Timeout) => {
            stop.store(true, Ordering::Relaxed);
            let step = progress.load(Ordering::Relaxed);
            (None, Some(Stopped::Stuck(step)))
        }
        Err(RecvTimeoutError::Disconnected) => {
            let payload = worker.join().expect_err("it sent nothing");
            let message = payload.downcast_ref::<String>().cloned();
            let message = message.or(payload.downcast_ref::<&str>().map(|s| s.to_string()));
            (None, Some(Stopped::Panicked(message.unwrap_or_default())))
        }
    }
}

fn frame(simulation: &mut Simulation) -> Frame {
    let totals = simulation.totals();
    Frame {
        time: simulation.time(),
        poses: simulation.state().poses.clone(),
        twists: simulation.twists().to_vec(),
        rates: simulation.coordinate_rates().to_vec(),
        totals,
        work: simulation.ledger().work,
        projection: simulation.ledger().projection_energy,
    }
}

impl Run {
    /// Index of a body.
    pub fn index(&self, body: &str) -> usize {
        let id = self.model.find_body(body);
        id.unwrap_or_else(|| panic!("{}: no body {body}", self.name))
            .index()
    }

    /// The first frame.
    pub fn start(&self) -> &Frame {
        &self.frames[0]
    }

    /// The last frame.
    pub fn end(&self) -> &Frame {
        self.frames.last().unwrap()
    }

    /// The frame nearest to a time.
    pub fn at(&self, time: f64) -> &Frame {
        let apart = |f: &Frame| (f.time - time).abs();
        let nearest = |a: &&Frame, b: &&Frame| apart(a).total_cmp(&apart(b));
        self.frames.iter().min_by(nearest).unwrap()
    }

    /// Position of a body at the end.
    pub fn position(&self, body: &str) -> Vector3<f64> {
        self.end().poses[self.index(body)].position
    }

    /// Velocity of a body at the end.
    pub fn velocity(&self, body: &str) -> Vector3<f64> {
        self.end().twists[self.index(body)].v
    }

    /// Angular velocity of a body at the end.
    pub fn spin(&self, body: &str) -> Vector3<f64> {
        self.end().twists[self.index(body)].w
    }

    /// Impacts, one after the other.
    pub fn impacts(&self) -> impl Iterator<Item = &ContactEvent> {
        self.events.iter().filter(|e| e.kind == ContactKind::Impact)
    }

    /// How far any point of any body is, at any time, from where it started.
    pub fn drift(&self) -> f64 {
        let start = self.start();
        let mut most = 0.0_f64;
        for frame in &self.frames {
            for (k, body) in self.model.bodies().iter().enumerate() {
                let (p, q) = (&frame.poses[k], &start.poses[k]);
                let turned = (p.directors - q.directors).norm() * body.reach();
                most = most.max((p.position - q.position).norm() + turned);
            }
        }
        most
    }

    /// The fastest any point of a body moves at the end.
    pub fn speed(&self) -> f64 {
        let bodies = self.model.bodies().iter().zip(&self.end().twists);
        let speeds = bodies.map(|(b, t)| t.v.norm() + t.w.norm() * b.reach());
        speeds.fold(0.0, f64::max)
    }

    /// Kinetic energy at the end.
    pub fn kinetic(&self) -> f64 {
        self.end().totals.kinetic
    }

    /// Part of the kinetic energy at the end with which bodies slide over a level floor: of speeds along it and, for
    /// bodies that lie flat, of spins about its normal.
    pub fn sliding(&self) -> f64 {
        let end = self.end();
        let of = |(k, body): (usize, &Body)| {
            let BodyKind::Rigid { mass, euler_tensor } = &body.kind else {
                return 0.0;
            };
            let d = &end.poses[k].directors;
            // About the normal: e_z · J e_z = tr(E) − e_z · E e_z, in axes of space.
            let up = d.tr_mul(&Vector3::z());
            let inertia = euler_tensor.trace() - up.dot(&(euler_tensor * up));
            let (v, w) = (end.twists[k].v, end.twists[k].w);
            0.5 * mass * (v.x * v.x + v.y * v.y) + 0.5 * inertia * w.z * w.z
        };
        self.model.bodies().iter().enumerate().map(of).sum()
    }

    /// Kinetic energy at its largest.
    pub fn kinetic_max(&self) -> f64 {
        let kinetic = self.frames.iter().map(|f| f.totals.kinetic);
        kinetic.fold(0.0, f64::max)
    }

    /// A scale of the energies that come and go: the largest kinetic energy and how far the total
    /// ranges.
    pub fn energy_scale(&self) -> f64 {
        self.kinetic_max() + self.ledger.energy.spread()
    }

    /// What rounding does to the energy in all the steps of a run: a few units in the last place of
    /// the energies it is the sum of, those of the weights of the bodies where they are included, what
    /// steps take back of overlaps of a few units in the last place, and the energy of speeds that these
    /// make in a step.
    pub fn energy_round_off(&self) -> f64 {
        let gravity = self.model.forces().gravity.norm();
        let (mut lifted, mut taken_back, mut moved) = (0.0, 0.0, 0.0);
        let last = self.frames.len().saturating_sub(1).max(1);
        let h = (self.end().time - self.start().time) / last as f64;
        for (k, body) in self.model.bodies().iter().enumerate() {
            if body.mass().is_finite() {
                let far = self.frames.iter().map(|f| f.poses[k].position.norm());
                let far = far.fold(0.0, f64::max) + body.reach();
                lifted += body.mass() * gravity * far;
                taken_back += body.mass() * gravity * 1e-13 * body.reach() * last as f64;
                let speed = 16.0 * f64::EPSILON * far / h;
                if speed.is_finite() {
                    moved += 0.5 * body.mass() * speed * speed;
                }
            }
        }
        let energy = &self.ledger.energy;
        let most = energy.max.abs().max(energy.min.abs());
        1e-12 * most.max(lifted + self.kinetic_max()) + taken_back + moved
    }

    /// Every number of every frame is finite.
    pub fn assert_finite(&self) {
        for f in &self.frames {
            let poses = f.poses.iter().flat_map(|p| p.to_q());
            let twists = f.twists.iter().flat_map(|t| [t.v, t.w]);
            let twists = twists.flat_map(|v| [v.x, v.y, v.z]);
            let mut all = poses.chain(twists).chain([f.totals.energy(), f.work]);
            assert!(all.all(f64::is_finite), "{}: t = {}", self.name, f.time);
        }
    }

    /// How much energy the system had at any time beyond what it had at any time before and what
    /// loads gave it since.
    pub fn energy_gain(&self) -> f64 {
        let mut least = f64::INFINITY;
        let mut gain = 0.0_f64;
        for f in &self.frames {
            let own = f.totals.energy() - f.work;
            least = least.min(own);
            gain = gain.max(own - least);
        }
        gain
    }

    /// Energy never grows but by the work of loads, to a tolerance relative to [`energy_scale`].
    ///
    /// [`energy_scale`]: Self::energy_scale
    pub fn assert_no_gain(&self, tolerance: f64) {
        let (gain, scale) = (self.energy_gain(), self.energy_scale());
        assert!(
            gain <= tolerance * scale + self.energy_round_off(),
            "{}: gains {gain:e} J where {scale:e} J come and go",
            self.name
        );
    }

    /// Energy stays what it was, relative to the kinetic energy.
    pub fn assert_energy_kept(&self, tolerance: f64) {
        let (spread, scale) = (self.ledger.energy.spread(), self.kinetic_max());
        assert!(
            spread <= tolerance * scale,
            "{}: energy changes by {spread:e} J of {scale:e} J",
            self.name
        );
    }

    /// No two bodies overlap by more than this at the end of any step, neither by the ledger nor by
    /// a measurement that shares nothing with the contact solver.
    pub fn assert_apart(&self, tolerance: f64) {
        let said = self.ledger.overlap_max;
        assert!(said <= tolerance, "{}: overlap {said:e} m", self.name);
        for f in &self.frames {
            if let Some((depth, who)) = overlap::deepest(&self.model, &f.poses) {
                assert!(
                    depth <= tolerance,
                    "{}: {who} overlap by {depth:e} m at t = {} s",
                    self.name,
                    f.time
                );
            }
        }
    }

    /// Nothing moves faster than this at the end.
    pub fn assert_slow(&self, speed: f64) {
        let found = self.speed();
        assert!(
            found <= speed,
            "{}: moves at {found:e} m/s at the end",
            self.name
        );
    }

    /// Nothing ever was further than this from where it started.
    pub fn assert_stays(&self, distance: f64) {
        let found = self.drift();
        assert!(found <= distance, "{}: moved by {found:e} m", self.name);
    }
}

/// Two numbers are the same to an absolute tolerance.
#[track_caller]
pub fn assert_near(found: f64, wanted: f64, tolerance: f64) {
    assert!(
        (found - wanted).abs() <= tolerance,
        "{found} instead of {wanted}: off by {:e}",
        (found - wanted).abs()
    );
}
