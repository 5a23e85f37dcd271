//! Plans whose ends are to be found: periodic boundaries, free starts, free parameters.

use std::sync::Arc;

use carom::optimise::{OptimiseError, Plan, Status, replay};
use carom::scenario::Scenario;
use nalgebra::{DMatrix, DVector};

/// The plan of a scenario, solved and replayed.
fn planned(text: &str) -> Plan {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let request = scenario.plan(&model).unwrap();
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.reasons);
    let replay = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replay.error < 1e-8, "{}", replay.error);
    plan
}

/// What reading or solving a scenario complains of.
fn complaint(text: &str) -> String {
    let scenario = match Scenario::parse("test.toml", text) {
        Ok(scenario) => scenario,
        Err(error) => return error.to_string(),
    };
    let model = Arc::new(scenario.build().unwrap());
    match scenario.plan(&model) {
        Err(error) => error.to_string(),
        Ok(request) => match request.solve() {
            Err(OptimiseError::Contradiction { what }) => what,
            Err(error) => error.to_string(),
            Ok(plan) => panic!("{:?}", plan.status),
        },
    }
}

const BEAD: &str = r#"
    [body.bead]
    kind = "particle"
    mass = 2
    [optimise]
    minimise = [{ effort = 1.0 }]
    controls.bead = { force = "free" }
"#;

const STEPS: &str = "
    [[phase]]
    steps = 12
    step = 0.1
";

/// Least effort of a bead of mass m that is at given places at given nodes and repeats itself: the same
/// balances of momentum, as one linear system.
fn periodic_effort(m: f64, h: f64, n: usize, places: &[(usize, f64)]) -> f64 {
    // Unknowns: x₀ … x_{n−1} (x_n = x₀), f₀ … f_{n−1}; then multipliers of n balances and the places.
    let rows = n + places.len();
    let size = 2 * n + rows;
    let mut kkt = DMatrix::zeros(size, size);
    let mut right = DVector::zeros(size);
    for k in 0..n {
        kkt[(n + k, n + k)] = 2.0 * h;
        let row = 2 * n + k;
        let (before, after) = ((k + n - 1) % n, (k + 1) % n);
        let mut entry = |column: usize, v: f64| {
            kkt[(row, column)] += v;
            kkt[(column, row)] += v;
        };
        // m (x_{k+1} − 2 x_k + x_{k−1})/h = h (f_{k−1} + f_k)/2
        entry(after, m / h);
        entry(k, -2.0 * m / h);
        entry(before, m / h);
        entry(n + before, -0.5 * h);
        entry(n + k, -0.5 * h);
    }
    for (r, (node, place)) in places.iter().enumerate() {
        let row = 3 * n + r;
        kkt[(row, *node)] = 1.0;
        kkt[(*node, row)] = 1.0;
        right[row] = *place;
    }
    let solved = kkt.svd(true, true).solve(&right, 1e-12).unwrap();
    (0..n).map(|k| h * solved[n + k].powi(2)).sum()
}

#[test]
fn a_bead_repeats_its_way_as_a_linear_system_says() {
    let plan = planned(&format!(
        "{BEAD}
        start = \"free\"
        periodic = true
        via = [
          {{ node = 2, bead = {{ position = [0.3, 0, 0] }} }},
          {{ node = 5, bead = {{ position = [1.0, 0, 0] }} }},
          {{ node = 9, bead = {{ position = [-0.4, 0, 0] }} }},
        ]
        {STEPS}"
    ));
    let exact = periodic_effort(2.0, 0.1, 12, &[(2, 0.3), (5, 1.0), (9, -0.4)]);
    assert!(
        (plan.objective / exact - 1.0).abs() < 1e-9,
        "{} {exact}",
        plan.objective
    );
    let (first, last) = (&plan.poses[0][0], &plan.poses[12][0]);
    assert!((first.position - last.position).norm() < 1e-10);
    assert!((plan.rates[0][0] - plan.rates[12][0]).abs() < 1e-9);
    assert!(plan.rates[0][0].abs() > 0.1);
}

