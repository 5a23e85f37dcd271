//! Plans with contacts that close, hold and are let go, and with contact by a potential,
//! against independent solutions (CasADi with IPOPT) and the simulator.

use std::path::Path;
use std::sync::Arc;

use carom::optimise::{InteriorPoint, Plan, Status, Touch, replay, solve};
use carom::scenario::{Options, PlanRequest, Scenario};

fn request(name: &str, set: &[&str]) -> PlanRequest {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let options = Options {
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    let scenario = Scenario::read(&folder.join(format!("{name}.toml")), &options).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    scenario.plan(&model).unwrap()
}

/// Solves a problem and checks that the simulator agrees: contact times to 1e-8, states to 1e-6.
fn planned(request: &PlanRequest) -> Plan {
    let PlanRequest {
        problem,
        guess,
        settings,
    } = request;
    let plan = solve(problem, guess, settings, &InteriorPoint, None).unwrap();
    assert_eq!(plan.status, Status::Solved);
    let replayed = replay(problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-6, "{}", replayed.error);
    assert!(replayed.contact_error < 1e-8, "{}", replayed.contact_error);
    plan
}

fn close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * b.abs()
}

#[test]
fn a_jumper_leaves_the_ground_where_its_push_is_zero() {
    let request = request("jump", &[]);
    let plan = planned(&request);
    assert!(
        close(plan.objective, 9668.965976152, 1e-6),
        "{}",
        plan.objective
    );
    for (a, b) in plan.scales.iter().zip([0.9914430424119948, 1.5]) {
        assert!(close(*a, b, 1e-5), "{:?}", plan.scales);
    }
    assert!(close(plan.time(), 0.34193164651094515, 1e-5));
    let release = &plan.contacts[0];
    assert_eq!((release.kind, release.node), (Touch::Release, 17));
    assert!(close(release.time, 0.2106816465125489, 1e-5));
    // Pushes of the reference are 10.4638 N s at node 1; none at the last node with a reaction.
    let held = &plan.held[0];
    assert_eq!(held.nodes, [0, 17]);
    assert!(
        (held.normal[1] - 10.463760496).abs() < 1e-3,
        "{:?}",
        held.normal
    );
    assert!(held.normal[..16].iter().all(|v| *v > 0.0));
    assert_eq!(held.normal[16], 0.0);
    let torso = request.problem.model.find_body("torso").unwrap();
    let height = plan.poses[24][torso.index()].position.z;
    assert!(height > 1.4 - 1e-8, "{height}");
}

/// With a friction cone the foot pushes off within it, at a price.
#[test]
fn friction_limits_the_jump() {
    let free = planned(&request("jump", &[]));
    let mut limited = request("jump", &[]);
    limited.problem.phases[0].closed[0].friction = Some(0.2);
    let cone = planned(&limited);
    let held = &cone.held[0];
    for (n, t) in held.normal.iter().zip(&held.across) {
        assert!(*t <= 0.2 * n + 1e-7, "{t} beyond {n}");
    }
    let wider = free.held[0].normal.iter().zip(&free.held[0].across);
    assert!(wider.into_iter().any(|(n, t)| *t > 0.2 * n));
    assert!(cone.objective > free.objective);
}

#[test]
fn a_die_shows_the_wanted_face() {
    let request = request("dice", &[]);
    let plan = planned(&request);
    let kinds: Vec<Touch> = plan.contacts.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Touch::Impact, Touch::Impact, Touch::Stick]);
    let up = plan.poses[60][0].directors.column(2).z;
    assert!(up > 0.999, "{up}");
}

#[test]
fn a_soft_wall_pushes_back() {
    let plan = planned(&request("wall-penalty", &[]));
    assert!(
        close(plan.objective, 1.5253101580615067e-7, 1e-6),
        "{}",
        plan.objective
    );
}

