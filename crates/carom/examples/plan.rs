//! A cart is pushed over one metre, from rest to rest, with the least effort.
//!
//! `cargo run --release --example plan`

use std::sync::Arc;

use carom::optimise::replay;
use carom::scenario::Scenario;

const CART: &str = r#"
[body.cart]
shape = { box = [0.2, 0.1, 0.1] }
density = 500
[optimise]
minimise = [{ effort = 1.0 }]
controls.cart = { force = { each = 30 }, torque = "free" }
goal.cart = { position = [1, 0, 0], rotation = [0, 0, 0], rest = true }
[[phase]]
steps = 20
step = 0.05
"#;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario::parse("cart.toml", CART)?;
    let model = Arc::new(scenario.build()?);
    let request = scenario.plan(&model)?;
    let plan = request.solve()?;
    println!("{}: objective {:.6}", plan.status.name(), plan.objective);
    for (k, controls) in plan.controls.iter().enumerate() {
        println!("step {k:2}: {:8.4} N", controls[0]);
    }
    // The simulator, given the controls, moves the same way.
    let replayed = replay(&request.problem, &plan, |_, _| {})?;
    println!("the replay leaves the plan by {:.1e} m", replayed.error);
    Ok(())
}
