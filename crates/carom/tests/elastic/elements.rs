//! Elastic bodies against what is known: patch test, rigid motion, vibrations, waves, bending.

use carom::elastic::{Damping, Mesh, NeoHookean, cuboid, rectangle};
use carom::mechanics::{
    Share, SolidField, potential, potential_forces, potential_forces_by, potential_hessian,
};
use carom::model::{BodySpec, Model, ModelBuilder, SolidSpec};
use carom::simulate::{Formulation, Integrator, Settings, SimulateError, Simulation};
use carom::{Pose, geometry};
use nalgebra::{Matrix3, Vector3};

const RUBBER: NeoHookean = NeoHookean {
    lambda: 2e4,
    mu: 1e4,
};

fn model(spec: SolidSpec) -> Model {
    let mut builder = ModelBuilder::new();
    builder.solid(spec);
    builder.build().unwrap()
}

fn newmark(step: f64, beta: f64) -> Settings {
    Settings {
        integrator: Integrator::Newmark { beta, gamma: 0.5 },
        ..Settings::with_step(step)
    }
}

/// Poses of a free block after a map of its nodes.
fn mapped(model: &Model, map: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Vec<Pose> {
    let moved = |pose: &Pose| Pose {
        position: map(&pose.position),
        ..*pose
    };
    model.bodies().iter().map(|b| moved(&b.start)).collect()
}

/// A block whose inner nodes are out of line.
fn crooked() -> Mesh {
    let mesh = cuboid([1.0, 0.8, 0.6], [3, 3, 3]).unwrap();
    mesh.mapped(|x| {
        let inner = x.x.abs() < 0.49 && x.y.abs() < 0.39 && x.z.abs() < 0.29;
        let off = Vector3::new(x.y, -x.z, x.x) * 0.15;
        if inner { x + off } else { *x }
    })
    .unwrap()
}

#[test]
fn the_patch_test_is_exact() {
    let model = model(SolidSpec::new("block", crooked(), 1000.0, RUBBER));
    let f = Matrix3::new(1.1, 0.2, 0.0, -0.1, 0.95, 0.05, 0.0, 0.1, 1.05);
    let poses = mapped(&model, |x| f * x + Vector3::new(3.0, -2.0, 1.0));
    let mut forces = vec![Default::default(); poses.len()];
    potential_forces(&model, &Share::all(&model), &poses, &mut forces);
    let solid = &model.solids()[0];
    // Constant strain: W V exactly, and nothing pulls at inner nodes.
    let energy = potential(&model, &Share::all(&model), &poses);
    let exact = RUBBER.energy(&f) * 0.48;
    assert!((energy / exact - 1.0).abs() < 1e-12);
    let outer: std::collections::HashSet<u32> =
        solid.surface.iter().flat_map(|(face, _)| *face).collect();
    let largest = forces.iter().map(|y| y.force.norm()).fold(0.0, f64::max);
    let mut inner = 0;
    for (n, p) in solid.points.iter().enumerate() {
        if !outer.contains(&(n as u32)) {
            let force = forces[p.body.unwrap().index()].force.norm();
            assert!(force < 1e-12 * largest, "node {n}: {force:e}");
            inner += 1;
        }
    }
    assert_eq!(inner, 8);
}

#[test]
fn rigid_motion_takes_no_energy() {
    let model = model(SolidSpec::new("block", crooked(), 1000.0, RUBBER));
    let share = Share::all(&model);
    let turn = nalgebra::Rotation3::from_euler_angles(0.4, 1.3, -2.0);
    let poses = mapped(&model, |x| turn * x + Vector3::new(30.0, -20.0, 10.0));
    let energy = potential(&model, &share, &poses);
    // Against the energy of one per cent of stretch.
    let stretched = mapped(&model, |x| x * 1.01);
    let scale = potential(&model, &share, &stretched);
    assert!(energy.abs() < 1e-12 * scale, "{energy:e} {scale:e}");
}

#[test]
fn stiffness_is_the_derivative_of_the_forces() {
    let mut builder = ModelBuilder::new();
    let shape = geometry::Shape::single(geometry::Polytope::cube(0.2).unwrap(), 800.0).unwrap();
    let hub = builder.body(
        BodySpec::rigid("hub")
            .shape(shape)
            .position(Vector3::new(-0.6, 0.0, 0.0)),
    );
    let mesh = cuboid([1.0, 0.2, 0.2], [2, 1, 1]).unwrap();
    let root = mesh.nodes_where(|x| x.x < -0.49);
    builder.solid(SolidSpec::new("arm", mesh, 900.0, RUBBER).glue(&root, hub));
    let model = builder.build().unwrap();
    let poses: Vec<Pose> = (model.bodies().iter().enumerate())
        .map(|(k, b)| {
            let off = Vector3::new(
                (k as f64).sin(),
                (2.0 * k as f64).cos(),
                (3.0 * k as f64).sin(),
            );
            Pose {
                position: b.start.position + off * 0.03,
                ..Pose::new(
                    b.start.position + off * 0.03,
                    off * if k == 0 { 0.1 } else { 0.0 },
                )
            }
        })
        .collect();
    let share = Share::all(&model);
    let hessian = potential_hessian(&model, &poses);
    let gather = |poses: &[Pose]| {
        let mut forces = vec![Default::default(); poses.len()];
        potential_forces(&model, &share, poses, &mut forces);
        let mut out: Vec<f64> = forces[0].force.iter().copied().collect();
        out.extend(forces[0].directors.iter());
        forces[1..].iter().for_each(|y| out.extend(y.force.iter()));
        out
    };
    let e = 1e-6;
    for column in (0..12).chain([12, 17, 20]) {
        let nudged = |by: f64| {
            let mut poses = poses.clone();
            match column {
                0..3 => poses[0].position[column] += by,
                3..12 => poses[0].directors[column - 3] += by,
                c => poses[1 + (c - 12) / 3].position[(c - 12) % 3] += by,
            }
            gather(&poses)
        };
        let (up, down) = (nudged(e), nudged(-e));
        for row in 0..up.len() {
            let numeric = (down[row] - up[row]) / (2.0 * e);
            let off = (numeric - hessian[(row, column)]).abs();
            assert!(off < 1e-5 * hessian.amax(), "{row} {column}: {off:e}");
        }
    }
}

/// A free block that spins, in the midpoint scheme.
#[test]
fn a_spinning_block_keeps_its_momenta_to_round_off() {
    let mesh = cuboid([0.2, 0.1, 0.05], [1, 1, 1]).unwrap();
    let spec = SolidSpec::new("block", mesh, 1000.0, RUBBER)
        .angular_velocity(Vector3::new(2.0, 5.0, -1.0));
    let mut simulation = Simulation::new(model(spec), Settings::with_step(2e-3)).unwrap();
    simulation.run(100_000).unwrap();
    let ledger = simulation.ledger();
    let spin = &ledger.angular_momentum;
    assert!(
        spin.max_change < 1e-12 * spin.initial.norm(),
        "{:e}",
        spin.max_change / spin.initial.norm()
    );
    assert!(ledger.linear_momentum.max_change < 1e-14);
    assert!(
        ledger.energy.spread() < 1e-2 * ledger.energy.initial,
        "{}",
        ledger.energy.spread()
    );
}

#[test]
fn all_schemes_agree_and_keep_momenta() {
    let start = |damping: f64| {
        let mesh = cuboid([0.2, 0.1, 0.1], [4, 2, 2]).unwrap();
        let spec = SolidSpec::new("block", mesh, 1000.0, RUBBER)
            .angular_velocity(Vector3::new(3.0, 2.0, 8.0))
            .damping(Damping {
                mass: 0.0,
                stiffness: damping,
            });
        model(spec)
    };
    let variational = |formulation, step| Settings {
        integrator: Integrator::Variational {
            formulation,
            gamma: 0.5,
        },
        ..Settings::with_step(step)
    };
    for damping in [0.0, 2e-3] {
        let mut ends = Vec::new();
        let step = 1e-4;
        for settings in [
            newmark(step, 0.0),
            newmark(step, 0.25),
            variational(Formulation::Reduced, step),
            variational(Formulation::Multipliers, step),
        ] {
            let mut simulation = Simulation::new(start(damping), settings).unwrap();
            simulation.run(300).unwrap();
            let ledger = simulation.ledger();
            let spin = &ledger.angular_momentum;
            // The trapezoidal rule keeps angular momentum to its own order only.
            let trapezoidal =
                matches!(settings.integrator, Integrator::Newmark { beta, .. } if beta > 0.0);
            let kept = if trapezoidal { 1e-6 } else { 1e-12 };
            let lost = spin.max_change / spin.initial.norm();
            assert!(lost < kept, "{settings:?} {lost:e}");
            assert!(ledger.linear_momentum.max_change < 1e-13);
            assert!(trapezoidal || ledger.momentum_residual_max < 1e-13);
            let change = ledger.energy.last / ledger.energy.initial - 1.0;
            if damping > 0.0 {
                assert!(change < -1e-3, "{settings:?} {change:e}");
            } else {
                assert!(change.abs() < 1e-4, "{settings:?} {change:e}");
            }
            let places: Vec<_> = simulation
                .state()
                .poses
                .iter()
                .map(|p| p.position)
                .collect();
            ends.push(places);
        }
        for (k, end) in ends.iter().enumerate().skip(1) {
            let off = end.iter().zip(&ends[0]).map(|(a, b)| (a - b).norm());
            let off = off.fold(0.0, f64::max);
            // All of second order.
            assert!(off < 1e-4, "{k}: {off:e}");
        }
        // The same scheme in other unknowns.
        let off = ends[2].iter().zip(&ends[3]).map(|(a, b)| (a - b).norm());
        assert!(off.fold(0.0, f64::max) < 1e-11);
    }
}

/// Frequency of the first longitudinal mode of a free bar, by its energy over time.
fn bar_frequency(cells: usize) -> f64 {
    let (length, young, density): (f64, f64, f64) = (1.0, 1e4, 10.0);
    let material = NeoHookean::from_young(young, 0.0);
    let mesh = cuboid([length, 0.5, 0.5], [cells, cells / 2, cells / 2]).unwrap();
    let model = model(SolidSpec::new("bar", mesh, density, material));
    let speed = (young / density).sqrt();
    let period = 2.0 * length / speed;
    let stable = carom::simulate::stable_step(&model, &newmark(1.0, 0.0).integrator)
        .unwrap()
        .0;
    let step = period / (period / (0.2 * stable)).ceil();
    let mut state = carom::simulate::State::start(&model).unwrap();
    for (pose, body) in state.poses.iter_mut().zip(model.bodies()) {
        // u = ε sin(π x / l), x from −l/2
        pose.position.x += 1e-6 * (std::f64::consts::PI * body.start.position.x / length).sin();
    }
    let mut simulation = Simulation::from_state(model, newmark(step, 0.0), state).unwrap();
    // The momentum of the mode passes through zero twice in a period.
    let model = simulation.model().clone();
    let shape: Vec<f64> = (model.bodies().iter())
        .map(|b| (std::f64::consts::PI * b.start.position.x / length).sin())
        .collect();
    let mut crossings = Vec::new();
    let mut before = 0.0;
    while crossings.len() < 5 {
        simulation.step().unwrap();
        let momenta = simulation.state().momenta.iter().zip(&shape);
        let p: f64 = momenta.map(|(p, s)| p.force.x * s).sum();
        if p * before < 0.0 {
            let part = before / (before - p);
            crossings.push(simulation.time() - step * (1.0 - part));
        }
        before = p;
    }
    2.0 / (crossings[4] - crossings[0]) * period
}

#[test]
fn vibrations_of_a_bar_converge_with_second_order() {
    let off: Vec<f64> = [4, 8, 16]
        .iter()
        .map(|n| (bar_frequency(*n) - 1.0).abs())
        .collect();
    assert!(off[2] < 5e-3, "{off:?}");
    for pair in off.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.7..2.3).contains(&order), "{off:?}");
    }
}

