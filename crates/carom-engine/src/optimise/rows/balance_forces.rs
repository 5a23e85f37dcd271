//! Springs, charges and dampers between points, and potentials of the user's own, in the balances of momentum and their
//! derivatives.
//!
//! A damper gives both of its ends the impulse ∓c n nᵀΔ in a step, half of it at each node, with n along
//! the line at its middle and Δ how the line has changed: a function of the line a at the start and b at
//! the end. A potential gives −h ∇V(q̄). Third derivatives of V are differences of its second ones, along
//! the virtual motion.

use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, Vector3};

use super::balance_curvature::{StepBlocks, Virtual};
use super::balance_slopes::BalanceBlocks;
use crate::mechanics::{Real, Second, damper_impulse, damper_slope, pair_force};
use crate::model::{Damper, Point, UserPotential};
use crate::optimise::family::Curvature;
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;

/// Step of the differences, relative to coordinates of order one.
const DIFFERENCE: f64 = 1e-5;

/// Derivatives of a damper's impulse by its lines a at the start of a step and b at its end.
fn damper_slopes(c: f64, a: &Vector3<f64>, b: &Vector3<f64>) -> [Matrix3<f64>; 2] {
    let (line, moved) = ((a + b) * 0.5, b - a);
    [-1.0, 1.0].map(|sign| damper_slope(c, &line, &moved, [0.5, sign]))
}

/// Second derivatives of ξ times the impulse, by (a, b).
fn damper_curvature(c: f64, a: &Vector3<f64>, b: &Vector3<f64>, xi: &Vector3<f64>) -> Matrix6<f64> {
    let mut out = Matrix6::zeros();
    for i in 0..6 {
        for j in 0..=i {
            let seeded = |v: &Vector3<f64>, first: usize| {
                Vector3::from_fn(|k, _| {
                    let at = first + k;
                    Second::seed(v[k], f64::from(at == i), f64::from(at == j))
                })
            };
            let (a, b) = (seeded(a, 0), seeded(b, 3));
            let f = damper_impulse(c, &(a + b).map(|x| x.scale(0.5)), &(b - a));
            let sum: f64 = (0..3).map(|k| xi[k] * f[k].mixed()).sum();
            out[(i, j)] = sum;
            out[(j, i)] = sum;
        }
    }
    out
}

/// Ends of a damper; those in the world without a place, for what moves only.
fn ends(d: &Damper) -> [[Point; 2]; 2] {
    let free = |mut p: Point| {
        if p.body.is_none() {
            p.local.fill(0.0);
        }
        p
    };
    [[d.a, d.b], [free(d.a), free(d.b)]]
}

impl Path {
    /// The lines of a damper at both ends of a step.
    fn lines(&self, d: &Damper, step: usize) -> [Vector3<f64>; 2] {
        [step, step + 1].map(|k| self.stretch(&ends(d)[0], &self.nodes()[k].q))
    }

    /// A force on the first of two points and against the second, as a covector.
    fn push_ends(&self, ends: &[Point; 2], force: &Vector3<f64>, y: &mut [f64]) {
        for (end, sign) in ends.iter().zip([1.0, -1.0]) {
            if let Some(body) = end.body {
                self.push(body.index(), &(end.local * sign), sign, force, y);
            }
        }
    }

    /// First derivatives of what potentials between points, dampers and users' potentials do.
    pub(super) fn add_force_blocks(&self, out: &mut [BalanceBlocks]) {
        for step in 0..self.layout.grid.len() {
            for [v, t] in self.force_slopes(step) {
                add_pair(out, step, &v, &t);
            }
        }
    }

