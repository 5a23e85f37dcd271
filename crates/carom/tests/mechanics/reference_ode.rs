//! Motions against solutions that owe nothing to this project: ODEs in minimal coordinates solved by
//! Runge and Kutta's method at tiny steps, and data computed elsewhere (`data/first_contacts.json`).

use crate::common::*;
use carom::Pose;
use carom::model::{BodySpec, JointSpec, LinkKind, LinkageSpec, Model, ModelBuilder};
use carom::simulate::Settings;
use nalgebra::{Matrix2, Matrix3, Rotation3, Vector2, Vector3};

/// Classical Runge-Kutta of fourth order.
fn runge_kutta<const N: usize>(
    f: impl Fn(&[f64; N]) -> [f64; N],
    start: [f64; N],
    time: f64,
    steps: usize,
) -> [f64; N] {
    let h = time / steps as f64;
    let at = |y: &[f64; N], k: &[f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let mut y = start;
    for _ in 0..steps {
        let k1 = f(&y);
        let k2 = f(&at(&y, &k1, 0.5 * h));
        let k3 = f(&at(&y, &k2, 0.5 * h));
        let k4 = f(&at(&y, &k3, h));
        for i in 0..N {
            y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    y
}

/// Errors at decreasing steps: second order, and small at the finest.
fn converges(name: &str, model: &Model, exact: &[f64], time: f64, finest: f64) {
    let steps = [16.0, 8.0, 4.0, 2.0, 1.0].map(|k| k * finest);
    let errors = steps.map(|h| distance(&end_of(model, Settings::with_step(h), time), exact));
    let order = slope(&steps, &errors);
    println!("{name}: errors {errors:?} order {order:.3}");
    assert!((order - 2.0).abs() < 0.05, "{name}: order {order}");
    assert!(errors[4] < 1e-6, "{name}: {}", errors[4]);
}

#[test]
fn double_pendulum() {
    // Masses, centres from the hinges, length of the first, inertias about y.
    let ([m1, m2], [c1, c2], l1, [j1, j2], g) = ([1.2, 0.7], [0.3, 0.25], 0.6, [0.05, 0.03], 9.81);
    let (angles, rates) = ([1.1, -0.4], [0.5, 2.0]);
    // θ from the downward vertical, about −y.
    let f = |y: &[f64; 4]| {
        let [a, b, wa, wb] = *y;
        let k = m2 * l1 * c2;
        let (s, c) = (a - b).sin_cos();
        let mass = Matrix2::new(
            j1 + m1 * c1 * c1 + m2 * l1 * l1,
            k * c,
            k * c,
            j2 + m2 * c2 * c2,
        );
        let force = Vector2::new(
            -k * s * wb * wb - (m1 * c1 + m2 * l1) * g * a.sin(),
            k * s * wa * wa - m2 * g * c2 * b.sin(),
        );
        let acceleration = mass.try_inverse().unwrap() * force;
        [wa, wb, acceleration.x, acceleration.y]
    };
    let start = [angles[0], angles[1], rates[0], rates[1]];
    let end = runge_kutta(f, start, 1.0, 20_000);
    let again = runge_kutta(f, start, 1.0, 10_000);
    assert!(distance(&end, &again) < 1e-12);

    let along = |angle: f64| Vector3::new(angle.sin(), 0.0, -angle.cos());
    let across = |angle: f64| Vector3::new(angle.cos(), 0.0, angle.sin());
    let poses = |a: f64, b: f64| {
        let first = Pose::new(along(a) * c1, Vector3::y() * -a);
        [
            first,
            Pose::new(along(a) * l1 + along(b) * c2, Vector3::y() * -b),
        ]
    };
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -g));
    let [one, two] = poses(angles[0], angles[1]);
    let v_tip = across(angles[0]) * (l1 * rates[0]);
    let body = |name: &str, m, j, pose| {
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.06, j, 0.07));
        BodySpec::rigid(name).mass(m).inertia(inertia).pose(pose)
    };
    let first = builder.body(
        body("first", m1, j1, one)
            .velocity(across(angles[0]) * (c1 * rates[0]))
            .angular_velocity(Vector3::y() * -rates[0]),
    );
    let second = builder.body(
        body("second", m2, j2, two)
            .velocity(v_tip + across(angles[1]) * (c2 * rates[1]))
            .angular_velocity(Vector3::y() * -rates[1]),
    );
    let hinge = |name: &str| JointSpec::revolute(name, Vector3::y());
    builder.joint(hinge("hook").at(Vector3::zeros()), None, Some(first));
    builder.joint(
        hinge("elbow").at(along(angles[0]) * l1),
        Some(first),
        Some(second),
    );
    let exact: Vec<f64> = poses(end[0], end[1])
        .iter()
        .flat_map(|p| p.to_q())
        .collect();
    converges(
        "double pendulum",
        &builder.build().unwrap(),
        &exact,
        1.0,
        1e-4,
    );
}