/// A pulse that runs along a bar with P-wave speed (its sides kept from moving sideways by ν = 0).
#[test]
fn waves_run_with_their_speed() {
    let (length, young, density): (f64, f64, f64) = (1.0, 1e4, 10.0);
    let material = NeoHookean::from_young(young, 0.0);
    let mesh = cuboid([length, 0.01, 0.01], [100, 1, 1]).unwrap();
    let model = model(SolidSpec::new("bar", mesh, density, material));
    let mut state = carom::simulate::State::start(&model).unwrap();
    let speed = (young / density).sqrt();
    // u = f(x − c t): a smooth bump that runs to the right.
    let width = 0.08;
    for (k, body) in model.bodies().iter().enumerate() {
        let s = (body.start.position.x + 0.25) / width;
        let bump = 1e-6 * (-s * s).exp();
        state.poses[k].position.x += bump;
        state.momenta[k].force.x = body.mass() * speed * bump * 2.0 * s / width;
    }
    let mut simulation = Simulation::from_state(model, newmark(5e-5, 0.0), state).unwrap();
    let centre = |simulation: &Simulation| {
        let (mut sum, mut first) = (0.0, 0.0);
        for (pose, body) in simulation
            .state()
            .poses
            .iter()
            .zip(simulation.model().bodies())
        {
            let u = pose.position.x - body.start.position.x;
            sum += u * u;
            first += u * u * body.start.position.x;
        }
        first / sum
    };
    let from = centre(&simulation);
    simulation.run(300).unwrap();
    let way = centre(&simulation) - from;
    let found = way / simulation.time();
    assert!((found / speed - 1.0).abs() < 0.01, "{found} {speed}");
}

