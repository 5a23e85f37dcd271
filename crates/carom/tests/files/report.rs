//! Reports of real runs: what they hold, how they judge, what is read back.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use carom::prelude::*;
use carom::record::{Folder, Summary, UnsettledInstant};
use carom::report::{self, Report, Verdict};
use carom::run::{self, Observer, Outcome};
use nalgebra::Quaternion;

/// Runs a scenario.
fn run(name: &str, text: &str) -> (Outcome, PathBuf) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let scenario = Scenario::parse(&format!("{name}.toml"), text).unwrap();
    let _ = std::fs::remove_dir_all(&path);
    let mut folder = Folder::open(&path, false).unwrap();
    let mut observer = Observer {
        progress: &mut |_| {},
        stop: &AtomicBool::new(false),
    };
    let outcome = run::run(&scenario, &mut folder, false, &mut observer).unwrap();
    (outcome, path)
}

/// Runs a scenario and reads its report back.
fn report(name: &str, text: &str) -> (Report, PathBuf) {
    let (outcome, path) = run(name, text);
    let report = report::read(&path).unwrap();
    assert_eq!(report.ledger, outcome.summary.ledger);
    (report, path)
}

fn line<'a>(report: &'a Report, what: &str) -> &'a report::Line {
    let found = report.ledger.iter().find(|line| line.what == what);
    found.unwrap_or_else(|| panic!("no {what} in {:?}", report.ledger))
}

/// A cube above a floor, built without any file.
fn programmed() -> Simulation {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let cube = Shape::single(Polytope::cuboid(0.2, 0.2, 0.2).unwrap(), 500.0).unwrap();
    builder.body(
        BodySpec::rigid("cube")
            .shape(cube)
            .position(Vector3::z() * 0.3),
    );
    builder.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    builder.contact_default(0.5, 0.3);
    let settings = Settings {
        law: Law::exact(),
        ..Settings::with_step(0.002)
    };
    Simulation::new(builder.build().unwrap(), settings).unwrap()
}

#[test]
fn a_simulation_of_a_program_is_recorded_in_one_call() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report-programmed");
    let _ = std::fs::remove_dir_all(&out);
    let mut simulation = programmed();
    let first = run::record(&mut simulation, "falling cube", 300, &out).unwrap();
    assert_eq!((first.frames, first.summary.steps), (301, 300));
    assert!(first.summary.contact_count > 0 && first.summary.verdict.0 == Verdict::Good);
    assert!((simulation.time() - 0.6).abs() < 1e-12);
    let report = report::read(&out).unwrap();
    assert_eq!(
        (report.title.as_str(), report.scenario.as_str()),
        ("falling cube", "")
    );
    assert_eq!(report.motions[0].scene.walls[0].name, "floor");
    assert_eq!(report.ledger, first.summary.ledger);
    let files = [
        "summary.json",
        "trajectory.csv",
        "contacts.csv",
        "columns.json",
        "motion.glb",
    ];
    assert!(files.iter().all(|name| out.join(name).exists()));
    // The same as the simulation makes without a record, and it goes on from there.
    let mut plain = programmed();
    plain.run(300).unwrap();
    assert_eq!(plain.state().poses, simulation.state().poses);
    let more = run::record(&mut simulation, "falling cube", 100, &out).unwrap();
    assert_eq!((more.frames, more.summary.steps), (101, 400));
}

fn bounce(restitution: f64) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [halfspace.floor]
        normal = [0, 0, 1]
        [body.cube]
        shape = {{ cube = 0.2 }}
        density = 270
        position = [0, 0, 0.5]
        rotation = [0.3, 0.2, 0]
        [contact]
        restitution = {restitution}
        [simulate]
        duration = 0.6
        step = 0.002
        law = "exact"
        "#
    )
}

