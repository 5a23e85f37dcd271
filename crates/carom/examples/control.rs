//! A pendulum is held upright by feedback from its own motion.
//!
//! `cargo run --release --example control`

use carom::prelude::*;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let start = Pose::new(Vector3::z() * 0.25, Vector3::zeros());
    let bar = BodySpec::rigid("bar").mass(1.0);
    let bar = builder.body(bar.inertia(Matrix3::identity() * 0.02).pose(start));
    let hinge = JointSpec::revolute("hinge", Vector3::y()).at(Vector3::zeros());
    let hinge = builder.joint(hinge, None, Some(bar));
    builder.drive("motor", hinge, vec![[-5.0, 5.0]]);
    let mut simulation = Simulation::new(builder.build()?, Settings::with_step(0.001))?;
    // From upright to a lean of 0.2 rad.
    let wanted = 0.2_f64;
    for step in 0..=3000 {
        let info = simulation.step_controlled(&mut |now, controls| {
            let lean = now.state().poses[0].directors[(0, 2)].asin();
            let rate = now.twists()[0].w.y;
            let weight = 9.81 * 0.25 * lean.sin();
            controls[0] = 15.0 * (wanted - lean) - 2.0 * rate - weight;
        })?;
        if step % 500 == 0 {
            let lean = simulation.state().poses[0].directors[(0, 2)].asin();
            println!("t = {:.3} s, lean {lean:.4} rad", info.time);
        }
    }
    let lean = simulation.state().poses[0].directors[(0, 2)].asin();
    assert!((lean - wanted).abs() < 1e-3, "it leans by {lean}");
    println!("work of the motor: {:.4} J", simulation.ledger().work);
    Ok(())
}