/// Deflection of the end of a cantilever in plane strain under its weight.
fn cantilever(cells: [usize; 2]) -> f64 {
    let (length, height, young, nu, density) = (1.0, 0.1, 1e7, 0.3, 100.0);
    let mesh = rectangle([length, height], cells, 1.0).unwrap();
    let root = mesh.nodes_where(|x| x.x < -0.4999);
    let spec = SolidSpec::new("beam", mesh, density, NeoHookean::from_young(young, nu)).hold(&root);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -0.1, 0.0));
    builder.solid(spec);
    // Long steps of a scheme that forgets what it does not resolve end at rest.
    let settings = Settings {
        integrator: Integrator::Newmark {
            beta: 0.5,
            gamma: 1.0,
        },
        ..Settings::with_step(0.05)
    };
    let mut simulation = Simulation::new(builder.build().unwrap(), settings).unwrap();
    simulation.run(40).unwrap();
    let (kinetic, fallen) = (
        simulation.totals().kinetic,
        simulation.ledger().potential.spread(),
    );
    assert!(kinetic < 1e-5 * fallen, "{kinetic:e} {fallen:e}");
    let lowest = simulation
        .state()
        .poses
        .iter()
        .zip(simulation.model().bodies());
    let tip = lowest
        .filter(|(_, b)| b.start.position.x > 0.4999 && b.start.position.y.abs() < 1e-9)
        .map(|(p, _)| -p.position.y)
        .next()
        .unwrap();
    // w = q l⁴ / (8 E′ I) with E′ = E/(1 − ν²), and the shear of Timoshenko's beam, κ = 5/6.
    let q = density * 0.1 * height;
    let stiff = young / (1.0 - nu * nu) * height.powi(3) / 12.0;
    let shear = 5.0 / 6.0 * young / (2.0 * (1.0 + nu)) * height;
    tip / (q / (8.0 * stiff) + q / (2.0 * shear))
}