#[test]
fn an_elastic_bounce_keeps_the_energy() {
    let (report, _) = report("elastic", &bounce(1.0));
    assert_eq!(line(&report, "energy").verdict, Verdict::Good);
    assert!(
        line(&report, "linear momentum")
            .remark
            .contains("accounted for")
    );
    assert_eq!(report.verdict.0, Verdict::Good, "{:?}", report.ledger);
    let contacts = &report.motions[0].contacts;
    assert!(contacts.total > 0 && contacts.time.0.len() as u64 == contacts.total);
    assert!(contacts.words.contains(&"floor".to_string()));
    // The impulse on the cube points up.
    assert!(contacts.impulse.0[2] > 0.0);
    let gaps = report.motions[0]
        .plots
        .iter()
        .find(|p| p.title == "Gaps")
        .unwrap();
    assert_eq!(gaps.series.len(), 1);
    assert!(gaps.series[0].values.0.iter().all(|gap| *gap > -1e-9));
    let steps = report.motions[0]
        .plots
        .iter()
        .find(|p| p.title == "Time step")
        .unwrap();
    assert!(steps.series[0].values.0.iter().any(|h| *h < 0.0019));
}

#[test]
fn a_lossy_bounce_is_changed_by_contact() {
    let (report, _) = report("lossy", &bounce(0.5));
    let energy = line(&report, "energy");
    assert!(energy.remark.contains(", contacts -"), "{energy:?}");
    assert!(energy.remark.contains("nothing unexplained"), "{energy:?}");
    assert_eq!(energy.verdict, Verdict::Good);
}

/// A bouncing cube of any size: lengths by `scale`, times by its root.
fn scaled(scale: f64, restitution: f64) -> String {
    format!(
        "gravity = [0, 0, -10]\n[parameters]\nl = {scale:e}\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [body.cube]\nshape = {{ cube = \"l\" }}\ndensity = 1000\nposition = [0, 0, \"2*l\"]\n\
         [contact]\nrestitution = {restitution}\n\
         [simulate]\nduration = \"sqrt(l)\"\nstep = \"sqrt(l)/200\"\nlaw = \"exact\"\nrest_speed = 0\n"
    )
}

#[test]
fn words_mean_the_same_at_every_size() {
    for scale in [1e-6, 1.0, 1e6] {
        let (lossy, _) = report("scaled-lossy", &scaled(scale, 0.94));
        let energy = line(&lossy, "energy");
        assert!(energy.remark.contains("contacts -"), "{scale}: {energy:?}");
        let (elastic, _) = report("scaled-elastic", &scaled(scale, 1.0));
        assert_eq!(
            elastic.verdict.0,
            Verdict::Good,
            "{scale}: {:?}",
            elastic.ledger
        );
        let energy = line(&elastic, "energy");
        assert!(energy.remark.contains("conserved"), "{scale}: {energy:?}");
    }
}

#[test]
fn loads_and_contact_share_a_change_of_energy() {
    let (pushed, _) = report(
        "pushed",
        "[body.a]\nkind = \"particle\"\nmass = 1\nradius = 0.1\n[load.push]\nbody = \"a\"\nforce = [1, 0, 0]\n\
         [halfspace.wall]\nnormal = [-1, 0, 0]\npoint = [0.6, 0, 0]\n[contact]\nrestitution = 0.5\n\
         [simulate]\nduration = 1.5\nstep = 0.01\n",
    );
    let energy = line(&pushed, "energy");
    let words = energy.remark.clone();
    assert!(
        words.contains("loads +") && words.contains("contacts -"),
        "{energy:?}"
    );
    assert_eq!(energy.verdict, Verdict::Good);
    let facts: Vec<_> = pushed
        .facts
        .iter()
        .map(|(k, v)| format!("{k} {v}"))
        .collect();
    for fact in [
        "contact law exact",
        "restitution 0.5",
        "friction 0",
        "rest speed 0 m/s",
    ] {
        assert!(facts.iter().any(|f| f == fact), "{facts:?}");
    }
    let contacts = line(&pushed, "contacts");
    assert!(
        contacts.remark.contains("restitution 0.5, friction 0"),
        "{contacts:?}"
    );
}

