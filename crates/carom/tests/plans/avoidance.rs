//! Manoeuvres between bodies that must not overlap, from the gallery.

use crate::plans::{gallery, plan};
use carom::Pose;
use carom::gap::{Posed, centre_direction, gap};
use carom::model::Model;
use carom::optimise::{Plan, Status, replay};
use carom::scenario::{PlanRequest, Scenario};

/// Solves, and checks what every plan must show; by how much the guess was improved.
fn solved(name: &str) -> (PlanRequest, Plan) {
    let request = gallery(name, &[]);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(
        plan.momentum_residual < 1e-9,
        "{:e}",
        plan.momentum_residual
    );
    assert!(plan.violation < 1e-8, "{:e}", plan.violation);
    assert!(plan.overlap < 1e-8, "{:e}", plan.overlap);
    let again = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(again.error < 1e-8, "{:e} {:?}", again.error, again.failure);
    (request, plan)
}

/// Objectives of the examples, and that they are stationary.
fn pinned(plan: &Plan, objective: f64) {
    let off = (plan.objective - objective).abs();
    assert!(off < 1e-4 * objective, "{} {objective}", plan.objective);
    assert!(plan.optimality.stationarity < 1e-6);
    assert!(plan.optimality.complementarity < 1e-6);
}

/// Least gap of two bodies at a configuration, by the linear program alone.
fn least_gap(model: &Model, a: usize, b: usize, poses: &[Pose]) -> f64 {
    let parts = |k: usize| model.bodies()[k].shape.as_ref().unwrap().vertices();
    let mut least = f64::INFINITY;
    for x in parts(a) {
        for y in parts(b) {
            let (pa, pb) = (&poses[a], &poses[b]);
            let beta = centre_direction(&pa.point(x.mean()), &pb.point(y.mean()), false);
            let g = gap(Posed::new(x, pa), Posed::new(y, pb), beta, &mut None);
            least = least.min(g.contact.gap);
        }
    }
    least
}

fn farthest(plan: &Plan, body: usize) -> f64 {
    let start = plan.poses[0][body].position;
    let way = plan.poses.iter().map(|p| (p[body].position - start).norm());
    way.fold(0.0, f64::max)
}

#[test]
fn satellites() {
    let (request, plan) = solved("satellites");
    pinned(&plan, 0.124284771);
    let model = &request.problem.model;
    let gaps: Vec<f64> = plan
        .poses
        .iter()
        .map(|p| least_gap(model, 0, 1, p))
        .collect();
    assert!(gaps.iter().all(|g| *g >= -1e-8));
    // Both ends touch.
    assert!(gaps[0].abs() < 1e-9 && gaps[30].abs() < 1e-9);
    assert!(plan.objective < plan.objective_guess / 1.4);
    assert!(farthest(&plan, 0) > 0.01 && farthest(&plan, 1) > 0.1);
}

#[test]
fn knot_burr() {
    let (request, plan) = solved("knot-burr");
    pinned(&plan, 0.0140084609);
    let model = &request.problem.model;
    for poses in &plan.poses {
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert!(least_gap(model, a, b, poses) >= -1e-8);
        }
    }
    assert!(plan.objective < plan.objective_guess / 10.0);
    assert!((0..3).all(|k| farthest(&plan, k) > 1e-3));
}

#[test]
fn manipulator() {
    let (request, plan) = solved("manipulator");
    pinned(&plan, 0.00511396737);
    let model = &request.problem.model;
    let last = plan.poses.last().unwrap();
    let d = |body: usize, k: usize| last[body].directors.column(k).into_owned();
    // The hook: the conditions on directors of the thesis.
    assert!((d(0, 0).dot(&d(1, 2)) + 1.0).abs() < 1e-8);
    assert!((d(1, 0).dot(&d(2, 2)) - 1.0).abs() < 1e-8);
    assert!((d(1, 2).dot(&d(2, 0)) - 1.0).abs() < 1e-8);
    assert!((d(2, 0).dot(&d(3, 2)) + 1.0).abs() < 1e-8);
    assert!(d(2, 2).z >= 0.8 - 1e-8);
    let p = last[2].position;
    assert!(p.x.abs() <= 0.025 + 1e-8 && p.y.abs() <= 0.02 + 1e-8 && p.z.abs() <= 0.02 + 1e-8);
    for poses in &plan.poses {
        for bar in 0..4 {
            assert!(least_gap(model, bar, 4, poses) >= -1e-8);
        }
        // Neighbours share a point of their joint: they touch, but must not overlap.
        for bar in 0..3 {
            assert!(least_gap(model, bar, bar + 1, poses) >= -1e-8);
        }
    }
    assert!(plan.objective < plan.objective_guess / 10.0);
}

