//! Decomposition contact response: what the projection changes is recorded, nothing else changes.

use carom::gap::HalfSpace;
use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::{BodySpec, Law, Model, ModelBuilder};
use carom::simulate::{Settings, Simulation};
use nalgebra::Vector3;

fn settings(law: Law, step: f64) -> Settings {
    Settings {
        law,
        ..Settings::with_step(step)
    }
}

fn falling_cube(tilt: Vector3<f64>, restitution: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, 0.0, -9.81));
    b.contact_default(restitution, 0.0);
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
    b.body(
        BodySpec::rigid("cube")
            .shape(cube)
            .rotation(tilt)
            .position(Vector3::new(0.0, 0.0, 0.8)),
    );
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.build().unwrap()
}

#[test]
fn energy_changes_by_what_the_projection_is_recorded_to_change() {
    for potential_term in [false, true] {
        for tilt in [Vector3::zeros(), Vector3::new(0.3, 0.2, 0.1)] {
            let law = Law::Decomposition {
                potential_term,
                buffer: 3.0,
                projected: true,
            };
            let model = falling_cube(tilt, 1.0);
            let mut s = Simulation::new(model, settings(law, 0.001)).unwrap();
            s.run(2000).unwrap();
            let l = s.ledger();
            let change = l.energy.last - l.energy.initial;
            assert!(l.contact_count > 2);
            assert!(
                (change - l.projection_energy).abs() < 1e-10,
                "{change:e} {:e}",
                l.projection_energy
            );
            assert!(l.overlap_max < 1e-9 * 0.2, "{:e}", l.overlap_max);
        }
    }
}

#[test]
fn a_cradle_passes_the_motion_on() {
    let l = 0.2 * 2f64.sqrt();
    let cube = Shape::single(Polytope::cube(l).unwrap(), 270.0).unwrap();
    let mut b = ModelBuilder::new();
    let mut x = 0.0;
    for k in 0..5 {
        let v = if k == 0 { 0.105 } else { 0.0 };
        b.body(
            BodySpec::rigid(format!("cube-{k}"))
                .shape(cube.clone())
                .position(Vector3::new(x, 0.0, 0.0))
                .velocity(Vector3::new(v, 0.0, 0.0)),
        );
        x += l + if k == 0 { 0.5 * l } else { 0.1 * l };
    }
    let model = b.build().unwrap();
    let mut s = Simulation::new(model, settings(Law::DECOMPOSITION, 0.015)).unwrap();
    s.run(270).unwrap();
    let v: Vec<f64> = s.twists().iter().map(|t| t.v.x).collect();
    for (got, want) in v.iter().zip([0.0, 0.0, 0.0, 0.0, 0.105]) {
        assert!((got - want).abs() < 1e-9, "{v:?}");
    }
    let spin = s.twists().iter().map(|t| t.w.norm()).fold(0.0, f64::max);
    assert!(spin < 1e-12, "{spin:e}");
}

/// Hexagonal prisms on a grid, all moving towards the middle.
pub fn prisms(count: usize) -> Model {
    let hexagon = Polygon::regular_with_side(6, 0.2).unwrap();
    let shape = Shape::single(Polytope::prism(&hexagon, 0.4).unwrap(), 27.0).unwrap();
    let side = (count as f64).cbrt().ceil() as usize;
    let mut b = ModelBuilder::new();
    for k in 0..count {
        let at = |i: usize| i as f64 - 0.5 * (side as f64 - 1.0);
        let x = Vector3::new(
            at(k % side) * 0.5,
            at(k / side % side) * 0.5,
            at(k / side / side) * 0.5,
        );
        let turn = Vector3::new(0.1 * x.y, -0.07 * x.z, 0.05 * x.x);
        b.body(
            BodySpec::rigid(format!("prism-{k}"))
                .shape(shape.clone())
                .position(x)
                .rotation(turn)
                .velocity(x * -0.5),
        );
    }
    b.build().unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let settings = settings(Law::DECOMPOSITION, 0.005);
            let mut s = Simulation::new(prisms(150), settings).unwrap();
            s.run(150).unwrap();
            assert!(s.ledger().contact_count > 100);
            s.snapshot()
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn a_crowd_keeps_energy_and_momentum() {
    let mut s = Simulation::new(prisms(100), settings(Law::DECOMPOSITION, 0.005)).unwrap();
    s.run(400).unwrap();
    let l = s.ledger();
    let energy = l.energy.initial;
    let change = l.energy.last - energy - l.projection_energy - l.contact_energy;
    assert!(l.contact_count > 100);
    assert!(change.abs() < 1e-9 * energy, "{:e}", change / energy);
    assert!(
        l.contact_energy.abs() < 1e-9 * energy,
        "{:e}",
        l.contact_energy / energy
    );
    let scale = (2.0 * energy * 27.0 * 0.0416 * 100.0_f64).sqrt();
    assert!(l.linear_momentum.max_change < 1e-9 * scale);
    let turned = l.angular_momentum.last - l.angular_momentum.initial - l.projection_angular;
    assert!(turned.norm() < 1e-9 * scale, "{:e}", turned.norm());
    assert!(l.overlap_max < 1e-9, "{:e}", l.overlap_max);
}

/// In the middle of a dense crowd what one projection moves overlaps the next: all are moved apart in the end.
#[test]
fn a_dense_crowd_is_moved_apart() {
    let mut s = Simulation::new(prisms(343), settings(Law::DECOMPOSITION, 0.005)).unwrap();
    s.run(400).unwrap();
    let l = s.ledger();
    assert!(l.contact_count > 1000, "{}", l.contact_count);
    assert_eq!(l.unsettled_count, 0);
    assert!(l.overlap_max < 1e-11, "{:e}", l.overlap_max);
}
