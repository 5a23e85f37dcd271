//! Plans of arms with springs, damping, rotors and servos in their joints: the simulator, which has its own
//! steps for them, goes the same way.

use std::sync::Arc;

use carom::optimise::{InteriorPoint, Plan, Status, replay, solve};
use carom::scenario::{PlanRequest, Scenario};

fn plan(text: &str) -> Result<(PlanRequest, Plan), String> {
    let scenario = Scenario::parse("test.toml", text).map_err(|e| e.to_string())?;
    let model = Arc::new(scenario.build().map_err(|e| e.to_string())?);
    let request = scenario.plan(&model).map_err(|e| e.to_string())?;
    let PlanRequest {
        problem,
        guess,
        settings,
    } = &request;
    let plan = solve(problem, guess, settings, &InteriorPoint, None).map_err(|e| e.to_string())?;
    Ok((request, plan))
}

/// A wheel that a motor turns by one radian in one second, from rest to rest.
fn wheel(physics: &str, time_scale: &str) -> String {
    format!(
        "[body.wheel]\nmass = 1\ninertia = [0.3, 0.2, 0.3]\n\
         [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"wheel\"]\naxis = [0, 1, 0]\n{physics}\n\
         [actuator.motor]\njoint = \"hinge\"\n\
         [optimise]\nminimise = [{{ effort = 1.0 }}]\ngoal.rest = true\n\
         goal.conditions = [{{ joint = \"hinge\", value = 1 }}]\n\
         [[phase]]\nsteps = 40\nstep = 0.025\n{time_scale}\n"
    )
}

#[test]
fn effort_is_that_of_the_law() {
    // Without anything 12 J² θ²/T³; a rotor adds to J.
    for (physics, wanted) in [("", 12.0 * 0.04), ("armature = 0.1", 12.0 * 0.09)] {
        let (request, plan) = plan(&wheel(physics, "")).unwrap();
        assert_eq!(plan.status, Status::Solved, "{physics}");
        let effort = plan.objective;
        assert!(
            (effort / wanted - 1.0).abs() < 0.01,
            "{physics} {effort} {wanted}"
        );
        let again = replay(&request.problem, &plan, |_, _| {}).unwrap();
        assert!(again.error < 1e-8, "{physics} {:e}", again.error);
    }
}

#[test]
fn the_simulator_goes_the_same_way() {
    let physics = "spring = { stiffness = 2, rest = 0.3 }\ndamping = 0.2\narmature = 0.05\n\
                   servo = { position = 0.5, stiffness = 3, damping = 0.4 }";
    for time_scale in ["", "time_scale = [0.5, 2]"] {
        let (request, plan) = plan(&wheel(physics, time_scale)).unwrap();
        assert_eq!(plan.status, Status::Solved, "{time_scale}");
        assert!(plan.momentum_residual < 1e-8);
        let again = replay(&request.problem, &plan, |_, _| {}).unwrap();
        assert!(again.error < 1e-7, "{time_scale} {:e}", again.error);
    }
}

#[test]
fn what_plans_do_not_know_is_told() {
    let told = plan(&wheel("friction = 0.1", "")).err().unwrap();
    assert!(
        told.contains("friction") && told.contains("hinge"),
        "{told}"
    );
    let moving = wheel(
        "servo = { velocity = \"sin(t)\", damping = 1 }",
        "time_scale = [0.5, 2]",
    );
    let told = plan(&moving).err().unwrap();
    assert!(told.contains("servo"), "{told}");
}
