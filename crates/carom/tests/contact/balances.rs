//! Energy and momentum of a run are balances: start, what acted, and what nothing explains add up to
//! the end, and the parts are those of a hand calculation.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use carom::record::{Folder, MomentumBalance, Summary, Verdict};
use carom::run::{Observer, run};
use carom::scenario::Scenario;

fn summary(name: &str, text: &str) -> Summary {
    let scenario = Scenario::parse(&format!("{name}.toml"), text).unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("balances")
        .join(name);
    let mut folder = Folder::open(&path, false).unwrap();
    let mut observer = Observer {
        progress: &mut |_| {},
        stop: &AtomicBool::new(false),
    };
    run(&scenario, &mut folder, false, &mut observer)
        .unwrap()
        .summary
}

/// The balances add up, to the last digits.
fn adds_up(s: &Summary) {
    let e = &s.energy_balance;
    let sum = e.start + e.loads + e.damping + e.contacts + e.projections + e.unexplained;
    assert!(
        (sum - e.end).abs() <= 1e-12 * (1.0 + e.end.abs() + e.loads.abs()),
        "{e:?}"
    );
    for b in [&s.linear_momentum_balance, &s.angular_momentum_balance] {
        for c in 0..3 {
            let sum =
                b.start[c] + b.forces[c] + b.supports[c] + b.projections[c] + b.unexplained[c];
            assert!((sum - b.end[c]).abs() < 1e-9, "{b:?}");
        }
    }
}

fn near(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs(), "{a} is not {b}");
}

#[test]
fn a_dropped_ball_gets_its_momentum_from_gravity_and_the_floor() {
    // 0.5 kg from 1 m, without bounce: m g h is lost at the floor, which carries m g afterwards.
    let s = summary(
        "drop",
        "gravity = [0, 0, -10]\n[body.a]\nkind = \"particle\"\nmass = 0.5\nradius = 0.1\n\
         position = [2, 0, 1.1]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[contact]\nrestitution = 0\n\
         [simulate]\nduration = 1\nstep = 0.001\nlaw = \"exact\"\n",
    );
    adds_up(&s);
    near(s.energy_balance.contacts, -5.0, 1e-3);
    let b: &MomentumBalance = &s.linear_momentum_balance;
    near(b.forces[2], -5.0, 1e-12);
    near(b.supports[2], 5.0, 1e-9);
    // About the origin: −x F_z.
    near(s.angular_momentum_balance.forces[1], 10.0, 1e-9);
    assert_eq!(s.verdict.0, Verdict::Good, "{:#?}", s.ledger);
}

#[test]
fn particles_that_rub_lose_the_angular_momentum_they_cannot_take() {
    // At 30 degrees to their line of centres, without bounce: p_n = m v cos 30°/2, and friction μ p_n at the ends of
    // that line makes a couple which would turn both.
    let s = summary(
        "graze",
        "[body.a]\nkind = \"particle\"\nmass = 1\nradius = 0.1\nposition = [-1, 0, 0]\nvelocity = [1, 0, 0]\n\
         [body.b]\nkind = \"particle\"\nmass = 1\nradius = 0.1\nposition = [0, 0.1, 0]\n\
         [contact]\nrestitution = 0\nfriction = 0.3\n\
         [simulate]\nduration = 1.5\nstep = 0.01\nlaw = \"exact\"\n",
    );
    adds_up(&s);
    let couple = 0.2 * 0.3 * 0.25 * 3f64.sqrt();
    near(s.angular_momentum_balance.supports[2].abs(), couple, 1e-9);
    assert_eq!(s.angular_momentum_balance.start, [0.0; 3]);
    assert_eq!(s.verdict.0, Verdict::Good, "{:#?}", s.ledger);
}