    /// Rows by which forces of a step act on its two nodes, and slopes of the forces by u there.
    pub(super) fn force_slopes(&self, step: usize) -> Vec<[[DMatrix<f64>; 2]; 2]> {
        let forces = self.model.forces();
        let nodes = [step, step + 1].map(|k| &self.nodes()[k]);
        let mut out = Vec::new();
        let quarter = -0.25 * self.h(step);
        for pair in &forces.pairs {
            let ends = [pair.a, pair.b];
            let lines = nodes.map(|n| self.stretch(&ends, &n.q));
            let stiffness = pair_force(&pair.law, &((lines[0] + lines[1]) * 0.5)).stiffness;
            let v = nodes.map(|n| self.stretch_rows(&n.null, &ends));
            let slope = DMatrix::from_iterator(3, 3, stiffness.iter().map(|s| s * quarter));
            let t = nodes.map(|n| &slope * self.stretch_rows(&n.tangent, &ends));
            out.push([v, t]);
        }
        for d in &forces.dampers {
            let [a, b] = self.lines(d, step);
            let slopes = damper_slopes(d.coefficient, &a, &b);
            let v = nodes.map(|n| self.stretch_rows(&n.null, &ends(d)[0]));
            let t = nodes.map(|n| self.stretch_rows(&n.tangent, &ends(d)[0]));
            let half = |k: usize| DMatrix::from_iterator(3, 3, slopes[k].iter().map(|s| 0.5 * s));
            out.push([v, [half(0) * &t[0], half(1) * &t[1]]]);
        }
        for u in &forces.user {
            let (places, q) = self.middle(&**u, step);
            let mut hessian = DMatrix::zeros(q.len(), q.len());
            u.hessian(&q, &mut hessian);
            hessian *= quarter;
            let v = nodes.map(|n| self.rows_of(&n.null, &places));
            let t = nodes.map(|n| &hessian * self.rows_of(&n.tangent, &places));
            out.push([v, t]);
        }
        out
    }

    /// Coordinates of a user's potential among those of a node, and their values in the middle of a
    /// step.
    fn middle(&self, u: &dyn UserPotential, step: usize) -> (Vec<usize>, Vec<f64>) {
        let places = user_coordinates(&self.layout, u, &|b| self.model.is_particle(b));
        let [a, b] = [step, step + 1].map(|k| &self.nodes()[k].q);
        let values = places.iter().map(|&i| 0.5 * (a[i] + b[i])).collect();
        (places, values)
    }

    /// Rows of some coordinates over the degrees of freedom of a node.
    fn rows_of(&self, of: &[DMatrix<f64>], places: &[usize]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(places.len(), self.layout.n);
        for (r, &q) in places.iter().enumerate() {
            let (c, l) = self.layout.coordinate_home[q];
            for (j, &f) in self.layout.components[c].freedoms.iter().enumerate() {
                out[(r, f)] = of[c][(l, j)];
            }
        }
        out
    }

    /// Second derivatives of ½ ξ · f of dampers.
    pub(super) fn add_dampers(&self, k: usize, both: [&Virtual; 2], out: &mut Curvature) {
        let nodes = [k, k + 1].map(|k| &self.nodes()[k]);
        let sum: Vec<f64> = (both[0].eta.iter().zip(&both[1].eta))
            .map(|(a, b)| a + b)
            .collect();
        for d in &self.model.forces().dampers {
            let [all, free] = ends(d);
            let [a, b] = self.lines(d, k);
            let xi = self.stretch(&free, &sum);
            let slopes = damper_slopes(d.coefficient, &a, &b);
            let bend = damper_curvature(d.coefficient, &a, &b, &xi) * 0.5;
            let slopes = slopes.map(|s| s * 0.5);
            for side in 0..2 {
                let pull = slopes[side].tr_mul(&xi);
                self.push_ends(&all, &pull, &mut out.pulls[k + side]);
            }
            let t = nodes.map(|n| self.stretch_rows(&n.tangent, &all));
            let e = both.map(|v| self.stretch_rows(&v.slope, &all));
            let bend = |i: usize, j: usize| bend.fixed_view::<3, 3>(3 * i, 3 * j).into_owned();
            for side in 0..2 {
                let cross = e[side].tr_mul(&(slopes[side] * &t[side]));
                out.node[k + side] +=
                    &cross + cross.transpose() + t[side].tr_mul(&(bend(side, side) * &t[side]));
            }
            out.next[k] += e[1].tr_mul(&(slopes[0] * &t[0]))
                + t[1].tr_mul(&(slopes[1].transpose() * &e[0]))
                + t[1].tr_mul(&(bend(1, 0) * &t[0]));
        }
    }