fn parsed(text: &str) -> PlanRequest {
    let scenario = Scenario::parse("closed.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    scenario.plan(&model).unwrap()
}

/// A cube that falls on a floor in some position; what is asked of it, and of the contact from then on.
fn landing(rotation: &str, goal: &str, hold: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.cube]
        shape = {{ box = [0.2, 0.2, 0.2] }}
        density = 125
        position = [0, 0, 0.3]
        rotation = {rotation}
        [halfspace.floor]
        normal = [0, 0, 1]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        controls.cube = "all"
        goal.cube = {goal}
        guess = "simulate"
        [[phase]]
        steps = 15
        step = 0.015
        time_scale = [0.2, 3]
        ends = "stick"
        [[phase]]
        closed = [{{ contact = ["cube", "floor"], hold = "{hold}" }}]
        steps = 10
        step = 0.02
        "#
    )
}

/// A corner that slides on the floor without friction.
#[test]
fn a_corner_slides_along_the_floor() {
    let goal = r#"{ position = [0.3, 0, "free"], rest = true }"#;
    let text = landing("[0.6, 0.3, 0]", goal, "slip").replace("steps = 10", "steps = 20");
    let plan = planned(&parsed(&text));
    assert!(plan.held[0].across.iter().all(|v| *v == 0.0));
    assert!(plan.held[0].normal.iter().all(|v| *v >= 0.0));
}

/// A face that lands flat and stays: all its vertices are held, and what holds them is no more than it takes.
#[test]
fn a_face_sticks_where_it_lands() {
    let goal = r#"{ position = [[0.1, 0.5], "free", "free"] }"#;
    let plan = planned(&parsed(&landing("[0, 0, 0]", goal, "patch")));
    let last = plan.poses.len() - 1;
    assert!((plan.poses[last][0].position.z - 0.1).abs() < 1e-9);
    assert!((plan.poses[last][0].position - plan.poses[15][0].position).norm() < 1e-9);
}

/// A face that rebounds with all its vertices at once.
#[test]
fn a_face_rebounds_flat() {
    let goal = r#"{ position = [0.3, 0, 0.25], rotation = [0, 0, 0.5], rest = true }"#;
    let text = landing("[0, 0, 0]", goal, "patch");
    let ends = r#"{ impact = ["cube", "floor"], restitution = 0.6, flat = true }"#;
    let text = text.replace("\"stick\"", ends);
    let closed = r#"closed = [{ contact = ["cube", "floor"], hold = "patch" }]"#;
    let plan = planned(&parsed(&text.replace(closed, "time_scale = [0.2, 3]")));
    assert!(plan.contacts[0].what.contains("vertices"));
}

/// An edge that lands level and stays: the cube turns about it as on a hinge.
#[test]
fn an_edge_sticks_as_a_hinge() {
    let goal = "{ rotation = [0, 0, 0], rest = true }";
    let plan = planned(&parsed(&landing("[0.5, 0, 0]", goal, "patch")));
    assert!(plan.contacts[0].what.starts_with("vertices [0, 1] of cube"));
    let last = plan.poses.len() - 1;
    let corner = |node: usize, x: f64| plan.poses[node][0].point(&[x, -0.1, -0.1].into());
    for x in [-0.1, 0.1] {
        assert!((corner(last, x) - corner(15, x)).norm() < 1e-9);
    }
}

/// A body that is thrown on a floor, what happens there, and what is asked of it afterwards.
struct Throw<'a> {
    shape: &'a str,
    height: f64,
    speed: f64,
    rotation: &'a str,
    /// Steps of each phase.
    steps: usize,
}

const CUBE: &str = "{ box = [0.2, 0.2, 0.2] }";
/// None of its faces are parallel.
const SIMPLEX: &str =
    "{ hull = [[0.2, 0, -0.06], [-0.1, 0.17, -0.06], [-0.1, -0.17, -0.06], [0, 0, 0.18]] }";