#[test]
fn what_did_not_settle_is_never_good() {
    let (outcome, _) = run("settled", &bounce(0.5));
    let mut summary = outcome.summary;
    let solved = |lines: &[report::Line]| {
        let found = lines.iter().find(|l| l.what == "contact solved to");
        found.map(|l| (l.remark.clone(), l.verdict))
    };
    let good = Some(("relative, at every step".to_string(), Verdict::Good));
    assert_eq!(solved(&report::ledger(&summary)), good);
    summary.unsettled_count = 3;
    summary.unsettled = vec![
        UnsettledInstant {
            time: 0.25,
            what: "impact".into(),
            pair: Some(["cube".into(), "floor".into()]),
            residual: 1e-3,
        },
        UnsettledInstant {
            time: 0.5,
            what: "rest".into(),
            pair: None,
            residual: 1e-3,
        },
    ];
    summary.caught_count = 2;
    let lines = report::ledger(&summary);
    assert_eq!(solved(&lines), None);
    let unsettled = lines
        .iter()
        .find(|l| l.what == "unsettled contacts")
        .unwrap();
    assert_eq!(unsettled.verdict, Verdict::Note);
    assert_eq!(unsettled.value, "3 instants");
    let words = "impact, rest; first at t = 0.250000 s, between cube and floor";
    assert_eq!(unsettled.remark, words);
    assert!(
        lines
            .iter()
            .any(|l| l.what == "contacts caught late" && l.value == "2")
    );
}

#[test]
fn a_gain_that_stays_is_never_good() {
    let (outcome, _) = run("stays", &bounce(0.5));
    let mut summary = outcome.summary;
    let gain = 0.1 * summary.sizes.energy;
    let balance = &mut summary.energy_balance;
    balance.unexplained_range = [0.0, gain];
    balance.unexplained = gain;
    // A jump after a twentieth of the run: the line of best fit hardly rises.
    balance.unexplained_trend = 0.28 * gain;
    balance.unexplained_mean = 0.95 * gain;
    let energy = |summary: &Summary| report::ledger(summary)[0].verdict;
    assert_eq!(energy(&summary), Verdict::Note);
    // A swing of the same size comes back.
    summary.energy_balance.unexplained_mean = 0.5 * gain;
    assert_ne!(energy(&summary), Verdict::Note);
}

#[test]
fn momentum_that_comes_back_was_not_kept() {
    let (pushed, _) = report(
        "pushed-back",
        "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[load.swing]\nbody = \"a\"\n\
         force = [\"sin(2*pi*t)\", 0, 0]\n[simulate]\nduration = 1\nstep = 0.01\n",
    );
    let linear = line(&pushed, "linear momentum");
    assert!(linear.remark.contains("came back"), "{linear:?}");
    assert!(!linear.meaning.contains("Nothing outside"), "{linear:?}");
}

#[test]
fn a_steel_ruler_is_judged_by_its_own_round_off() {
    let (ruler, _) = report(
        "ruler",
        "gravity = [0, 0, -9.81]\n[body.ruler]\ndensity = 7800\n\
         elastic = { box = [0.3, 0.03, 0.01], cells = [12, 2, 1], E = 2e11, nu = 0.3 }\n\
         [nodes.clamp]\nbody = \"ruler\"\nplane = { point = [-0.15, 0, 0], normal = [1, 0, 0] }\nhold = true\n\
         [simulate]\nduration = 0.005\nstep = 1e-4\n",
    );
    let left = line(&ruler, "momentum unexplained in a step");
    assert_eq!(left.verdict, Verdict::Good, "{left:?}");
}

#[test]
fn dampers_and_loads_are_named() {
    let (damped, _) = report(
        "damped",
        "[body.a]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n\
         [drag.air]\nbody = \"a\"\nlinear = 0.5\n[simulate]\nduration = 1\nstep = 0.01\n",
    );
    assert!(line(&damped, "energy").remark.contains("damping -"));
    let (swinging, _) = report(
        "swinging",
        "gravity = [0, 0, -9.81]\n[body.bar]\nshape = { box = [0.02, 0.02, 0.5] }\ndensity = 1000\n\
         position = [0.25, 0, 0]\nrotation_deg = [0, 90, 0]\n[joint.hinge]\nkind = \"revolute\"\n\
         between = [\"world\", \"bar\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
         [simulate]\nduration = 10\nstep = 0.01\n",
    );
    assert!(line(&swinging, "energy").remark.contains("no drift"));
    assert!(
        line(&swinging, "linear momentum")
            .remark
            .contains("supports")
    );
    assert!(
        swinging.motions[0]
            .scene
            .links
            .iter()
            .any(|l| l.kind == "revolute")
    );
}

