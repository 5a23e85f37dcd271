//! Bodies whose motion is given: shakers, turntables, walls that move. Their work is in the ledger.

use carom::scenario::Scenario;
use carom::simulate::Simulation;
use nalgebra::Vector3;

fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap_or_else(|e| panic!("{e}"))
}

fn place(run: &Simulation, name: &str) -> Vector3<f64> {
    let k = run.model().find_body(name).unwrap().index();
    run.state().poses[k].position
}

fn velocity(run: &Simulation, name: &str) -> Vector3<f64> {
    let k = run.model().find_body(name).unwrap().index();
    run.twists()[k].v
}

/// What of the energy nothing explains.
fn unexplained(run: &Simulation) -> f64 {
    let range = &run.ledger().unexplained;
    range.max.abs().max(range.min.abs())
}

#[test]
fn a_ball_leaves_a_moving_wall_at_two_u_minus_v() {
    for law in ["exact", "decomposition"] {
        for shape in ["sphere = 0.1", "box = [0.2, 0.2, 0.2]"] {
            let mut run = start(&format!(
                "[body.wall]\nkind = \"static\"\nshape = {{ box = [0.2, 2, 2] }}\nposition = [-0.1, 0, 0]\n\
                 motion = {{ displacement = [\"0.4*t\", 0, 0] }}\n\
                 [body.ball]\nshape = {{ {shape} }}\nmass = 2\nposition = [0.513, 0, 0]\nvelocity = [-1, 0, 0]\n\
                 [contact]\nrestitution = 1\n[simulate]\nduration = 1\nstep = 0.01\nlaw = \"{law}\"\n"
            ));
            run.run(50).unwrap();
            let v = velocity(&run, "ball");
            assert!((v - Vector3::x() * 1.8).norm() < 1e-9, "{law} {shape} {v}");
            // It met where both ways end: 0.413 m at 1.4 m/s.
            let exact = 0.513 - 0.413 / 1.4 + 1.8 * (0.5 - 0.413 / 1.4);
            let tolerance = if law == "exact" { 1e-10 } else { 0.03 };
            assert!(
                (place(&run, "ball").x - exact).abs() < tolerance,
                "{law} {shape}"
            );
            let ledger = run.ledger();
            assert!(
                (ledger.work - (1.8 * 1.8 - 1.0)).abs() < 1e-9,
                "{law} {}",
                ledger.work
            );
            assert!(ledger.contact_energy.abs() < 1e-9);
            assert!(
                unexplained(&run) < 1e-12,
                "{law} {shape} {:e}",
                unexplained(&run)
            );
        }
    }
}

#[test]
fn what_stands_still_is_struck_too() {
    let mut run = start(
        "[body.wall]\nkind = \"static\"\nshape = { box = [0.2, 2, 2] }\nposition = [-0.1, 0, 0]\n\
         motion = { displacement = [\"0.4*t\", 0, 0] }\n\
         [body.ball]\nshape = { sphere = 0.1 }\nmass = 2\nposition = [0.2, 0, 0]\n\
         [contact]\nrestitution = 1\n[simulate]\nduration = 1\nstep = 0.01\n",
    );
    run.run(50).unwrap();
    assert!((velocity(&run, "ball").x - 0.8).abs() < 1e-12);
    assert!((run.ledger().work - 0.64).abs() < 1e-12);
}

