//! Piles: boxes with friction fall on a floor and come to rest, in carom by two laws and in Rapier.
//!
//! All start from the poses of one scenario file. Overlaps are measured in the end by code that
//! belongs to neither engine; `peers/mujoco_pile.py` does the same in MuJoCo.

mod boxes;

use std::time::{Duration, Instant};

use carom::model::Model;
use carom::scenario::Scenario;
use carom::simulate::Simulation;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use rapier3d_f64::prelude as rapier;

use crate::world::World;
use boxes::Placed;

const SIZE: [f64; 3] = [0.2, 0.15, 0.1];
const DENSITY: f64 = 500.0;
const RESTITUTION: f64 = 0.3;
const FRICTION: f64 = 0.5;
const GRAVITY: f64 = 9.81;
const STEP: f64 = 0.005;
const STEPS: usize = 400;
/// A run that takes longer is cut off, and says so.
const PATIENCE: Duration = Duration::from_secs(900);

/// What came of a pile.
struct Outcome {
    seconds: f64,
    steps: usize,
    /// Why it ended before its time.
    stopped: Option<String>,
    boxes: Vec<Placed>,
    /// The fastest corner.
    speed: f64,
    /// Energy that single steps added, summed up, relative to the energy at the start.
    gained: f64,
}

fn counts(count: usize) -> [usize; 3] {
    match count {
        64 => [4, 4, 4],
        300 => [10, 10, 3],
        1000 => [10, 10, 10],
        _ => [count, 1, 1],
    }
}

fn scenario(count: usize, law: &str) -> Scenario {
    let grid = counts(count);
    let text = format!(
        "gravity = [0, 0, -{GRAVITY}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [group.box]\nshape = {{ box = {SIZE:?} }}\ndensity = {DENSITY}\n\
         layout = {{ grid = {{ count = {grid:?}, from = [0, 0, 0.3], step = [0.3, 0.3, 0.3] }} }}\n\
         rotation = {{ random = {{ seed = 1, radius = 0.5 }} }}\n\
         [contact]\nrestitution = {RESTITUTION}\nfriction = {FRICTION}\n\
         [simulate]\nsteps = {STEPS}\nstep = {STEP}\nlaw = \"{law}\"\n"
    );
    Scenario::parse("pile.toml", &text).unwrap()
}

/// Half the diagonal of a box.
fn reach() -> f64 {
    0.5 * Vector3::from(SIZE).norm()
}

/// Sums up what single steps add to an energy.
struct Gains {
    last: f64,
    first: f64,
    sum: f64,
}

impl Gains {
    fn new(energy: f64) -> Self {
        Self {
            last: energy,
            first: energy,
            sum: 0.0,
        }
    }

    fn add(&mut self, energy: f64) {
        self.sum += (energy - self.last).max(0.0);
        self.last = energy;
    }
}

fn carom(count: usize, law: &str) -> Outcome {
    let scenario = scenario(count, law);
    let settings = scenario.settings.simulator();
    let mut s = Simulation::new(scenario.build().unwrap(), settings).unwrap();
    let mut gains = Gains::new(s.ledger().energy.initial);
    let mut stopped = None;
    let t = Instant::now();
    for _ in 0..STEPS {
        if let Err(error) = s.step() {
            stopped = Some(error.to_string());
            break;
        }
        s.take_events();
        gains.add(s.ledger().energy.last);
        if t.elapsed() > PATIENCE {
            stopped = Some("cut off".into());
            break;
        }
    }
    let seconds = t.elapsed().as_secs_f64();
    let steps = s.ledger().steps as usize;
    let speeds = s.twists().iter().map(|t| t.v.norm() + t.w.norm() * reach());
    let speed = speeds.fold(0.0, f64::max);
    let poses = s.state().poses.iter();
    Outcome {
        seconds,
        steps,
        stopped,
        boxes: poses
            .map(|p| Placed::new(p.position, p.directors))
            .collect(),
        speed,
        gained: gains.sum / gains.first,
    }
}

