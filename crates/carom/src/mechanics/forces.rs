//! Potentials and dampers: values, forces and second derivatives.
//!
//! Potentials act at the weighted midpoint q̄ = γ q + (1 − γ) q⁺ of the redundant coordinates
//! (thesis (3.4), γ = ½), dampers on (q⁺ − q)/h.

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};

use super::kinematics::Increment;
use super::share::Share;
use super::so3::hat;
use super::vectors::{Covector, Wrench, arm, blocks};
use crate::model::{BodyId, BodyKind, Damper, Model, PairPotential, Point};

/// γ q + (1 − γ) q⁺ of the bodies of a share.
pub fn between(share: &Share, poses: &[Pose], next: &[Pose], gamma: f64, out: &mut [Pose]) {
    for &k in &share.bodies {
        let (a, b, m) = (&poses[k], &next[k], &mut out[k]);
        m.position = a.position * gamma + b.position * (1.0 - gamma);
        m.directors = a.directors * gamma + b.directors * (1.0 - gamma);
    }
}

#[inline]
fn place(point: &Point, poses: &[Pose]) -> Vector3<f64> {
    point
        .body
        .map_or(point.local, |b| poses[b.index()].point(&point.local))
}

/// Value, force on a, and ∂²V/∂x_a² of a pair potential.
fn pair(p: &PairPotential, poses: &[Pose]) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let d = place(&p.a, poses) - place(&p.b, poses);
    let r = d.norm();
    let [v, dv, ddv] = p.law.at(r);
    if r == 0.0 {
        return (v, Vector3::zeros(), Matrix3::identity() * ddv);
    }
    let n = d / r;
    let along = n * n.transpose();
    (
        v,
        n * -dv,
        along * ddv + (Matrix3::identity() - along) * (dv / r),
    )
}

/// Coordinates of some bodies one after the other.
fn gather(model: &Model, bodies: &[BodyId], poses: &[Pose]) -> Vec<f64> {
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
    let forces = model.forces();
    let mut v = 0.0;
    for &k in &share.bodies {
        let body = &model.bodies()[k];
        if body.kind != BodyKind::Static {
            v -= body.mass() * forces.gravity.dot(&poses[k].position);
        }
    }
    let pairs = share.pairs.iter().map(|&k| &forces.pairs[k]);
    v += pairs.map(|p| pair(p, poses).0).sum::<f64>();
    let user = share.user.iter().map(|&k| &forces.user[k]);
    v + user
        .map(|u| u.value(&gather(model, u.bodies(), poses)))
        .sum::<f64>()
}

/// −∂V/∂q of the bodies of a share; others are left as they are.
pub fn potential_forces(model: &Model, share: &Share, poses: &[Pose], out: &mut [Covector]) {
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
        let (_, force, _) = pair(p, poses);
        for (point, sign) in [(&p.a, 1.0), (&p.b, -1.0)] {
            if let Some(b) = point.body {
                out[b.index()].add(&Covector::at_point(force, &point.local), sign);
            }
        }
    }
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
}

#[derive(Clone, Debug)]
/// A derivative that couples bodies: the wrench on `row` at q per twist of `column` at q⁺.
pub struct Block {
    /// Body that feels it.
    pub row: BodyId,
    /// Body that moves.
    pub column: BodyId,
    /// 6 × 6.
    pub matrix: Matrix6<f64>,
}

/// Wrench at arm r of a force K δx, δx = v⁺ + ω⁺ × r⁺: [ K, −K r̂⁺ ; r̂ K, −r̂ K r̂⁺ ].
fn point_block(r: &Vector3<f64>, k: &Matrix3<f64>, r_next: &Vector3<f64>) -> Matrix6<f64> {
    let kr = k * hat(r_next);
    let left = hat(r);
    blocks(k, &-kr, &(left * k), &-(left * kr))
}

/// Which node the covectors of a step are reduced at, and where they come from.
pub struct StepFrame<'a> {
    /// Configuration at the start of the step.
    pub poses: &'a [Pose],
    /// Configuration at its end.
    pub next: &'a [Pose],
    /// Configuration between them at which potentials act.
    pub middle: &'a [Pose],
    /// Motion from start to end.
    pub increments: &'a [Increment],
    /// Step size.
    pub h: f64,
    /// Weight γ of the start in `middle`.
    pub gamma: f64,
}

