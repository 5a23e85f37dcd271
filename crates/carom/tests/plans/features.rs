//! What plans are asked besides start and goal: loops, dampers, expressions, via-points, tools, rates.

use std::sync::Arc;

use carom::model::{BodyId, BodySpec, Frame, ModelBuilder, UserPotential};
use carom::optimise::{
    Boundary, Condition, Guess, InteriorPoint, Motion, Phase, Plan, Problem, Settings, Status,
    Term, replay, solve,
};
use carom::scenario::{PlanRequest, Scenario};
use nalgebra::{DMatrix, Vector3};

fn solved(text: &str) -> (PlanRequest, Plan) {
    let scenario = Scenario::parse("case.toml", text).unwrap();
    let request = crate::plans::request(&scenario);
    let plan = crate::plans::plan(&request);
    check(&request.problem, &plan);
    (request, plan)
}

fn check(problem: &Problem, plan: &Plan) {
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    let replay = replay(problem, plan, |_, _| {}).unwrap();
    assert!(replay.error < 1e-9, "{:e}", replay.error);
}

fn refused(text: &str) -> String {
    let scenario = Scenario::parse("case.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    scenario.plan(&model).unwrap_err().to_string()
}

/// A parallelogram of bars, turned by its crank.
fn four_bar(gravity: f64, steps: usize) -> String {
    let step = 0.6 / steps as f64;
    format!(
        r#"
        gravity = [0, 0, {gravity}]
        [template.bar]
        density = 1000
        shape = {{ box = [0.2, 0.02, 0.02] }}
        rotation = [0, "-pi/2", 0]
        [body.crank]
        use = "bar"
        position = [0, 0, 0.1]
        [body.rocker]
        use = "bar"
        position = [0.5, 0, 0.1]
        [body.coupler]
        shape = {{ box = [0.5, 0.02, 0.02] }}
        density = 1000
        position = [0.25, 0, 0.2]
        [joint.a]
        kind = "revolute"
        axis = [0, 1, 0]
        at = [0, 0, 0]
        between = ["world", "crank"]
        [joint.b]
        kind = "revolute"
        axis = [0, 1, 0]
        at = [0, 0, 0.2]
        between = ["crank", "coupler"]
        [joint.c]
        kind = "revolute"
        axis = [0, 1, 0]
        at = [0.5, 0, 0.2]
        between = ["coupler", "rocker"]
        [joint.d]
        kind = "revolute"
        axis = [0, 1, 0]
        at = [0.5, 0, 0]
        between = ["world", "rocker"]
        [actuator.motor]
        joint = "a"
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        goal.rest = true
        goal.conditions = [{{ joint = "a", value = 1.0 }}]
        [[phase]]
        steps = {steps}
        step = {step}
        "#
    )
}

/// Without gravity the crank feels a constant inertia: the least effort is 12 (I φ)²/T³.
#[test]
fn loops_are_closed_by_reactions() {
    let bar = 0.08 * (0.2 * 0.2 + 0.02 * 0.02) / 12.0 + 0.08 * 0.1 * 0.1;
    let inertia = 2.0 * bar + 0.2 * 0.2 * 0.2;
    let wanted = 12.0 * inertia * inertia / 0.6_f64.powi(3);
    let off = [20, 40].map(|steps| solved(&four_bar(0.0, steps)).1.objective / wanted - 1.0);
    assert!(off[1].abs() < 1e-3, "{off:?}");
    // Of second order in the step.
    assert!((off[0] / off[1] - 4.0).abs() < 0.4, "{off:?}");
    let (_, plan) = solved(&four_bar(-9.81, 30));
    let coupler = plan.poses[30][2];
    assert!(
        (coupler.directors[(0, 0)] - 1.0).abs() < 1e-9,
        "it stays level"
    );
    // The plan is where its own multipliers are: nothing is left to do.
    let (request, plan) = solved(&four_bar(-9.81, 30));
    let again = solve(
        &request.problem,
        &plan.to_guess(),
        &Settings::default(),
        &InteriorPoint,
        None,
    );
    assert!(again.unwrap().iterations <= 3);
}

const PARTICLE: &str = r#"
    [body.p]
    kind = "particle"
    mass = 2
    [phase_]
"#;

/// A particle of 2 kg on a line, with more of `[optimise]`.
fn particle(more: &str, steps: usize) -> String {
    let head = PARTICLE.replace("[phase_]", "");
    let step = 1.0 / steps as f64;
    format!(
        "{head}\n[optimise]\ncontrols.p = {{ force = [\"free\", 0, 0] }}\n{more}\n[[phase]]\nsteps = {steps}\nstep = {step}\n"
    )
}

/// Effort against a final cost is a least-squares problem: w/(1 + w Σ c²/h) with x_N = Σ c τ.
#[test]
fn final_costs_are_expressions() {
    let more =
        "minimise = [{ effort = 1.0 }, { final = \"(p.x - 1)^2\", weight = 100 }]\ngoal.p = {}";
    let (_, plan) = solved(&particle(more, 20));
    let (n, h, mass) = (20, 0.05, 2.0);
    let c = |k: usize| h * h * (2.0 * (n - k) as f64 - 1.0) / (2.0 * mass);
    let sum: f64 = (0..n).map(|k| c(k) * c(k)).sum();
    let wanted = 100.0 / (1.0 + 100.0 * sum / h);
    assert!(
        (plan.objective - wanted).abs() < 1e-9 * wanted,
        "{}",
        plan.objective
    );
}

/// A running cost without any other is brought to what it asks for, where it can be.
#[test]
fn what_is_tracked_is_followed() {
    let track = "minimise = [{ track = { body = \"p\", position = [\"0.5*t^2\", 0, 0] } }, { effort = 1e-9 }]\ngoal.p = {}";
    let (_, plan) = solved(&particle(track, 20));
    let (_, same) = solved(&particle(
        &track.replace(
            "track = { body = \"p\", position = [\"0.5*t^2\", 0, 0] }",
            "running = \"(p.x - 0.5*t^2)^2 + p.y^2 + p.z^2\"",
        ),
        20,
    ));
    assert!((plan.objective - same.objective).abs() < 1e-12);
    for (k, poses) in plan.poses.iter().enumerate() {
        let t = 0.05 * k as f64;
        assert!((poses[0].position.x - 0.5 * t * t).abs() < 1e-3, "{k}");
    }
}

#[test]
fn velocities_and_rates_have_bounds_and_ways_have_places() {
    let goal = "minimise = [{ effort = 1.0 }]\ngoal.p = { position = [1, 0, 0], rest = true }";
    let speed = |plan: &Plan| {
        let step = |w: &[Vec<carom::Pose>]| (w[1][0].position - w[0][0].position).x / 0.05;
        plan.poses.windows(2).map(step).fold(0.0, f64::max)
    };
    let (_, free) = solved(&particle(goal, 20));
    assert!(speed(&free) > 1.4);
    let bound = format!("{goal}\npath = [{{ velocity = [[-1.2, 1.2], 0, 0], of = \"p\" }}]");
    let (_, slow) = solved(&particle(&bound, 20));
    assert!(speed(&slow) < 1.2 + 1e-8 && slow.objective > free.objective);
    assert!(
        slow.active.iter().any(|(what, _)| what.starts_with("p.vx")),
        "{:?}",
        slow.active
    );
    let same = format!("{goal}\npath = [{{ expression = \"p.vx^2\", most = 1.44 }}]");
    let (_, other) = solved(&particle(&same, 20));
    assert!((other.objective - slow.objective).abs() < 1e-6 * slow.objective);
    // Controls that change by no more than this from step to step.
    let rate = format!("{goal}\npath = [{{ control = \"p.fx\", rate = 50 }}]");
    let (_, smooth) = solved(&particle(&rate, 20));
    let jump = |w: &[Vec<f64>]| (w[1][0] - w[0][0]).abs() / 0.05;
    assert!(smooth.controls.windows(2).map(jump).fold(0.0, f64::max) < 50.0 + 1e-6);
    // A place on the way, by time or by node.
    let via = format!("{goal}\nvia = [{{ time = 0.25, p = {{ position = [0.6, 0, 0] }} }}]");
    let (_, plan) = solved(&particle(&via, 20));
    assert!((plan.poses[5][0].position.x - 0.6).abs() < 1e-9);
    // A time that is rounded is that of its node.
    solved(&particle(&via.replace("0.25", "0.25002"), 20));
    let (_, node) = solved(&particle(&via.replace("time = 0.25", "node = 5"), 20));
    assert!((plan.objective - node.objective).abs() < 1e-9 * plan.objective);
}

#[test]
fn mistakes_in_expressions_are_told_at_their_place() {
    let of = |text: &str| {
        refused(&particle(
            &format!("minimise = [{{ running = \"{text}\" }}]\ngoal.p = {{}}"),
            20,
        ))
    };
    let error = of("(p.xx - 1)^2");
    assert!(
        error.contains("unknown name `p.xx`") && error.contains("did you mean `p."),
        "{error}"
    );
    let goal = "minimise = [{ effort = 1 }]\ngoal.p = {}\n";
    let off = refused(&particle(
        &format!("{goal}via = [{{ time = 0.26, p = {{ position = [0, 0, 0] }} }}]"),
        20,
    ));
    assert!(off.contains("not a node") && off.contains("0.25"), "{off}");
    let empty = refused(&particle(
        &format!("{goal}path = [{{ expression = \"p.x\" }}]"),
        20,
    ));
    assert!(empty.contains("no bounds"), "{empty}");
}

/// A tool at the end of an arm has a pose of its own; phases have conditions of their own.
#[test]
fn tools_reach_their_poses() {
    let arm = r#"
        [template.link]
        density = 1000
        shape = { box = [0.5, 0.05, 0.05] }
        [body.upper]
        use = "link"
        position = [0.25, 0, 0]
        [body.fore]
        use = "link"
        position = [0.75, 0, 0]
        [body.hand]
        shape = { box = [0.2, 0.05, 0.05] }
        density = 1000
        position = [1.1, 0, 0]
        [joint.s]
        kind = "revolute"
        between = ["world", "upper"]
        at = [0, 0, 0]
        axis = [0, 1, 0]
        [joint.e]
        kind = "revolute"
        between = ["upper", "fore"]
        at = [0.5, 0, 0]
        axis = [0, 1, 0]
        [joint.w]
        kind = "revolute"
        between = ["fore", "hand"]
        at = [1.0, 0, 0]
        axis = [0, 1, 0]
        [actuator.ms]
        joint = "s"
        [actuator.me]
        joint = "e"
        [actuator.mw]
        joint = "w"
        [optimise]
        minimise = [{ effort = 1.0 }]
        goal.rest = true
        goal.hand = { position = [0.6, "free", 0.5], rotation = [0, 0, 0], tool = { at = [0.1, 0, 0], rotation = [0, 0.3, 0] } }
        path = [{ joint = "w", rate = 3 }]
        [[phase]]
        steps = 20
        step = 0.05
        path = [{ joint = "s", range = [-2, 0.05] }]
        [[phase]]
        steps = 10
        step = 0.05
    "#;
    let (_, plan) = solved(arm);
    let hand = plan.poses[30][2];
    let tip = hand.point(&Vector3::new(0.1, 0.0, 0.0));
    assert!(
        (tip.x - 0.6).abs() < 1e-9 && (tip.z - 0.5).abs() < 1e-9,
        "{tip}"
    );
    // The tool is turned by 0.3 in the hand, and level: the hand is turned by -0.3.
    assert!((hand.directors[(0, 2)] + 0.3_f64.sin()).abs() < 1e-9);
}

/// V = ½ k |x|² + ¼ c |x|⁴ of a particle.
struct Well([BodyId; 1]);

impl UserPotential for Well {
    fn bodies(&self) -> &[BodyId] {
        &self.0
    }
    fn value(&self, q: &[f64]) -> f64 {
        let r = q.iter().map(|v| v * v).sum::<f64>();
        1.5 * r + 2.0 * r * r
    }
    fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        let r = q.iter().map(|v| v * v).sum::<f64>();
        let pairs = gradient.iter_mut().zip(q);
        pairs.for_each(|(g, v)| *g = (3.0 + 8.0 * r) * v);
    }
    fn hessian(&self, q: &[f64], hessian: &mut DMatrix<f64>) {
        let r = q.iter().map(|v| v * v).sum::<f64>();
        for i in 0..3 {
            for j in 0..3 {
                let own = if i == j { 3.0 + 8.0 * r } else { 0.0 };
                hessian[(i, j)] = own + 16.0 * q[i] * q[j];
            }
        }
    }
}

