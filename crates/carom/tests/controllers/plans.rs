//! Controllers that follow plans.

use std::sync::Arc;

use carom::scenario::Scenario;
use carom::simulate::Simulation;

use super::{ARM, Run};

/// A plan of a body that is pushed along x for a second and turned about z, made by hand: its nodes are those of the
/// simulator itself.
fn plan_of(text: &str, steps: usize, controls: &dyn Fn(usize) -> Vec<f64>) -> String {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let start = scenario.start(&model).unwrap().state;
    let settings = scenario.settings.simulator();
    let mut simulation = Simulation::from_state(model, settings, start).unwrap();
    let node = |s: &Simulation| -> Vec<Vec<f64>> {
        s.state().poses.iter().map(|p| p.to_q().to_vec()).collect()
    };
    let (mut nodes, mut rates, mut all) = (Vec::new(), Vec::new(), Vec::new());
    nodes.push(node(&simulation));
    rates.push(simulation.joint_velocities().to_vec());
    for k in 0..steps {
        let tau = controls(k);
        simulation.step_with(settings.step, &tau).unwrap();
        nodes.push(node(&simulation));
        rates.push(simulation.joint_velocities().to_vec());
        all.push(tau);
    }
    let names = carom::optimise::control_names(simulation.model());
    serde_json::json!({
        "steps": vec![settings.step; steps],
        "configurations": nodes,
        "rates": rates,
        "control_names": names,
        "controls": all,
    })
    .to_string()
}

#[test]
fn linear_quadratic_feedback_follows_a_plan() {
    let folder = std::env::temp_dir().join(format!("carom-lqr-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // A pendulum that stands on its head falls; with feedback it does what the plan says.
    let arm = ARM
        .replace("step = 1e-3", "step = 5e-3")
        .replace("steps = 1000", "steps = 200")
        + "[actuator.a]\njoint = \"shoulder\"\n[actuator.b]\njoint = \"elbow\"\n";
    let swing = |k: usize| {
        vec![
            20.0 * (k as f64 * 0.03).sin(),
            -5.0 * (k as f64 * 0.05).cos(),
        ]
    };
    let plan = folder.join("arm.json");
    std::fs::write(&plan, plan_of(&arm, 200, &swing)).unwrap();
    let follow = format!(
        "{arm}\n[controller.c]\nkind = \"lqr\"\nplan = \"{}\"\n",
        plan.display()
    );
    let mut run = Run::new(&follow);
    run.steps(200);
    assert!(run.get("controller.c.deviation") < 1e-9);
    // Pushed at the start.
    let pushed = follow.replace(
        "position = [0, 0, -1.4]",
        "position = [0, 0, -1.4]\nvelocity = [0.2, 0, 0]\nangular_velocity = [0, -0.5, 0]",
    );
    let mut run = Run::new(&pushed);
    let start = run.get("controller.c.lyapunov");
    assert!(run.get("controller.c.deviation_rate") > 0.1);
    let mut last = start;
    for _ in 0..19 {
        run.steps(10);
        let v = run.get("controller.c.lyapunov");
        assert!(v <= last * 1.05 + 1e-6, "{last} {v}");
        last = v;
    }
    assert!(run.get("controller.c.deviation") < 1e-4);
    // After its end the plan is held where it ended, moving or not, against gravity.
    run.steps(400);
    let left = run.get("controller.c.deviation");
    assert!(left < 1e-4, "{left}");
    assert!(run.get("controller.c.deviation_rate") < 1e-3);
    // Without feedback the same push leads far off.
    let mut free = Run::new(&pushed.replace(
        "kind = \"lqr\"",
        "kind = \"lqr\"\nweights = { position = 1e-9, velocity = 0, end = 0, control = 1e9 }",
    ));
    free.steps(190);
    assert!(free.get("controller.c.deviation") > 0.02);
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn linear_quadratic_feedback_knows_loops_and_springs() {
    let folder = std::env::temp_dir().join(format!("carom-lqr-loop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let base = r#"
gravity = [0, 0, -9.81]
[body.crank]
shape = { box = [0.02, 0.02, 0.2] }
density = 2700
position = [0, 0, 0.1]
[body.coupler]
shape = { box = [0.5, 0.02, 0.02] }
density = 2700
position = [0.25, 0, 0.2]
[body.rocker]
shape = { box = [0.02, 0.02, 0.4] }
density = 2700
position = [0.5, 0, 0]
[joint.left]
kind = "revolute"
between = ["world", "crank"]
at = [0, 0, 0]
axis = [0, 1, 0]
spring = { stiffness = 2, rest = 0.1 }
damping = 0.05
[joint.top-left]
kind = "spherical"
between = ["crank", "coupler"]
at = [0, 0, 0.2]
[joint.top-right]
kind = "cylindrical"
between = ["coupler", "rocker"]
at = [0.5, 0, 0.2]
axis = [0, 1, 0]
[joint.right]
kind = "revolute"
between = ["world", "rocker"]
at = [0.5, 0, -0.2]
axis = [0, 1, 0]
[actuator.motor]
joint = "left"
[simulate]
steps = 200
step = 5e-3
law = "none"
"#;
    let plan = folder.join("plan.json");
    let swing = |k: usize| vec![0.6 * (k as f64 * 0.04).sin()];
    std::fs::write(&plan, plan_of(base, 100, &swing)).unwrap();
    let follow = format!(
        "{base}\n[controller.c]\nkind = \"lqr\"\nplan = \"{}\"\n\
         [load.gust]\nbody = \"coupler\"\nforce = [{{ t = [0, 0.1, 0.1001], value = [3, 3, 0] }}, 0, 0]\n",
        plan.display()
    );
    // Undisturbed, it is the plan.
    let calm = follow.replace("value = [3, 3, 0]", "value = [0, 0, 0]");
    let mut run = Run::new(&calm);
    run.steps(100);
    assert!(run.get("controller.c.deviation") < 1e-8);
    // A gust pushes it off; it comes back, and is held where the plan ends.
    let mut run = Run::new(&follow);
    run.steps(20);
    let off = run.get("controller.c.deviation");
    run.steps(79);
    let left = run.get("controller.c.deviation");
    assert!(off > 1e-3 && left < 0.1 * off, "{off} {left}");
    run.steps(300);
    let held = run.get("controller.c.deviation");
    assert!(held < 1e-5, "{held}");
    std::fs::remove_dir_all(&folder).ok();
}
