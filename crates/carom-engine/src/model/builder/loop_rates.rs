//! Velocities of loops: bodies that say nothing of theirs move so that all joints hold and have their rates.
//!
//! Velocities that go [from joint to joint](super::departure) may tear a loop open. Of those ν + Δν that do not,
//! A (ν + Δν) = b with a row for every direction that a joint blocks and for every rate, the nearest ones are taken:
//! ½ Δνᵀ M Δν is least. From rest these are the ones that joints which are set moving at once would make.

use nalgebra::{DMatrix, DVector, Matrix3, SVector, Vector3};

use super::tree::{Edge, joint_points, joints_at_bodies};
use crate::model::{Body, BodyId, BodyKind, JointKind};

/// Bodies that loops connect, at most: the system is dense.
const MOST_BODIES: usize = 60;
/// What counts as none: of velocities at a joint, of singular values, of moments of inertia.
const NONE: f64 = 1e-9;
/// Corrections of the solution.
const PASSES: usize = 3;

/// A row of A: what it makes of v and ω of both bodies, and its part of b.
struct Row {
    factors: [[Vector3<f64>; 2]; 2],
    value: f64,
}

/// Closes the loops that velocities tear open, as far as bodies that say nothing of theirs allow.
pub(super) fn close(bodies: &mut [Body], edges: &[Edge], says: &[bool]) {
    let silent =
        |body: BodyId| !says[body.index()] && bodies[body.index()].kind != BodyKind::Static;
    let ends = |edge: &Edge| -> Vec<usize> {
        let own = edge.ends.iter().flatten().filter(|b| silent(**b));
        own.map(|b| b.index()).collect()
    };
    let ends: Vec<Vec<usize>> = edges.iter().map(ends).collect();
    let at_body = joints_at_bodies(bodies.len(), edges);
    let mut place = vec![None; bodies.len()];
    for (torn, own) in ends.iter().enumerate() {
        if own.iter().all(|b| place[*b].is_some()) || fits(bodies, &edges[torn]) {
            continue;
        }
        // All that hangs together with it.
        let mut list: Vec<usize> = Vec::new();
        let mut next = own.clone();
        while let Some(body) = next.pop() {
            if place[body].is_none() {
                place[body] = Some(list.len());
                list.push(body);
                next.extend(at_body[body].iter().flat_map(|k| &ends[*k]));
            }
        }
        if list.len() <= MOST_BODIES {
            let mut joints: Vec<usize> = list.iter().flat_map(|b| at_body[*b].clone()).collect();
            joints.sort_unstable();
            joints.dedup();
            let joints: Vec<&Edge> = joints.into_iter().map(|k| &edges[k]).collect();
            move_along(bodies, &joints, &list, &place);
        }
    }
}

/// Whether the velocities of its bodies are those that a joint allows, with its rate.
pub(super) fn fits(bodies: &[Body], edge: &Edge) -> bool {
    let speed = edge.ends.iter().flatten().map(|b| {
        let body = &bodies[b.index()];
        body.velocity.norm() + body.angular_velocity.norm()
    });
    let size = speed.sum::<f64>() + edge.spec.rate.map_or(0.0, f64::abs);
    let rows = rows(bodies, edge);
    rows.iter()
        .all(|row| missing(bodies, edge, row).abs() <= NONE * size)
}

/// b − A ν of a row.
fn missing(bodies: &[Body], edge: &Edge, row: &Row) -> f64 {
    let ends = edge.ends.iter().zip(&row.factors);
    let made = ends.filter_map(|(end, [on_v, on_w])| {
        let body = &bodies[(*end)?.index()];
        Some(on_v.dot(&body.velocity) + on_w.dot(&body.angular_velocity))
    });
    row.value - made.sum::<f64>()
}