impl Throw<'_> {
    fn head(&self, goal: &str) -> String {
        let Throw {
            shape,
            height,
            speed,
            rotation,
            steps,
        } = self;
        format!(
            r#"
            gravity = [0, 0, -9.81]
            [body.cube]
            shape = {shape}
            density = 500
            position = [0, 0, {height}]
            rotation = {rotation}
            velocity = [{speed}, 0, -0.5]
            [halfspace.floor]
            normal = [0, 0, 1]
            [optimise]
            minimise = [{{ effort = 1.0 }}]
            controls.cube = "all"
            goal.cube = {goal}
            guess = "simulate"
            [[phase]]
            steps = {steps}
            step = {}
            time_scale = [0.3, 3]
            "#,
            0.22 / *steps as f64
        )
    }

    fn phase(&self, time: f64) -> String {
        let step = time / self.steps as f64;
        format!(
            "[[phase]]\nsteps = {}\nstep = {step}\ntime_scale = [0.3, 3]\n",
            self.steps
        )
    }

    /// It holds for a phase, and is pushed away again.
    fn held(&self, contact: &str) -> Plan {
        let goal = "{ position = [0.6, 0, 0.4], rest = true }";
        let (head, last) = (self.head(goal), self.phase(0.3));
        let closed = format!("closed = [{{ contact = [\"cube\", \"floor\"], {contact} }}]");
        let middle = format!("{}{closed}\nends = \"release\"\n", self.phase(0.2));
        let between = format!("ends = \"stick\"\n{middle}");
        let plan = planned(&parsed(&format!("{head}{between}{last}")));
        let kinds: Vec<Touch> = plan.contacts.iter().map(|c| c.kind).collect();
        assert_eq!(kinds, [Touch::Stick, Touch::Release]);
        plan
    }

    /// It holds to the end, where the body has come to rest beside it.
    fn stays(&self) {
        let head = self.head("{ position = [0.4, 0, 0.15], rest = true }");
        let closed = "closed = [{ contact = [\"cube\", \"floor\"], hold = \"stick\" }]\n";
        let last = self.phase(0.2);
        planned(&parsed(&format!("{head}ends = \"stick\"\n{last}{closed}")));
    }

    /// It rebounds.
    fn struck(&self, restitution: f64, flat: bool) -> Plan {
        let goal = "{ position = [0.5, 0.1, 0.35], rest = true }";
        let (head, last) = (self.head(goal), self.phase(0.3));
        let ends = format!(
            "ends = {{ impact = [\"cube\", \"floor\"], restitution = {restitution}, flat = {flat} }}\n"
        );
        planned(&parsed(&format!("{head}{ends}{last}")))
    }
}

/// With few steps a corner that lands, sticks and is let go is replayed, too: vertices beside it keep off the floor, on
/// the simulator's way between nodes as well, and what is let go does not come down again.
#[test]
fn corners_stick_on_coarse_grids() {
    for steps in [8, 10, 12] {
        let throw = Throw {
            shape: CUBE,
            height: 0.4,
            speed: 0.5,
            rotation: "[0.5, 0.3, 0]",
            steps,
        };
        throw.held("friction = 0.6");
    }
}

/// A body turns about the corner it came down on, far in every step: the simulator makes these steps in one piece.
#[test]
fn bodies_turn_about_corners_that_stay() {
    let throw = Throw {
        shape: CUBE,
        height: 0.4,
        speed: 0.5,
        rotation: "[0.5, 0.3, 0]",
        steps: 12,
    };
    throw.stays();
}

/// A simplex that comes down in some position, with few steps.
fn simplex(shape: &'static str, height: f64, speed: f64, rotation: &'static str) -> Throw<'static> {
    Throw {
        shape,
        height,
        speed,
        rotation,
        steps: 8,
    }
}