#[test]
fn dampers_and_potentials_of_ones_own_can_be_planned() {
    let mut b = ModelBuilder::new();
    let p = b.body(BodySpec::particle("p", 1.0).position(Vector3::new(0.5, 0.0, 0.0)));
    b.wrench("push", p, Vector3::zeros(), Frame::Inertial, vec![]);
    b.potential(Arc::new(Well([p])));
    b.damper(
        "d",
        (None, Vector3::new(0.0, 0.0, 1.0)),
        (Some(p), Vector3::zeros()),
        2.0,
    );
    b.spring(
        "s",
        (None, Vector3::new(0.0, 1.0, 1.0)),
        (Some(p), Vector3::zeros()),
        4.0,
        0.5,
    );
    let model = Arc::new(b.build().unwrap());
    let phase = Phase {
        steps: 25,
        step: 0.04,
        time_scale: [0.5, 2.0],
        ..Phase::default()
    };
    let weights = (0..model.controls()).map(|k| f64::from(k < 3)).collect();
    let problem = Problem {
        minimise: vec![Term::Effort { weights }, Term::Time { weight: 1.0 }],
        start: Boundary {
            conditions: vec![Condition::AsBuilt],
            motions: vec![Motion::rest(p)],
        },
        goal: Boundary {
            conditions: vec![Condition::at(p, &Vector3::new(-0.5, 0.2, 0.1))],
            motions: vec![Motion::rest(p)],
        },
        ..Problem::new(model, vec![phase])
    };
    let guess = Guess::straight(&problem).unwrap();
    let plan = solve(&problem, &guess, &Settings::default(), &InteriorPoint, None).unwrap();
    check(&problem, &plan);
    // Exact second derivatives: Newton's method is quick.
    assert!(plan.iterations < 30, "{}", plan.iterations);
}