#[test]
fn a_box_follows_a_shaker_while_gravity_holds_it_down() {
    // A ω² = 5 m/s² < g: the force is m (g + a).
    let (a, w, m, h) = (0.05, 10.0, 3.0, 0.002);
    let mut run = start(&format!(
        "gravity = [0, 0, -9.81]\n[body.table]\nkind = \"static\"\nshape = {{ box = [1, 1, 0.1] }}\n\
         motion = {{ displacement = [0, 0, \"0.05*sin(10*t)\"] }}\n\
         [body.box]\nshape = {{ box = [0.2, 0.2, 0.2] }}\nmass = 3\nposition = [0, 0, 0.15]\nvelocity = [0, 0, 0.5]\n\
         [contact]\nrestitution = 0\nfriction = 0.3\n[simulate]\nduration = 1\nstep = {h}\n"
    ));
    for _ in 0..500 {
        run.step().unwrap();
        let (time, impulses) = run.take_contact_impulses();
        let apart = place(&run, "box").z - place(&run, "table").z;
        assert!((apart - 0.15).abs() < 1e-9, "{} {apart}", run.time());
        let middle = run.time() - 0.5 * h;
        let exact = m * (9.81 - a * w * w * (w * middle).sin());
        let force: f64 = impulses.iter().map(|i| i.impulse.z).sum::<f64>() / time;
        assert!(
            (force.abs() - exact).abs() < 0.05 * exact,
            "{} {force} {exact}",
            run.time()
        );
    }
    // All energy came from the table; what rests on it loses nothing and gains nothing.
    assert!(unexplained(&run) < 1e-9, "{:e}", unexplained(&run));
    let ledger = run.ledger();
    assert!(
        ledger.contact_energy.abs() < 5e-5,
        "{}",
        ledger.contact_energy
    );
    let v = a * w * (w * run.time()).cos();
    let got = velocity(&run, "box").z;
    assert!((got - v).abs() < 1e-3, "{got} {v}");
}

#[test]
fn a_box_leaves_a_shaker_that_falls_faster() {
    // A ω² = 20 m/s² > g: it flies as soon as −a exceeds g, at sin ωt = g/(A ω²).
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[body.table]\nkind = \"static\"\nshape = { box = [1, 1, 0.1] }\n\
         motion = { displacement = [0, 0, \"0.05*sin(20*t)\"] }\n\
         [body.box]\nshape = { box = [0.2, 0.2, 0.2] }\nmass = 3\nposition = [0, 0, 0.15]\nvelocity = [0, 0, 1]\n\
         [contact]\nrestitution = 0\n[simulate]\nduration = 1\nstep = 0.001\n",
    );
    let leaves = (9.81f64 / 20.0).asin() / 20.0;
    while run.time() < leaves + 0.0301 {
        run.step().unwrap();
    }
    let t = run.time() - leaves;
    let (z, v) = (0.05 * (20.0 * leaves).sin() + 0.15, (20.0 * leaves).cos());
    let exact = z + v * t - 0.5 * 9.81 * t * t;
    let got = place(&run, "box").z;
    assert!((got - exact).abs() < 2e-5, "{got} {exact}");
    assert!(got - place(&run, "table").z > 0.1501);
}

#[test]
fn a_turntable_throws_a_puck_at_the_speed_friction_bears() {
    // ω = α t; it slips when ω² r (with α r along the rim) reaches μ g.
    let (alpha, mu, r, h) = (0.4, 0.3, 0.25, 0.002);
    let mut run = start(&format!(
        "gravity = [0, 0, -9.81]\n[body.table]\nkind = \"static\"\nshape = {{ cylinder = {{ radius = 1, height = 0.1 }} }}\n\
         motion = {{ rotation = {{ axis = [0, 0, 1], angle = \"0.2*t^2\" }} }}\n\
         [body.puck]\nshape = {{ cylinder = {{ radius = 0.03, height = 0.02 }} }}\nmass = 0.5\nposition = [{r}, 0, 0.06]\n\
         [contact]\nrestitution = 0\nfriction = {mu}\n[simulate]\nduration = 12\nstep = {h}\n"
    ));
    let limit: f64 = mu * 9.81;
    let slips = ((limit / r).powi(2) - alpha * alpha).powf(0.25);
    // Just before: it turns with the table, to round-off of the contact.
    while run.time() < 0.98 * slips / alpha {
        run.step().unwrap();
    }
    let at = place(&run, "puck");
    assert!((at.xy().norm() - r).abs() < 1e-6, "{}", at.xy().norm());
    let angle = at.y.atan2(at.x);
    let turned = (0.2 * run.time() * run.time()).rem_euclid(std::f64::consts::TAU);
    let off = (angle - turned).rem_euclid(std::f64::consts::TAU);
    assert!(off.min(std::f64::consts::TAU - off) < 1e-5, "{off}");
    let speed = velocity(&run, "puck").norm();
    assert!((speed - alpha * run.time() * r).abs() < 1e-3 * speed);
    // Then it slides out.
    while place(&run, "puck").xy().norm() < r + 1e-3 && run.time() < 12.0 {
        run.step().unwrap();
    }
    let thrown = run.time() * alpha;
    assert!((thrown - slips).abs() < 0.03 * slips, "{thrown} {slips}");
    assert!(unexplained(&run) < 1e-6 * run.ledger().energy_scale());
}

