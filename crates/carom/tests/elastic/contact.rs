//! Elastic bodies that collide: momenta to round-off, energy, forces that are derivatives of the
//! potential.

use carom::Pose;
use carom::contact::{ContactPotential, Path};
use carom::elastic::{Mesh, NeoHookean, ball, cuboid, disc};
use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::{BodySpec, Law, Model, ModelBuilder, Party, SolidSpec};
use carom::simulate::{Integrator, Settings, SimulateError, Simulation};
use nalgebra::Vector3;

const RUBBER: NeoHookean = NeoHookean {
    lambda: 2e4,
    mu: 1e4,
};
const SOFT: Law = Law::Potential {
    stiffness: 2e3,
    drag: 0.0,
};

fn explicit(step: f64, law: Law) -> Settings {
    Settings {
        integrator: Integrator::Newmark {
            beta: 0.0,
            gamma: 0.5,
        },
        law,
        ..Settings::with_step(step)
    }
}

fn cube(name: &str, x: f64, turn: Vector3<f64>, v: f64) -> SolidSpec {
    let mesh = cuboid([0.1; 3], [2; 3]).unwrap();
    SolidSpec::new(name, mesh, 1000.0, RUBBER)
        .pose(Pose::new(Vector3::new(x, 0.0, 0.0), turn))
        .velocity(Vector3::new(v, 0.0, 0.0))
}

fn two_cubes(turn: Vector3<f64>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.solid(cube("left", -0.08, Vector3::zeros(), 0.4));
    builder.solid(cube("right", 0.08, turn, -0.4).angular_velocity(turn * 2.0));
    builder.build().unwrap()
}

/// Velocity of the centre of mass of a solid.
fn speed(simulation: &Simulation, solid: usize) -> Vector3<f64> {
    let model = simulation.model();
    let nodes = model.solids()[solid].particles.clone();
    let mass: f64 = nodes.clone().map(|k| model.bodies()[k].mass()).sum();
    let momenta = nodes.map(|k| simulation.state().momenta[k].force);
    momenta.sum::<Vector3<f64>>() / mass
}

#[test]
fn cubes_that_meet_face_to_face_rebound() {
    let model = two_cubes(Vector3::zeros());
    let mut simulation = Simulation::new(model, explicit(1e-4, SOFT)).unwrap();
    simulation.run(3500).unwrap();
    let ledger = simulation.ledger();
    assert!(ledger.overlap_max > 1e-4, "they met");
    assert!(
        ledger.energy.spread() < 0.01 * ledger.energy.initial,
        "{:?}",
        ledger.energy
    );
    assert!(ledger.linear_momentum.max_change < 1e-10 * 0.4);
    assert!(ledger.angular_momentum.max_change < 1e-10 * 0.04);
    let (left, right) = (speed(&simulation, 0), speed(&simulation, 1));
    assert!(left.x < -0.2 && right.x > 0.2, "{left} {right}");
    // Mirror images of each other, and no drift to a side.
    assert!((left + right).norm() < 1e-10);
    assert!(left.y.abs() + left.z.abs() < 1e-9, "{left}");
    // They vibrate while they touch: what began to touch ceased to.
    assert!(ledger.contact_count >= 2 && ledger.contact_count.is_multiple_of(2));
    let names: Vec<_> = (simulation.take_events().iter())
        .map(|e| e.pair.names(simulation.model()))
        .collect();
    assert_eq!(names[0], ["left", "right"]);
}

#[test]
fn oblique_collisions_keep_momenta_to_round_off() {
    let model = two_cubes(Vector3::new(0.5, 0.3, 0.7));
    let mut simulation = Simulation::new(model, explicit(1e-4, SOFT)).unwrap();
    simulation.run(3000).unwrap();
    let ledger = simulation.ledger();
    assert!(ledger.overlap_max > 1e-4);
    let spin = &ledger.angular_momentum;
    assert!(
        spin.max_change < 1e-10 * spin.initial.norm(),
        "{:e}",
        spin.max_change
    );
    assert!(ledger.linear_momentum.max_change < 1e-10 * 0.4);
    assert!(
        ledger.energy.spread() < 0.01 * ledger.energy.initial,
        "{:?}",
        ledger.energy
    );
    assert!(speed(&simulation, 0).x < 0.2);
}

