//! Mixed polyhedra in a box: ten thousand elastic impacts, each keeping energy and momentum.

use carom::contact::{Collider, Pair};
use carom::gap::HalfSpace;
use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::{BodySpec, Law, Model, ModelBuilder};
use carom::simulate::{ContactKind, Settings, Simulation};
use nalgebra::Vector3;

/// Cubes, pyramids, prisms and tetrahedra on a grid in a box, thrown about.
fn crowd() -> Model {
    let hexagon = Polygon::regular_with_side(6, 0.08).unwrap();
    let solids = [
        Polytope::cube(0.16).unwrap(),
        Polytope::prism(&hexagon, 0.2).unwrap(),
        Polytope::hull(&[
            Vector3::new(0.1, 0.0, -0.07),
            Vector3::new(-0.1, 0.08, -0.07),
            Vector3::new(-0.1, -0.08, -0.07),
            Vector3::new(0.0, 0.0, 0.12),
        ])
        .unwrap(),
    ];
    let shapes = solids.map(|s| Shape::single(s, 400.0).and_then(|s| s.recentred()).unwrap());
    let mut b = ModelBuilder::new();
    for k in 0..12 {
        let at = Vector3::new((k % 3) as f64, (k / 3 % 2) as f64, (k / 6) as f64);
        let wild = |a: f64| (a * (k + 1) as f64).sin();
        b.body(
            BodySpec::rigid(format!("body-{k}"))
                .shape(shapes[k % 3].clone())
                .position((at - Vector3::new(1.0, 0.5, 0.5)) * 0.3)
                .rotation(Vector3::new(wild(1.3), wild(2.1), wild(0.7)))
                .velocity(Vector3::new(wild(3.7), wild(5.1), wild(4.3)) * 0.8)
                .angular_velocity(Vector3::new(wild(7.3), wild(6.1), wild(2.9))),
        );
    }
    for (axis, half) in [
        (Vector3::x(), 0.5),
        (Vector3::y(), 0.4),
        (Vector3::z(), 0.4),
    ] {
        for sign in [1.0, -1.0] {
            let wall = HalfSpace::new(axis * sign, -half).unwrap();
            b.wall(format!("wall {axis:?} {sign}"), wall, None);
        }
    }
    b.build().unwrap()
}

#[test]
fn ten_thousand_elastic_impacts_keep_energy_and_momentum() {
    let settings = Settings {
        law: Law::EXACT,
        ..Settings::with_step(0.01)
    };
    let mut s = Simulation::new(crowd(), settings).unwrap();
    let start = s.totals();
    let size = (2.0 * start.kinetic * 12.0).sqrt();
    let mut walls = Vector3::zeros();
    let mut turned = Vector3::zeros();
    let mut impacts = 0;
    let mut before = s.totals();
    while impacts < 10_000 {
        s.step().unwrap();
        let (mut push, mut twist) = (Vector3::zeros(), Vector3::zeros());
        let mut count = 0;
        for e in s.take_events() {
            assert_eq!(e.kind, ContactKind::Impact, "{e:?}");
            count += 1;
            if let Pair::Bodies(_, Collider::Wall { .. }) = e.pair {
                push += e.impulse;
                twist += e.point.cross(&e.impulse);
            }
        }
        impacts += count;
        let now = s.totals();
        let many = f64::from(count.max(1) as u32);
        let energy = (now.kinetic / before.kinetic - 1.0).abs();
        assert!(energy < 1e-12 * many, "{energy:e} in {count} impacts");
        let linear = (now.linear - before.linear - push).norm();
        assert!(linear < 1e-13 * size * many, "{linear:e}");
        let angular = (now.angular - before.angular - twist).norm();
        assert!(angular < 1e-12 * size * many, "{angular:e}");
        walls += push;
        turned += twist;
        before = now;
    }
    let l = s.ledger();
    assert!(l.overlap_max < 1e-9 * 0.1, "{:e}", l.overlap_max);
    assert!((l.energy.last / l.energy.initial - 1.0).abs() < 1e-10);
    assert!((before.linear - start.linear - walls).norm() < 1e-11);
    assert!(l.contact_energy.abs() < 1e-9 * start.kinetic);
}

#[test]
fn a_bullet_does_not_pass_through_a_thin_plate() {
    // In one step the bullet flies 5 m; the plate is 1 mm thick.
    let mut b = ModelBuilder::new();
    let plate = Shape::single(Polytope::cuboid(0.001, 1.0, 1.0).unwrap(), 7850.0).unwrap();
    let bullet = Shape::single(Polytope::cube(0.01).unwrap(), 7850.0).unwrap();
    b.body(BodySpec::rigid("plate").shape(plate));
    b.body(
        BodySpec::rigid("bullet")
            .shape(bullet)
            .rotation(Vector3::new(0.4, 0.0, 0.0))
            .position(Vector3::new(-2.0, 0.0, 0.0))
            .velocity(Vector3::new(500.0, 0.0, 0.0)),
    );
    let settings = Settings {
        law: Law::EXACT,
        ..Settings::with_step(0.01)
    };
    let mut s = Simulation::new(b.build().unwrap(), settings).unwrap();
    s.step().unwrap();
    let hit = s.events()[0];
    assert!((hit.time - 2.0 / 500.0).abs() < 1e-4, "{}", hit.time);
    assert!(s.state().poses[1].position.x < s.state().poses[0].position.x);
    let l = s.ledger();
    assert!(l.energy.spread() < 1e-12 * l.energy.initial);
    assert!(l.overlap_max < 1e-10);
}

/// Columns of prisms on a grid that closes in on its middle.
fn closing_columns(count: [usize; 3]) -> Model {
    let hexagon = Polygon::regular_with_side(6, 0.2).unwrap();
    let shape = Shape::single(Polytope::prism(&hexagon, 0.4).unwrap(), 27.0).unwrap();
    let mut b = ModelBuilder::new();
    for k in 0..count.iter().product() {
        let place = [
            k / count[1] / count[2],
            k / count[2] % count[1],
            k % count[2],
        ];
        let along = |axis: usize| (place[axis] as f64 - 0.5 * (count[axis] - 1) as f64) * 0.5;
        let at = Vector3::new(along(0), along(1), along(2));
        b.body(
            BodySpec::rigid(format!("prism {k}"))
                .shape(shape.clone())
                .position(at)
                .rotation(Vector3::new(0.1 * at.y, -0.07 * at.z, 0.05 * at.x))
                .velocity(at * -0.5),
        );
    }
    b.build().unwrap()
}

#[test]
fn columns_that_close_everywhere_at_once_are_moved_apart() {
    // What one pair is pushed by strikes the next: groups that push into each other in turns are moved together.
    for count in [[3, 3, 12], [1, 5, 22]] {
        let settings = Settings {
            law: Law::DECOMPOSITION,
            ..Settings::with_step(0.005)
        };
        let mut s = Simulation::new(closing_columns(count), settings).unwrap();
        for _ in 0..100 {
            s.step().unwrap();
        }
        let l = s.ledger();
        assert!(l.contact_count > 300, "{count:?}: {}", l.contact_count);
        assert_eq!(l.unsettled_count, 0, "{count:?}");
        assert!(l.overlap_max < 1e-11, "{count:?}: {:e}", l.overlap_max);
        let kept = (l.energy.last - l.projection_energy) / l.energy.initial - 1.0;
        assert!(kept.abs() < 1e-9, "{count:?}: {kept:e}");
    }
}