#[test]
fn a_paddle_and_a_table_of_places_strike_as_they_move() {
    // A paddle that turns strikes a ball elastically: the speed of approach is kept.
    let mut run = start(
        "[body.paddle]\nkind = \"static\"\nshape = { box = [1, 0.1, 0.4] }\n\
         motion = { rotation = { axis = [0, 0, 1], angle = \"3*t\", center = [0, 0, 0] } }\n\
         [body.ball]\nshape = { sphere = 0.05 }\nmass = 0.2\nposition = [0.35, 0.3, 0]\n\
         [contact]\nrestitution = 1\n[simulate]\nduration = 1\nstep = 0.01\n",
    );
    run.run(60).unwrap();
    let events = run.take_events();
    let event = events.first().expect("it is struck");
    assert!(event.speed_before < -0.5, "{event:?}");
    assert!(
        (event.speed_after + event.speed_before).abs() < 1e-9,
        "{event:?}"
    );
    assert!(unexplained(&run) < 1e-12);
    // Places in a table: linear between them.
    let mut run = start(
        "[body.pusher]\nkind = \"static\"\nshape = { box = [0.2, 1, 1] }\n\
         motion = { position = { t = [0, 1, 2], value = [[0, 0, 0], [0.5, 0, 0], [0.5, 0, 0]] } }\n\
         [body.block]\nshape = { box = [0.2, 0.2, 0.2] }\nmass = 1\nposition = [0.45, 0, 0]\n\
         [contact]\nrestitution = 0\n[simulate]\nduration = 2\nstep = 0.01\n",
    );
    run.run(90).unwrap();
    assert!((velocity(&run, "block").x - 0.5).abs() < 1e-9);
    assert!((place(&run, "block").x - place(&run, "pusher").x - 0.2).abs() < 1e-9);
    run.run(60).unwrap();
    assert!((place(&run, "pusher").x - 0.5).abs() < 1e-12);
    assert!((place(&run, "block").x - (0.7 + 0.5 * 0.5)).abs() < 1e-6);
}

#[test]
fn what_cannot_be_is_told() {
    let fails = |body: &str, rest: &str, words: &[&str]| {
        let text = format!(
            "[body.a]\n{body}\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\n{rest}\n\
             [simulate]\nduration = 1\nstep = 0.01\n"
        );
        let made = Scenario::parse("test.toml", &text).and_then(|s| s.build().map(|_| ()));
        let told = made.expect_err(body).to_string();
        for word in words {
            assert!(told.contains(word), "{body}: {told}");
        }
    };
    let moving = "kind = \"static\"\nmotion = { displacement = [\"t\", 0, 0] }";
    fails(
        "mass = 1\ninertia = [1, 1, 1]\nmotion = { displacement = [\"t\", 0, 0] }",
        "",
        &["body.a.motion", "static"],
    );
    fails(
        "kind = \"static\"\nmotion = { }",
        "",
        &["body.a.motion", "displacement"],
    );
    fails(
        "kind = \"static\"\nmotion = { displacement = [1, 2] }",
        "",
        &["displacement", "three"],
    );
    fails(
        "kind = \"static\"\nmotion = { rotation = { axis = [0, 0, 1] } }",
        "",
        &["rotation", "angle"],
    );
    fails(
        "kind = \"static\"\nmotion = { displacement = [\"1/t\", 0, 0] }",
        "",
        &["body.a", "finite"],
    );
    let joint = "[joint.j]\nkind = \"revolute\"\nbetween = [\"a\", \"b\"]\naxis = [0, 0, 1]";
    fails(moving, joint, &["joint.j", "servo"]);
    let spring = "[spring.s]\nbetween = [\"a\", \"b\"]\nstiffness = 1";
    fails(moving, spring, &["spring.s", "given"]);
}

