//! Plans of many kinds as a new user would write them, against independent solutions of the same
//! discrete problems (CasADi with IPOPT) or closed forms. The files are in `data/plans`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::plans::plan;
use carom::optimise::{Guess, Plan, Status, foresee, replay};
use carom::scenario::{Options, PlanRequest, Scenario};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/plans/{name}.toml"))
}

fn read(name: &str, set: &[&str]) -> PlanRequest {
    crate::plans::read(&file(name), set)
}

/// Solves a case: status, objective, and the simulator's word on it.
fn solved(name: &str, objective: f64, relative: f64) -> (PlanRequest, Plan) {
    let request = read(name, &[]);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{name}: {:?}", plan.worst);
    let off = (plan.objective - objective).abs();
    assert!(
        off <= relative * objective.abs(),
        "{name}: {} and not {objective}",
        plan.objective
    );
    let o = &plan.optimality;
    assert!(o.stationarity < 1e-6 && o.feasibility < 1e-8 && o.complementarity < 1e-6);
    assert_eq!(o.negative_curvatures, 0, "{name}");
    let replay = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replay.agrees(plan.length), "{name}: {:e}", replay.error);
    (request, plan)
}

#[test]
fn acrobot() {
    let (_, plan) = solved("05b-acrobot-fine", 70.2647894, 1e-8);
    assert!(plan.iterations < 100, "{}", plan.iterations);
}

/// With a heavy forearm coarse grids have solutions that belong to no motion.
#[test]
fn a_heavy_acrobot_on_coarse_grids() {
    let text = std::fs::read_to_string(file("05b-acrobot-fine")).unwrap();
    for steps in [40, 60] {
        let step = 4.0 / f64::from(steps);
        let own = text
            .replace("steps = 240", &format!("steps = {steps}"))
            .replace("step = 0.0166666666666667", &format!("step = {step}"))
            .replacen(
                "mass = 1\nposition = [0, 0, -1.5]",
                "mass = 2\nposition = [0, 0, -1.5]",
                1,
            );
        assert!(own.contains("mass = 2"));
        let request = crate::plans::request(&Scenario::parse("heavy.toml", &own).unwrap());
        let plan = request.solve().unwrap();
        assert!(plan.status.is_usable(), "{steps}: {:?}", plan.status);
        let replay = replay(&request.problem, &plan, |_, _| {}).unwrap();
        assert!(replay.step_error < 1e-9, "{steps}: {:e}", replay.step_error);
    }
}

/// A flip in a plane leaves three freedoms that nothing drives.
#[test]
fn freedoms_that_nothing_drives() {
    for name in ["06-quad-flip", "06g-quad-flip-joints"] {
        let (_, plan) = solved(name, 2.02970396, 1e-8);
        assert!(plan.iterations < 150, "{name}: {}", plan.iterations);
    }
}

#[test]
fn saddles_are_left() {
    solved("07-sat-effort", 6.7936, 1e-5);
    solved("08-bilimoria-wie", 3.2431, 2e-4);
}

#[test]
fn stretched_arms_reach_for_places() {
    let (_, plan) = solved("22-arm2-ee-goal", 0.311021124, 1e-8);
    assert!(plan.iterations <= 12, "{}", plan.iterations);
}

#[test]
fn planes_leave_no_clearance() {
    solved("11d-hallway-corner", 3.790, 2e-3);
}

/// Without any guess: the way round the corner is felt out, and the ladder does not arrive the wrong way round.
#[test]
fn ways_round_corners_are_found() {
    let file = std::fs::read_to_string(file("11d-hallway-corner")).unwrap();
    let own = |line: &&str| !line.starts_with("guess");
    let text: Vec<&str> = file.lines().filter(own).collect();
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hallway-without-guess.toml");
    std::fs::write(&place, text.join("\n")).unwrap();
    let request = crate::plans::read(&place, &[]);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(
        (plan.objective / 3.796 - 1.0).abs() < 2e-3,
        "{}",
        plan.objective
    );
    let ladder = request.problem.model.find_body("ladder").unwrap();
    let end = plan.poses.last().unwrap()[ladder.index()].directors;
    assert!((end.column(0).y - 1.0).abs() < 1e-9, "{end}");
}