/// Stiffnesses between pairs of points that enter the balance at q: −h γ (1 − γ) V″ of pair
/// potentials and what dampers add. Each is the change of the impulse on the first point per change
/// of that point's place at q⁺; the other three of a pair follow by signs.
pub fn point_stiffnesses(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    mut each: impl FnMut(&Point, &Point, &Matrix3<f64>),
) {
    let factor = -frame.h * frame.gamma * (1.0 - frame.gamma);
    for &k in &share.pairs {
        let p = &model.forces().pairs[k];
        let stiffness = match factor == 0.0 {
            true => Matrix3::zeros(),
            false => pair(p, frame.middle).2 * factor,
        };
        each(&p.a, &p.b, &stiffness);
    }
    for &k in &share.dampers {
        let d = &model.forces().dampers[k];
        each(&d.a, &d.b, &damper_derivative(d, frame));
    }
}

/// −h γ (1 − γ) V″ of the user's potentials: their bodies, the first coordinate of each, the matrix.
pub fn user_stiffnesses(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    mut each: impl FnMut(&[BodyId], &[usize], &DMatrix<f64>),
) {
    let factor = -frame.h * frame.gamma * (1.0 - frame.gamma);
    for &k in &share.user {
        let u = &model.forces().user[k];
        let q = gather(model, u.bodies(), frame.middle);
        let mut hessian = DMatrix::zeros(q.len(), q.len());
        u.hessian(&q, &mut hessian);
        hessian *= factor;
        let starts: Vec<usize> = u
            .bodies()
            .iter()
            .scan(0, |at, b| {
                let start = *at;
                *at += if model.is_particle(*b) { 3 } else { 12 };
                Some(start)
            })
            .collect();
        each(u.bodies(), &starts, &hessian);
    }
}

/// ∂/∂q⁺ of the forces that enter the balance at q, as blocks between bodies: −h γ (1 − γ) V″ of
/// the potentials and what the dampers add.
pub fn blocks_of(model: &Model, share: &Share, frame: &StepFrame, out: &mut Vec<Block>) {
    let forces = model.forces();
    out.clear();
    point_stiffnesses(model, share, frame, |a, b, k| {
        // Explicit schemes have no use for V″.
        if *k == Matrix3::zeros() {
            return;
        }
        for (p, sp) in [(a, 1.0), (b, -1.0)] {
            for (q, sq) in [(a, 1.0), (b, -1.0)] {
                if let (Some(row), Some(column)) = (p.body, q.body) {
                    let r = arm(&frame.poses[row.index()], &p.local);
                    let r_next = arm(&frame.next[column.index()], &q.local);
                    let matrix = point_block(&r, k, &r_next) * (sp * sq);
                    out.push(Block {
                        row,
                        column,
                        matrix,
                    });
                }
            }
        }
    });
    for &k in &share.drags {
        let drag = &forces.drags[k];
        // f⁻ = −(h/2) c Δq/h, with c_θ/2 on each director.
        let b = drag.body.index();
        let (d, d_next) = (frame.poses[b].directors, frame.next[b].directors);
        let a = d * d_next.transpose();
        let spin = (Matrix3::identity() * a.trace() - a.transpose()) * (-0.25 * drag.angular);
        let zero = Matrix3::zeros();
        let matrix = blocks(
            &(Matrix3::identity() * (-0.5 * drag.linear)),
            &zero,
            &zero,
            &spin,
        );
        out.push(Block {
            row: drag.body,
            column: drag.body,
            matrix,
        });
    }
    user_stiffnesses(model, share, frame, |bodies, starts, hessian| {
        for (row, &i) in bodies.iter().zip(starts) {
            for (column, &j) in bodies.iter().zip(starts) {
                let left = basis(model, *row, frame.poses);
                let right = basis(model, *column, frame.next);
                let matrix = dense_block(&left, hessian, i, j, &right);
                out.push(Block {
                    row: *row,
                    column: *column,
                    matrix,
                });
            }
        }
    });
}

/// Columns ∂q/∂twist of one body: P_int (thesis 3.2.4).
fn basis(model: &Model, body: BodyId, poses: &[Pose]) -> Vec<[f64; 6]> {
    let d = &poses[body.index()].directors;
    let mut rows: Vec<[f64; 6]> = (0..3)
        .map(|k| {
            let mut row = [0.0; 6];
            row[k] = 1.0;
            row
        })
        .collect();
    if !model.is_particle(body) {
        for i in 0..3 {
            // ω × d_i = −d̂_i ω
            let m = -hat(&d.column(i).into_owned());
            for k in 0..3 {
                rows.push([0.0, 0.0, 0.0, m[(k, 0)], m[(k, 1)], m[(k, 2)]]);
            }
        }
    }
    rows
}

fn dense_block(
    left: &[[f64; 6]],
    hessian: &DMatrix<f64>,
    i: usize,
    j: usize,
    right: &[[f64; 6]],
) -> Matrix6<f64> {
    let mut out = Matrix6::zeros();
    for (k, l) in left.iter().enumerate() {
        for (m, r) in right.iter().enumerate() {
            let h = hessian[(i + k, j + m)];
            for a in 0..6 {
                for b in 0..6 {
                    out[(a, b)] += l[a] * h * r[b];
                }
            }
        }
    }
    out
}