#[test]
fn a_sensor_reports_what_is_in_it_without_force() {
    let scene = |sensor: &str| {
        start(&format!(
            "gravity = [0, 0, -10]\n{sensor}[body.ball]\nshape = {{ sphere = 0.1 }}\nmass = 1\nposition = [0, 0, 2]\n\
             [body.bead]\nkind = \"particle\"\nmass = 1\nposition = [3, 0, 0]\n\
             [halfspace.floor]\nnormal = [0, 0, 1]\npoint = [0, 0, -5]\n\
             [simulate]\nduration = 1\nstep = 0.01\n"
        ))
    };
    let region =
        "[body.gate]\nkind = \"sensor\"\nshape = { box = [1, 1, 0.4] }\nposition = [0, 0, 1]\n";
    let (mut with, mut without) = (scene(region), scene(""));
    let columns = carom::simulate::Columns::of(with.model(), false);
    let at = |name: &str| columns.names().iter().position(|n| n == name).unwrap();
    let [count, ball, bead] = ["sensor.gate.count", "sensor.gate.ball", "sensor.gate.bead"].map(at);
    let mut row = Vec::new();
    let mut seen = 0;
    for _ in 0..80 {
        with.step().unwrap();
        without.step().unwrap();
        columns.row(&mut with, &mut row);
        let z = place(&with, "ball").z;
        // Between 0.8 and 1.2 m, with the radius of the ball.
        let inside = f64::from((0.7..=1.3).contains(&z));
        assert_eq!(
            [row[count], row[ball], row[bead]],
            [inside, inside, 0.0],
            "{z}"
        );
        assert_eq!(z, place(&without, "ball").z);
        seen += usize::from(inside > 0.0);
    }
    assert!(seen > 5);
}

/// A ball that a wall strikes, by a potential.
fn struck(integrator: &str) -> Simulation {
    start(&format!(
        "[body.wall]\nkind = \"static\"\nshape = {{ box = [0.2, 2, 2] }}\nposition = [-0.1, 0, 0]\n\
         motion = {{ displacement = [\"0.4*t\", 0, 0] }}\n\
         [body.ball]\nshape = {{ sphere = 0.1 }}\nmass = 2\nposition = [0.513, 0, 0]\nvelocity = [-1, 0, 0]\n\
         [simulate]\nduration = 1\nstep = 0.0005\nlaw = \"potential\"\nstiffness = 2e5\n{integrator}"
    ))
}