#[test]
fn planar_bodies_are_led_to_their_goals() {
    solved("12-swap-corridor", 3.707, 1e-3);
}

#[test]
fn symmetric_obstacles() {
    solved("14-symmetric-obstacle", 16.80, 1e-3);
}

#[test]
fn overlap_is_measured_where_nothing_is_asked() {
    let (request, plan) = solved("14j-noavoid", 12.0075047, 1e-8);
    assert!(request.problem.avoid.is_none() && plan.overlap > 0.05);
}

/// What cannot be is told, with the reason, before anything is solved.
#[test]
fn impossible_problems_say_why() {
    for (name, words) in [
        ("16a-infeasible-bounds", ["bounds are too small", "along x"]),
        ("16b-goal-in-obstacle", ["at the goal", "0.250 m"]),
        ("16c-start-in-obstacle", ["at the start", "0.150 m"]),
    ] {
        let request = read(name, &[]);
        let reasons = foresee(&request.problem, &request.guess).unwrap();
        assert_eq!(reasons.len(), 1, "{name}: {reasons:?}");
        assert!(words.iter().all(|w| reasons[0].contains(w)), "{reasons:?}");
        let plan = plan(&request);
        assert_eq!(plan.status, Status::Infeasible);
        assert_eq!((plan.iterations, plan.reasons), (0, reasons));
        // Nothing is claimed of a guess that nothing was made of.
        let o = &plan.optimality;
        assert!(
            o.feasibility > 1e-3 && o.stationarity.is_infinite() && o.complementarity.is_infinite()
        );
    }
}

#[test]
fn contradictions_name_both_sides() {
    let scenario = Scenario::read(&file("16e-contradiction"), &Options::default()).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let error = scenario.plan(&model).unwrap_err().to_string();
    assert!(
        error.contains("x = 1") && error.contains("x = 2"),
        "{error}"
    );
}

/// A plan is its own best guess; moved goals and other grids profit.
#[test]
fn warm_starts() {
    let (_, bow) = solved("14g-bow", 16.80, 1e-3);
    let moved_to = |name: &str, goal: &str| {
        // The folder of the earlier plan is not there: its guess is given by hand.
        let text = std::fs::read_to_string(file(name)).unwrap();
        let text = text.replace("guess = { plan = \"out/14g-bow\" }", "");
        let text = text.replace("[1.02, 0.01, 0]", &format!("[{goal}, 0]"));
        let scenario = Scenario::parse("warm.toml", &text).unwrap();
        let model = Arc::new(scenario.build().unwrap());
        scenario.plan(&model).unwrap()
    };
    let begin = |name: &str| moved_to(name, "1.02, 0.01");
    let mut same = begin("17-warm-same");
    same.guess = bow.to_guess();
    let again = plan(&same);
    assert_eq!(again.status, Status::Solved);
    assert!(again.iterations <= 3, "{}", again.iterations);
    let mut moved = begin("17b-warm-moved");
    moved.guess = bow.to_guess();
    let moved = plan(&moved);
    assert_eq!(moved.status, Status::Solved);
    assert!(moved.iterations <= 30, "{}", moved.iterations);
    assert!(
        (moved.objective - 16.97419).abs() < 1e-4,
        "{}",
        moved.objective
    );
    // A little farther, and back a little: the limits that hold are mostly the same.
    for goal in ["1.005, 0.002", "0.995, -0.005"] {
        let mut near = moved_to("17b-warm-moved", goal);
        near.guess = bow.to_guess();
        let near = plan(&near);
        assert_eq!(near.status, Status::Solved);
        assert!(near.iterations <= 15, "{goal}: {}", near.iterations);
    }
    let mut refined = begin("17c-warm-refine");
    let mut times = vec![0.0];
    bow.steps
        .iter()
        .for_each(|h| times.push(times[times.len() - 1] + h));
    let guess: Guess = bow.to_guess();
    refined.guess = guess.resampled(&refined.problem, &times).unwrap();
    let refined = plan(&refined);
    assert_eq!(refined.status, Status::Solved);
    assert!(refined.iterations < 150, "{}", refined.iterations);
}