#[test]
fn implicit_schemes_collide_too() {
    for integrator in [
        Integrator::Newmark {
            beta: 0.25,
            gamma: 0.5,
        },
        Integrator::default(),
    ] {
        let settings = Settings {
            integrator,
            law: SOFT,
            ..Settings::with_step(5e-4)
        };
        let model = two_cubes(Vector3::new(0.2, 0.1, 0.0));
        let mut simulation = Simulation::new(model, settings).unwrap();
        simulation.run(500).unwrap();
        let ledger = simulation.ledger();
        assert!(ledger.overlap_max > 1e-4);
        assert!(ledger.linear_momentum.max_change < 1e-10 * 0.4);
        assert!(
            ledger.energy.spread() < 0.03 * ledger.energy.initial,
            "{integrator:?} {:?}",
            ledger.energy
        );
        assert!(speed(&simulation, 0).x < 0.0, "{integrator:?}");
    }
}

/// Forces of all kinds of contact against differences of the potential.
#[test]
fn contact_forces_are_derivatives() {
    let mut builder = ModelBuilder::new();
    builder.solid(cube("left", -0.049, Vector3::new(0.3, 0.2, 0.1), 0.0));
    builder.solid(cube("right", 0.049, Vector3::new(0.1, -0.2, 0.4), 0.0));
    let shape = Shape::single(Polytope::cube(0.1).unwrap(), 500.0).unwrap();
    builder.body(BodySpec::rigid("block").shape(shape).pose(Pose::new(
        Vector3::new(-0.04, 0.098, 0.01),
        Vector3::new(0.1, 0.2, 0.3),
    )));
    let floor = HalfSpace::new(Vector3::z(), -0.055).unwrap();
    builder.wall("floor", floor, None);
    let model = builder.build().unwrap();
    let poses: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
    let mut contact = ContactPotential::new(&model, SOFT).unwrap();
    contact.prepare(&model, &poses, &poses, 1e-3);
    let mut value = |poses: &[Pose]| {
        let at = Path {
            poses,
            coordinates: &[],
        };
        contact.evaluate(&model, &at);
        let mut forces = vec![Default::default(); poses.len()];
        contact.add_forces(&mut forces);
        (contact.value().0, forces)
    };
    let (energy, forces) = value(&poses);
    assert!(energy > 0.0);
    let total: Vector3<f64> = forces.iter().map(|y| y.force).sum();
    let largest = forces.iter().map(|y| y.force.norm()).fold(0.0, f64::max);
    // Only the floor pushes from outside.
    assert!(total.x.abs() + total.y.abs() < 1e-12 * largest && total.z > 0.0);
    let e = 1e-8;
    let mut pushed = 0;
    for (body, force) in forces.iter().enumerate() {
        for axis in 0..3 {
            let mut nudged = |by: f64| {
                let mut poses = poses.clone();
                poses[body].position[axis] += by;
                value(&poses).0
            };
            let slope = (nudged(e) - nudged(-e)) / (2.0 * e);
            let off = (slope + force.force[axis]).abs();
            assert!(
                off < 1e-4 * largest,
                "{body} {axis}: {slope} {}",
                force.force[axis]
            );
        }
        pushed += usize::from(force.force.norm() > 0.0);
    }
    assert!(pushed > 10);
}

#[test]
fn a_ball_bounces_off_a_floor_and_a_block() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let mesh = ball(0.05, 2).unwrap();
    builder.solid(
        SolidSpec::new("ball", mesh, 1000.0, RUBBER).pose(Pose::translation(0.0, 0.0, 0.06)),
    );
    let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    builder.wall("floor", floor, None);
    let shape = Shape::single(Polytope::cube(0.1).unwrap(), 2000.0).unwrap();
    builder.body(
        BodySpec::rigid("block")
            .shape(shape)
            .position(Vector3::new(0.0, 0.0, 0.18)),
    );
    let model = builder.build().unwrap();
    let mut simulation = Simulation::new(model, explicit(1e-4, SOFT)).unwrap();
    simulation.run(2500).unwrap();
    let ledger = simulation.ledger();
    let scale = ledger.kinetic.max;
    assert!(
        ledger.energy.spread() < 0.01 * scale,
        "{:?} {scale}",
        ledger.energy
    );
    let model = simulation.model();
    let names: std::collections::HashSet<_> = (simulation.events().iter())
        .map(|e| e.pair.names(model))
        .collect();
    assert!(
        names.contains(&["ball".to_string(), "floor".to_string()]),
        "{names:?}"
    );
    assert!(
        names.contains(&["ball".to_string(), "block".to_string()]),
        "{names:?}"
    );
    // Nothing fell through.
    let lowest = simulation.state().poses.iter().map(|p| p.position.z);
    assert!(lowest.fold(f64::INFINITY, f64::min) > -0.02);
}