#[test]
fn heavy_spinning_top() {
    let (m, l, g, j1, j3) = (0.8, 0.3, 9.81, 0.02, 0.015);
    let i1 = j1 + m * l * l;
    let (theta0, dtheta, dphi, dpsi) = (0.6_f64, 0.2, 0.5, 12.0);
    // Lagrange's top: conserved p_ψ and p_φ, R = R_z(φ) R_x(θ) R_z(ψ).
    let p_psi = j3 * (dpsi + dphi * theta0.cos());
    let p_phi = i1 * theta0.sin().powi(2) * dphi + p_psi * theta0.cos();
    let f = |y: &[f64; 4]| {
        let (s, c) = y[1].sin_cos();
        let phi = (p_phi - p_psi * c) / (i1 * s * s);
        let psi = p_psi / j3 - phi * c;
        let theta = phi * phi * s * c - p_psi * phi * s / i1 + m * g * l * s / i1;
        [phi, y[3], psi, theta]
    };
    let end = runge_kutta(f, [0.0, theta0, 0.0, dtheta], 1.0, 20_000);
    let turn = |phi: f64, theta: f64, psi: f64| {
        let z = |a: f64| Rotation3::new(Vector3::z() * a);
        (z(phi) * Rotation3::new(Vector3::x() * theta) * z(psi)).into_inner()
    };
    let pose = |d: Matrix3<f64>| Pose {
        position: d.column(2) * l,
        directors: d,
    };
    let start = pose(turn(0.0, theta0, 0.0));
    let d3 = start.directors.column(2).into_owned();
    let omega = Vector3::z() * dphi + Vector3::x() * dtheta + d3 * dpsi;
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -g));
    let top = builder.body(
        BodySpec::rigid("top")
            .mass(m)
            .inertia(Matrix3::from_diagonal(&Vector3::new(j1, j1, j3)))
            .pose(start)
            .velocity(omega.cross(&start.position))
            .angular_velocity(omega),
    );
    builder.joint(
        JointSpec::spherical("tip").at(Vector3::zeros()),
        None,
        Some(top),
    );
    let exact = pose(turn(end[0], end[1], end[2])).to_q();
    converges("top", &builder.build().unwrap(), &exact, 1.0, 2.5e-5);
}

/// Numbers of an array in the data file: `"section": { … "key": [numbers] … }`, or a single number.
fn data(section: &str, key: &str) -> Vec<f64> {
    let text = include_str!("../data/first_contacts.json");
    let rest = &text[text.find(&format!("\"{section}\"")).unwrap()..];
    let rest = &rest[rest.find(&format!("\"{key}\":")).unwrap() + key.len() + 3..];
    let rest = rest.trim_start();
    let end = if rest.starts_with('[') { ']' } else { '\n' };
    rest[..rest.find(end).unwrap()]
        .trim_start_matches('[')
        .split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect()
}