#[test]
fn pick_and_place() {
    let (_, plan) = solved("pick-and-place");
    pinned(&plan, 0.543847944);
    assert!(plan.objective < plan.objective_guess / 2.0);
}

#[test]
fn drone_window() {
    let (_, plan) = solved("drone-window");
    pinned(&plan, 2.25747429);
}

#[test]
fn bodies_that_share_a_corner_touch_there_only() {
    let text = r#"
        [body.still]
        shape = { cube = 0.1 }
        mass = 1
        [body.turning]
        shape = { cube = 0.1 }
        mass = 1
        position = [0.1, 0.1, 0.1]
        [joint.corner]
        kind = "spherical"
        between = ["still", "turning"]
        at = [0.05, 0.05, 0.05]
        collide = true
        [actuator.corner]
        joint = "corner"
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.still = "all"
        goal.still = { position = [0, 0, 0], rotation = [0, 0, 0] }
        goal.rest = true
        goal.conditions = [{ relative = ["turning", "still"], rotation = [0.9, -0.9, 0] }]
        avoid = { margin = 0.01 }
        [[phase]]
        steps = 20
        step = 0.1
    "#;
    let scenario = Scenario::parse("corner.toml", text).unwrap();
    let request = crate::plans::request(&scenario);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(plan.rounds < 6, "{}", plan.rounds);
    for poses in &plan.poses {
        let gap = least_gap(&request.problem.model, 0, 1, poses);
        // They touch, whatever the margin asks for, and no more than that.
        assert!(gap.abs() < 1e-8, "{gap:e}");
    }
}

/// A box that is to pass where a gate slides aside, too slowly for the straight way.
const GATE: &str = r#"
[body.box]
shape = { cube = 0.1 }
mass = 1

[body.gate]
kind = "static"
shape = { box = [0.1, 0.6, 0.6] }
position = [0.5, 0, 0]
motion = { displacement = [0, "0.4*t", 0], rotation = { axis = [0, 0, 1], angle = "0.4*sin(3*t)" } }

[optimise]
minimise = [{ effort = 1.0 }, { time = 0.1 }]
controls.box = { force = { each = 40 }, torque = { each = 1 } }
goal.box = { position = [1, 0, 0], rest = true }
avoid = { margin = 0.005 }

[[phase]]
steps = 16
step = 0.06
"#;

#[test]
fn plans_keep_clear_of_what_moves_by_itself() {
    let solve = |text: &str| {
        let scenario = Scenario::parse("gate.toml", text).unwrap_or_else(|e| panic!("{e}"));
        let request = crate::plans::request(&scenario);
        let plan = plan(&request);
        assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
        assert!(plan.overlap < 1e-8, "{:e}", plan.overlap);
        let again = replay(&request.problem, &plan, |_, _| {}).unwrap();
        assert!(again.error < 1e-8, "{:e} {:?}", again.error, again.failure);
        (request, plan)
    };
    for text in [
        GATE.to_string(),
        GATE.replace("step = 0.06", "step = 0.06\ntime_scale = [0.5, 2]")
            .replace("time = 0.1", "time = 200"),
    ] {
        let (request, plan) = solve(&text);
        let model = &request.problem.model;
        let (carried, gate) = (0, 1);
        let (mut time, mut least) = (0.0, f64::INFINITY);
        for (node, poses) in plan.poses.iter().enumerate() {
            let (given, _) = model.bodies()[gate].given(time).unwrap();
            assert!((given.position - poses[gate].position).norm() < 1e-12);
            assert!((given.directors - poses[gate].directors).norm() < 1e-12);
            least = least.min(least_gap(model, carried, gate, poses));
            time += plan.steps.get(node).copied().unwrap_or(0.0);
        }
        // It is in the way, and the margin is what holds the box back.
        assert!(least > 0.005 - 1e-7 && least < 0.02, "{least}");
    }
    // Without the gate the way is cheaper.
    let free = GATE.replace("avoid = { margin = 0.005 }", "");
    let cost = |text: &str| solve_objective(text);
    assert!(cost(GATE) > 1.02 * cost(&free));
}