#[test]
fn a_gait_ends_shifted_and_turned_back() {
    // A rigid body that must go up on the way, somewhere along x within a range.
    let plan = planned(
        r#"
        gravity = [0, 0, -9.81]
        [body.box]
        shape = { box = [0.3, 0.2, 0.1] }
        mass = 2
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.box = "all"
        start = { free = true, conditions = [{ position = [0, 0, 0], of = "box" }] }
        periodic = [{ body = "box", shift = [[0.5, 2], 0, 0] }]
        via = [{ node = 10, box = { position = ["free", "free", 0.4], rotation = [0, 0.5, 0.3] } }]
        [[phase]]
        steps = 20
        step = 0.05
        "#,
    );
    let (first, last) = (&plan.poses[0][0], &plan.poses[20][0]);
    let moved = last.position - first.position;
    assert!((0.5 - 1e-8..=2.0 + 1e-8).contains(&moved.x), "{}", moved.x);
    assert!(moved.y.abs() < 1e-8 && moved.z.abs() < 1e-8);
    assert!((first.directors - last.directors).abs().max() < 1e-8);
    for (a, b) in plan.rates[0].iter().zip(&plan.rates[20]) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

const ARM: &str = r#"
    gravity = [0, 0, -9.81]
    [body.upper]
    shape = { box = [0.1, 0.1, 1] }
    mass = 1
    position = [0, 0, -0.5]
    [body.lower]
    shape = { box = [0.1, 0.1, 1] }
    mass = 1
    position = [0, 0, -1.5]
    [joint.shoulder]
    kind = "revolute"
    between = ["world", "upper"]
    at = [0, 0, 0]
    axis = [0, 1, 0]
    [joint.elbow]
    kind = "revolute"
    between = ["upper", "lower"]
    at = [0, 0, -1]
    axis = [0, 1, 0]
    limits = [-0.4, 0.4]
    [actuator.motor]
    joint = "shoulder"
    [actuator.other]
    joint = "elbow"
    [optimise]
    minimise = [{ effort = 1.0 }]
"#;

#[test]
fn joints_start_within_ranges_and_limits() {
    let plan = planned(&format!(
        "{ARM}
        start.joints = {{ shoulder = [0.1, 0.5], elbow = {{ value = \"free\", rate = [0.3, 2] }} }}
        goal.joints = {{ shoulder = {{ value = 0.8, rate = 0 }}, elbow = {{ rate = 0 }} }}
        [[phase]]
        steps = 20
        step = 0.04
        "
    ));
    let value = |node: usize, body: usize| {
        let d = plan.poses[node][body].directors;
        d[(0, 2)].atan2(d[(2, 2)])
    };
    let shoulder = value(0, 0);
    let elbow = value(0, 1) - shoulder;
    assert!((0.1 - 1e-8..=0.5 + 1e-8).contains(&shoulder), "{shoulder}");
    assert!(elbow.abs() <= 0.4 + 1e-8, "{elbow}");
    assert!(plan.rates[0][1] >= 0.3 - 1e-8 && plan.rates[0][1] <= 2.0 + 1e-8);
    assert!((value(20, 0) - 0.8).abs() < 1e-8);
    assert!(plan.rates[20].iter().all(|r| r.abs() < 1e-8));
}

#[test]
fn legs_exchange_their_places() {
    // Half a cycle: each joint ends where the other one began.
    let plan = planned(&format!(
        "{ARM}
        start = \"free\"
        periodic = [{{ joint = \"shoulder\", like = \"elbow\" }}, {{ joint = \"elbow\", like = \"shoulder\" }}]
        via = [{{ node = 10, conditions = [{{ joint = \"shoulder\", value = 0.3 }}] }}]
        [[phase]]
        steps = 20
        step = 0.04
        "
    ));
    let (a, b) = (&plan.rates[0], &plan.rates[20]);
    assert!((a[0] - b[1]).abs() < 1e-8 && (a[1] - b[0]).abs() < 1e-8);
}

#[test]
fn a_stiffness_is_found_that_needs_no_force() {
    let (m, h, n) = (2.0_f64, 0.05_f64, 20);
    let plan = planned(
        r#"
        [parameters]
        k = 10
        [body.bead]
        kind = "particle"
        mass = 2
        position = [1.5, 0, 0]
        [spring.s]
        between = ["bead", [0, 0, 0]]
        stiffness = "k"
        rest_length = 1
        [optimise]
        minimise = [{ effort = 1.0 }]
        parameters.k = [1, 100]
        controls.bead = { force = "free" }
        goal.bead = { position = [0.5, 0, 0], rest = true }
        [[phase]]
        steps = 20
        step = 0.05
        "#,
    );
    // Half a swing of the discrete oscillator: tan²(ω h/2) = h² k/(4 m) with ω = π/T.
    let exact = 4.0 * m / (h * h) * (std::f64::consts::PI / (2.0 * f64::from(n))).tan().powi(2);
    assert_eq!(plan.parameters[0].0, "k");
    assert!(
        (plan.parameters[0].1 / exact - 1.0).abs() < 1e-4,
        "{:?} {exact}",
        plan.parameters
    );
    assert!(plan.objective < 1e-6);
}

#[test]
fn a_mass_is_found_that_a_cost_asks_for() {
    let plan = planned(
        r#"
        [parameters]
        m = 1.5
        [body.box]
        shape = { cube = 0.2 }
        mass = "m"
        [optimise]
        minimise = [{ effort = 1.0 }, { final = "-96*m" }]
        parameters.m = [0.5, 8]
        controls.box = "all"
        goal.box = { position = [1, 0, 0], rotation = [0, 0, 0], rest = true }
        [[phase]]
        steps = 20
        step = 0.05
        "#,
    );
    // J = c m² − 96 m with c near 12: J = −48 m at the least.
    let m = plan.parameters[0].1;
    assert!((m - 4.0).abs() < 0.1, "{m}");
    assert!(
        (plan.objective + 48.0 * m).abs() < 1e-5,
        "{}",
        plan.objective
    );
}

/// A bob that turns a quarter about a hinge: what that costs is in proportion to the square of I = J + m L².
#[test]
fn a_length_is_found_that_a_cost_asks_for() {
    let arm = |length: &str, more: &str| {
        format!(
            r#"
            [parameters]
            L = 0.5
            [body.bob]
            shape = {{ cube = 0.1 }}
            mass = 1
            position = ["{length}", 0, 0]
            [joint.hinge]
            kind = "revolute"
            between = ["world", "bob"]
            at = [0, 0, 0]
            axis = [0, 0, 1]
            [actuator.motor]
            joint = "hinge"
            [optimise]
            minimise = [{{ effort = 1 }}{more}
            goal = {{ rest = true, joints.hinge = "pi/2" }}
            [[phase]]
            steps = 20
            step = 0.05
            "#
        )
    };
    let inertia = |length: f64| 0.01 / 6.0 + length * length;
    let fixed = planned(&arm("0.5", "]"));
    let effort = fixed.objective / inertia(0.5).powi(2);
    let wanted = 0.6;
    let price = 4.0 * effort * inertia(wanted) * wanted;
    let cost = format!(", {{ final = \"-{price:.17}*bob.y\" }}]\nparameters.L = [0.3, 0.9]");
    let plan = planned(&arm("L", &cost));
    let length = plan.parameters[0].1;
    assert!((length - wanted).abs() < 1e-6, "{length}");
    let exact = effort * inertia(wanted).powi(2) - price * wanted;
    assert!(
        (plan.objective / exact - 1.0).abs() < 1e-9,
        "{}",
        plan.objective
    );
}

#[test]
fn what_cannot_be_is_said() {
    let cases = [
        (
            format!(
                "{BEAD}
                periodic = true
                goal.bead = {{ position = [1, 0, 0] }}
                {STEPS}"
            ),
            "1.000000 apart",
        ),
        (
            format!("{BEAD} periodic = [{{ body = \"bad\" }}]\n{STEPS}"),
            "there is no body `bad`",
        ),
        (
            format!("{BEAD} periodic = [{{ body = \"bead\", shift = [1, 0] }}]\n{STEPS}"),
            "components",
        ),
        (
            format!("{BEAD} periodic = [{{ body = \"bead\" }}, {{ body = \"bead\" }}]\n{STEPS}"),
            "twice",
        ),
        (
            format!("{BEAD} start = \"anywhere\"\ngoal.rest = true\n{STEPS}"),
            "is not a start",
        ),
        (
            format!("{ARM} periodic = [{{ body = \"lower\" }}]\n{STEPS}"),
            "is moved by a joint",
        ),
        (
            format!("{ARM} start.joints.knee = 1\ngoal.rest = true\n{STEPS}"),
            "there is no joint `knee`",
        ),
        (
            format!("{ARM} start.joints.elbow = [1, 2]\ngoal.rest = true\n{STEPS}"),
            "outside its limits",
        ),
        (
            format!("{BEAD} goal.rest = true\nparameters.k = [1, 2]\n{STEPS}"),
            "there is no parameter `k`",
        ),
        (
            format!("[parameters]\nk = 5\n{BEAD} goal.rest = true\nparameters.k = [1, 2]\n{STEPS}"),
            "outside of this range",
        ),
        (
            format!(
                "[parameters]\nk = 1.5\n{BEAD} goal.rest = true\nparameters.k = [1, 2]\n{STEPS}"
            ),
            "changes nothing",
        ),
        (
            format!(
                "[parameters]\nk = 1.5\n{BEAD} goal.bead = {{ position = [\"k\", 0, 0] }}\n\
                 parameters.k = [1, 2]\n{STEPS}"
            ),
            "cannot be used here",
        ),
        (
            format!(
                "[parameters]\nk = 1.5\n{}goal.rest = true\nparameters.k = [1, 2]\n{STEPS}",
                BEAD.replace("mass = 2", "mass = \"exp(k)\"")
            ),
            "no polynomial",
        ),
        (
            format!(
                "[parameters]\nk = 1.5\nl = 1.2\n{}goal.rest = true\nparameters = {{ k = [1, 2], l = [1, 2] }}\n\
                 {STEPS}",
                BEAD.replace("mass = 2", "mass = \"k*l\"")
            ),
            "multiply each other",
        ),
    ];
    for (text, words) in cases {
        let said = complaint(&text);
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// A trolley with a load, from rest to rest.
const CRANE: &str = r#"
    gravity = [0, 0, -9.81]
    [linkage.crane]
    coordinates.x = { start = 0.5 }
    coordinates.sway = { start = 0.1, limits = [-0.5, 0.5] }
    links.trolley = { slide = [1, 0], by = "x", mass = 2 }
    links.rope = { arm = 1, by = "sway", from = "trolley", offset = "-pi/2", mass = 0.5 }
    [actuator.motor]
    linkage = "crane"
    coordinate = "x"
    [optimise]
    minimise = [{ effort = 1.0 }]
    goal = { rest = true, conditions = [{ joint = "crane.x", value = 1.5 }, { joint = "crane.sway", value = 0 }] }
    [[phase]]
    steps = 30
    step = 0.05
"#;

#[test]
fn linkages_are_planned_as_bodies_and_joints() {
    let plan = planned(CRANE);
    let (trolley, load) = (&plan.poses[30][0], &plan.poses[30][1]);
    assert!(
        (trolley.position.x - 1.5).abs() < 1e-9,
        "{}",
        trolley.position
    );
    assert!((load.position - trolley.position + nalgebra::Vector3::z()).norm() < 1e-9);
    // The same of bodies that are nearly points.
    let twin = planned(
        r#"
        gravity = [0, 0, -9.81]
        [body.trolley]
        mass = 2
        inertia = [1e-9, 1e-9, 1e-9]
        position = [0.5, 0, 0]
        [body.load]
        mass = 0.5
        inertia = [1e-9, 1e-9, 1e-9]
        position = ["0.5 + sin(0.1)", 0, "-cos(0.1)"]
        [joint.x]
        kind = "prismatic"
        between = ["world", "trolley"]
        at = [0.5, 0, 0]
        axis = [1, 0, 0]
        [joint.sway]
        kind = "revolute"
        between = ["trolley", "load"]
        at = [0.5, 0, 0]
        axis = [0, -1, 0]
        [actuator.motor]
        joint = "x"
        [optimise]
        minimise = [{ effort = 1.0 }]
        goal = { rest = true, conditions = [{ joint = "x", value = 1 }, { joint = "sway", value = -0.1 }] }
        [[phase]]
        steps = 30
        step = 0.05
        "#,
    );
    let off = plan.objective / twin.objective - 1.0;
    assert!(off.abs() < 1e-6, "{} {}", plan.objective, twin.objective);
}

#[test]
fn linkages_that_are_no_joints_are_refused() {
    let scenario = |text: &str| Scenario::parse("test.toml", text).unwrap();
    let absolute = CRANE.replace(
        "[actuator.motor]",
        "coordinates.tip = {}\nlinks.end = { arm = 1, by = \"tip\", from = \"rope\", mass = 1 }\n\
         [actuator.motor]",
    );
    let error = scenario(&absolute).build().unwrap_err().to_string();
    assert!(error.contains("relative = true"), "{error}");
    let shared = CRANE.replace("by = \"sway\"", "by = \"x\"");
    let error = scenario(&shared).build().unwrap_err().to_string();
    assert!(error.contains("follow one coordinate"), "{error}");
}

/// A receding horizon: each problem begins where the last plan has got to, pushed aside a little.
#[test]
fn a_horizon_recedes() {
    let text = format!(
        "{ARM}
        goal = {{}}
        [[phase]]
        steps = 20
        step = 0.04
        "
    );
    let text = text.replace(
        "minimise = [{ effort = 1.0 }]",
        "minimise = [{ effort = 0.01 }, { running = \"(shoulder.q - 0.3)^2 + elbow.q^2 + 0.1*shoulder.rate^2\" }]",
    );
    let scenario = Scenario::parse("test.toml", &text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let mut request = scenario.plan(&model).unwrap();
    let mut plan = request.solve().unwrap();
    for k in 0..4 {
        assert_eq!(plan.status, Status::Solved);
        let rates: Vec<f64> = plan.rates[1]
            .iter()
            .map(|r| r + 0.02 * f64::from(k))
            .collect();
        request.problem = request.problem.begun(&plan.poses[1], &rates);
        let start = plan.poses[1].clone();
        request.guess = plan.to_guess().shifted(1);
        plan = request.solve().unwrap();
        // Where it is asked to begin, with these velocities.
        let off = (plan.poses[0][1].position - start[1].position).norm();
        assert!(off < 1e-9, "{off}");
        for (a, b) in plan.rates[0].iter().zip(&rates) {
            assert!((a - b).abs() < 1e-8, "{a} {b}");
        }
        // The same plan as from a guess that stays.
        let mut cold = request.clone();
        cold.guess.known = None;
        cold.guess.poses = vec![start; 21];
        cold.guess
            .controls
            .iter_mut()
            .flatten()
            .for_each(|t| *t = 0.0);
        let cold = cold.solve().unwrap();
        assert!((plan.objective - cold.objective).abs() < 1e-8 * (1.0 + cold.objective));
        assert!(plan.iterations <= 8, "{}", plan.iterations);
    }
}

/// A satellite stops turning at a given angle; its wheel, of which nothing is said, takes all of its angular momentum.
#[test]
fn a_wheel_takes_what_its_satellite_gives() {
    let text = r#"
        [body.base]
        shape = { box = [0.3, 0.3, 0.1] }
        mass = 3
        velocity = [0.1, 0, 0]
        angular_velocity = [0, 0, 0.3]
        [body.wheel]
        shape = { cylinder = { radius = 0.2, height = 0.05 } }
        mass = 2
        position = [0, 0, 0.2]
        [joint.yaw]
        kind = "revolute"
        between = ["base", "wheel"]
        at = [0, 0, 0.1]
        axis = [0, 0, 1]
        [actuator.motor]
        joint = "yaw"
        bounds = [-1, 1]
        [optimise]
        minimise = [{ effort = 1 }]
        goal.base = { rotation_deg = [0, 0, 90], angular_velocity = [0, 0, 0] }
        [[phase]]
        steps = 30
        step = 0.1
    "#;
    let plan = planned(text);
    let rates = plan.rates.last().unwrap();
    // Velocity and angular velocity of the satellite, and the rate of the wheel: with I_base = 3 (0.3² + 0.3²)/12 and
    // I_wheel = 2 · 0.2²/2.
    let (base, wheel) = (0.045, 0.04);
    assert!((rates[0] - 0.1).abs() < 1e-9 && rates[3..6].iter().all(|w| w.abs() < 1e-9));
    assert!(
        (rates[6] - 0.3 * (base + wheel) / wheel).abs() < 1e-9,
        "{rates:?}"
    );
    // What is carried can be given alone, too.
    let other = text.replace(
        "goal.base = { rotation_deg = [0, 0, 90], angular_velocity",
        "goal.base = { rotation_deg = [0, 0, 90] }\ngoal.wheel = { angular_velocity",
    );
    let plan = planned(&other);
    let rates = plan.rates.last().unwrap();
    assert!((rates[5] + rates[6]).abs() < 1e-9, "{rates:?}");
}
