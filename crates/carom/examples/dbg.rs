use carom::gap::HalfSpace;
use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::*;
use carom::simulate::*;
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

fn main() {
    let mut s = Simulation::new(
        crowd(),
        Settings {
            law: Law::EXACT,
            ..Settings::with_step(0.01)
        },
    )
    .unwrap();
    let mut total = 0;
    let t0 = std::time::Instant::now();
    for k in 0..100000 {
        s.step().unwrap();
        let ev = s.take_events();
        total += ev.len();
        if ev.len() > 30 {
            println!("step {k} events {}", ev.len());
            for e in ev.iter().take(40) {
                println!(
                    "{:.15} {:?} {:?} imp {:e} {:e}->{:e} {:?}",
                    e.time,
                    e.kind,
                    e.names(s.model()),
                    e.normal_impulse,
                    e.speed_before,
                    e.speed_after,
                    e.features
                );
            }
            std::process::exit(1)
        }
        if total > 10000 {
            println!(
                "{k} steps {total} {:?} E {:e} overlap {:e}",
                t0.elapsed(),
                s.ledger().energy.spread(),
                s.ledger().overlap_max
            );
            break;
        }
    }
}