fn cart_pendulum() -> Model {
    let arm = LinkKind::Arm {
        length: 0.5,
        offset: 0.0,
        relative: false,
    };
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -10.0));
    builder.linkage(LinkageSpec {
        name: "cart".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::z()],
        coordinates: vec![
            coordinate("alpha", std::f64::consts::FRAC_PI_4, 0.0),
            coordinate("x", 0.0, 0.0),
        ],
        links: vec![
            link(
                "cart",
                None,
                1,
                LinkKind::Slide {
                    direction: [1.0, 0.0],
                },
            ),
            link("pendulum", Some(0), 0, arm),
        ],
    });
    builder.build().unwrap()
}

#[test]
fn cart_pendulum_until_its_first_contact() {
    // The same scheme: full steps, then one that ends at the contact.
    let [time, h] = [data("cart_variational", "t")[0], 2e-3];
    let mut s = simulate(cart_pendulum(), h);
    let whole = (time / h).floor();
    s.run(whole as usize).unwrap();
    s.step_with(time - whole * h, &[]).unwrap();
    let off = distance(&s.state().coordinates, &data("cart_variational", "q"));
    let p = distance(
        &s.state().coordinate_momenta,
        &data("cart_variational", "p_minus"),
    );
    println!("cart, same scheme: {off:.1e} {p:.1e}");
    assert!(off < 1e-12 && p < 1e-11);

    // The exact motion, at second order.
    let time = data("cart_event", "t")[0];
    let wanted = data("cart_event", "q");
    let errors = [100, 200, 400, 4000].map(|n| {
        let end = end_of(&cart_pendulum(), Settings::with_step(time / n as f64), time);
        distance(&end, &wanted)
    });
    println!("cart, exact: {errors:?}");
    let steps = [4.0, 2.0, 1.0];
    assert!((slope(&steps, &errors[..3]) - 2.0).abs() < 0.05);
    assert!(errors[3] < 1e-8);
}

#[test]
fn a_linkage_at_rest_stays() {
    // Hanging straight down: every force on the coordinates is round-off.
    let mut spec = cart_pendulum().linkages()[0].spec.clone();
    spec.coordinates[0].start = -std::f64::consts::FRAC_PI_2;
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -10.0));
    builder.linkage(spec);
    let mut s = simulate(builder.build().unwrap(), 0.01);
    s.run(1000).unwrap();
    assert!((s.state().coordinates[0] + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert!(s.state().coordinates[1].abs() < 1e-12);
}

#[test]
fn bead_chain_until_its_first_collision() {
    let a = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    let mut builder = ModelBuilder::new();
    let mut last = None;
    for (k, x) in [[-3.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [3.0, 1.0]]
        .iter()
        .enumerate()
    {
        let position = Vector3::new(x[0] * a, x[1] * a, 0.0);
        let v = if k == 0 {
            Vector3::new(-0.1, 0.1, -0.1)
        } else {
            Vector3::zeros()
        };
        let spec = BodySpec::particle(format!("bead {}", k + 1), 1.0).position(position);
        let bead = builder.body(spec.velocity(v));
        if last.is_some() {
            builder.joint(
                JointSpec::rod(format!("rod {k}")).length(1.0),
                last,
                Some(bead),
            );
        }
        last = Some(bead);
    }
    let mut s = simulate(builder.build().unwrap(), 0.1);
    let time = data("beads_first_collision", "t")[0];
    let whole = (time / 0.1).floor();
    s.run(whole as usize).unwrap();
    s.step_with(time - whole * 0.1, &[]).unwrap();
    let beads: Vec<f64> = s
        .state()
        .poses
        .iter()
        .flat_map(|p| p.position.as_slice().to_vec())
        .collect();
    let off = distance(&beads, &data("beads_first_collision", "q"));
    println!("beads: {off:.1e}");
    assert!(off < 1e-10);
}