/// Poses that differ by round-off are the same: what does not turn is not measured in 1e-16 rad.
#[test]
fn round_off_is_no_motion() {
    let text = r#"
        [body.b]
        shape = { box = [0.15, 0.1, 0.1] }
        mass = 1
        position = [-0.809016994375, -0.587785252292, 0.04]
        rotation = [0, 0, 3.769911184308]
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.b = "all"
        goal.b = { position = [0.809016994375, 0.587785252292, 0.04], rotation = [0, 0, 3.769911184308], rest = true }
        [[phase]]
        steps = 30
        step = 0.1
    "#;
    let (_, plan) = solved(text);
    assert!(plan.iterations <= 3, "{}", plan.iterations);
}

/// Two bodies that meet in the middle go round each other.
#[test]
fn bodies_that_swap_places_go_round_each_other() {
    let mut text = String::from("[template.b]\nshape = { box = [0.15, 0.1, 0.1] }\nmass = 1\n");
    let place = |k: usize| {
        let angle = std::f64::consts::PI * k as f64;
        format!("[{:?}, {:?}, 0]", angle.cos(), angle.sin())
    };
    for k in 0..2 {
        text += &format!("[body.b{k}]\nuse = \"b\"\nposition = {}\n", place(k));
    }
    text += "[optimise]\nminimise = [{ effort = 1.0 }]\navoid = true\n";
    for k in 0..2 {
        let goal = place(k + 1);
        text += &format!(
            "controls.b{k} = \"all\"\ngoal.b{k} = {{ position = {goal}, rotation = [0, 0, 0], rest = true }}\n"
        );
    }
    text += "[[phase]]\nsteps = 8\nstep = 0.375\n";
    let (_, plan) = solved(&text);
    assert!(plan.overlap < 1e-7, "{:e}", plan.overlap);
}