/// The rows of a joint: no velocity of its second body relative to the first but along what it leaves free.
fn rows(bodies: &[Body], edge: &Edge) -> Vec<Row> {
    let points = joint_points(bodies, edge);
    let arms = [0, 1].map(|k: usize| {
        let point = match edge.spec.kind {
            JointKind::Rod => points[k],
            _ => points[1],
        };
        let at = edge.ends[k].map(|b| bodies[b.index()].start.position);
        at.map_or(Vector3::zeros(), |at| point - at)
    });
    // d · (v + ω × r) = d · v + (r × d) · ω.
    let shift = |d: &Vector3<f64>, value: f64| Row {
        factors: [[-d, -arms[0].cross(d)], [*d, arms[1].cross(d)]],
        value,
    };
    let turn = |e: &Vector3<f64>, value: f64| Row {
        factors: [[Vector3::zeros(), -e], [Vector3::zeros(), *e]],
        value,
    };
    let all = [Vector3::x(), Vector3::y(), Vector3::z()];
    let axis = edge.axis();
    let first = axis.cross(&all[axis.iamin()]);
    let across = [first, axis.cross(&first)];
    let shifts = |list: &[Vector3<f64>]| list.iter().map(|d| shift(d, 0.0)).collect::<Vec<_>>();
    let turns = |list: &[Vector3<f64>]| list.iter().map(|e| turn(e, 0.0)).collect::<Vec<_>>();
    let (mut rows, turning) = match edge.spec.kind {
        JointKind::Free => (Vec::new(), Vec::new()),
        JointKind::Fixed => (shifts(&all), turns(&all)),
        JointKind::Spherical => (shifts(&all), Vec::new()),
        JointKind::Revolute => (shifts(&all), turns(&across)),
        JointKind::Prismatic => (shifts(&across), turns(&all)),
        JointKind::Cylindrical => (shifts(&across), turns(&across)),
        JointKind::Planar => (shifts(&[axis]), turns(&across)),
        JointKind::Rod => (shifts(&[points[1] - points[0]]), Vec::new()),
    };
    rows.extend(turning);
    if let Some(rate) = edge.spec.rate {
        rows.push(match edge.spec.kind {
            JointKind::Prismatic => shift(&axis, rate),
            _ => turn(&axis, rate),
        });
    }
    rows
}

/// Changes the velocities of the bodies listed, each with its place among them, as little as the joints allow; leaves
/// them as they are where nothing fits.
fn move_along(bodies: &mut [Body], edges: &[&Edge], list: &[usize], place: &[Option<usize>]) {
    let all: Vec<(&Edge, Row)> = (edges.iter())
        .flat_map(|edge| rows(bodies, edge).into_iter().map(|row| (*edge, row)))
        .collect();
    // A M^(-1/2): its pseudoinverse gives the least M^(1/2) Δν.
    let roots: Vec<[Matrix3<f64>; 2]> = list.iter().map(|b| root(&bodies[*b])).collect();
    let mut matrix = DMatrix::zeros(all.len(), 6 * list.len());
    for (r, (edge, row)) in all.iter().enumerate() {
        for (end, factors) in edge.ends.iter().zip(&row.factors) {
            let Some(at) = end.and_then(|b| place[b.index()]) else {
                continue;
            };
            for k in 0..2 {
                let part = roots[at][k] * factors[k];
                let column = 6 * at + 3 * k;
                (0..3).for_each(|c| matrix[(r, column + c)] += part[c]);
            }
        }
    }
    let svd = matrix.svd(true, true);
    let none = NONE * svd.singular_values.max();
    let before: Vec<_> = (list.iter())
        .map(|b| (bodies[*b].velocity, bodies[*b].angular_velocity))
        .collect();
    // What the first pass leaves is round-off.
    for _ in 0..PASSES {
        let open = DVector::from_iterator(
            all.len(),
            all.iter().map(|(edge, row)| missing(bodies, edge, row)),
        );
        let Ok(change) = svd.solve(&open, none) else {
            break;
        };
        for (at, &b) in list.iter().enumerate() {
            let part: SVector<f64, 6> = change.fixed_rows::<6>(6 * at).into_owned();
            bodies[b].velocity += roots[at][0] * part.fixed_rows::<3>(0);
            bodies[b].angular_velocity += roots[at][1] * part.fixed_rows::<3>(3);
        }
    }
    if !edges.iter().all(|edge| fits(bodies, edge)) {
        for (&b, (v, w)) in list.iter().zip(before) {
            (bodies[b].velocity, bodies[b].angular_velocity) = (v, w);
        }
    }
}

/// M^(-1/2) of a body: of its mass, and of its inertia in inertial axes.
fn root(body: &Body) -> [Matrix3<f64>; 2] {
    match &body.kind {
        BodyKind::Rigid { mass, euler_tensor } => {
            let d = body.start.directors;
            let own = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
            let eigen = (d * own * d.transpose()).symmetric_eigen();
            let least = NONE * eigen.eigenvalues.max();
            let roots = eigen.eigenvalues.map(|j| j.max(least).sqrt().recip());
            let turn = eigen.eigenvectors
                * Matrix3::from_diagonal(&roots)
                * eigen.eigenvectors.transpose();
            [Matrix3::identity() / mass.sqrt(), turn]
        }
        BodyKind::Particle { mass } => [Matrix3::identity() / mass.sqrt(), Matrix3::zeros()],
        BodyKind::Static => [Matrix3::zeros(); 2],
    }
}