fn pile_in_rapier(model: &Model) -> World {
    let vector = |v: &Vector3<f64>| rapier::Vector::new(v.x, v.y, v.z);
    let mut world = World::new(STEP, -GRAVITY);
    let up = Unit::new_unchecked(rapier::Vector::new(0.0, 0.0, 1.0));
    let floor = rapier::ColliderBuilder::halfspace(up);
    let floor = floor.restitution(RESTITUTION).friction(FRICTION).build();
    world.colliders.insert(floor);
    for body in model.bodies() {
        let turn = Rotation3::from_matrix_unchecked(body.start.directors).scaled_axis();
        let handle = world.bodies.insert(
            rapier::RigidBodyBuilder::dynamic()
                .translation(vector(&body.start.position))
                .rotation(vector(&turn))
                .can_sleep(false)
                .build(),
        );
        let [a, b, c] = SIZE;
        let collider = rapier::ColliderBuilder::cuboid(0.5 * a, 0.5 * b, 0.5 * c)
            .density(DENSITY)
            .restitution(RESTITUTION)
            .friction(FRICTION)
            .build();
        world
            .colliders
            .insert_with_parent(collider, handle, &mut world.bodies);
    }
    world
}

fn rapier_energy(world: &World) -> f64 {
    let each = world.bodies.iter();
    each.map(|(_, b)| b.kinetic_energy() + b.mass() * GRAVITY * b.translation().z)
        .sum()
}

fn in_rapier(count: usize) -> Outcome {
    let model = scenario(count, "none").build().unwrap();
    let mut world = pile_in_rapier(&model);
    let mut took = Duration::ZERO;
    let mut gains: Option<Gains> = None;
    for _ in 0..STEPS {
        let t = Instant::now();
        world.step();
        took += t.elapsed();
        // Masses are known after a step.
        let energy = rapier_energy(&world);
        gains.get_or_insert_with(|| Gains::new(energy)).add(energy);
    }
    let gains = gains.unwrap();
    let placed = |b: &rapier::RigidBody| {
        let (at, turn) = (b.translation(), b.rotation());
        let axis = |v: rapier::Vector| {
            let v = *turn * v;
            Vector3::new(v.x, v.y, v.z)
        };
        let axes = [
            axis(rapier::Vector::new(1.0, 0.0, 0.0)),
            axis(rapier::Vector::new(0.0, 1.0, 0.0)),
            axis(rapier::Vector::new(0.0, 0.0, 1.0)),
        ];
        Placed::new(Vector3::new(at.x, at.y, at.z), Matrix3::from_columns(&axes))
    };
    let speed = |b: &rapier::RigidBody| {
        let (v, w) = (b.linvel(), b.angvel());
        v.length() + w.length() * reach()
    };
    Outcome {
        seconds: took.as_secs_f64(),
        steps: STEPS,
        stopped: None,
        boxes: world.bodies.iter().map(|(_, b)| placed(b)).collect(),
        speed: world
            .bodies
            .iter()
            .map(|(_, b)| speed(b))
            .fold(0.0, f64::max),
        gained: gains.sum / gains.first,
    }
}

/// A table of piles of these sizes.
pub fn piles(counts: &[usize]) {
    println!("## Piles of boxes with friction\n");
    println!(
        "Boxes of {SIZE:?} m on a grid, turned at random, e = {RESTITUTION}, mu = {FRICTION}, \
         h = {STEP}, {STEPS} steps, one thread.\n"
    );
    println!(
        "| boxes | engine | s | steps/s | deepest overlap at the end, mm | fastest at the end, m/s | energy gained in single steps, of that at the start |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    let half = Vector3::from(SIZE) * 0.5;
    for &count in counts {
        for engine in ["Rapier", "decomposition", "exact"] {
            let o = match engine {
                "Rapier" => in_rapier(count),
                law => carom(count, law),
            };
            let name = match (engine, &o.stopped) {
                ("Rapier", _) => engine.to_string(),
                (law, None) => format!("carom, {law}"),
                (law, Some(why)) => format!("carom, {law}: {why} after {} steps", o.steps),
            };
            println!(
                "| {count} | {name} | {:.2} | {:.0} | {:.1e} | {:.1e} | {:.1e} |",
                o.seconds,
                o.steps as f64 / o.seconds,
                1e3 * boxes::deepest(&o.boxes, &half),
                o.speed,
                o.gained,
            );
        }
    }
    println!();
}