#[test]
fn a_cantilever_bends_as_beams_do() {
    let coarse = cantilever([20, 2]);
    let middle = cantilever([40, 4]);
    let fine = cantilever([80, 8]);
    // Linear triangles are too stiff in bending, with an error of second order.
    let off = [1.0 - coarse, 1.0 - middle, 1.0 - fine];
    assert!(off[2] < 0.05, "{off:?}");
    for pair in off.windows(2) {
        assert!(pair[0] / pair[1] > 2.5, "{off:?}");
    }
}

#[test]
fn glued_bodies_share_their_mass_and_keep_momenta() {
    let build = || {
        let mut builder = ModelBuilder::new();
        let shape = geometry::Shape::single(geometry::Polytope::cube(0.2).unwrap(), 800.0).unwrap();
        let hub = builder.body(
            BodySpec::rigid("hub")
                .shape(shape)
                .position(Vector3::new(-0.6, 0.0, 0.0))
                .velocity(Vector3::new(0.0, 0.3, 0.0)),
        );
        let mesh = cuboid([1.0, 0.2, 0.2], [5, 2, 2]).unwrap();
        let root = mesh.nodes_where(|x| x.x < -0.49);
        let arm = SolidSpec::new("arm", mesh, 900.0, RUBBER);
        builder.solid(arm.velocity(Vector3::new(0.0, 0.3, 0.0)).glue(&root, hub));
        builder.build().unwrap()
    };
    let model = build();
    let mass: f64 = model.bodies().iter().map(|b| b.mass()).sum();
    assert!((mass - (0.008 * 800.0 + 0.04 * 900.0)).abs() < 1e-12);
    let variational = |formulation| Settings {
        integrator: Integrator::Variational {
            formulation,
            gamma: 0.5,
        },
        ..Settings::with_step(1e-3)
    };
    let mut ends: Vec<Vector3<f64>> = Vec::new();
    for settings in [
        newmark(1e-4, 0.0),
        newmark(1e-3, 0.25),
        variational(Formulation::Reduced),
        variational(Formulation::Multipliers),
    ] {
        let mut state = carom::simulate::State::start(&model).unwrap();
        // Push the hub sideways: the arm bends.
        state.momenta[0].force.z += 2.0;
        let mut simulation = Simulation::from_state(build(), settings, state).unwrap();
        let steps = (0.2 / settings.step).round() as usize;
        simulation.run(steps).unwrap();
        let ledger = simulation.ledger();
        let spin = &ledger.angular_momentum;
        let trapezoidal =
            matches!(settings.integrator, Integrator::Newmark { beta, .. } if beta > 0.0);
        assert!(
            spin.max_change < if trapezoidal { 1e-4 } else { 1e-11 },
            "{settings:?} {:e}",
            spin.max_change
        );
        assert!(ledger.linear_momentum.max_change < 1e-12);
        let change = ledger.energy.spread() / ledger.energy.initial;
        assert!(change < 1e-2, "{settings:?} {change:e}");
        ends.push(simulation.state().poses[0].position);
    }
    assert!((ends[2] - ends[3]).norm() < 1e-11);
    assert!(
        (ends[0] - ends[2]).norm() < 1e-4,
        "{:e}",
        (ends[0] - ends[2]).norm()
    );
    assert!((ends[1] - ends[2]).norm() < 1e-4);
}

