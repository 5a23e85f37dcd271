//! Smooth manoeuvres from the gallery against independent solutions (CasADi with IPOPT, redundant
//! coordinates), their convergence, and what is said when a problem has no solution.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use crate::plans::{close, gallery, plan};
use carom::optimise::{InteriorPoint, Plan, Problem, Progress, Status, replay, solve};
use carom::scenario::{PlanRequest, Scenario};

fn replay_error(problem: &Problem, plan: &Plan) -> f64 {
    replay(problem, plan, |_, _| {}).unwrap().error
}

#[test]
fn sphere() {
    let request = gallery("sphere", &[]);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved);
    assert!(
        close(plan.objective, 533.5766531834, 1e-9),
        "{}",
        plan.objective
    );
    assert!(
        plan.momentum_residual < 1e-12,
        "{:e}",
        plan.momentum_residual
    );
    let wanted = [
        -9.12075, 9.12075, 18.24151, -0.0811926, 0.0811926, 0.0811926,
    ];
    for (tau, w) in plan.controls[0].iter().zip(wanted) {
        assert!(close(*tau, w, 1e-5), "{tau} {w}");
    }
    assert!(replay_error(&request.problem, &plan) < 1e-8);
}

#[test]
fn rotors() {
    let request = gallery("rotors", &[]);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved);
    assert!(
        close(plan.objective, 0.05008372191353155, 1e-8),
        "{}",
        plan.objective
    );
    // Where the body ends.
    let hub = plan.poses[50][0].position;
    let wanted = [
        0.014580360559002399,
        -0.013141105697057835,
        0.003900616945037761,
    ];
    assert!((0..3).all(|k| (hub[k] - wanted[k]).abs() < 1e-6), "{hub}");
    // The geometric phase: no angular momentum at any time.
    let mut angular = 0.0_f64;
    let replay = replay(&request.problem, &plan, |_, simulation| {
        angular = angular.max(simulation.totals().angular.norm());
    });
    assert!(replay.unwrap().error < 1e-8);
    assert!(angular < 1e-12, "{angular:e}");
}

/// Examples that no other test looks at so: their objectives, and that they are stationary.
#[test]
fn examples_keep_their_objectives() {
    for (name, objective) in [
        ("moving-gate", 4.3992201620),
        ("bounce-to-goal", 7.4254628188),
        ("dice", 0.0213899601),
        ("docking:optimal", 0.0098610669),
    ] {
        let plan = plan(&gallery(name, &[]));
        assert_eq!(plan.status, Status::Solved, "{name}: {:?}", plan.worst);
        assert!(
            close(plan.objective, objective, 1e-4),
            "{name}: {}",
            plan.objective
        );
        assert!(plan.optimality.stationarity < 1e-6, "{name}");
        assert!(plan.optimality.complementarity < 1e-6, "{name}");
    }
}

#[test]
fn second_order_under_refinement() {
    // Objectives with halved steps: differences fall by four.
    for (name, counts) in [("sphere", [30, 60, 120]), ("rotors", [25, 50, 100])] {
        let time = if name == "sphere" { 3.0 } else { 5.0 };
        let objectives = counts.map(|n| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
            let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
            let (head, _) = text.split_once("[[phase]]").unwrap();
            let text = format!(
                "{head}[[phase]]\nsteps = {n}\nstep = {}\n",
                time / f64::from(n)
            )
            .replace("node = 30", &format!("node = {n}"));
            let scenario = Scenario::parse("refined.toml", &text).unwrap();
            let model = Arc::new(scenario.build().unwrap());
            plan(&scenario.plan(&model).unwrap()).objective
        });
        let ratio = (objectives[0] - objectives[1]) / (objectives[1] - objectives[2]);
        assert!((ratio - 4.0).abs() < 0.5, "{name}: {objectives:?} {ratio}");
    }
}