/// Two links that hang on each other; what is asked of them comes at the end.
fn two_links(asked: &str, steps: usize) -> String {
    let step = 1.2 / steps as f64;
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.upper]
        shape = {{ box = [0.5, 0.05, 0.05] }}
        mass = 1
        position = [0.25, 0, 0]
        [body.fore]
        shape = {{ box = [0.5, 0.05, 0.05] }}
        mass = 1
        position = [0.75, 0, 0]
        [joint.shoulder]
        kind = "revolute"
        between = ["world", "upper"]
        at = [0, 0, 0]
        axis = [0, 1, 0]
        [joint.elbow]
        kind = "revolute"
        between = ["upper", "fore"]
        at = [0.5, 0, 0]
        axis = [0, 1, 0]
        [actuator.m1]
        joint = "shoulder"
        [actuator.m2]
        joint = "elbow"
        [optimise]
        minimise = [{{ effort = 1 }}]
        {asked}
        [[phase]]
        steps = {steps}
        step = {step}
        "#
    )
}

/// Velocities of bodies at the end.
fn last_twists(request: &PlanRequest, plan: &Plan) -> Vec<carom::mechanics::Twist> {
    let poses = plan.poses.last().unwrap();
    carom::mechanics::twists(&request.problem.model, poses, plan.rates.last().unwrap())
}

