//! Plans of planar bodies are written in their plane: two components and one angle do.

use carom::scenario::Scenario;

use super::{close, plan, request};

fn objective(start: &str, goal: &str, more: &str) -> f64 {
    let text = format!(
        "[body.plate]\nplanar = true\nshape = {{ rectangle = [0.4, 0.2] }}\nmass = 2\nposition = [0.1, 0]\n\
         [optimise]\nminimise = [{{ effort = 1 }}]\ncontrols.plate = \"all\"\nstart.plate = {start}\n\
         goal.plate = {goal}\n{more}[[phase]]\nsteps = 20\nstep = 0.1\n"
    );
    let scenario = Scenario::parse("plate.toml", &text).unwrap_or_else(|e| panic!("{e}"));
    plan(&request(&scenario)).objective
}

#[test]
fn two_components_and_an_angle_do() {
    let long = objective(
        "{ position = [0, 0.5, 0], rotation_deg = [0, 0, 30], velocity = [0.2, 0, 0], angular_velocity = [0, 0, 1] }",
        "{ position = [1, 2, 0], rotation_deg = [0, 0, 90], velocity = [0, 0.3, 0], angular_velocity = [0, 0, -0.5] }",
        "path = [{ position = [[-1, 3], \"free\", \"free\"], of = \"plate\" }]\n",
    );
    let short = objective(
        "{ position = [0, 0.5], rotation_deg = 30, velocity = [0.2, 0], angular_velocity = 1 }",
        "{ position = [1, 2], rotation_deg = 90, velocity = [0, 0.3], angular_velocity = -0.5 }",
        "path = [{ position = [[-1, 3], \"free\"], of = \"plate\" }]\n",
    );
    assert!(
        long > 0.0 && close(short, long, 1e-12),
        "{short} for {long}"
    );
    let guided = objective(
        "{ position = [0, 0.5], rotation_deg = 30, velocity = [0.2, 0], angular_velocity = 1 }",
        "{ position = [1, 2], rotation_deg = 90, velocity = [0, 0.3], angular_velocity = -0.5 }",
        "guess = { ways = [{ node = 20, bodies.plate = { position = [1, 2], rotation_deg = 90 } }] }\n",
    );
    assert!(close(guided, long, 1e-9), "{guided} for {long}");
}

#[test]
fn bodies_in_space_have_three() {
    let text = "[body.box]\nshape = { cube = 0.2 }\nmass = 2\n[optimise]\nminimise = [{ effort = 1 }]\n\
                controls.box = \"all\"\ngoal.box = { position = [1, 2] }\n[[phase]]\nsteps = 20\nstep = 0.1\n";
    let scenario = Scenario::parse("box.toml", text).unwrap();
    let model = std::sync::Arc::new(scenario.build().unwrap());
    let message = scenario.plan(&model).unwrap_err().to_string();
    assert!(message.contains("has 2 components"), "{message}");
    let spins = text.replace("position = [1, 2]", "angular_velocity = \"free\"");
    let scenario = Scenario::parse("box.toml", &spins).unwrap();
    let message = scenario.plan(&model).unwrap_err().to_string();
    assert!(message.contains("angular_velocity"), "{message}");
}