fn solve_objective(text: &str) -> f64 {
    let scenario = Scenario::parse("gate.toml", text).unwrap();
    plan(&crate::plans::request(&scenario)).objective
}

#[test]
fn nothing_is_asked_of_what_moves_by_itself() {
    let refused = |text: &str| {
        let scenario = Scenario::parse("gate.toml", text).unwrap();
        let model = std::sync::Arc::new(scenario.build().unwrap());
        match scenario.plan(&model) {
            Err(error) => error.to_string(),
            Ok(request) => request
                .solve()
                .err()
                .map_or(String::new(), |e| e.to_string()),
        }
    };
    let related = GATE.replace(
        "avoid =",
        "path = [{ relative = [\"box\", \"gate\"], at = [0, 0, 0] }]\navoid =",
    );
    assert!(refused(&related).contains("given"), "{}", refused(&related));
    let gaps = GATE
        .replace("margin = 0.005", "margin = 0.005, rows = \"gaps\"")
        .replace("step = 0.06", "step = 0.06\ntime_scale = [0.5, 2]");
    assert!(refused(&gaps).contains("free time"), "{}", refused(&gaps));
}

/// A box without torques is to get past a large one. Planes of single places would never settle where the box goes
/// round the corner within a step: such a step gets a plane of its own.
#[test]
fn a_way_round_a_corner_settles() {
    let text = r#"
[body.drone]
shape = { cube = 0.2 }
density = 100
[body.gate]
kind = "static"
shape = { box = [0.2, 1.0, 1.0] }
position = [1, 0, 0]
[optimise]
minimise = [{ effort = 1 }]
controls.drone = { force = { each = 10 } }
goal.drone = { position = [2, 0, 0], rest = true }
avoid = true
[[phase]]
steps = 20
step = 0.1
"#;
    let scenario = Scenario::parse("gate.toml", text).unwrap();
    let model = std::sync::Arc::new(scenario.build().unwrap());
    let plan = plan(&scenario.plan(&model).unwrap());
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(plan.overlap < 1e-8, "{:e}", plan.overlap);
    assert!(!plan.whole_steps);
    // With room for the corners of the gate only, the way costs 9.88 in the limit of small steps.
    assert!((9.8..10.1).contains(&plan.objective), "{}", plan.objective);
}

/// Five boxes on a circle change sides: all would meet in the middle.
#[test]
fn a_crowd_changes_sides() {
    let mut text = String::from(
        "gravity = [0, 0, 0]\n[template.b]\nshape = { box = [0.3, 0.2, 0.2] }\nmass = 1\n",
    );
    let mut goals = String::new();
    for k in 0..5 {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / 5.0).sin_cos();
        let z = 0.03 * k as f64;
        text += &format!("[body.b{k}]\nuse = \"b\"\nposition = [{cos:?}, {sin:?}, {z:?}]\n");
        goals += &format!(
            "controls.b{k} = {{ force = {{ each = 10 }} }}\ngoal.b{k} = {{ position = [{:?}, {:?}, {z:?}], rest = true }}\n",
            -cos, -sin
        );
    }
    text += &format!(
        "[optimise]\nminimise = [{{ effort = 1 }}]\navoid = true\n{goals}[[phase]]\nsteps = 12\nstep = 0.25\n"
    );
    let scenario = Scenario::parse("crowd.toml", &text).unwrap();
    let model = std::sync::Arc::new(scenario.build().unwrap());
    let mut request = scenario.plan(&model).unwrap();
    let found = plan(&request);
    assert_eq!(found.status, Status::Solved, "{:?}", found.worst);
    assert!(found.overlap < 1e-8, "{:e}", found.overlap);
    assert!(!found.whole_steps);
    // Alone they would need 8.9 together.
    assert!(
        (9.0..11.0).contains(&found.objective),
        "{}",
        found.objective
    );
    // From there on nothing is left to do.
    request.guess = found.to_guess();
    let again = plan(&request);
    assert_eq!(again.status, Status::Solved, "{:?}", again.worst);
    assert!(again.iterations <= 3, "{}", again.iterations);
}
