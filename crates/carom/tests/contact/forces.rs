//! Forces of contacts and joints over time, against closed forms.

use carom::model::BodyId;
use carom::scenario::Scenario;
use carom::simulate::{PairImpulse, Simulation, contact_impulse_on};
use nalgebra::Vector3;

fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap();
    Simulation::new(model, scenario.settings.simulator()).unwrap()
}

fn body(run: &Simulation, name: &str) -> BodyId {
    run.model().find_body(name).unwrap()
}

/// The impulse between two sides, on the first.
fn between<'a>(run: &Simulation, impulses: &'a [PairImpulse], pair: [&str; 2]) -> &'a PairImpulse {
    let found = impulses.iter().find(|i| i.names(run.model()) == pair);
    found.unwrap_or_else(|| panic!("{pair:?} among {impulses:?}"))
}

const LAWS: [&str; 3] = [
    "law = \"exact\"",
    "law = \"decomposition\"",
    "law = \"plastic\"",
];

#[test]
fn a_stack_carries_its_weight_pair_by_pair() {
    for law in LAWS {
        let mut run = start(&format!(
            "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
             [contact]\nrestitution = 0\nfriction = 0.5\n\
             [body.low]\nshape = {{ box = [0.2, 0.2, 0.1] }}\nmass = 3\nposition = [0, 0, 0.05]\n\
             [body.mid]\nshape = {{ box = [0.2, 0.2, 0.1] }}\nmass = 2\nposition = [0.01, 0, 0.15]\n\
             [body.top]\nshape = {{ box = [0.2, 0.2, 0.1] }}\nmass = 1\nposition = [0, 0.02, 0.25]\n\
             [simulate]\nstep = 0.01\nduration = 1\n{law}\n"
        ));
        run.run(20).unwrap();
        run.take_contact_impulses();
        run.run(10).unwrap();
        let (time, impulses) = run.take_contact_impulses();
        assert!((time - 0.1).abs() < 1e-14);
        for (pair, mass) in [
            (["low", "floor"], 6.0),
            (["low", "mid"], 3.0),
            (["mid", "top"], 1.0),
        ] {
            let found = between(&run, &impulses, pair);
            let force = found.normal / time;
            assert!((force - mass * 9.81).abs() < 1e-8, "{law} {pair:?} {force}");
            assert!(found.tangential() / time < 1e-8, "{law} {pair:?}");
        }
        // Net forces carry each body's own weight, and nothing turns.
        for (name, mass) in [("low", 3.0), ("mid", 2.0), ("top", 1.0)] {
            let w = contact_impulse_on(&impulses, body(&run, name));
            let up = Vector3::z() * (mass * 9.81);
            assert!((w.force / time - up).norm() < 1e-8, "{law} {name}");
            assert!(w.torque.norm() / time < 1e-8, "{law} {name} {}", w.torque);
        }
        // The force of the top acts below its centre of mass.
        let x = between(&run, &impulses, ["mid", "top"]).point();
        assert!(
            (x - Vector3::new(0.0, 0.02, 0.2)).norm() < 1e-7,
            "{law} {x}"
        );
    }
}

#[test]
fn a_block_on_an_incline_shows_normal_and_tangential_force() {
    // Sticking: m g cos a and m g sin a. Sliding: the tangential part is friction's.
    let angle = 25f64.to_radians();
    for (friction, sliding) in [(0.6, false), (0.2, true)] {
        let mut run = start(&format!(
            "gravity = [{}, 0, {}]\n[halfspace.slope]\nnormal = [0, 0, 1]\n\
             [contact]\nrestitution = 0\nfriction = {friction}\n\
             [body.block]\nshape = {{ box = [0.3, 0.2, 0.05] }}\nmass = 2\nposition = [0, 0, 0.025]\n\
             [simulate]\nstep = 0.005\nduration = 1\n",
            9.81 * angle.sin(),
            -9.81 * angle.cos()
        ));
        run.run(10).unwrap();
        run.take_contact_impulses();
        run.run(40).unwrap();
        let (time, impulses) = run.take_contact_impulses();
        let found = between(&run, &impulses, ["block", "slope"]);
        let normal = 2.0 * 9.81 * angle.cos();
        let across = match sliding {
            true => friction * normal,
            false => 2.0 * 9.81 * angle.sin(),
        };
        assert!((found.normal / time - normal).abs() < 1e-8);
        assert!((found.tangential() / time - across).abs() < 1e-8);
        assert!((found.direction() - Vector3::z()).norm() < 1e-12);
    }
}

