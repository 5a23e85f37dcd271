//! Contact: crowds of prisms and piles of boxes against Rapier in the same run, and the thesis's own
//! cases beside the seconds it printed.
//!
//! `cargo bench -p carom-benchmarks --bench contact` prints Markdown tables; `-- crowds`, `-- piles`,
//! `-- thesis` one of them, `-- piles-64` and the like one row. carom's times include the ledger of
//! every step and the record of every contact.

use std::time::Instant;

use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::{BodySpec, Law, Model, ModelBuilder};
use carom::scenario::{Options, Scenario};
use carom::simulate::{Settings, Simulation};
use nalgebra::Vector3;
use rapier3d_f64::prelude as rapier;

#[path = "piles/mod.rs"]
mod piles;
#[path = "world/mod.rs"]
mod world;
use world::World;

const STEP: f64 = 0.005;
const STEPS: usize = 400;
const DENSITY: f64 = 27.0;

/// Places of prisms on a cubic grid.
fn places(count: usize) -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let side = (count as f64).cbrt().ceil() as usize;
    let middle = 0.5 * (side as f64 - 1.0);
    (0..count)
        .map(|k| {
            let at = Vector3::new(
                (k % side) as f64 - middle,
                (k / side % side) as f64 - middle,
                (k / side / side) as f64 - middle,
            ) * 0.5;
            let turn = Vector3::new(0.1 * at.y, -0.07 * at.z, 0.05 * at.x);
            (at, turn)
        })
        .collect()
}

fn prism() -> Polytope {
    Polytope::prism(&Polygon::regular_with_side(6, 0.2).unwrap(), 0.4).unwrap()
}

/// Hexagonal prisms that move inward with v = −0.5 x.
fn crowd(count: usize) -> Model {
    let shape = Shape::single(prism(), DENSITY).unwrap();
    let mut builder = ModelBuilder::new();
    for (k, (at, turn)) in places(count).into_iter().enumerate() {
        builder.body(
            BodySpec::rigid(format!("prism {k}"))
                .shape(shape.clone())
                .position(at)
                .rotation(turn)
                .velocity(at * -0.5),
        );
    }
    builder.build().unwrap()
}

fn world(count: usize) -> World {
    let vector = |v: &Vector3<f64>| rapier::Vector::new(v.x, v.y, v.z);
    let points: Vec<_> = prism().vertices().points().iter().map(vector).collect();
    let mut world = World::new(STEP, 0.0);
    for (at, turn) in places(count) {
        let body = world.bodies.insert(
            rapier::RigidBodyBuilder::dynamic()
                .translation(vector(&at))
                .rotation(vector(&turn))
                .linvel(vector(&(at * -0.5)))
                .can_sleep(false)
                .build(),
        );
        let collider = rapier::ColliderBuilder::convex_hull(&points)
            .unwrap()
            .density(DENSITY)
            .restitution(1.0)
            .friction(0.0)
            .build();
        world
            .colliders
            .insert_with_parent(collider, body, &mut world.bodies);
    }
    world
}

fn energy(world: &World) -> f64 {
    world.bodies.iter().map(|(_, b)| b.kinetic_energy()).sum()
}

fn crowds(counts: &[usize]) {
    println!("## Crowds of hexagonal prisms moving inward\n");
    println!("v = -0.5 x, no gravity, elastic, h = {STEP}, {STEPS} steps, one thread.\n");
    println!(
        "| bodies | Rapier steps/s | carom steps/s | ratio | Rapier E/E0 | carom E/E0 - 1 beyond the recorded projection | impacts |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for &count in counts {
        let rounds = match count {
            0..1000 => 5,
            1000..10_000 => 2,
            _ => 1,
        };
        let (mut theirs, mut ours) = (f64::INFINITY, f64::INFINITY);
        let (mut kept, mut change, mut impacts) = (0.0, 0.0, 0);
        for _ in 0..rounds {
            let mut w = world(count);
            // Mass properties are known after a step: compare with what is analytic.
            let t = Instant::now();
            w.step();
            let first = energy(&w);
            for _ in 1..STEPS {
                w.step();
            }
            theirs = theirs.min(t.elapsed().as_secs_f64());
            kept = energy(&w) / first;
            let settings = Settings {
                law: Law::DECOMPOSITION,
                ..Settings::with_step(STEP)
            };
            let mut s = Simulation::new(crowd(count), settings).unwrap();
            let t = Instant::now();
            for _ in 0..STEPS {
                s.step().unwrap();
                s.take_events();
            }
            ours = ours.min(t.elapsed().as_secs_f64());
            let l = s.ledger();
            change = (l.energy.last - l.energy.initial - l.projection_energy) / l.energy.initial;
            impacts = l.contact_count;
        }
        println!(
            "| {count} | {:.0} | {:.0} | {:.2} | {kept:.4} | {change:.1e} | {impacts} |",
            STEPS as f64 / theirs,
            STEPS as f64 / ours,
            theirs / ours,
        );
    }
    println!();
}

/// A case of the thesis: scenario, variant, duration if not its own, seconds printed.
fn thesis() {
    println!("## The thesis's own cases\n");
    println!("| case | thesis s | carom s | ratio |");
    println!("| --- | ---: | ---: | ---: |");
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../gallery");
    for (name, variant, duration, printed) in [
        ("cradle-2", "exact", None, 10.6),
        ("metronome", "exact", None, 6.15),
        ("hexagonal-prisms", "two-exact", Some(0.8), 44.3),
        ("hexagonal-prisms", "seven-exact", Some(0.3085), 4500.0),
    ] {
        let path = format!("{gallery}/{name}.toml");
        let options = Options {
            variant: Some(variant.into()),
            ..Options::default()
        };
        let scenario = Scenario::read(path.as_ref(), &options).unwrap();
        let settings = scenario.settings.simulator();
        let steps = duration.map_or(scenario.settings.steps, |d: f64| {
            (d / settings.step).ceil() as u64
        });
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let mut s = Simulation::new(scenario.build().unwrap(), settings).unwrap();
            let t = Instant::now();
            for _ in 0..steps {
                s.step().unwrap();
            }
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!(
            "| {name}:{variant}, {steps} steps | {printed} | {best:.2e} | {:.0} |",
            printed / best
        );
    }
    println!();
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let runs = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str()));
    let of = |table: &str, counts: &[usize]| -> Vec<usize> {
        let named = counts.iter().filter(|n| runs(&format!("{table}-{n}")));
        named.copied().collect()
    };
    let counts = of("crowds", &[7, 100, 1000, 10_000]);
    if !counts.is_empty() {
        crowds(&counts);
    }
    let counts = of("piles", &[64, 300, 1000]);
    if !counts.is_empty() {
        piles::piles(&counts);
    }
    if runs("thesis") {
        thesis();
    }
}