#[test]
fn potentials_and_newmark_know_walls_that_move() {
    for integrator in [
        "",
        "integrator = \"newmark\"\nbeta = 0.25\ngamma = 0.5\n",
        "integrator = \"newmark\"\nbeta = 0\ngamma = 0.5\n",
    ] {
        let mut run = struck(integrator);
        run.run(1000).unwrap();
        let v = velocity(&run, "ball").x;
        assert!((v - 1.8).abs() < 5e-3, "{integrator} {v}");
        // The wall's work is what the ball gained, to what the scheme makes of a stiff spring.
        let gained = v * v - 1.0;
        assert!(
            (run.ledger().work - gained).abs() < 0.01 * gained,
            "{integrator} {}",
            run.ledger().work
        );
        assert!((place(&run, "wall").x - 0.1).abs() < 1e-12);
    }
    // Half the step, a quarter of what is not explained: the balance is of second order.
    let left = |step: f64| {
        let text = "gravity = [0, 0, -9.81]\n[body.table]\nkind = \"static\"\nshape = { box = [1, 1, 0.1] }\n\
                    position = [0, 0, -0.05]\nmotion = { displacement = [0, 0, \"0.002*sin(30*t)\"] }\n\
                    [body.box]\nshape = { box = [0.2, 0.2, 0.2] }\nmass = 3\nposition = [0, 0, 0.0999]\n";
        let mut run = start(&format!(
            "{text}[simulate]\nduration = 0.4\nstep = {step}\nlaw = \"potential\"\nstiffness = 2e4\ndrag = 20\n"
        ));
        run.run((0.4 / step).round() as usize).unwrap();
        assert!(run.ledger().work.abs() > 1e-3 && run.ledger().contact_energy < 0.0);
        unexplained(&run)
    };
    let (coarse, fine) = (left(4e-4), left(2e-4));
    assert!(fine < 0.35 * coarse && coarse < 1e-3, "{coarse:e} {fine:e}");
}

#[test]
fn motions_come_from_files() {
    let folder = std::env::temp_dir().join(format!("carom-csv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rows: String = (0..=100)
        .map(|k| {
            let t = 0.01 * f64::from(k);
            format!("{t},{},0,{}\n", 0.2 * t, 0.1 * t)
        })
        .collect();
    std::fs::write(folder.join("way.csv"), format!("time,x,y,z\n{rows}")).unwrap();
    let scene = |motion: &str| {
        format!(
            "[body.plate]\nkind = \"static\"\nshape = {{ box = [1, 1, 0.1] }}\nmotion = {{ displacement = {motion} }}\n\
             [body.bead]\nkind = \"particle\"\nmass = 1\nposition = [0, 0, 5]\n[simulate]\nduration = 1\nstep = 0.01\n"
        )
    };
    let options = carom::scenario::Options {
        folder: folder.clone(),
        ..Default::default()
    };
    let read = |motion: &str| Scenario::parse_with("test.toml", &scene(motion), &options);
    for motion in [
        "{ csv = \"way.csv\", t = \"time\", value = [\"x\", \"y\", \"z\"] }",
        "{ csv = \"way.csv\" }",
        "[{ csv = \"way.csv\", value = \"x\" }, 0, { csv = \"way.csv\", value = \"z\" }]",
    ] {
        let scenario = read(motion).unwrap_or_else(|e| panic!("{e}"));
        let model = scenario.build().unwrap();
        let body = &model.bodies()[0];
        let (pose, [v, _]) = body.given(0.505).unwrap();
        assert!((pose.position - Vector3::new(0.101, 0.0, 0.0505)).norm() < 1e-12);
        assert!((v - Vector3::new(0.2, 0.0, 0.1)).norm() < 1e-9);
        // What is written is complete without the file.
        let text = scenario.to_toml(&|name| name.into());
        let again = Scenario::parse("again.toml", &text)
            .unwrap()
            .build()
            .unwrap();
        assert_eq!(again.bodies()[0].given(0.505).unwrap().0, pose);
    }
    for (motion, parts) in [
        (
            "{ csv = \"none.csv\" }",
            ["none.csv", "relative to the scenario"],
        ),
        (
            "{ csv = \"way.csv\", t = \"tim\" }",
            ["no column `tim`", "time"],
        ),
        (
            "{ csv = \"way.csv\", value = [\"x\"] }",
            ["displacement", "3"],
        ),
    ] {
        let message = read(motion)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default();
        assert!(
            parts.iter().all(|p| message.contains(p)),
            "{motion}: {message}"
        );
    }
    std::fs::write(folder.join("bad.csv"), "t,x\n0,0\n1,one\n").unwrap();
    let message = read("{ csv = \"bad.csv\" }").unwrap_err().to_string();
    assert!(
        message.contains("line 3") && message.contains("`one`"),
        "{message}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