/// Two blocks that are one mesh.
fn pair_of_blocks() -> Mesh {
    let one = cuboid([0.1; 3], [2; 3]).unwrap();
    let mut points: Vec<_> = one
        .points()
        .iter()
        .map(|x| x - Vector3::x() * 0.08)
        .collect();
    let n = points.len() as u32;
    points.extend(one.points().iter().map(|x| x + Vector3::x() * 0.08));
    let cells = one.elements().iter().map(|e| e.nodes);
    let cells: Vec<[u32; 4]> = cells
        .clone()
        .chain(cells.map(|c| c.map(|k| k + n)))
        .collect();
    Mesh::tetrahedra(points, cells).unwrap()
}

#[test]
fn a_body_meets_itself_if_asked() {
    for itself in [true, false] {
        let mut builder = ModelBuilder::new();
        let spec = SolidSpec::new("pair", pair_of_blocks(), 1000.0, RUBBER);
        builder.solid(spec.meets_itself(itself));
        let model = builder.build().unwrap();
        let mut state = carom::simulate::State::start(&model).unwrap();
        for (p, body) in state.momenta.iter_mut().zip(model.bodies()) {
            p.force.x = -0.4 * body.start.position.x.signum() * body.mass();
        }
        let mut simulation = Simulation::from_state(model, explicit(1e-4, SOFT), state).unwrap();
        simulation.run(3000).unwrap();
        let rebound = simulation.state().momenta[0].force.x < 0.0;
        assert_eq!(rebound, itself);
        assert!(simulation.ledger().linear_momentum.max_change < 1e-12);
    }
}

#[test]
fn discs_collide_in_the_plane() {
    let mut builder = ModelBuilder::new();
    for (name, x, y, v) in [("left", -0.12, 0.0, 0.5), ("right", 0.12, 0.06, -0.5)] {
        let mesh = disc(0.1, 3, 1.0).unwrap();
        builder.solid(
            SolidSpec::new(name, mesh, 1000.0, RUBBER)
                .pose(Pose::translation(x, y, 0.0))
                .velocity(Vector3::new(v, 0.0, 0.0)),
        );
    }
    let model = builder.build().unwrap();
    let law = Law::Potential {
        stiffness: 2e4,
        drag: 0.0,
    };
    let mut simulation = Simulation::new(model, explicit(1e-4, law)).unwrap();
    simulation.run(3000).unwrap();
    let ledger = simulation.ledger();
    assert!(ledger.overlap_max > 1e-4);
    assert!(
        ledger.energy.spread() < 0.01 * ledger.energy.initial,
        "{:?}",
        ledger.energy
    );
    let spin = &ledger.angular_momentum;
    assert!(spin.max_change < 1e-10 * spin.initial.norm(), "{spin:?}");
    let left = speed(&simulation, 0);
    assert!(left.y < -0.05 && left.z == 0.0, "{left}");
}

#[test]
fn excluded_pairs_pass_and_other_laws_are_refused() {
    let mut builder = ModelBuilder::new();
    builder.solid(cube("left", -0.08, Vector3::zeros(), 0.4));
    builder.solid(cube("right", 0.08, Vector3::zeros(), -0.4));
    builder.exclude_solid(Party::Solid(1), Party::Solid(0));
    let model = builder.build().unwrap();
    let mut simulation = Simulation::new(model, explicit(1e-3, SOFT)).unwrap();
    simulation.run(300).unwrap();
    assert_eq!(simulation.ledger().contact_count, 0);
    let refused = Simulation::new(two_cubes(Vector3::zeros()), explicit(1e-4, Law::EXACT));
    let refused = refused.unwrap_err();
    assert!(matches!(refused, SimulateError::Unsupported { .. }));
    assert!(refused.to_string().contains("potential"), "{refused}");
}
