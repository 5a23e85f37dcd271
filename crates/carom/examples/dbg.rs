use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::*;
use carom::simulate::*;
use nalgebra::Vector3;
fn main() {
    let mu: f64 = 0.4;
    let slope = 1.001 * mu.atan();
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(slope.sin(), 0.0, -slope.cos()) * 9.81);
    b.contact_default(0.0, mu);
    let shape = Shape::single(Polytope::cuboid(0.3, 0.2, 0.1).unwrap(), 500.0).unwrap();
    b.body(
        BodySpec::rigid("block")
            .shape(shape)
            .position(Vector3::new(0.0, 0.0, 0.05)),
    );
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    let mut s = Simulation::new(
        b.build().unwrap(),
        Settings {
            law: Law::EXACT,
            ..Settings::with_step(0.005)
        },
    )
    .unwrap();
    for k in 0..400 {
        s.step().unwrap();
        if k < 6 || k % 50 == 0 {
            let p = s.state().poses[0];
            let t = s.twists()[0];
            println!(
                "{k} x {:?} v {:?} w {:?}",
                p.position.as_slice(),
                t.v.as_slice(),
                t.w.as_slice()
            );
        }
    }
}
