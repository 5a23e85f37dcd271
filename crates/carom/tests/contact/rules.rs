//! Laws per pair of materials, islands that do not feel each other, impacts at the same time.

use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::{BodySpec, Law, Material, ModelBuilder, Surface};
use carom::simulate::{ContactKind, Settings, Simulation};
use nalgebra::Vector3;

fn settings(law: Law, step: f64) -> Settings {
    Settings {
        law,
        ..Settings::with_step(step)
    }
}

fn cube() -> Shape {
    Shape::single(Polytope::cube(0.2).unwrap(), 300.0).unwrap()
}

#[test]
fn elastic_with_one_wall_plastic_with_the_other() {
    let mut b = ModelBuilder::new();
    for name in ["rubber", "clay", "steel"] {
        b.material(Material::elastic(name));
    }
    b.surface(Surface {
        materials: ["steel".into(), "clay".into()],
        restitution: None,
        friction: None,
        law: Some(Law::PLASTIC),
    });
    b.body(
        BodySpec::rigid("cube")
            .shape(cube())
            .material("steel")
            .velocity(Vector3::new(1.0, 0.0, 0.0)),
    );
    let wall = |normal: Vector3<f64>| HalfSpace::new(normal, -0.5).unwrap();
    b.wall("right", wall(-Vector3::x()), Some("rubber".into()));
    b.wall("left", wall(Vector3::x()), Some("clay".into()));
    let mut s = Simulation::new(b.build().unwrap(), settings(Law::EXACT, 0.01)).unwrap();
    s.run(300).unwrap();
    let events = s.take_events();
    let names: Vec<[String; 2]> = events.iter().map(|e| e.names(s.model())).collect();
    assert_eq!(events[0].kind, ContactKind::Impact);
    assert_eq!(names[0][1], "right");
    assert!((events[0].speed_after - 1.0).abs() < 1e-12);
    assert!(names[1..].iter().all(|n| n[1] == "left"));
    assert_eq!(events.last().unwrap().kind, ContactKind::Stick);
    // It sticks where it met the clay.
    assert!((s.state().poses[0].position.x + 0.4).abs() < 1e-12);
    assert!(s.totals().kinetic < 1e-20);
}

#[test]
fn islands_do_not_feel_each_other() {
    let fall = |b: &mut ModelBuilder, k: usize| {
        b.body(
            BodySpec::rigid(format!("cube-{k}"))
                .shape(cube())
                .rotation(Vector3::new(0.3, 0.2, 0.1) * k as f64)
                .position(Vector3::new(2.0 * k as f64, 0.0, 0.5 + 0.13 * k as f64)),
        );
    };
    let run = |which: &[usize]| {
        let mut b = ModelBuilder::new();
        b.gravity(Vector3::new(0.0, 0.0, -9.81));
        b.contact_default(0.7, 0.3);
        which.iter().for_each(|&k| fall(&mut b, k));
        b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
        let mut s = Simulation::new(b.build().unwrap(), settings(Law::EXACT, 0.005)).unwrap();
        s.run(300).unwrap();
        s.state().poses.clone()
    };
    let together = run(&[1, 2, 3]);
    for k in [1, 2, 3] {
        let off = (run(&[k])[0].position - together[k - 1].position).norm();
        assert!(off < 1e-9, "{off:e}");
    }
}

#[test]
fn three_beads_at_one_wall_never_sink_in_nor_gain_energy() {
    let mut b = ModelBuilder::new();
    // A heavy bead drives two light ones at the wall: the sum of the gaps alone would leave two
    // of them approaching.
    for (k, mass) in [0.3, 1.0, 5.0].into_iter().enumerate() {
        b.body(
            BodySpec::particle(format!("bead-{k}"), mass)
                .radius(0.1)
                .position(Vector3::new(0.1 + 0.2 * k as f64, 0.0, 0.0))
                .velocity(Vector3::new(-1.0, 0.0, 0.0)),
        );
    }
    b.wall("wall", HalfSpace::new(Vector3::x(), 0.0).unwrap(), None);
    let mut s = Simulation::new(b.build().unwrap(), settings(Law::EXACT, 0.01)).unwrap();
    let start = s.totals().kinetic;
    for _ in 0..50 {
        s.step().unwrap();
        assert!((s.totals().kinetic / start - 1.0).abs() < 1e-12);
        let x: Vec<f64> = s.state().poses.iter().map(|p| p.position.x).collect();
        assert!(x[0] >= 0.1 - 1e-10 && x[1] - x[0] >= 0.2 - 1e-10 && x[2] - x[1] >= 0.2 - 1e-10);
    }
    let v: Vec<f64> = s.twists().iter().map(|t| t.v.x).collect();
    // Nothing approaches beyond round-off.
    let order = |k: usize| v[k] <= v[k + 1] + 1e-12;
    assert!(order(0) && order(1) && v[2] > 0.0, "{v:?}");
}

#[test]
fn a_cube_in_a_corner_is_hit_from_both_sides_at_once() {
    let mut b = ModelBuilder::new();
    b.body(
        BodySpec::rigid("cube")
            .shape(cube())
            .position(Vector3::new(0.5, 0.5, 0.0))
            .velocity(Vector3::new(-1.0, -1.0, 0.0)),
    );
    b.wall("west", HalfSpace::new(Vector3::x(), 0.0).unwrap(), None);
    b.wall("south", HalfSpace::new(Vector3::y(), 0.0).unwrap(), None);
    let mut s = Simulation::new(b.build().unwrap(), settings(Law::EXACT, 0.03)).unwrap();
    s.run(30).unwrap();
    let times: Vec<f64> = s.events().iter().map(|e| e.time).collect();
    assert_eq!(times.len(), 2);
    assert!((times[0] - 0.4).abs() < 1e-12 && (times[1] - 0.4).abs() < 1e-12);
    let v = s.twists()[0];
    assert!((v.v - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-12 && v.w.norm() < 1e-12);
}