#[test]
fn poses_are_those_of_the_run_and_come_back_from_the_page() {
    let (report, path) = report(
        "poses",
        "[body.a]\nshape = { box = [0.1, 0.2, 0.3] }\ndensity = 500\nvelocity = [0.3, 0, 0.1]\n\
         angular_velocity = [1, 2, 3]\n[body.still]\nkind = \"static\"\nshape = { cube = 0.1 }\n\
         position = [1, 0, 0]\n[simulate]\nsteps = 50\nstep = 0.01\nrecord = { every = 1 }\n",
    );
    let motion = &report.motions[0];
    assert_eq!((motion.time.0.len(), motion.slots()), (51, 1));
    assert_eq!(motion.pose(1, 7).0, [1.0, 0.0, 0.0]);
    let csv = std::fs::read_to_string(path.join("trajectory.csv")).unwrap();
    let mut rows = csv.lines();
    let names: Vec<&str> = rows.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).unwrap();
    for (frame, row) in rows.enumerate() {
        let row: Vec<f64> = row.split(',').map(|v| v.parse().unwrap()).collect();
        let vector =
            |of: &str| Vector3::from(["x", "y", "z"].map(|c| row[column(&format!("a.{of}{c}"))]));
        let (x, q) = motion.pose(0, frame);
        assert!((Vector3::from(x) - vector("")).norm() < 1e-6);
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[0], q[1], q[2]));
        assert!((turn * Vector3::x() - vector("d1")).norm() < 2e-4);
        assert!((turn * Vector3::z() - vector("d3")).norm() < 2e-4);
    }
}

#[test]
fn long_runs_are_thinned_out() {
    let (report, path) = report(
        "long",
        "[group.a]\nlayout = { grid = { count = [10, 10, 3], from = [0, 0, 0], step = [1, 1, 1] } }\n\
         shape = { cube = 0.2 }\ndensity = 500\n[simulate]\nsteps = 2400\nstep = 0.01\n\
         record = { every = 1 }\n",
    );
    let motion = &report.motions[0];
    assert_eq!(motion.recorded, 2401);
    assert!(motion.time.0.len() <= 1002, "{}", motion.time.0.len());
    assert_eq!(motion.time.0.last(), Some(&24.0));
    // All bodies look alike: one shape.
    assert_eq!(motion.scene.shapes.len(), 1);
    assert!(std::fs::metadata(path.join("report.html")).unwrap().len() < 12_000_000);
}

#[test]
fn turns_that_frames_cannot_show_are_told() {
    let (report, _) = report(
        "fast",
        "[body.a]\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, 50]\n\
         [simulate]\nsteps = 100\nstep = 0.01\nrecord = { every = 20 }\n",
    );
    assert!(report.motions[0].note.contains("frames"));
}

