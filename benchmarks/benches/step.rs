//! Time per step: free bodies against Rapier, chains by their length, allocations.
//!
//! `cargo bench -p carom-benchmarks --bench step` prints Markdown tables. Every number is the best of
//! several rounds; carom's include the ledger of every step (energy, momentum, constraints).

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use carom::model::{BodySpec, JointSpec, Model, ModelBuilder};
use carom::simulate::{Formulation, Integrator, Settings, Simulation};
use nalgebra::{Matrix3, Vector3};
use rapier3d_f64::prelude as rapier;

#[path = "world/mod.rs"]
mod world;
use world::World;

/// Counts allocations.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: forwards to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STEP: f64 = 0.005;
const GRAVITY: f64 = -9.81;

/// Best time of one call in seconds: rounds of about `budget` seconds.
fn best(budget: f64, mut call: impl FnMut()) -> f64 {
    call();
    let t = Instant::now();
    call();
    let once = t.elapsed().as_secs_f64().max(1e-9);
    let calls = (budget / once).clamp(1.0, 1e6) as usize;
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let t = Instant::now();
        for _ in 0..calls {
            call();
        }
        least = least.min(t.elapsed().as_secs_f64() / calls as f64);
    }
    least
}

/// Free rigid bodies that tumble and fall.
fn free_bodies(n: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, GRAVITY));
    for k in 0..n {
        builder.body(
            BodySpec::rigid(format!("body {k}"))
                .mass(1.0)
                .inertia(Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.25)))
                .position(Vector3::new(3.0 * k as f64, 0.0, 0.0))
                .angular_velocity(Vector3::new(0.3, 1.0 + 0.001 * k as f64, 0.2)),
        );
    }
    builder.build().unwrap()
}

/// The same in Rapier, without colliders.
fn free_world(n: usize) -> World {
    let mut world = World::new(STEP, GRAVITY);
    for k in 0..n {
        let mass = rapier::MassProperties::new(
            rapier::Vector::new(0.0, 0.0, 0.0),
            1.0,
            rapier::Vector::new(0.1, 0.2, 0.25),
        );
        world.bodies.insert(
            rapier::RigidBodyBuilder::dynamic()
                .translation(rapier::Vector::new(3.0 * k as f64, 0.0, 0.0))
                .angvel(rapier::Vector::new(0.3, 1.0 + 0.001 * k as f64, 0.2))
                .additional_mass_properties(mass)
                .can_sleep(false)
                .build(),
        );
    }
    world
}

/// Beads on rods, hung to the world, let go from a slack arc.
fn beads(n: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, GRAVITY));
    let mut last = None;
    for k in 0..n {
        let at = Vector3::new(0.02 * (k % 2) as f64, 0.0, -0.1 * (k + 1) as f64);
        let bead = builder.body(BodySpec::particle(format!("bead {k}"), 0.1).position(at));
        builder.joint(JointSpec::rod(format!("rod {k}")), last, Some(bead));
        last = Some(bead);
    }
    builder.build().unwrap()
}

/// Links on hinges whose axes cross, hung to the world.
fn links(n: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(1.0, 0.5, GRAVITY));
    let mut last = None;
    for k in 0..n {
        let top = Vector3::new(0.0, 0.0, -0.1 * k as f64);
        let link = builder.body(
            BodySpec::rigid(format!("link {k}"))
                .mass(0.1)
                .inertia(Matrix3::from_diagonal(&Vector3::new(2e-4, 2e-4, 1e-4)))
                .position(top - Vector3::z() * 0.05),
        );
        let axis = if k % 2 == 0 {
            Vector3::x()
        } else {
            Vector3::y()
        };
        builder.joint(
            JointSpec::revolute(format!("hinge {k}"), axis).at(top),
            last,
            Some(link),
        );
        last = Some(link);
    }
    builder.build().unwrap()
}

fn simulation(model: &Arc<Model>, formulation: Formulation, step: f64) -> Simulation {
    let settings = Settings {
        integrator: Integrator::Variational {
            formulation,
            gamma: 0.5,
        },
        ..Settings::with_step(step)
    };
    Simulation::new(model.clone(), settings).unwrap()
}

fn against_rapier() {
    println!("### Free rigid bodies under gravity, no contacts\n");
    println!("| bodies | carom, ns per body and step | Rapier | ratio |");
    println!("| ---: | ---: | ---: | ---: |");
    for n in [1, 1000] {
        let model = Arc::new(free_bodies(n));
        let mut ours = simulation(&model, Formulation::Reduced, STEP);
        let mut theirs = free_world(n);
        // Alternate, so that both see the same machine.
        let (mut a, mut b) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..3 {
            a = a.min(best(0.1, || {
                ours.step().unwrap();
            }));
            b = b.min(best(0.1, || theirs.step()));
        }
        let (a, b) = (a * 1e9 / n as f64, b * 1e9 / n as f64);
        println!("| {n} | {a:.0} | {b:.0} | {:.2} |", a / b);
    }
    println!();
}

fn chains() {
    println!("### Chains: microseconds per link and step (Newton iterations per step)\n");
    println!(
        "| links | beads, reduced | beads, multipliers | hinges, reduced | hinges, multipliers |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for n in [10, 100, 1_000, 10_000] {
        let mut cells = Vec::new();
        for model in [Arc::new(beads(n)), Arc::new(links(n))] {
            for formulation in [Formulation::Reduced, Formulation::Multipliers] {
                let mut run = simulation(&model, formulation, 0.001);
                let budget = if n >= 1000 { 0.0 } else { 0.02 };
                let time = best(budget, || {
                    run.step().unwrap();
                });
                let l = run.ledger();
                let iterations = l.newton_iterations as f64 / l.steps as f64;
                cells.push(format!("{:.2} ({iterations:.1})", time * 1e6 / n as f64));
            }
        }
        println!("| {n} | {} |", cells.join(" | "));
    }
    println!();
}

fn allocations() {
    println!("### Allocations in 100 steps after the first, reduced scheme\n");
    println!("| model | allocations |");
    println!("| --- | ---: |");
    for (name, model) in [
        ("1,000 free bodies", free_bodies(1000)),
        ("100 beads", beads(100)),
        ("100 hinges", links(100)),
    ] {
        let mut run = simulation(&Arc::new(model), Formulation::Reduced, 0.001);
        run.step().unwrap();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        run.run(100).unwrap();
        let made = ALLOCATIONS.load(Ordering::Relaxed) - before;
        println!("| {name} | {made} |");
    }
    println!();
}

fn main() {
    // `-- free`, `-- chains` or `-- allocations` runs one table only.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let tables: [(&str, fn()); 3] = [
        ("free", against_rapier),
        ("chains", chains),
        ("allocations", allocations),
    ];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            table();
        }
    }
}
