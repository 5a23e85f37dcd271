//! K = ∂r/∂q⁺ in redundant coordinates.

use nalgebra::Matrix3;

use super::{Redundant, component};
use crate::mechanics::{law_motion, point_stiffnesses, solid_stiffnesses, user_stiffnesses};
use crate::model::{BodyKind, Model, Point};
use crate::simulate::State;

impl Redundant {
    /// Entries (row, column, value) of K = −M/h − h γ (1 − γ) V″ + what dampers and drag add. The
    /// same places in the same order at every call; several entries at one place add up.
    pub(super) fn stiffness(
        &self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
        mut put: impl FnMut(usize, usize, f64),
    ) {
        let drag = &model.forces().drags;
        for (k, body) in model.bodies().iter().enumerate() {
            let first = self.first[k];
            match &body.kind {
                BodyKind::Rigid { mass, euler_tensor } => {
                    for c in 0..3 {
                        put(first + c, first + c, -mass / h);
                    }
                    for i in 0..3 {
                        for j in 0..3 {
                            for c in 0..3 {
                                let (row, column) = (first + 3 + 3 * i + c, first + 3 + 3 * j + c);
                                put(row, column, -euler_tensor[(i, j)] / h);
                            }
                        }
                    }
                }
                BodyKind::Particle { mass } => {
                    for c in 0..3 {
                        put(first + c, first + c, -mass / h);
                    }
                }
                BodyKind::Static => {}
            }
        }
        for d in drag {
            let (first, count) = (self.first[d.body.index()], self.count[d.body.index()]);
            for c in 0..count {
                let value = if c < 3 {
                    -0.5 * d.linear
                } else {
                    -0.25 * d.angular
                };
                put(first + c, first + c, value);
            }
        }
        for &k in &self.share.laws {
            let law = &model.joint_laws()[k];
            let (Some(j), nodes) = (law.joint, (&state.poses[..], &self.next[..])) else {
                continue;
            };
            let Some(m) = law_motion(model, law, nodes, (state.time, h, gamma)) else {
                continue;
            };
            // f⁻ along ∇s(q) changes with s(q⁺).
            let joint = &model.joints()[j];
            let ends = [Some(joint.child), joint.parent].map(|b| b.map(|b| b.index()));
            let (rows, columns) = ([m.from.child, m.from.parent], [m.to.child, m.to.parent]);
            for (row, y) in ends.iter().zip(&rows) {
                for (column, z) in ends.iter().zip(&columns) {
                    let (Some(a), Some(b)) = (*row, *column) else {
                        continue;
                    };
                    for i in 0..self.count[a] {
                        for l in 0..self.count[b] {
                            let value = m.step.slope * component(y, i) * component(z, l);
                            put(self.first[a] + i, self.first[b] + l, value);
                        }
                    }
                }
            }
        }
        let frame = self.frame(state, h, gamma);
        point_stiffnesses(model, &self.share, &frame, |a, b, k| {
            for (p, sp) in [(a, 1.0), (b, -1.0)] {
                for (q, sq) in [(a, 1.0), (b, -1.0)] {
                    self.point_block(p, q, &(k * (sp * sq)), &mut put);
                }
            }
        });
        solid_stiffnesses(model, &self.share, &frame, |a, b, k| {
            self.point_block(a, b, k, &mut put);
        });
        user_stiffnesses(model, &self.share, &frame, |bodies, starts, hessian| {
            for (row, &i) in bodies.iter().zip(starts) {
                for (column, &j) in bodies.iter().zip(starts) {
                    let (r, c) = (row.index(), column.index());
                    for k in 0..self.count[r] {
                        for l in 0..self.count[c] {
                            let value = hessian[(i + k, j + l)];
                            put(self.first[r] + k, self.first[c] + l, value);
                        }
                    }
                }
            }
        });
    }

    /// (ρ̃_p ρ̃_qᵀ) ⊗ k with ρ̃ = (1, ρ).
    fn point_block(
        &self,
        p: &Point,
        q: &Point,
        k: &Matrix3<f64>,
        put: &mut impl FnMut(usize, usize, f64),
    ) {
        let (Some(row), Some(column)) = (p.body, q.body) else {
            return;
        };
        let (row, column) = (row.index(), column.index());
        let weight = |point: &Point, i: usize| if i == 0 { 1.0 } else { point.local[i - 1] };
        for i in 0..self.count[row] / 3 {
            for j in 0..self.count[column] / 3 {
                let factor = weight(p, i) * weight(q, j);
                for a in 0..3 {
                    for b in 0..3 {
                        put(
                            self.first[row] + 3 * i + a,
                            self.first[column] + 3 * j + b,
                            k[(a, b)] * factor,
                        );
                    }
                }
            }
        }
    }
}