/// A body without parallel faces lands on a vertex, an edge or a face, sticks and is pushed away.
#[test]
fn simplices_stick_at_vertices_edges_and_faces() {
    let regular = "{ tetrahedron = 0.3 }";
    let one = simplex(regular, 0.4, 0.5, "[0.3, 0.2, 0.1]").held("hold = \"stick\"");
    assert!(one.contacts[0].what.starts_with("vertex"));
    let two = simplex(SIMPLEX, 0.35, 0.3, "[0, -0.5, 0]").held("hold = \"patch\"");
    assert!(two.contacts[0].what.starts_with("vertices [1, 2] of cube"));
    let three = simplex(SIMPLEX, 0.3, 0.3, "[0, 0, 0]").held("hold = \"patch\"");
    let what = &three.contacts[0].what;
    assert!(what.starts_with("vertices [0, 1, 2] of cube"), "{what}");
}

/// The same where it rebounds, or strikes without a rebound. It spins before the impact by more than the step after it
/// would bear.
#[test]
fn simplices_rebound_at_vertices_edges_and_faces() {
    for restitution in [0.5, 0.0] {
        simplex(SIMPLEX, 0.35, 0.3, "[0.2, 0.5, 0]").struck(restitution, false);
    }
    simplex(SIMPLEX, 0.35, 0.3, "[0, -0.5, 0]").struck(0.5, true);
    simplex(SIMPLEX, 0.3, 0.3, "[0, 0, 0]").struck(0.5, true);
}

/// A corner that sticks to a cube it pushes along. The cheapest plan turns an edge flat onto that cube, which would push as
/// well in the simulator: the edge is kept away.
#[test]
fn a_corner_sticks_to_a_cube_that_moves() {
    let text = r#"
        format = 1
        [template.cube]
        shape = { box = [0.1, 0.1, 0.1] }
        density = 270
        [body.blue]
        use = "cube"
        rotation = [0, -0.2, -0.5]
        velocity = [0.25, 0, 0]
        [body.green]
        use = "cube"
        position = [0.18, -0.03, -0.03]
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.blue = "all"
        goal.green = { position = [0.3, 0, 0] }
        guess = "simulate"
        [[phase]]
        steps = 6
        step = 0.03
        time_scale = [0.3, 3]
        ends = "stick"
        [[phase]]
        closed = [["blue", "green"]]
        steps = 6
        step = 0.03
        time_scale = [0.3, 3]
        "#;
    let plan = planned(&parsed(text));
    assert!(plan.contacts[0].what.starts_with("vertex 3 of blue"));
    assert!(plan.held[0].normal.iter().all(|v| *v >= 0.0));
}

/// A bar that falls across another one, sticks to it where their edges cross, and what comes then.
fn crossed_bars(goal: &str, gravity: f64, more: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, {gravity}]
        [body.a]
        shape = {{ box = [0.6, 0.1, 0.1] }}
        density = 500
        position = [0, 0, 0.3]
        rotation_deg = [45, 0, 0]
        velocity = [0.2, 0.1, -0.5]
        [body.b]
        shape = {{ box = [0.1, 0.6, 0.1] }}
        kind = "static"
        position = [0.02, 0.01, 0]
        rotation_deg = [0, 45, 0]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        controls.a = {{ force = "free", torque = "free" }}
        goal.a = {goal}
        guess = "simulate"
        [[phase]]
        steps = 12
        step = 0.025
        time_scale = [0.5, 1.5]
        {more}
        "#
    )
}

/// Where a bar crosses another, by the poses of both: the points of their upper and lower edges that are nearest, and how
/// far apart they are.
fn crossing(plan: &Plan, node: usize) -> [f64; 3] {
    let lines = [0, 1].map(|k| {
        let pose = &plan.poses[node][k];
        let (axis, low) = [(0, [0.0, -0.05, -0.05]), (1, [-0.05, 0.0, 0.05])][k];
        let along = pose.directors.column(axis).into_owned();
        (pose.point(&low.into()), along)
    });
    let [(x, e), (y, f)] = lines;
    let (d, c) = (x - y, e.dot(&f));
    let s = (c * f.dot(&d) - e.dot(&d)) / (1.0 - c * c);
    let r = (f.dot(&d) - c * e.dot(&d)) / (1.0 - c * c);
    [s, r, (d + e * s - f * r).norm()]
}

