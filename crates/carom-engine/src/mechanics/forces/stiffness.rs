//! How forces change with the end of a step.

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};

use super::StepFrame;
use super::dampers::damper_derivative;
use super::potentials::{gather, pair};
use crate::mechanics::share::Share;
use crate::mechanics::so3::hat;
use crate::mechanics::vectors::{arm, blocks};
use crate::model::{BodyId, Model, Point};

/// A derivative that couples bodies: the wrench on `row` at q per twist of `column` at q⁺.
#[derive(Clone, Debug)]
pub struct Block {
    /// Body that feels it.
    pub row: BodyId,
    /// Body that moves.
    pub column: BodyId,
    /// 6 × 6.
    pub matrix: Matrix6<f64>,
}

/// Wrench at arm r of a force K δx, δx = v⁺ + ω⁺ × r⁺: [ K, −K r̂⁺ ; r̂ K, −r̂ K r̂⁺ ].
pub fn point_block(r: &Vector3<f64>, k: &Matrix3<f64>, r_next: &Vector3<f64>) -> Matrix6<f64> {
    let kr = k * hat(r_next);
    let left = hat(r);
    blocks(k, &-kr, &(left * k), &-(left * kr))
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
            false => pair(p, frame.middle).stiffness * factor,
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
                    add(out, row, column, matrix);
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

/// Adds to the block of two bodies if it is one of the last: points of the same bodies come one after the other.
fn add(out: &mut Vec<Block>, row: BodyId, column: BodyId, matrix: Matrix6<f64>) {
    let same = |b: &&mut Block| b.row == row && b.column == column;
    match out.iter_mut().rev().take(4).find(same) {
        Some(block) => block.matrix += matrix,
        None => out.push(Block {
            row,
            column,
            matrix,
        }),
    }
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
