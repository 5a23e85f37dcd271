//! Models shared by the tests: a pair of asymmetric bodies for every kind of joint.
#![allow(dead_code)]

pub mod formulations;

use carom::Pose;
use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::mechanics::{Increment, Row, body_rows, coordinate_count, joint_rows, retract_joint};
use carom::model::{
    BodyId, BodySpec, Coordinate, JointId, JointKind, JointSpec, Link, LinkKind, Model,
    ModelBuilder,
};
use carom::simulate::{Settings, Simulation};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

pub fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

/// A rigid body without a shape.
pub fn brick(name: &str) -> BodySpec {
    BodySpec::rigid(name)
        .mass(1.0)
        .inertia(inertia(0.1, 0.2, 0.25))
}

/// An asymmetric inertia that is not along the body axes.
pub fn inertia(a: f64, b: f64, c: f64) -> Matrix3<f64> {
    let r = Pose::new(Vector3::zeros(), Vector3::new(0.3, -0.4, 0.5)).directors;
    r * Matrix3::from_diagonal(&Vector3::new(a, b, c)) * r.transpose()
}

pub const KINDS: [JointKind; 7] = [
    JointKind::Free,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Spherical,
    JointKind::Planar,
    JointKind::Fixed,
];

/// A cube above a floor, under gravity.
pub fn dropped_cube(height: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
    b.body(
        BodySpec::rigid("cube")
            .shape(cube)
            .position(v(0.0, 0.0, height)),
    );
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.build().unwrap()
}

/// A coordinate of a linkage without limits.
pub fn coordinate(name: &str, start: f64, rate: f64) -> Coordinate {
    Coordinate {
        name: name.into(),
        start,
        rate,
        limits: None,
    }
}

/// A link of mass one.
pub fn link(name: &str, parent: Option<usize>, coordinate: usize, kind: LinkKind) -> Link {
    Link {
        name: name.into(),
        parent,
        coordinate,
        kind,
        mass: 1.0,
    }
}

/// Two bodies joined, floating or hung to the world, that turn and slide. Floating pairs drift
/// slowly: far from the origin angular momentum loses digits whatever the scheme.
pub fn pair(kind: JointKind, hung: bool, gravity: Vector3<f64>) -> Model {
    pair_builder(kind, hung, gravity).0.build().unwrap()
}

/// Whether a joint slides: left alone, its bodies part for ever.
pub fn slides(kind: JointKind) -> bool {
    use JointKind::{Cylindrical, Free, Planar, Prismatic};
    matches!(kind, Free | Prismatic | Cylindrical | Planar)
}

/// The same with a spring that keeps bodies together that could slide apart.
pub fn tied_pair(kind: JointKind, hung: bool, gravity: Vector3<f64>) -> Model {
    let (mut builder, [a, b], _) = pair_builder(kind, hung, gravity);
    if slides(kind) {
        let off = Vector3::new(0.2, 0.1, 0.0);
        builder.spring("tie", (Some(a), off), (Some(b), Vector3::zeros()), 3.0, 0.5);
    }
    builder.build().unwrap()
}

/// Where a hung pair hangs.
pub const HOOK: Vector3<f64> = Vector3::new(-0.5, 0.0, 0.0);