#[test]
fn one_of_several_bodies_ends_with_a_velocity() {
    let (request, plan) = solved(&two_links("goal.fore = { velocity = [0.2, 0, 0.5] }", 60));
    let twist = last_twists(&request, &plan)[1];
    assert!(
        (twist.v - Vector3::new(0.2, 0.0, 0.5)).norm() < 1e-8,
        "{twist:?}"
    );
    // Ranges, of both of them.
    let asked = "goal.fore = { angular_velocity = [\"free\", -1.5, \"free\"] }
        goal.upper = { velocity = [\"free\", \"free\", [0.1, 0.2]] }";
    let (request, plan) = solved(&two_links(asked, 60));
    let [upper, fore] = last_twists(&request, &plan)[..] else {
        panic!("two bodies");
    };
    assert!((fore.w.y + 1.5).abs() < 1e-8, "{fore:?}");
    assert!(
        upper.v.z > 0.1 - 1e-8 && upper.v.z < 0.2 + 1e-8,
        "{upper:?}"
    );
    let said = two_links("goal.fore = { velocity = [0.2, 0.4, 0.5] }", 60);
    let told = refused(&said);
    assert!(told.contains("which its joints do not allow"), "{told}");
}

#[test]
fn orientations_have_ranges_by_component() {
    let text = |asked: &str| {
        format!(
            r#"
            [body.box]
            shape = {{ cube = 0.2 }}
            mass = 1
            [optimise]
            minimise = [{{ effort = 1 }}]
            controls.box = "all"
            goal.rest = true
            {asked}
            [[phase]]
            steps = 20
            step = 0.05
            "#
        )
    };
    let range = "[0.1, \"free\", [0.7, 1.0]]";
    for asked in [
        format!("goal.box.rotation = {range}"),
        format!("goal.conditions = [{{ orientation = {range}, of = \"box\" }}]"),
    ] {
        let (_, plan) = solved(&text(&asked));
        let turned = carom::mechanics::log(&plan.poses.last().unwrap()[0].directors);
        assert!((turned.x - 0.1).abs() < 1e-8, "{turned:?}");
        assert!((turned.z - 0.7).abs() < 1e-6, "{turned:?}");
        // Nothing asks for more than it takes.
        assert!(turned.y.abs() < 0.1, "{turned:?}");
    }
}

#[test]
fn costs_lead_without_a_goal() {
    let (_, plan) = solved(
        r#"
        [body.bead]
        kind = "particle"
        mass = 1
        [optimise]
        minimise = [{ effort = 1e-6 }, { track = { body = "bead", position = ["t^2", 0, 0] }, weight = 1 }]
        controls.bead = "all"
        [[phase]]
        steps = 20
        step = 0.05
        "#,
    );
    assert!((plan.poses[10][0].position.x - 0.25).abs() < 1e-2);
}
