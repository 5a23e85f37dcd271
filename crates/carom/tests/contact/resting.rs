//! Resting and sliding contact: no creep, no pitching, friction as Coulomb says.

use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::{BodySpec, Law, Model, ModelBuilder};
use carom::simulate::{ContactKind, Settings, Simulation};
use nalgebra::Vector3;

const G: f64 = 9.81;

fn settings(law: Law, step: f64) -> Settings {
    Settings {
        law,
        ..Settings::with_step(step)
    }
}

fn cube(side: f64) -> Shape {
    Shape::single(Polytope::cube(side).unwrap(), 500.0).unwrap()
}

/// Cubes of side 0.2 on top of each other on a floor.
fn stack(count: usize, restitution: f64, friction: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, 0.0, -G));
    b.contact_default(restitution, friction);
    for k in 0..count {
        b.body(
            BodySpec::rigid(format!("cube-{k}"))
                .shape(cube(0.2))
                .position(Vector3::new(0.0, 0.0, 0.1 + 0.2 * k as f64)),
        );
    }
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.build().unwrap()
}

/// How far bodies are from where they started.
fn drift(s: &Simulation) -> f64 {
    let now = s.state().poses.iter();
    let start = s.model().bodies().iter();
    now.zip(start)
        .map(|(p, b)| {
            let turned = (p.directors - b.start.directors).norm();
            (p.position - b.start.position).norm() + turned
        })
        .fold(0.0, f64::max)
}

#[test]
fn a_stack_of_five_stands() {
    for law in [Law::EXACT, Law::DECOMPOSITION] {
        for friction in [0.0, 0.5] {
            let mut s = Simulation::new(stack(5, 0.0, friction), settings(law, 0.01)).unwrap();
            s.run(1000).unwrap();
            assert!(drift(&s) < 1e-6, "{law:?} {friction}: {:e}", drift(&s));
            assert!(s.totals().kinetic < 1e-20);
            assert!(s.ledger().overlap_max < 1e-9 * 0.2);
        }
    }
}

/// A block on a floor that tilts by tilting gravity.
fn block(friction: f64, slope: f64, speed: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(slope.sin(), 0.0, -slope.cos()) * G);
    b.contact_default(0.0, friction);
    let shape = Shape::single(Polytope::cuboid(0.3, 0.2, 0.1).unwrap(), 500.0).unwrap();
    b.body(
        BodySpec::rigid("block")
            .shape(shape)
            .position(Vector3::new(0.0, 0.0, 0.05))
            .velocity(Vector3::new(speed, 0.0, 0.0)),
    );
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.build().unwrap()
}

#[test]
fn a_sliding_block_stops_where_coulomb_says() {
    for law in [Law::EXACT, Law::DECOMPOSITION] {
        for (mu, v) in [(0.3, 1.0), (0.5, 2.0), (0.1, 0.3)] {
            let mut s = Simulation::new(block(mu, 0.0, v), settings(law, 0.005)).unwrap();
            s.run(600).unwrap();
            let way = s.state().poses[0].position;
            let wanted = v * v / (2.0 * mu * G);
            assert!((way.x / wanted - 1.0).abs() < 1e-2, "{} {wanted}", way.x);
            assert!(way.y.abs() < 1e-9 && (way.z - 0.05).abs() < 1e-9);
            assert!(s.totals().kinetic < 1e-20);
            let turned = (s.state().poses[0].directors - nalgebra::Matrix3::identity()).norm();
            assert!(turned < 1e-9, "the block pitched by {turned:e}");
            // What the ledger says went into friction is the energy it had.
            let lost = s.ledger().energy.initial - s.ledger().energy.last;
            assert!((s.ledger().contact_energy + lost).abs() < 1e-9 * lost);
            let kinds: Vec<ContactKind> = s.events().iter().map(|e| e.kind).collect();
            assert!(kinds.contains(&ContactKind::Slide), "{kinds:?}");
            assert_eq!(kinds.last(), Some(&ContactKind::Stick), "{kinds:?}");
        }
    }
}

#[test]
fn an_incline_sticks_below_and_slides_above_the_friction_angle() {
    let mu: f64 = 0.4;
    for (slope, slides) in [(0.999 * mu.atan(), false), (1.001 * mu.atan(), true)] {
        let mut s = Simulation::new(block(mu, slope, 0.0), settings(Law::EXACT, 0.005)).unwrap();
        s.run(400).unwrap();
        let way = s.state().poses[0].position.x;
        let t = s.time();
        let wanted = 0.5 * G * (slope.sin() - mu * slope.cos()) * t * t;
        if slides {
            assert!((way / wanted - 1.0).abs() < 1e-2, "{way} {wanted}");
        } else {
            assert!(way.abs() < 1e-9, "creeps by {way:e}");
        }
    }
}

#[test]
fn what_is_dropped_comes_back_to_e_squared_of_the_height() {
    for e in [0.0, 0.3, 0.6, 0.9, 1.0] {
        let mut b = ModelBuilder::new();
        b.gravity(Vector3::new(0.0, 0.0, -G));
        b.contact_default(e, 0.0);
        b.body(
            BodySpec::rigid("cube")
                .shape(cube(0.2))
                .position(Vector3::new(0.0, 0.0, 1.1)),
        );
        b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
        let mut s = Simulation::new(b.build().unwrap(), settings(Law::EXACT, 0.01)).unwrap();
        while s.events().is_empty() {
            s.step().unwrap();
        }
        let mass = s.model().bodies()[0].mass();
        let height = s.totals().energy() / (mass * G) - 0.1;
        assert!((height - e * e).abs() < 1e-6, "{e}: {height}");
        if e < 1.0 {
            s.run(1500).unwrap();
            assert!(s.totals().kinetic < 1e-20, "{e} {:e}", s.totals().kinetic);
            assert!((s.state().poses[0].position.z - 0.1).abs() < 1e-9);
        }
    }
}