#[test]
fn a_large_body_is_solved_sparsely() {
    let mesh = cuboid([0.4, 0.1, 0.1], [16, 4, 4]).unwrap();
    let root = mesh.nodes_where(|x| x.x < -0.199);
    let spec = SolidSpec::new("beam", mesh, 1000.0, RUBBER).hold(&root);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    builder.solid(spec);
    let model = builder.build().unwrap();
    assert!(model.freedom() > 1000);
    let mut ends = Vec::new();
    for settings in [
        Settings::with_step(5e-3),
        newmark(5e-3, 0.25),
        newmark(2.5e-4, 0.0),
    ] {
        let mut simulation = Simulation::new(model.clone(), settings).unwrap();
        simulation
            .run((0.05 / settings.step).round() as usize)
            .unwrap();
        let last = simulation.state().poses.last().unwrap().position;
        ends.push(last);
    }
    assert!((ends[0] - ends[2]).norm() < 2e-4, "{ends:?}");
    assert!((ends[1] - ends[2]).norm() < 2e-4, "{ends:?}");
}

#[test]
fn long_explicit_steps_are_refused_and_short_ones_stable() {
    let build = || {
        let mesh = cuboid([0.1, 0.1, 0.1], [2, 2, 2]).unwrap();
        model(
            SolidSpec::new("cube", mesh, 1000.0, RUBBER)
                .angular_velocity(Vector3::new(0.0, 0.0, 3.0)),
        )
    };
    let integrator = newmark(1.0, 0.0).integrator;
    let (stable, name) = carom::simulate::stable_step(&build(), &integrator).unwrap();
    assert_eq!(name, "cube");
    let refused = Simulation::new(build(), newmark(1.01 * stable, 0.0)).unwrap_err();
    assert!(matches!(refused, SimulateError::Unstable { .. }));
    assert!(refused.to_string().contains("cube") && refused.to_string().contains("beta"));
    assert!(Simulation::new(build(), newmark(10.0 * stable, 0.25)).is_ok());
    let mut simulation = Simulation::new(build(), newmark(0.9 * stable, 0.0)).unwrap();
    simulation.run(2000).unwrap();
    let energy = &simulation.ledger().energy;
    assert!(
        energy.spread() < 0.02 * energy.initial,
        "{}",
        energy.spread() / energy.initial
    );
    // Half of it bounds what the whole body needs; twice the bound blows up.
    let model = build();
    let mut simulation = Simulation::new(model, newmark(0.9 * stable, 0.0)).unwrap();
    assert!((simulation.stable_step().unwrap() - stable).abs() < 1e-18);
    assert!(simulation.step_with(0.9 * stable, &[]).is_ok());
}