/// Direction and relative displacement of a damper's ends over a step.
fn damper_stretch(d: &Damper, frame: &StepFrame) -> (Vector3<f64>, Vector3<f64>, f64) {
    let line = place(&d.a, frame.middle) - place(&d.b, frame.middle);
    let moved = |p: &Point| {
        p.body.map_or(Vector3::zeros(), |b| {
            let i = &frame.increments[b.index()];
            i.shift + i.directors * p.local
        })
    };
    let r = line.norm();
    let n = if r > 0.0 { line / r } else { Vector3::zeros() };
    (n, moved(&d.a) - moved(&d.b), r)
}

/// Force on a over the step, times h: −c n nᵀ Δ.
fn damper_impulse(d: &Damper, frame: &StepFrame) -> Vector3<f64> {
    let (n, delta, _) = damper_stretch(d, frame);
    n * (-d.coefficient * n.dot(&delta))
}

/// ∂(½ impulse)/∂x⁺ of the damper's end a.
fn damper_derivative(d: &Damper, frame: &StepFrame) -> Matrix3<f64> {
    let (n, delta, r) = damper_stretch(d, frame);
    let along = n * n.transpose();
    let mut k = along;
    if r > 0.0 {
        // n moves with (1 − γ) of x⁺: ∂(n nᵀΔ) = (nᵀΔ I + n Δᵀ) ∂n, ∂n = (I − n nᵀ)/r ∂x.
        let turn = (Matrix3::identity() - along) * ((1.0 - frame.gamma) / r);
        k += (Matrix3::identity() * n.dot(&delta) + n * delta.transpose()) * turn;
    }
    k * (-0.5 * d.coefficient)
}

/// Adds what dampers and drag do in a step to the wrenches, at q (`at_end` false: f⁻) or q⁺ (f⁺).
pub fn add_dampers(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    at_end: bool,
    wrenches: &mut [Wrench],
) {
    let forces = model.forces();
    let poses = if at_end { frame.next } else { frame.poses };
    for &k in &share.dampers {
        let d = &forces.dampers[k];
        let half = damper_impulse(d, frame) * 0.5;
        for (p, sign) in [(&d.a, 1.0), (&d.b, -1.0)] {
            if let Some(b) = p.body {
                let w = &mut wrenches[b.index()];
                let f = half * sign;
                w.force += f;
                w.torque += arm(&poses[b.index()], &p.local).cross(&f);
            }
        }
    }
    for &k in &share.drags {
        let drag = &forces.drags[k];
        let b = drag.body.index();
        let i = &frame.increments[b];
        let y = Covector {
            force: i.shift * (-0.5 * drag.linear),
            directors: i.directors * (-0.25 * drag.angular),
        };
        let add = y.wrench(&poses[b].directors);
        wrenches[b].force += add.force;
        wrenches[b].torque += add.torque;
    }
}

/// Adds the same to the balance in redundant coordinates, where it does not depend on the node.
pub fn add_damper_covectors(model: &Model, frame: &StepFrame, out: &mut [Covector]) {
    let forces = model.forces();
    for d in &forces.dampers {
        let half = damper_impulse(d, frame) * 0.5;
        for (p, sign) in [(&d.a, 1.0), (&d.b, -1.0)] {
            if let Some(b) = p.body {
                out[b.index()].add(&Covector::at_point(half, &p.local), sign);
            }
        }
    }
    for drag in &forces.drags {
        let i = &frame.increments[drag.body.index()];
        let y = &mut out[drag.body.index()];
        y.force -= i.shift * (0.5 * drag.linear);
        y.directors -= i.directors * (0.25 * drag.angular);
    }
}

/// ∂²V/∂q² over the redundant coordinates of all bodies, dense.
pub fn potential_hessian(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let mut starts = Vec::new();
    let mut n = 0;
    for body in model.bodies() {
        starts.push(n);
        n += super::kinematics::coordinate_count(&body.kind);
    }
    let mut out = DMatrix::zeros(n, n);
    for p in &model.forces().pairs {
        let k = pair(p, poses).2;
        for (a, sa) in [(&p.a, 1.0), (&p.b, -1.0)] {
            for (b, sb) in [(&p.a, 1.0), (&p.b, -1.0)] {
                let (Some(row), Some(column)) = (a.body, b.body) else {
                    continue;
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
                        view += k * (sa * sb * wi * wj);
                    }
                }
            }
        }
    }
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
