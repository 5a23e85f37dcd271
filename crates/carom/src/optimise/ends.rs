//! Derivatives of what is not block-tridiagonal by component: pair potentials, which couple bodies,
//! and motions prescribed at the ends.

use nalgebra::{DMatrix, DVector, Vector3};

use super::evaluate::Transcription;
use super::jacobian::BalanceBlocks;
use crate::model::Point;

impl Transcription {
    /// Rows of s φ + D l of a body in matrices with the coordinates of the components as rows, added
    /// to a matrix with three rows and the degrees of freedom of the node as columns.
    pub fn point_rows(
        &self,
        of: &[DMatrix<f64>],
        body: usize,
        l: &Vector3<f64>,
        s: f64,
        out: &mut DMatrix<f64>,
        first: usize,
    ) {
        let Some((c, at)) = self.layout.body_home[body] else {
            return;
        };
        let rigid = !self.model.is_particle(crate::model::BodyId(body as u32));
        let m = &of[c];
        for (j, &f) in self.layout.components[c].freedoms.iter().enumerate() {
            for k in 0..3 {
                let mut v = s * m[(at + k, j)];
                if rigid {
                    v += (0..3)
                        .map(|i| l[i] * m[(at + 3 + 3 * i + k, j)])
                        .sum::<f64>();
                }
                out[(first + k, f)] += v;
            }
        }
    }

    /// The same of the vector between the ends of a pair potential.
    pub fn stretch_rows(&self, of: &[DMatrix<f64>], ends: &[Point; 2]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(3, self.layout.n);
        for (end, sign) in ends.iter().zip([1.0, -1.0]) {
            if let Some(b) = end.body {
                self.point_rows(of, b.index(), &(end.local * sign), sign, &mut out, 0);
            }
        }
        out
    }

    /// (h/2) Pᵀ F′(q̄)/2 of pair potentials.
    pub(super) fn add_pair_blocks(&self, x: &[f64], out: &mut [BalanceBlocks]) {
        for step in 0..self.layout.grid.len() {
            let quarter = 0.25 * self.layout.h(step, x);
            let [a, b] = [step, step + 1].map(|k| &self.nodes()[k]);
            let middle: Vec<f64> = a.q.iter().zip(&b.q).map(|(a, b)| 0.5 * (a + b)).collect();
            for pair in &self.layout.pairs {
                let force = pair.at(&self.stretch(&pair.ends, &middle));
                let slope = force.slope * quarter;
                let [va, vb] = [a, b].map(|n| self.stretch_rows(&n.null, &pair.ends));
                let [ta, tb] = [a, b].map(|n| slope * self.stretch_rows(&n.tangent, &pair.ends));
                out[step].here += va.tr_mul(&ta);
                out[step].after += va.tr_mul(&tb);
                out[step + 1].before += vb.tr_mul(&ta);
                out[step + 1].here += vb.tr_mul(&tb);
            }
        }
    }

    /// A matrix with the coordinates of a node as rows and its degrees of freedom as columns.
    pub(super) fn wide(&self, of: &[DMatrix<f64>]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.layout.nq, self.layout.n);
        for (component, m) in self.layout.components.iter().zip(of) {
            for (j, &f) in component.freedoms.iter().enumerate() {
                for (i, &q) in component.coordinates.iter().enumerate() {
                    out[(q, f)] = m[(i, j)];
                }
            }
        }
        out
    }

    /// ∂p/∂u of a motion at an end, p = M q̇ in redundant coordinates.
    pub(super) fn motion_tangent(&self, motion: usize, x: &[f64]) -> DMatrix<f64> {
        let motion = &self.layout.motions[motion];
        let mut twist = self.layout.twist(motion, x);
        twist[..3].fill(0.0);
        let mut tangent = self.wide(&self.nodes()[motion.node].tangent);
        for f in 0..self.layout.n {
            let column: Vec<f64> = tangent.column(f).iter().copied().collect();
            let p = self.motion_momentum(motion, &twist, &column);
            tangent.column_mut(f).copy_from_slice(&p);
        }
        tangent
    }

    pub(super) fn add_motion_blocks(&self, x: &[f64], out: &mut [BalanceBlocks]) {
        for (k, motion) in self.layout.motions.iter().enumerate() {
            if self.layout.twist(motion, x)[3..].iter().all(|w| *w == 0.0) {
                continue;
            }
            let null = self.wide(&self.nodes()[motion.node].null);
            out[motion.node].here += null.tr_mul(&self.motion_tangent(k, x)) * motion.sign;
        }
    }

    /// ∂p/∂t of the twist component k of a motion.
    pub(super) fn unit_momentum(&self, motion: usize, k: usize) -> Vec<f64> {
        let motion = &self.layout.motions[motion];
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        self.motion_momentum(motion, &unit, &self.nodes()[motion.node].q)
    }

    /// Entries of a balance row by the free velocities at its node.
    pub(super) fn list_motion_unknowns(
        &self,
        row: usize,
        node: usize,
        c: usize,
        local: usize,
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        for (m, motion) in self.layout.motions.iter().enumerate() {
            if motion.node != node {
                continue;
            }
            for (k, unknown) in motion.unknowns.iter().enumerate() {
                if let Some(index) = unknown {
                    let component = &self.layout.components[c];
                    let p = Self::gather(&component.coordinates, &self.unit_momentum(m, k));
                    let column: DVector<f64> = self.nodes()[node].null[c].column(local).into();
                    sink(row, *index, motion.sign * column.dot(&p));
                }
            }
        }
    }
}