/// Linear-quadratic problems from a tenth of a micron to satellites that take ten minutes.
#[test]
fn any_scale() {
    for (name, objective) in [
        ("20-cubesat-slew", 6.7166e-12),
        ("20b-stage", 1.20012e-3),
        ("20d-microrobot", 1.20012e-17),
        ("20e-micron-false-solved", 1.20048e-13),
    ] {
        let (_, plan) = solved(name, objective, 1e-4);
        assert!(plan.iterations <= 6, "{name}: {}", plan.iterations);
    }
}

/// One problem over twelve orders of magnitude in length, mass and time: the same iterations.
#[test]
fn the_same_in_any_unit() {
    let text = |length: f64, mass: f64, time: f64| {
        format!(
            r#"
            [body.craft]
            shape = {{ box = ["{length} * 0.2", "{length} * 0.3", "{length} * 0.1"] }}
            mass = {mass}
            [optimise]
            minimise = [{{ effort = 1.0 }}]
            controls.craft = "all"
            goal.craft = {{ position = [{length}, "{length} * 0.5", 0], rotation = [0.5, 0.2, 1], rest = true }}
            [[phase]]
            steps = 20
            step = "{time} * 0.05"
            "#
        )
    };
    let mut counts = Vec::new();
    for (length, mass, time) in [
        (1e-6, 1e-6, 1e-3),
        (1e-3, 1e-3, 1e-1),
        (1.0, 1.0, 1.0),
        (1e3, 1e3, 1e3),
        (1e6, 1e6, 1e5),
    ] {
        let scenario = Scenario::parse("unit.toml", &text(length, mass, time)).unwrap();
        let model = Arc::new(scenario.build().unwrap());
        let plan = plan(&scenario.plan(&model).unwrap());
        assert_eq!(plan.status, Status::Solved, "{length} m");
        counts.push(plan.iterations);
    }
    let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
    assert!(most - least <= 3, "{counts:?}");
}

/// Open-loop instability amplifies round-off: the plan is right all the same, step by step.
#[test]
fn unstable_plants() {
    let (request, plan) = solved("21b-balance", 0.0339735115, 1e-8);
    let mut replay = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replay.error > 1e-3 && replay.step_error < 1e-10 && replay.growth > 1e6);
    assert!(replay.agrees(plan.length));
    // Farther away than round-off leads is another motion, whatever the growth.
    replay.nudged = 1e-2 * replay.error;
    assert!(!replay.agrees(plan.length));
}

/// Led away by round-off, a replay may end in an error: two rods on top of each other fall and spin too fast for their
/// steps. What is shown is the plan, step by step.
#[test]
fn unstable_plants_that_cannot_be_replayed() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [body.rod]
        shape = { box = [0.05, 0.05, 1] }
        mass = 1
        position = [0, 0, 0.5]
        [body.tip]
        shape = { box = [0.05, 0.05, 0.5] }
        mass = 0.2
        position = [0, 0, 1.25]
        [joint.hinge]
        kind = "revolute"
        between = ["world", "rod"]
        at = [0, 0, 0]
        axis = [0, 1, 0]
        rate = 0.2
        [joint.elbow]
        kind = "revolute"
        between = ["rod", "tip"]
        at = [0, 0, 1]
        axis = [0, 1, 0]
        [actuator.motor]
        joint = "hinge"
        bounds = [-20, 20]
        [optimise]
        minimise = [{ effort = 1.0 }]
        goal.rest = true
        goal.conditions = [{ joint = "hinge", value = 0 }, { joint = "elbow", value = 0 }]
        [[phase]]
        steps = 100
        step = 0.08
    "#;
    let scenario = Scenario::parse("upright.toml", text).unwrap();
    let request = crate::plans::request(&scenario);
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved);
    let mut shown = Vec::new();
    let mut replay = replay(&request.problem, &plan, |node, simulation| {
        let tip = simulation.state().poses[1].position;
        shown.push((tip - plan.poses[node][1].position).norm());
    })
    .unwrap();
    assert!(replay.failure.is_some() && replay.agrees(plan.length) && replay.stepwise);
    assert_eq!(shown.len(), plan.poses.len());
    assert!(shown.iter().all(|off| *off < 1e-10), "{shown:?}");
    // An error before anything was led away has another reason.
    replay.error = 1e-9;
    assert!(!replay.agrees(plan.length));
}