#[test]
fn an_impact_gives_m_one_plus_e_v() {
    for law in ["exact", "decomposition"] {
        let mut run = start(&format!(
            "[halfspace.wall]\nnormal = [1, 0, 0]\n[contact]\nrestitution = 0.6\n\
             [body.ball]\nshape = {{ sphere = 0.1 }}\nmass = 2\nposition = [0.3, 0, 0]\n\
             velocity = [-3, 0, 0]\n[simulate]\nstep = 0.01\nduration = 1\nlaw = \"{law}\"\n"
        ));
        run.run(30).unwrap();
        let (_, impulses) = run.take_contact_impulses();
        let found = between(&run, &impulses, ["ball", "wall"]);
        assert!(
            (found.normal - 2.0 * 1.6 * 3.0).abs() < 1e-12,
            "{law} {found:?}"
        );
        assert!((found.impulse - Vector3::x() * 9.6).norm() < 1e-12);
        run.run(10).unwrap();
        assert!(run.contact_impulses().is_empty());
    }
}

#[test]
fn impulses_add_up_to_the_change_of_momentum() {
    // Tumbling boxes: all that contacts give is what momentum changes beyond gravity.
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [contact]\nrestitution = 0.3\nfriction = 0.4\n\
         [body.a]\nshape = { box = [0.3, 0.2, 0.1] }\nmass = 2\nposition = [0, 0, 0.5]\nvelocity = [1, 0.2, 0]\n\
         angular_velocity = [3, 1, 2]\n\
         [body.b]\nshape = { box = [0.2, 0.2, 0.3] }\nmass = 1\nposition = [0.6, 0, 0.4]\n\
         [simulate]\nstep = 0.005\nduration = 1\n",
    );
    let bodies = ["a", "b"].map(|name| (body(&run, name), name));
    let mut before = [Vector3::zeros(); 2];
    for (k, (b, _)) in bodies.iter().enumerate() {
        before[k] = run.twists()[b.index()].v;
    }
    for _ in 0..20 {
        run.run(10).unwrap();
        let (time, impulses) = run.take_contact_impulses();
        for (k, (b, name)) in bodies.iter().enumerate() {
            let mass = run.model().body(*b).mass();
            let v = run.twists()[b.index()].v;
            let gravity = Vector3::new(0.0, 0.0, -9.81) * (mass * time);
            let got = contact_impulse_on(&impulses, *b).force;
            let wanted = (v - before[k]) * mass - gravity;
            assert!((got - wanted).norm() < 1e-9 * mass, "{name} {got} {wanted}");
            before[k] = v;
        }
    }
}

#[test]
fn a_contact_potential_presses_with_the_weight() {
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [body.box]\nshape = { box = [0.2, 0.2, 0.1] }\nmass = 3\nposition = [0, 0, 0.05]\n\
         [simulate]\nstep = 0.002\nduration = 4\nlaw = \"potential\"\nstiffness = 1e5\ndrag = 200\n",
    );
    run.run(1500).unwrap();
    run.take_contact_impulses();
    run.run(10).unwrap();
    let (time, impulses) = run.take_contact_impulses();
    let found = between(&run, &impulses, ["box", "floor"]);
    assert!(
        (found.normal / time - 3.0 * 9.81).abs() < 1e-4 * 29.43,
        "{}",
        found.normal / time
    );
}

#[test]
fn a_limit_holds_a_pendulum_up() {
    // A rod lies on the limit of its hinge: the torque there is m g l/2.
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[contact]\nrestitution = 0\n\
         [body.rod]\nshape = { box = [0.4, 0.02, 0.02] }\nmass = 2\nposition = [0.2, 0, 0]\n\
         [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"rod\"]\naxis = [0, 1, 0]\nat = [0, 0, 0]\n\
         limits = [-1, 0]\n[simulate]\nstep = 0.01\nduration = 1\nlaw = \"exact\"\n",
    );
    run.run(10).unwrap();
    run.take_contact_impulses();
    run.run(10).unwrap();
    let (time, impulses) = run.take_contact_impulses();
    let found = between(&run, &impulses, ["hinge", "upper limit"]);
    assert!(
        (found.normal / time - 2.0 * 9.81 * 0.2).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn what_sticks_may_hold_more_than_what_slides_drags() {
    // A push of 20 t N breaks a block of 2 kg loose at μ_s m g, and then drags it against μ_k m g.
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [contact]\nrestitution = 0\nfriction = 0.3\nstatic_friction = 0.6\n\
         [body.block]\nshape = { box = [0.4, 0.4, 0.1] }\nmass = 2\nposition = [0, 0, 0.05]\n\
         [load.push]\nbody = \"block\"\nforce = [\"20*t\", 0, 0]\n\
         [simulate]\nstep = 0.001\nduration = 1\n",
    );
    let speed = |run: &Simulation| run.twists()[body(run, "block").index()].v.x;
    let weight = 2.0 * 9.81;
    let loose = 0.6 * weight / 20.0;
    while run.time() < loose - 0.002 {
        run.step().unwrap();
    }
    assert!(speed(&run).abs() < 1e-10, "{}", speed(&run));
    while run.time() < 0.8 {
        run.step().unwrap();
    }
    let t = run.time();
    let exact = (10.0 * (t * t - loose * loose) - 0.3 * weight * (t - loose)) / 2.0;
    assert!(
        (speed(&run) / exact - 1.0).abs() < 0.01,
        "{} {exact}",
        speed(&run)
    );
}