#[test]
fn a_plan_and_its_guess_share_a_report() {
    let text = "[body.a]\nshape = { cube = 0.2 }\ndensity = 500\n[halfspace.wall]\nnormal = [1, 0, 0]\n\
                point = [-1, 0, 0]\n[actuator.thrust]\nbody = \"a\"\n[simulate]\nsteps = 2\nstep = 0.1\n";
    let scenario = Scenario::parse("plan.toml", text).unwrap();
    let model = scenario.build().unwrap();
    let nodes = |speed: f64| -> Vec<Vec<Pose>> {
        let place = |k: usize| vec![Pose::translation(speed * k as f64, 0.0, 0.0)];
        (0..4).map(place).collect()
    };
    let controls = vec![vec![1.0, 0.0, 0.0, 0.0, 0.0, 2.0]; 3];
    let motion = |name: &str, poses: &[Vec<Pose>]| {
        let plan = report::Planned {
            poses,
            coordinates: &[],
            controls: &controls,
            steps: &[0.1, 0.2, 0.1],
        };
        report::planned(name, &scenario, &model, &plan)
    };
    let report = Report {
        motions: vec![motion("plan", &nodes(0.1)), motion("guess", &nodes(0.2))],
        ..report::about(&scenario)
    };
    let titles: Vec<&str> = report.motions[0]
        .plots
        .iter()
        .map(|p| p.title.as_str())
        .collect();
    assert_eq!(
        titles,
        [
            "Controls and loads: forces",
            "Controls and loads: torques",
            "Gaps",
            "Time step"
        ]
    );
    let gaps = &report.motions[0].plots[2].series[0].values.0;
    assert!((gaps[0] - 0.9).abs() < 1e-12 && (gaps[3] - 1.2).abs() < 1e-12);
    let steps = &report.motions[0].plots[3];
    assert_eq!(steps.series[0].values.0, [0.1, 0.2, 0.1, 0.1]);
    assert!(report.scenario.contains("halfspace"));
    assert_eq!(report::figure::figures(&report, 3)[0].0, "motion");
    assert!(report::glb(&report).starts_with(b"glTF"));
}

/// A bead on a spring along x, with measures beside what is known.
fn bead(within: &str) -> String {
    format!(
        r#"
        [parameters]
        k = 40
        m = 0.1
        swing = 0.02
        [body.bead]
        kind = "particle"
        mass = "m"
        position = ["1 + swing", 0, 0]
        [spring.s]
        between = ["bead", [0, 0, 0]]
        stiffness = "k"
        rest_length = 1
        [measure]
        period = {{ period = "bead.x - 1", known = "2*pi*sqrt(m/k)", {within} }}
        reach = {{ start = "bead.x", known = "1 + swing" }}
        far = {{ largest = "bead.x", known = 1.01, within = 0.001 }}
        plain = {{ least = "bead.x" }}
        [simulate]
        duration = 1
        step = 0.002
        record = {{ every = 1 }}
        "#
    )
}

#[test]
fn measures_stand_beside_what_is_known() {
    let (report, path) = report("known", &bead("within = 0.01"));
    // The scheme's own period is longer by (ω h)²/24.
    let known = 2.0 * std::f64::consts::PI * (0.1f64 / 40.0).sqrt();
    let text = std::fs::read_to_string(path.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let period = summary["measures"]["period"].as_f64().unwrap();
    let longer = 1.0 + 0.04f64.powi(2) / 24.0;
    assert!(
        (period / known / longer - 1.0).abs() < 1e-4,
        "{period} {known}"
    );
    assert!((summary["known"]["period"]["value"].as_f64().unwrap() - known).abs() < 1e-15);
    assert_eq!(line(&report, "measured: period").verdict, Verdict::Good);
    let reach = line(&report, "measured: reach");
    assert_eq!(
        (reach.verdict, &reach.remark[..]),
        (Verdict::Plain, "known: 1.02000, the same")
    );
    let far = line(&report, "measured: far");
    assert_eq!(far.verdict, Verdict::Note);
    assert_eq!(far.remark, "known: 1.01000, 1.0 % above it");
    assert_eq!(report.verdict.1, "Look at measured: far.");
    assert_eq!(line(&report, "measured: plain").remark, "");
    // Values are drawn with a line at what is known; a period is no value of the curve.
    let plots = &report.motions[0].plots;
    let drawn: Vec<&str> = (plots.iter().map(|p| p.title.as_str()))
        .filter(|title| title.starts_with("Measured"))
        .collect();
    assert_eq!(drawn, ["Measured: reach", "Measured: far"]);
    assert!(plots[0].series[1].values.0.iter().all(|v| *v == 1.02));
}

#[test]
fn what_is_fine_needs_something_known() {
    let text = bead("within = 0.01").replace("known = 1.01, ", "");
    let scenario = Scenario::parse("bead.toml", &text).unwrap();
    let model = std::sync::Arc::new(scenario.build().unwrap());
    let error = scenario.measures(scenario.columns(&model).unwrap().names());
    let told = error.unwrap_err().to_string();
    assert!(
        told.contains("measure.far.within") && told.contains("known = "),
        "{told}"
    );
}