/// Upright in a plane is a saddle: a lander that leaves it pays less than 4.8435.
#[test]
fn a_lander() {
    solved("26-lander", 4.78832674, 1e-6);
}

/// What is far away changes nothing.
#[test]
fn avoidance_has_no_price_far_away() {
    let (_, alone) = solved("27-flip-n20", 1.98434868, 1e-7);
    let (_, far) = solved("27b-flip-n20-avoid-far", 1.98434868, 1e-7);
    assert!((alone.objective - far.objective).abs() < 1e-7);
}

#[test]
fn a_limit_of_rounds_is_no_solution() {
    let plan = plan(&read("28-max-rounds-1", &[]));
    assert!(
        matches!(&plan.status, Status::Limit(why) if why.contains("rounds")),
        "{:?}",
        plan.status
    );
}

/// Several searches at once: ranked, and the best is the plan.
#[test]
fn several_starts() {
    let mut request = read("22-arm2-ee-goal", &["optimise.starts=3"]);
    assert_eq!(request.settings.starts, 3);
    let best = plan(&request);
    assert_eq!((best.status, best.starts.len()), (Status::Solved, 3));
    assert!(best.starts.windows(2).all(|w| w[0].1 <= w[1].1));
    request.settings.starts = 1;
    assert!(best.objective <= plan(&request).objective * (1.0 + 1e-9));
}

/// A chain with a tool goal behind a pillar: found by inverse kinematics and a way-pose beside it. Its base turns
/// on the table, at the margin always: no row asks whether it does.
#[test]
fn an_arm_of_six_joints() {
    let coarse = "phase=[{ steps = 16, step = 0.125, time_scale = [0.3, 3] }]";
    let plan = plan(&read("10-arm6", &[coarse]));
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(plan.overlap < 1e-8);
}

/// Links are bodies, coordinates joints.
#[test]
fn linkages_are_planned() {
    let plan = plan(&read("linkage-min", &[]));
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(plan.objective < 1e-12, "{}", plan.objective);
}

/// Round bodies are what they are: CasADi with IPOPT on |x − c| ≥ r at the nodes gives 24.0375780, and with
/// nine places between any two of them 24.0645187.
#[test]
fn spheres_are_round() {
    let exact = |set: &[&str], objective: f64, relative: f64| {
        let plan = plan(&read("14b-symmetric-sphere", set));
        assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
        let off = (plan.objective / objective - 1.0).abs();
        assert!(off < relative, "{} {objective}", plan.objective);
    };
    exact(
        &["optimise.avoid={ between_nodes = false }"],
        24.0375780,
        1e-7,
    );
    exact(&[], 24.0645187, 1e-3);
    // A capsule is as wide as a sphere where it is passed.
    exact(
        &[
            "optimise.avoid={ between_nodes = false }",
            "body.rock.shape={ capsule = { radius = 0.2, height = 20 } }",
        ],
        24.0375780,
        1e-6,
    );
}

/// Gaps have kinks, at which the first attempt may stop: it is not called infeasible.
#[test]
fn gaps_with_kinks() {
    let plan = plan(&read("29-pick-gaps-false-infeasible", &[]));
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    assert!(plan.overlap < 1e-7, "{:e}", plan.overlap);
}
