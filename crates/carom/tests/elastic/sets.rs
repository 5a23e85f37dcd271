//! Node sets: where they are, what loads and holds them, and what that is in the balance of momentum.

use carom::scenario::Scenario;
use carom::simulate::{Columns, Simulation};
use nalgebra::Vector3;

const SCHEMES: [&str; 3] = [
    "integrator = \"newmark\"",
    "integrator = \"newmark\"\nbeta = 0.25",
    "integrator = \"variational\"",
];

fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap_or_else(|e| panic!("{e}"))
}

/// Three columns of the present frame.
fn vector(run: &mut Simulation, name: &str) -> Vector3<f64> {
    let columns = Columns::new(run.model());
    let mut row = Vec::new();
    columns.row(run, &mut row);
    assert_eq!(row.len(), columns.len());
    let of = |axis: &str| row[columns.find(&format!("{name}{axis}")).unwrap()];
    Vector3::new(of("x"), of("y"), of("z"))
}

#[test]
fn a_load_is_one_force_that_does_not_turn_what_it_pulls_by_the_middle() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "[body.block]\nelastic = {{ box = [0.2, 0.1, 0.1], cells = [3, 2, 1], E = 1e5, nu = 0.3 }}\n\
             density = 1000\n\
             [nodes.tip]\nbody = \"block\"\nplane = {{ point = [0.1, 0, 0], normal = [1, 0, 0] }}\n\
             [load.pull]\nnodes = \"tip\"\nforce = [\"3 + t\", 0, 0]\nsample = \"left\"\n\
             [simulate]\nduration = 1\nstep = 1e-3\n{scheme}\n"
        ));
        let columns = Columns::new(run.model());
        let of_load: Vec<&String> = (columns.names().iter())
            .filter(|n| n.starts_with("load."))
            .collect();
        let named = [
            "load.pull.force.x",
            "load.pull.force.y",
            "load.pull.force.z",
        ];
        assert_eq!(of_load, named);
        run.run(200).unwrap();
        // ∫ f dt, sampled at the start of every step.
        let impulse = 3.0 * 0.2 + 0.5 * 0.2 * 0.199;
        let totals = run.totals();
        assert!((totals.linear.x - impulse).abs() < 1e-12, "{scheme}");
        // The resultant passes through the middle.
        assert!(totals.angular.norm() < 1e-4 * impulse * 0.1, "{scheme}");
        let shown = vector(&mut run, "load.pull.force.");
        assert!((shown - Vector3::new(3.2, 0.0, 0.0)).norm() < 1e-12);
        let balance = &run.ledger();
        assert!((balance.forces.linear.x - impulse).abs() < 1e-12);
        assert_eq!(balance.supports.linear, Vector3::zeros());
    }
}

#[test]
fn held_nodes_tell_their_reaction_and_the_balance_knows_it() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "gravity = [0, 0, -9.81]\n\
             [body.bar]\nelastic = {{ box = [0.1, 0.1, 0.3], cells = [1, 1, 4], E = 1e6, nu = 0.3, \
             damping = {{ mass = 30, stiffness = 1e-3 }} }}\ndensity = 1000\n\
             [nodes.top]\nbody = \"bar\"\nplane = {{ point = [0, 0, 0.15], normal = [0, 0, 1] }}\nhold = true\n\
             [nodes.foot]\nbody = \"bar\"\nplane = {{ point = [0, 0, -0.15], normal = [0, 0, 1] }}\n\
             [simulate]\nduration = 2\nstep = 2e-4\n{scheme}\n"
        ));
        run.run(6000).unwrap();
        // At rest it carries the nodes below: all but half a cell.
        let weight = 9.81 * 1000.0 * 0.003 * (1.0 - 0.5 / 4.0);
        let force = vector(&mut run, "nodes.top.force.");
        let off = force - Vector3::new(0.0, 0.0, weight);
        assert!(off.norm() < 1e-6 * weight, "{scheme}: {off:?}");
        // Stretched by its own weight: about ρ g l²/(2 E), less as its top cannot shrink.
        let foot = vector(&mut run, "nodes.foot.");
        let sunk = -0.15 - foot.z;
        assert!((3e-4..4.5e-4).contains(&sunk), "{scheme}: {sunk}");
        assert_eq!(vector(&mut run, "nodes.top."), Vector3::new(0.0, 0.0, 0.15));
        // What hangs came to rest: the supports took what gravity gave, less what damping did.
        let ledger = run.ledger();
        let rest = ledger.linear_momentum.last - ledger.forces.linear;
        assert!(rest.norm() < 1e-9, "{scheme}: {rest:?}");
        let others = ledger.forces.linear - ledger.supports.linear;
        let fallen = sunk * 1000.0 * 0.003 * 30.0;
        assert!(
            (others.z + weight * run.time()).abs() < fallen,
            "{scheme}: {others:?}"
        );
        assert!((ledger.supports.linear.z - weight * run.time()).abs() < 2.0 * fallen);
    }
}

#[test]
fn floors_met_by_potentials_are_no_forces_and_loads() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "gravity = [0, 0, -9.81]\n\
             [body.ball]\nelastic = {{ ball = 0.05, layers = 1, E = 1e5, nu = 0.3 }}\n\
             density = 1000\nposition = [0.3, 0, 0.051]\nvelocity = [0, 0, -0.5]\n\
             [body.cube]\nshape = {{ cube = 0.05 }}\nmass = 0.2\nposition = [0.1, 0, 0.026]\n\
             [halfspace.floor]\nnormal = [0, 0, 1]\n\
             [simulate]\nduration = 1\nstep = 2e-4\n{scheme}\nlaw = \"potential\"\nstiffness = 2000\ndrag = 0.5\n"
        ));
        let mass: f64 = run.model().bodies().iter().map(|b| b.mass()).sum();
        run.run(400).unwrap();
        let (ledger, t) = (run.ledger(), run.time());
        // Gravity alone is left of the forces, and about the origin its moment.
        let others = ledger.forces.linear - ledger.supports.linear;
        let weight = Vector3::new(0.0, 0.0, -9.81 * mass * t);
        assert!(
            (others - weight).norm() < 1e-12,
            "{scheme}: {others:?} {weight:?}"
        );
        assert!(ledger.supports.linear.z > 0.3, "{scheme}");
        let moment = ledger.forces.angular - ledger.supports.angular;
        let balls = mass - 0.2;
        let expected = 9.81 * t * (0.1 * 0.2 + 0.3 * balls);
        assert!(
            (moment.y - expected).abs() < 1e-3 * expected,
            "{scheme}: {moment:?} {expected}"
        );
    }
}