    /// Second derivatives of −(h/2)(η + η⁺) · ∇V(q̄) of users' potentials.
    pub(super) fn add_users(
        &self,
        k: usize,
        both: [&Virtual; 2],
        all: &mut Curvature,
        out: &mut StepBlocks,
    ) {
        let h = self.h(k);
        let nodes = [k, k + 1].map(|k| &self.nodes()[k]);
        for u in &self.model.forces().user {
            let (places, q) = self.middle(&**u, k);
            let zeta = DVector::from_iterator(
                q.len(),
                places.iter().map(|&i| both[0].eta[i] + both[1].eta[i]),
            );
            let n = q.len();
            let at = |q: &[f64]| {
                let mut hessian = DMatrix::zeros(n, n);
                u.hessian(q, &mut hessian);
                hessian
            };
            let hessian = at(&q);
            let mut gradient = vec![0.0; n];
            u.gradient(&q, &mut gradient);
            let gradient = DVector::from_vec(gradient);
            // ∂V″/∂ζ
            let size = zeta.amax();
            let mut third = DMatrix::zeros(n, n);
            if size > 0.0 {
                let e = DIFFERENCE / size;
                let moved = |s: f64| -> Vec<f64> {
                    q.iter().zip(zeta.iter()).map(|(q, z)| q + s * z).collect()
                };
                third = (at(&moved(e)) - at(&moved(-e))) / (2.0 * e);
            }
            let pull = &hessian * &zeta;
            for (&i, v) in places.iter().zip(pull.iter()) {
                for node in [k, k + 1] {
                    all.pulls[node][i] -= 0.25 * h * v;
                }
            }
            let t = nodes.map(|n| self.rows_of(&n.tangent, &places));
            let e = both.map(|v| self.rows_of(&v.slope, &places));
            let (slope, bend) = (hessian * (-0.25 * h), third * (-0.125 * h));
            for side in 0..2 {
                let cross = e[side].tr_mul(&(&slope * &t[side]));
                all.node[k + side] +=
                    &cross + cross.transpose() + t[side].tr_mul(&(&bend * &t[side]));
                out.step[side] -= t[side].tr_mul(&pull) * 0.25 + e[side].tr_mul(&gradient) * 0.5;
            }
            all.next[k] += e[1].tr_mul(&(&slope * &t[0]))
                + t[1].tr_mul(&(&slope * &e[0]))
                + t[1].tr_mul(&(&bend * &t[0]));
        }
    }
}

/// Coordinates of a user's potential among those of a node.
fn user_coordinates(
    layout: &Layout,
    u: &dyn UserPotential,
    is_particle: &dyn Fn(crate::model::BodyId) -> bool,
) -> Vec<usize> {
    let mut out = Vec::new();
    for b in u.bodies() {
        let start = layout.starts[b.index()];
        out.extend(start..start + if is_particle(*b) { 3 } else { 12 });
    }
    out
}

/// Derivatives of something that both ends of a step share.
fn add_pair(out: &mut [BalanceBlocks], step: usize, v: &[DMatrix<f64>; 2], t: &[DMatrix<f64>; 2]) {
    out[step].here += v[0].tr_mul(&t[0]);
    out[step].after += v[0].tr_mul(&t[1]);
    out[step + 1].before += v[1].tr_mul(&t[0]);
    out[step + 1].here += v[1].tr_mul(&t[1]);
}