/// Edges that cross stay crossed at one place of each, which is found; the bar turns about it.
#[test]
fn a_bar_turns_about_the_edge_it_sticks_to() {
    let turn = r#"
        [[phase]]
        closed = [["a", "b"]]
        steps = 12
        step = 0.025
        time_scale = [0.5, 1.5]"#;
    let plan = planned(&parsed(&crossed_bars(
        "{ rotation = [1.1, 0.1, 0.2] }",
        0.0,
        turn,
    )));
    let first = crossing(&plan, 12);
    for node in 12..=24 {
        let here = crossing(&plan, node);
        assert!(here[2] < 1e-9, "{here:?}");
        assert!((here[0] - first[0]).abs() < 1e-9, "{here:?} {first:?}");
        assert!((here[1] - first[1]).abs() < 1e-9, "{here:?} {first:?}");
    }
    assert!(plan.held[0].across.iter().any(|v| *v > 1e-6));
}

/// It lets go where it would have to be pulled: along a normal that has turned with both edges.
#[test]
fn a_bar_leaves_the_edge_it_stuck_to() {
    let leap = r#"
        [[phase]]
        closed = [["a", "b"]]
        steps = 12
        step = 0.025
        time_scale = [0.5, 1.5]
        [[phase]]
        steps = 10
        step = 0.025
        time_scale = [0.5, 1.5]"#;
    let goal = "{ position = [0.1, 0.05, 0.4] }";
    let plan = planned(&parsed(&crossed_bars(goal, 0.0, leap)));
    let kinds: Vec<Touch> = plan.contacts.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Touch::Stick, Touch::Release]);
    // Within a cone of friction, and under gravity.
    let cone = leap.replace(
        r#"["a", "b"]"#,
        r#"{ contact = ["a", "b"], friction = 0.5 }"#,
    );
    let plan = planned(&parsed(&crossed_bars(
        "{ position = [0.3, 0.05, 0.3] }",
        -9.81,
        &cone,
    )));
    let held = &plan.held[0];
    for (n, t) in held.normal.iter().zip(&held.across) {
        assert!(*t <= 0.5 * n + 1e-7, "{t} beyond {n}");
    }
}

/// The best way up stretches the leg to its limit at one node: the simulator would rebound from a limit that is reached.
#[test]
fn a_leg_stops_short_of_its_limit() {
    let mut text = String::from("gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n");
    for (name, height, mass, z) in [("foot", 0.05, 0.5, 0.025), ("trunk", 0.2, 3.0, 0.35)] {
        text += &format!(
            "[body.{name}]\nshape = {{ box = [0.2, 0.2, {height}] }}\nmass = {mass}\nposition = [0, 0, {z}]\n"
        );
    }
    text += "[joint.leg]\nkind = \"prismatic\"\nbetween = [\"foot\", \"trunk\"]\nat = [0, 0, 0.1]\n\
             axis = [0, 0, 1]\nlimits = [-0.2, 0.3]\n[actuator.push]\njoint = \"leg\"\n\
             [optimise]\nminimise = [{ effort = 0.001 }]\n\
             goal.conditions = [{ expression = \"trunk.z\", least = 0.9 }]\n\
             [[phase]]\nsteps = 15\nstep = 0.02\ntime_scale = [0.3, 3]\nends = \"release\"\n\
             closed = [{ contact = [\"foot\", \"floor\"], hold = \"patch\" }]\n\
             [[phase]]\nsteps = 20\nstep = 0.02\ntime_scale = [0.3, 3]\n";
    let scenario = Scenario::parse("hop.toml", &text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let plan = planned(&scenario.plan(&model).unwrap());
    let stretched = |poses: &Vec<carom::Pose>| poses[1].position.z - poses[0].position.z - 0.325;
    let most = plan.poses.iter().map(stretched).fold(0.0, f64::max);
    assert!(most > 0.2999 && most < 0.3, "{most}");
}
