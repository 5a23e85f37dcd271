use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::*;
use carom::simulate::*;
use nalgebra::Vector3;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let rounds: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let hexagon = Polygon::regular_with_side(6, 0.2).unwrap();
    let shape = Shape::single(Polytope::prism(&hexagon, 0.4).unwrap(), 27.0).unwrap();
    let side = (n as f64).cbrt().ceil() as usize;
    let middle = 0.5 * (side as f64 - 1.0);
    for _ in 0..rounds {
        let mut b = ModelBuilder::new();
        for k in 0..n {
            let at = Vector3::new(
                (k % side) as f64 - middle,
                (k / side % side) as f64 - middle,
                (k / side / side) as f64 - middle,
            ) * 0.5;
            b.body(
                BodySpec::rigid(format!("p{k}"))
                    .shape(shape.clone())
                    .position(at)
                    .rotation(Vector3::new(0.1 * at.y, -0.07 * at.z, 0.05 * at.x))
                    .velocity(at * -0.5),
            );
        }
        let mut s = Simulation::new(
            b.build().unwrap(),
            Settings {
                law: Law::DECOMPOSITION,
                ..Settings::with_step(0.005)
            },
        )
        .unwrap();
        let t = std::time::Instant::now();
        for _ in 0..400 {
            s.step().unwrap();
            s.take_events();
        }
        println!("{:.3} ms per step", t.elapsed().as_secs_f64() / 400.0 * 1e3);
    }
}