#[test]
fn elements_turned_inside_out_are_named() {
    let mesh = cuboid([0.1, 0.1, 0.1], [1, 1, 1]).unwrap();
    let model = model(SolidSpec::new("cube", mesh, 1000.0, RUBBER));
    let mut state = carom::simulate::State::start(&model).unwrap();
    state.momenta[0].force = Vector3::repeat(1.0) * model.bodies()[0].mass() * 1e3;
    let mut simulation = Simulation::from_state(model, newmark(1e-3, 0.0), state).unwrap();
    let error = simulation.run(3).unwrap_err();
    assert!(
        matches!(&error, SimulateError::Inverted { body, element, .. } if body == "cube" && *element >= 1),
        "{error}"
    );
}

#[test]
fn faults_of_elastic_bodies_are_told() {
    let mesh = || cuboid([0.1, 0.1, 0.1], [1, 1, 1]).unwrap();
    let fails = |spec: SolidSpec| {
        let mut builder = ModelBuilder::new();
        builder.solid(spec);
        builder.build().unwrap_err().to_string()
    };
    assert!(fails(SolidSpec::new("a", mesh(), 0.0, RUBBER)).contains("density"));
    let jelly = NeoHookean::from_young(1e4, 0.5);
    assert!(fails(SolidSpec::new("a", mesh(), 1.0, jelly)).contains("stable"));
    let all: Vec<usize> = (0..8).collect();
    assert!(fails(SolidSpec::new("a", mesh(), 1.0, RUBBER).hold(&all)).contains("held"));
    assert!(fails(SolidSpec::new("a", mesh(), 1.0, RUBBER).hold(&[8])).contains("no node 8"));
}

#[test]
fn many_elements_give_the_same_bits_on_one_thread_and_on_two() {
    // 5,000 elements, some of them held, some glued.
    let mesh = cuboid([1.0; 3], [10; 3]).unwrap();
    let root = mesh.nodes_where(|x| x.x < -0.49);
    let tip = mesh.nodes_where(|x| x.x > 0.49);
    let mut builder = ModelBuilder::new();
    let plate = builder.body(
        BodySpec::rigid("plate")
            .mass(1.0)
            .inertia(Matrix3::identity())
            .position(Vector3::new(0.5, 0.0, 0.0)),
    );
    let spec = SolidSpec::new("block", mesh, 1000.0, RUBBER);
    builder.solid(spec.hold(&root).glue(&tip, plate));
    let model = builder.build().unwrap();
    let poses = mapped(&model, |x| {
        x + Vector3::new((3.0 * x.y).sin(), (2.0 * x.z).cos(), (4.0 * x.x).sin()) * 0.03
    });
    let share = Share::all(&model);
    let forces = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut field = SolidField::new(&model);
            let mut out = vec![Default::default(); poses.len()];
            let energy = potential_forces_by(&mut field, &model, &share, &poses, &mut out);
            (energy, out)
        })
    };
    let (one, two) = (forces(1), forces(2));
    assert_eq!(one, two);
    // And those of one element after the other, but for round-off.
    let mut plain = vec![Default::default(); poses.len()];
    potential_forces(&model, &share, &poses, &mut plain);
    assert_eq!(one.0, potential(&model, &share, &poses));
    let largest = plain.iter().map(|y| y.force.norm()).fold(0.0, f64::max);
    for (a, b) in one.1.iter().zip(&plain) {
        let off = (a.force - b.force).norm() + (a.directors - b.directors).norm();
        assert!(off < 1e-12 * largest, "{off:e}");
    }
}