#[test]
fn drag_and_loads_do_the_work_of_the_formulas() {
    // m v̇ = F − c v: v = (F/c)(1 − e^{−c t/m}); with F = 2, c = m = 1, t = 1.
    let text = |integrator: &str| {
        format!(
            "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[drag.air]\nbody = \"a\"\nlinear = 1\n\
             [load.push]\nbody = \"a\"\nforce = [2, 0, 0]\n\
             [simulate]\nduration = 1\nstep = 0.001\n{integrator}"
        )
    };
    for integrator in ["", "integrator = \"newmark\"\n"] {
        let s = summary("drag", &text(integrator));
        adds_up(&s);
        let v = 2.0 * (1.0 - (-1f64).exp());
        // ∫F v dt = F x, x = 2 t − v; the drag takes what does not become kinetic energy.
        let work = 2.0 * (2.0 - v);
        near(s.energy_balance.loads, work, 1e-5);
        near(s.energy_balance.damping, 0.5 * v * v - work, 1e-5);
        assert!(
            s.energy_balance.unexplained.abs() < 1e-5,
            "{:?}",
            s.energy_balance
        );
        near(s.linear_momentum_balance.forces[0], v, 1e-5);
        assert_eq!(s.verdict.0, Verdict::Good, "{:#?}", s.ledger);
    }
}

#[test]
fn bodies_among_themselves_leave_nothing_unexplained() {
    let s = summary(
        "pair",
        "[body.a]\nshape = { cube = 0.2 }\ndensity = 500\nposition = [0, 0.03, 0]\nvelocity = [1, 0, 0]\n\
         [body.b]\nshape = { cube = 0.2 }\ndensity = 500\nposition = [0.5, 0, 0]\nrotation_deg = [0, 0, 20]\n\
         [contact]\nrestitution = 0.5\nfriction = 0.3\n\
         [simulate]\nduration = 1\nstep = 0.01\nlaw = \"exact\"\n",
    );
    adds_up(&s);
    assert!(s.contact_count > 0);
    for b in [&s.linear_momentum_balance, &s.angular_momentum_balance] {
        assert_eq!(b.supports, [0.0; 3]);
        assert!(b.unexplained.iter().all(|u| u.abs() < 1e-12), "{b:?}");
    }
    assert_eq!(s.verdict.0, Verdict::Good, "{:#?}", s.ledger);
}

/// A block within a tower of blocks is pulled, and does not move but by what contacts are solved to.
#[test]
fn a_load_that_moves_nothing_is_no_drift() {
    let mut text = String::from(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[load.pull]\nbody = \"b4-2\"\n\
         force = [\"if(t > 0.05, 0.6, 0)\", 0, 0]\n[contact]\nfriction = 0.4\nrestitution = 0\n\
         [simulate]\nduration = 0.2\nstep = 0.004\n",
    );
    for (row, k) in (0..12).flat_map(|row| (0..3).map(move |k| (row, k))) {
        let (across, height) = (
            0.025 * (f64::from(k) - 1.0),
            0.0075 + 0.015 * f64::from(row),
        );
        let (size, place) = match row % 2 {
            0 => ("[0.075, 0.0249, 0.015]", format!("[0, {across}, {height}]")),
            _ => ("[0.0249, 0.075, 0.015]", format!("[{across}, 0, {height}]")),
        };
        text += &format!(
            "[body.b{row}-{k}]\nshape = {{ box = {size} }}\ndensity = 600\nposition = {place}\n"
        );
    }
    let s = summary("tower", &text);
    assert_eq!(s.verdict.0, Verdict::Good, "{:#?}", s.ledger);
}

#[test]
fn terminal_summary_and_report_say_the_same() {
    let s = summary(
        "words",
        "[body.a]\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [0.1, 2, 0]\n\
         [simulate]\nduration = 1\nstep = 0.01\n",
    );
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("balances/words");
    let report = carom::report::read(&path).unwrap();
    assert_eq!(report.ledger, s.ledger);
    assert_eq!(report.verdict, s.verdict);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path.join("summary.json")).unwrap()).unwrap();
    assert_eq!(json["ledger"][0]["remark"], s.ledger[0].remark);
    assert_eq!(json["verdict"][1], s.verdict.1);
    assert_eq!(
        json["provenance"]["scenario_hash"].as_str().unwrap().len(),
        16
    );
    // Numbers have units, or say what they are relative to.
    for line in &s.ledger {
        let text = format!("{} {}", line.value, line.remark);
        let counted = ["Newton iterations", "contacts"].contains(&line.what.as_str());
        let said = [" J", " N s", " m", "relative"]
            .iter()
            .any(|unit| text.contains(unit));
        assert!(counted || said, "{line:?}");
        assert!(!line.meaning.is_empty(), "{line:?}");
    }
}