pub fn pair_builder(
    kind: JointKind,
    hung: bool,
    gravity: Vector3<f64>,
) -> (ModelBuilder, [BodyId; 2], Option<JointId>) {
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let axis = Vector3::new(0.2, 1.0, -0.3).normalize();
    let at = Vector3::new(0.4, 0.1, -0.2);
    // A rigid motion of both, plus a motion the joint allows for the second.
    let (v, w) = (Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.5, 0.8, -0.4));
    let (x1, x2) = (Vector3::zeros(), Vector3::new(0.9, 0.2, -0.1));
    let (mut v1, mut w1) = (v, w);
    if hung {
        // A spherical joint at the first body's far end.
        (v1, w1) = (w.cross(&(x1 - HOOK)), w);
    }
    let (mut v2, mut w2) = (v1 + w1.cross(&(x2 - x1)), w1);
    let (rate, slide) = (0.7, 0.25);
    match kind {
        JointKind::Free => (v2, w2) = (Vector3::new(-0.1, 0.3, 0.2), Vector3::new(-0.6, 0.3, 0.9)),
        JointKind::Revolute => {
            w2 += axis * rate;
            v2 += (axis * rate).cross(&(x2 - at));
        }
        JointKind::Prismatic => v2 += axis * slide,
        JointKind::Cylindrical => {
            w2 += axis * rate;
            v2 += (axis * rate).cross(&(x2 - at)) + axis * slide;
        }
        JointKind::Spherical => {
            let spin = Vector3::new(0.3, -0.5, 0.4);
            w2 += spin;
            v2 += spin.cross(&(x2 - at));
        }
        JointKind::Planar => {
            w2 += axis * rate;
            let across = axis.cross(&Vector3::x()).normalize();
            v2 += (axis * rate).cross(&(x2 - at)) + across * slide;
        }
        JointKind::Fixed | JointKind::Rod => {}
    }
    if !hung {
        // Centre of mass: drift only.
        let off = (v1 * 1.5 + v2 * 0.8) / 2.3 - Vector3::new(0.01, -0.02, 0.03);
        (v1, v2) = (v1 - off, v2 - off);
    }
    let a = builder.body(
        BodySpec::rigid("a")
            .mass(1.5)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(x1)
            .velocity(v1)
            .angular_velocity(w1),
    );
    let b = builder.body(
        BodySpec::rigid("b")
            .mass(0.8)
            .inertia(inertia(0.07, 0.05, 0.09))
            .pose(Pose::new(x2, Vector3::new(0.2, 0.1, 0.4)))
            .velocity(v2)
            .angular_velocity(w2),
    );
    if hung {
        builder.joint(JointSpec::spherical("hook").at(HOOK), None, Some(a));
    }
    let spec = JointSpec::new("joint", kind, axis).at(at);
    let joint = (kind != JointKind::Free).then(|| builder.joint(spec, Some(a), Some(b)));
    (builder, [a, b], joint)
}

pub fn simulate(model: Model, step: f64) -> Simulation {
    Simulation::new(model, Settings::with_step(step)).unwrap()
}

/// Coordinates of all bodies and linkages.
pub fn configuration(s: &Simulation) -> Vec<f64> {
    let state = s.state();
    let bodies = state.poses.iter().flat_map(|p| p.to_q());
    bodies.chain(state.coordinates.iter().copied()).collect()
}

