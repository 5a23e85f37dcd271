//! Contact by a potential: momentum kept, energy returned, overlap as deep as the stiffness says.

mod common;

use carom::geometry::{Polytope, Shape};
use carom::model::{BodySpec, Law, ModelBuilder};
use carom::simulate::{Integrator, Settings, Simulation};
use common::dropped_cube;
use nalgebra::Vector3;

fn settings(stiffness: f64, drag: f64, step: f64) -> Settings {
    Settings {
        law: Law::Potential { stiffness, drag },
        ..Settings::with_step(step)
    }
}

#[test]
fn two_tumbling_cubes_keep_momentum_and_energy() {
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
    for newmark in [false, true] {
        let mut b = ModelBuilder::new();
        b.body(
            BodySpec::rigid("left")
                .shape(cube.clone())
                .rotation(Vector3::new(0.3, 0.5, 0.1))
                .angular_velocity(Vector3::new(0.4, -0.3, 0.2))
                .position(Vector3::new(-0.2, 0.02, 0.0))
                .velocity(Vector3::new(0.3, 0.0, 0.0)),
        );
        b.body(
            BodySpec::rigid("right")
                .shape(cube.clone())
                .rotation(Vector3::new(-0.2, 0.1, 0.4))
                .position(Vector3::new(0.2, 0.0, 0.03))
                .velocity(Vector3::new(-0.3, 0.0, 0.0)),
        );
        let mut settings = settings(2e4, 0.0, 1e-3);
        if newmark {
            settings.integrator = Integrator::Newmark {
                beta: 0.0,
                gamma: 0.5,
            };
        }
        let mut s = Simulation::new(b.build().unwrap(), settings).unwrap();
        s.run(1000).unwrap();
        let l = s.ledger();
        assert!(l.contact_count >= 2, "{}", l.contact_count);
        assert!(l.linear_momentum.max_change < 1e-13);
        assert!(
            l.angular_momentum.max_change < 1e-12,
            "{:e}",
            l.angular_momentum.max_change
        );
        let lost = (l.energy.last / l.energy.initial - 1.0).abs();
        assert!(lost < 2e-2, "{newmark} {lost:e}");
        assert!(
            l.overlap_max > 1e-4 && l.overlap_max < 0.01,
            "{:e}",
            l.overlap_max
        );
    }
}

#[test]
fn a_dropped_cube_comes_back_unless_dragged() {
    for (drag, back) in [(0.0, true), (30.0, false)] {
        let mut s = Simulation::new(dropped_cube(0.3), settings(1e5, drag, 5e-4)).unwrap();
        s.run(4000).unwrap();
        let l = s.ledger();
        let change = l.energy.last - l.energy.initial;
        if back {
            assert!(change.abs() < 1e-2 * l.energy.initial, "{change:e}");
        } else {
            assert!(change < -0.5 * l.energy.initial * 0.2, "{change:e}");
            // The ledger closes: what is gone went into drag.
            assert!((change - l.contact_energy).abs() < 1e-2 * l.energy.initial);
        }
    }
}
