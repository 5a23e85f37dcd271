//! Potentials: values, forces and second derivatives at a configuration.

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::pair::{PairForce, pair_force};
use super::{SolidField, place, solids};
use crate::mechanics::kinematics::coordinate_starts;
use crate::mechanics::share::Share;
use crate::mechanics::vectors::Covector;
use crate::model::{BodyId, BodyKind, Model, PairPotential, Point};

/// A pair potential at a configuration.
#[inline]
pub(super) fn pair(p: &PairPotential, poses: &[Pose]) -> PairForce {
    pair_force(&p.law, &(place(&p.a, poses) - place(&p.b, poses)))
}

/// Coordinates of some bodies one after the other.
pub(super) fn gather(model: &Model, bodies: &[BodyId], poses: &[Pose]) -> Vec<f64> {
    let mut q = Vec::new();
    for b in bodies {
        let pose = &poses[b.index()];
        q.extend_from_slice(pose.position.as_slice());
        if !model.is_particle(*b) {
            q.extend_from_slice(pose.directors.as_slice());
        }
    }
    q
}

/// V at a configuration of the bodies.
pub fn potential(model: &Model, share: &Share, poses: &[Pose]) -> f64 {
    potential_with(model, share, poses, solids::energy(model, share, poses))
}

/// V, where the energy of elastic bodies is known.
pub fn potential_with(model: &Model, share: &Share, poses: &[Pose], elastic: f64) -> f64 {
    let forces = model.forces();
    let mut v = 0.0;
    for &k in &share.bodies {
        let body = &model.bodies()[k];
        if body.kind != BodyKind::Static {
            v -= body.mass() * forces.gravity.dot(&poses[k].position);
        }
    }
    let pairs = share.pairs.iter().map(|&k| &forces.pairs[k]);
    v += pairs.map(|p| pair(p, poses).value).sum::<f64>();
    v += elastic;
    let user = share.user.iter().map(|&k| &forces.user[k]);
    v + user
        .map(|u| u.value(&gather(model, u.bodies(), poses)))
        .sum::<f64>()
}

/// −∂V/∂q of the bodies of a share; others are left as they are.
pub fn potential_forces(model: &Model, share: &Share, poses: &[Pose], out: &mut [Covector]) {
    let elastic = |out: &mut [Covector]| solids::add_forces(model, share, poses, out);
    forces_with(model, share, poses, out, elastic);
}

/// The same, with the elements by a [`SolidField`]; returns the energy of elastic bodies.
pub fn potential_forces_by(
    field: &mut SolidField,
    model: &Model,
    share: &Share,
    poses: &[Pose],
    out: &mut [Covector],
) -> f64 {
    let elastic = |out: &mut [Covector]| field.add_forces(model, share, poses, out);
    forces_with(model, share, poses, out, elastic)
}

fn forces_with<T>(
    model: &Model,
    share: &Share,
    poses: &[Pose],
    out: &mut [Covector],
    elastic: impl FnOnce(&mut [Covector]) -> T,
) -> T {
    let forces = model.forces();
    for &k in &share.bodies {
        let body = &model.bodies()[k];
        out[k] = Covector::default();
        if body.kind != BodyKind::Static {
            out[k].force = forces.gravity * body.mass();
        }
    }
    for &k in &share.pairs {
        let p = &forces.pairs[k];
        let force = pair(p, poses).force;
        for (point, sign) in [(&p.a, 1.0), (&p.b, -1.0)] {
            if let Some(b) = point.body {
                out[b.index()].add(&Covector::at_point(force, &point.local), sign);
            }
        }
    }
    let told = elastic(out);
    for &k in &share.user {
        let u = &forces.user[k];
        let q = gather(model, u.bodies(), poses);
        let mut gradient = vec![0.0; q.len()];
        u.gradient(&q, &mut gradient);
        let mut at = 0;
        for b in u.bodies() {
            let y = &mut out[b.index()];
            y.force -= Vector3::from_column_slice(&gradient[at..at + 3]);
            at += 3;
            if !model.is_particle(*b) {
                y.directors -= Matrix3::from_column_slice(&gradient[at..at + 9]);
                at += 9;
            }
        }
    }
    told
}

/// ∂²V/∂q² over the redundant coordinates of all bodies, dense.
pub fn potential_hessian(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let starts = coordinate_starts(model);
    let n = starts[model.bodies().len()];
    let mut out = DMatrix::zeros(n, n);
    let mut between = |a: &Point, b: &Point, k: &Matrix3<f64>| {
        let (Some(row), Some(column)) = (a.body, b.body) else {
            return;
        };
        let weights = |q: &Point, id: BodyId| {
            let l = &q.local;
            if model.is_particle(id) {
                vec![1.0]
            } else {
                vec![1.0, l.x, l.y, l.z]
            }
        };
        for (i, wi) in weights(a, row).iter().enumerate() {
            for (j, wj) in weights(b, column).iter().enumerate() {
                let at = (starts[row.index()] + 3 * i, starts[column.index()] + 3 * j);
                let mut view = out.fixed_view_mut::<3, 3>(at.0, at.1);
                view += k * (wi * wj);
            }
        }
    };
    for p in &model.forces().pairs {
        let k = pair(p, poses).stiffness;
        for (a, sa) in [(&p.a, 1.0), (&p.b, -1.0)] {
            for (b, sb) in [(&p.a, 1.0), (&p.b, -1.0)] {
                between(a, b, &(k * (sa * sb)));
            }
        }
    }
    solids::hessians(model, poses, between);
    for u in &model.forces().user {
        let q = gather(model, u.bodies(), poses);
        let mut hessian = DMatrix::zeros(q.len(), q.len());
        u.hessian(&q, &mut hessian);
        let mut places = Vec::new();
        for b in u.bodies() {
            let count = if model.is_particle(*b) { 3 } else { 12 };
            places.extend(starts[b.index()]..starts[b.index()] + count);
        }
        for (i, &r) in places.iter().enumerate() {
            for (j, &c) in places.iter().enumerate() {
                out[(r, c)] += hessian[(i, j)];
            }
        }
    }
    out
}