#[test]
fn an_impossible_goal_is_told_from_one_not_reached() {
    // Bounds so tight that the sphere cannot get there in time.
    let set = ["optimise.controls.sphere={ force = { each = 1.0 }, torque = { each = 1.0 } }"];
    let plan = plan(&gallery("sphere", &set));
    assert_eq!(plan.status, Status::Infeasible, "{:?}", plan.worst);
    assert!(
        plan.worst
            .iter()
            .any(|v| v.what.contains("momentum of body sphere")),
        "{:?}",
        plan.worst
    );
    // One iteration is not enough.
    let mut request = gallery("sphere", &[]);
    request.settings.solver.max_iterations = 1;
    let plan = self::plan(&request);
    assert!(matches!(&plan.status, Status::Limit(why) if why.contains("iterations")));
}

#[test]
fn time_can_be_free() {
    // Effort against time: d(E + w T)/dT = 0 with E = 12 m² d²/T³ gives T = (36 m² d²/w)^(1/4).
    let text = r#"
        [body.cart]
        mass = 2
        inertia = [1, 1, 1]
        [optimise]
        minimise = [{ effort = 1.0 }, { time = 9.0 }]
        controls.cart = "all"
        goal.cart = { position = [1, 0, 0], rest = true }
        [[phase]]
        steps = 40
        step = 0.05
        time_scale = [0.2, 5]
    "#;
    let scenario = Scenario::parse("cart.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let request = scenario.plan(&model).unwrap();
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved);
    assert!((plan.time() - 2.0).abs() < 2e-3, "{}", plan.time());
    assert!(replay_error(&request.problem, &plan) < 1e-9);
}

#[test]
fn cost_of_transport_is_a_ratio() {
    // E/d = 12 m² d/T³ falls with the distance d: the bound on it is active.
    let text = r#"
        [body.cart]
        mass = 1
        inertia = [1, 1, 1]
        velocity = [1, 0, 0]
        [optimise]
        minimise = [{ effort = 1.0 }, { time = 3.0 }]
        per = { body = "cart", along = [1, 0, 0] }
        controls.cart = "all"
        goal.cart = { position = [[0.5, 4], 0, 0], velocity = [1, 0, 0], angular_velocity = [0, 0, 0] }
        [[phase]]
        steps = 30
        step = 0.05
        time_scale = [0.2, 4]
    "#;
    let scenario = Scenario::parse("cart.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let plan = plan(&scenario.plan(&model).unwrap());
    assert_eq!(plan.status, Status::Solved);
    let travelled = plan.poses.last().unwrap()[0].position.x;
    let squares: f64 = (plan.controls.iter().zip(&plan.steps))
        .map(|(tau, h)| h * tau.iter().map(|t| t * t).sum::<f64>())
        .sum();
    let ratio = (squares + 3.0 * plan.time()) / travelled;
    assert!(
        close(plan.objective, ratio, 1e-8),
        "{} {ratio}",
        plan.objective
    );
}

#[test]
fn an_earlier_plan_is_a_guess() {
    let mut request = gallery("rotors", &[]);
    let first = plan(&request);
    request.guess = first.to_guess();
    let second = plan(&request);
    assert_eq!(second.status, Status::Solved);
    assert!(second.iterations < first.iterations);
    assert!(close(second.objective, first.objective, 1e-8));
}

/// A user's interrupt keeps the best iterate, not the last.
#[test]
fn a_stopped_plan_is_the_best_seen() {
    let PlanRequest {
        problem,
        guess,
        settings,
    } = gallery("pick-and-place", &[]);
    // Violation of the least violated iterate, and whether a later one was worse.
    let seen = Rc::new(RefCell::new((f64::INFINITY, f64::NAN)));
    let notes = Rc::clone(&seen);
    let observer = Rc::new(RefCell::new(move |p: &Progress| {
        let mut notes = notes.borrow_mut();
        if p.violation < notes.0 {
            *notes = (p.violation, p.objective);
            return true;
        }
        // The first setback ends it.
        p.iteration < 3
    }));
    let plan = solve(&problem, &guess, &settings, &InteriorPoint, Some(observer)).unwrap();
    assert_eq!(plan.status, Status::Stopped);
    let (violation, objective) = *seen.borrow();
    assert!(
        violation > 1e-6,
        "{violation:e}: feasible before the first setback"
    );
    assert!(
        close(plan.objective, objective, 1e-9),
        "{} and {objective}",
        plan.objective
    );
}