/// Where a model is at `time` when simulated with these settings.
pub fn end_of(model: &Model, settings: Settings, time: f64) -> Vec<f64> {
    let mut s = Simulation::new(model.clone(), settings).unwrap();
    s.run((time / settings.step).round() as usize).unwrap();
    configuration(&s)
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// Order of convergence of end(h), with a reference extrapolated from two finer steps.
pub fn order(end: impl Fn(f64) -> Vec<f64>, coarse: f64, power: i32) -> f64 {
    let steps = [coarse, coarse / 2.0, coarse / 4.0];
    let (fine, finer) = (end(coarse / 32.0), end(coarse / 64.0));
    let gain = f64::from(2_i32.pow(power as u32) - 1);
    let reference: Vec<f64> = fine
        .iter()
        .zip(&finer)
        .map(|(a, b)| b + (b - a) / gain)
        .collect();
    let errors: Vec<f64> = steps
        .iter()
        .map(|&h| distance(&end(h), &reference))
        .collect();
    println!("errors {errors:?}");
    slope(&steps, &errors)
}

/// Measured order of convergence: slope of log error against log step.
pub fn slope(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let x: Vec<f64> = steps.iter().map(|h| h.ln()).collect();
    let y: Vec<f64> = errors.iter().map(|e| e.ln()).collect();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let top: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    top / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

pub type Random = rand_chacha::ChaCha8Rng;

pub fn random(seed: u64) -> Random {
    use rand::SeedableRng;
    Random::seed_from_u64(seed)
}

/// A vector with components between −size and size.
pub fn random_vector(rng: &mut Random, size: f64) -> Vector3<f64> {
    use rand::RngExt;
    Vector3::from_fn(|_, _| rng.random_range(-size..size))
}

/// A tree of rigid bodies joined by one kind of joint: 0 (hung or floating), 1 and 2 on 0, 3 on 1,
/// 4 on 3; a bead on a rod at body 4 and another on a rod at the first bead. Poses, axes and joint
/// points are random.
pub fn branched(kind: JointKind, hung: bool, rng: &mut Random) -> Model {
    let mut builder = ModelBuilder::new();
    let mut ids = Vec::new();
    for (k, parent) in [None, Some(0), Some(0), Some(1), Some(3)]
        .into_iter()
        .enumerate()
    {
        let pose = Pose::new(random_vector(rng, 1.0), random_vector(rng, 1.5));
        let spec = BodySpec::rigid(format!("body {k}")).mass(1.0 + 0.3 * k as f64);
        ids.push(builder.body(spec.inertia(inertia(0.1, 0.2, 0.25)).pose(pose)));
        if k == 0 && !hung {
            continue;
        }
        let mut axis = random_vector(rng, 1.0);
        axis.x += 1.5;
        let joint = JointSpec::new(format!("joint {k}"), kind, axis).at(random_vector(rng, 1.0));
        // Every other joint is given the other way round.
        let parent = parent.map(|p: usize| ids[p]);
        if k % 2 == 0 {
            builder.joint(joint, parent, Some(ids[k]));
        } else {
            builder.joint(joint, Some(ids[k]), parent);
        }
    }
    let bead = builder.body(BodySpec::particle("bead", 0.4).position(random_vector(rng, 1.0)));
    let last = builder.body(BodySpec::particle("last", 0.2).position(random_vector(rng, 1.0)));
    let rod = JointSpec::rod("rod").anchors(random_vector(rng, 0.5), Vector3::zeros());
    builder.joint(rod, Some(ids[4]), Some(bead));
    builder.joint(JointSpec::rod("last rod"), Some(bead), Some(last));
    builder.build().unwrap()
}

/// Degrees of freedom of the joints and the first of each.
pub fn offsets(model: &Model) -> (Vec<usize>, usize) {
    let poses = start(model);
    let mut total = 0;
    let firsts = model.joints().iter().map(|j| {
        total += carom::mechanics::joint_frame(model, &poses, j).freedom;
        total - carom::mechanics::joint_frame(model, &poses, j).freedom
    });
    (firsts.collect(), total)
}

/// Poses of all bodies at the start.
pub fn start(model: &Model) -> Vec<Pose> {
    model.bodies().iter().map(|b| b.start).collect()
}

/// F_d(u, q) of the whole tree.
pub fn retract(model: &Model, poses: &[Pose], u: &[f64]) -> (Vec<Increment>, Vec<Pose>) {
    let mut increments = vec![Increment::default(); poses.len()];
    let mut next = poses.to_vec();
    let (firsts, _) = offsets(model);
    for (joint, first) in model.joints().iter().zip(firsts) {
        let zero = Vector3::zeros();
        retract_joint(
            model,
            poses,
            &mut increments,
            &mut next,
            joint,
            &u[first..],
            &zero,
        );
    }
    (increments, next)
}

/// A configuration the joints allow, away from the start.
pub fn somewhere(model: &Model, rng: &mut Random) -> Vec<Pose> {
    use rand::RngExt;
    let (_, n) = offsets(model);
    let u: Vec<f64> = (0..n).map(|_| rng.random_range(-0.8..0.8)).collect();
    retract(model, &start(model), &u).1
}

/// Redundant coordinates of all bodies in one vector, as in the rows of the null-space matrix.
pub fn redundant(model: &Model, poses: &[Pose]) -> DVector<f64> {
    let mut q = Vec::new();
    for (body, pose) in model.bodies().iter().zip(poses) {
        q.extend_from_slice(&pose.to_q()[..coordinate_count(&body.kind)]);
    }
    DVector::from_vec(q)
}

/// g(q) and G(q) of bodies, joints and closures.
pub fn constraints(model: &Model, poses: &[Pose]) -> (DVector<f64>, DMatrix<f64>) {
    let mut firsts = vec![0];
    for body in model.bodies() {
        firsts.push(firsts[firsts.len() - 1] + coordinate_count(&body.kind));
    }
    let width = firsts[model.bodies().len()];
    let mut values = Vec::new();
    let mut gradients: Vec<DVector<f64>> = Vec::new();
    let mut enter = |row: &Row, parent: Option<usize>, child: usize| {
        let mut g = DVector::zeros(width);
        for (body, y) in [(parent, &row.parent), (Some(child), &row.child)] {
            let Some(k) = body else { continue };
            let n = firsts[k + 1] - firsts[k];
            g.rows_mut(firsts[k], n.min(3))
                .copy_from(&y.force.rows(0, n.min(3)));
            if n == 12 {
                g.rows_mut(firsts[k] + 3, 9)
                    .copy_from_slice(y.directors.as_slice());
            }
        }
        values.push(row.value);
        gradients.push(g);
    };
    for (k, body) in model.bodies().iter().enumerate() {
        if coordinate_count(&body.kind) == 12 {
            for row in &body_rows(&poses[k]) {
                enter(row, None, k);
            }
        }
    }
    for joint in model.joints().iter().chain(model.closures()) {
        let mut rows = Vec::new();
        joint_rows(joint, poses, &mut rows);
        for row in &rows {
            enter(row, joint.parent.map(|p| p.index()), joint.child.index());
        }
    }
    let mut matrix = DMatrix::zeros(gradients.len(), width);
    for (k, g) in gradients.iter().enumerate() {
        matrix.set_row(k, &g.transpose());
    }
    (DVector::from_vec(values), matrix)
}
