//! A cube falls onto a floor, tumbles and comes to rest; what happened is printed with names.
//!
//! `cargo run --release --example simulate`

use carom::prelude::*;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let cube = Shape::single(Polytope::cuboid(0.2, 0.2, 0.2)?, 500.0)?;
    let start = Pose::new(Vector3::z() * 0.5, Vector3::new(0.4, 0.3, 0.0));
    builder.body(BodySpec::rigid("cube").shape(cube).pose(start));
    builder.wall("floor", HalfSpace::new(Vector3::z(), 0.0)?, None);
    builder.contact_default(0.4, 0.5);
    let settings = Settings {
        law: Law::exact(),
        ..Settings::with_step(0.001)
    };
    let mut simulation = Simulation::new(builder.build()?, settings)?;
    for step in simulation.steps().take(2000) {
        step?;
    }
    for event in simulation.events() {
        println!("{}", event.describe(simulation.model()));
    }
    let ledger = simulation.ledger();
    println!(
        "energy {:.4} J, {:.4} J of it lost at contacts, {:.1e} J unexplained",
        ledger.energy.last, -ledger.contact_energy, ledger.unexplained.last
    );
    Ok(())
}
