//! Velocities before and after a node, where something happens there: unknowns ν with
//! Pᵀ(q)[M P(q) ν − p] = 0, p the momentum D₂L_d + f⁺ of the step that ends there, or −D₁L_d − f⁻ of the
//! step that begins there. With them laws of impact are linear in velocities.

use nalgebra::{DMatrix, DVector};

use super::balance_curvature::Virtual;
use super::jump::pushed;
use crate::optimise::blocks::add;
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::{Layout, Scale, Side};
use crate::optimise::path::Path;
use crate::optimise::scale::{self, Sizes};
use crate::optimise::steps::{Operator, apply};

/// See the [module](self): all sides of a layout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// Side and degree of freedom of every row.
    rows: Vec<(usize, usize)>,
    /// First row of each side.
    firsts: Vec<usize>,
}

impl Rates {
    pub fn new(layout: &Layout) -> Self {
        let mut out = Self::default();
        for (s, side) in layout.sides.iter().enumerate() {
            out.firsts.push(out.rows.len());
            out.rows.extend(side.freedoms.iter().map(|&f| (s, f)));
        }
        out
    }
}

/// What stands in brackets, Y = M P ν ± T, and the impulses ± (h/2) τ of the controls.
fn balance(path: &Path, side: &Side) -> (Vec<f64>, Vec<f64>) {
    let rates = path.rates(side);
    let mut y = apply(
        &path.layout.inertias,
        Operator::Mass,
        &path.moved(side.node, &rates),
    );
    let [here, there] = path.step_terms(side.step);
    let term = if side.before { there } else { here };
    y.iter_mut()
        .zip(term.sum)
        .for_each(|(y, t)| *y += side.sign() * t);
    // What holds between the node and the velocities.
    let q = &path.nodes()[side.node].q;
    for (push, unknown) in &side.pushes {
        let mu = side.sign() * path.x()[*unknown];
        push.vector(q, |i, v| y[i] += mu * v);
    }
    let half = side.sign() * 0.5 * path.h(side.step);
    let impulses = path.controls(side.step).iter().map(|t| half * t);
    (y, impulses.collect())
}

impl Path {
    /// ν of a side over all degrees of freedom.
    pub fn rates(&self, side: &Side) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.n];
        for (k, &f) in side.freedoms.iter().enumerate() {
            out[f] = self.x()[side.first + k];
        }
        out
    }

    /// P(q) ν at a node.
    pub fn moved(&self, node: usize, rates: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.nq];
        for (component, p) in self.layout.components.iter().zip(&self.nodes()[node].null) {
            let moved = p * Self::gather(&component.freedoms, rates);
            for (&q, v) in component.coordinates.iter().zip(moved.iter()) {
                out[q] = *v;
            }
        }
        out
    }

    /// Velocities of the momentum before or after a node: M_red⁻¹ Pᵀ p.
    pub fn side_rates(&self, side: &Side) -> Vec<f64> {
        let [here, there] = self.step_terms(side.step);
        let term = if side.before { there } else { here };
        let half = 0.5 * self.h(side.step);
        let impulses: Vec<f64> = self.controls(side.step).iter().map(|t| half * t).collect();
        let mut laws = vec![0.0; self.layout.n];
        self.add_law_side(side.step, usize::from(side.before), &mut laws);
        let mut out = vec![0.0; self.layout.n];
        for &c in &side.components {
            let component = &self.layout.components[c];
            let here = &self.nodes()[side.node];
            let p = &here.null[c];
            let y = Self::gather(&component.coordinates, &term.sum);
            let tau = Self::gather(&component.controls, &impulses);
            let mut momentum = (p.tr_mul(&y) + here.input[c].tr_mul(&tau)) * -side.sign();
            let mut mass = p.tr_mul(&self.operate(c, Operator::Mass, p));
            for (k, &f) in component.freedoms.iter().enumerate() {
                momentum[k] -= side.sign() * laws[f];
                mass[(k, k)] += self.rotor(f);
            }
            if let Some(rates) = mass.lu().solve(&momentum) {
                for (&f, v) in component.freedoms.iter().zip(rates.iter()) {
                    out[f] = *v;
                }
            }
        }
        out
    }

    /// Derivatives of the rows of a side by u at its node and at the other end of its step, and by the
    /// size of the step.
    fn side_blocks(&self, side: &Side) -> (DMatrix<f64>, DMatrix<f64>, DVector<f64>) {
        let n = self.layout.n;
        let (mut own, mut far) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
        let mut by_step = DVector::zeros(n);
        let (y, impulses) = balance(self, side);
        let moving = self.virtual_motion(side.node, &self.rates(side));
        let [here, there] = self.step_terms(side.step);
        let term = if side.before { there } else { here };
        let (h, sign) = (self.h(side.step), side.sign());
        let (node, other) = (&self.nodes()[side.node], &self.nodes()[side.other()]);
        for &c in &side.components {
            let component = &self.layout.components[c];
            let f = &component.freedoms;
            let p = &node.null[c];
            add(&mut own, f, &self.bend(side.node, c, &y, &impulses), 1.0);
            let heavy = self.operate(c, Operator::Mass, &moving.slope[c]);
            add(&mut own, f, &p.tr_mul(&heavy), 1.0);
            add(&mut own, f, &p.tr_mul(&node.heavy[c]), sign / h);
            add(&mut far, f, &p.tr_mul(&other.heavy[c]), -sign / h);
            if self.has_drag() {
                let drag = |t: &DMatrix<f64>| p.tr_mul(&self.operate(c, Operator::Drag, t));
                let half = if side.before { -0.5 } else { 0.5 } * sign;
                add(&mut own, f, &drag(&node.tangent[c]), half);
                add(&mut far, f, &drag(&other.tangent[c]), -half);
            }
            let slope = Self::gather(&component.coordinates, &term.slope);
            let tau = Self::gather(&component.controls, self.controls(side.step));
            let slope = p.tr_mul(&slope) + node.input[c].tr_mul(&tau) * 0.5;
            for (&f, v) in f.iter().zip(slope.iter()) {
                by_step[f] += sign * v;
            }
        }
        let at = usize::from(side.before);
        for [v, t] in self.force_slopes(side.step) {
            own += v[at].tr_mul(&t[at]) * sign;
            far += v[at].tr_mul(&t[1 - at]) * sign;
        }
        for (push, unknown) in &side.pushes {
            let block = self.products(&push.slope(&node.q), [&node.null, &node.tangent]);
            own += block * (sign * self.x()[*unknown]);
        }
        self.add_law_slopes(side, &mut own, &mut far, &mut by_step);
        (own, far, by_step)
    }

    /// The derivatives by u of the rows Pᵀ M P λ, with λ held: by virtual motion and by the velocity.
    fn heavy_slope(&self, node: usize, c: usize, lambda: &Virtual) -> DMatrix<f64> {
        let y = apply(&self.layout.inertias, Operator::Mass, &lambda.eta);
        let none = vec![0.0; self.layout.nc];
        let heavy = self.operate(c, Operator::Mass, &lambda.slope[c]);
        self.bend(node, c, &y, &none) + self.nodes()[node].null[c].tr_mul(&heavy)
    }
}

impl Family for Rates {
    fn name(&self) -> &'static str {
        "rates"
    }

    fn is_mechanics(&self) -> bool {
        true
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]; self.rows.len()]
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let mut row = 0;
        for side in &path.layout.sides {
            let (y, impulses) = balance(path, side);
            let here = &path.nodes()[side.node];
            let rates = path.rates(side);
            let mut laws = vec![0.0; path.layout.n];
            path.add_law_side(side.step, usize::from(side.before), &mut laws);
            for &c in &side.components {
                let component = &path.layout.components[c];
                let y = Path::gather(&component.coordinates, &y);
                let tau = Path::gather(&component.controls, &impulses);
                let r = here.null[c].tr_mul(&y) + here.input[c].tr_mul(&tau);
                for (v, &f) in r.iter().zip(&component.freedoms) {
                    g[row] = *v + side.sign() * laws[f] + path.rotor(f) * rates[f];
                    row += 1;
                }
            }
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        let layout = &path.layout;
        for (s, side) in layout.sides.iter().enumerate() {
            let (own, far, by_step) = path.side_blocks(side);
            let pushed: Vec<_> = (side.pushes.iter())
                .map(|(push, unknown)| (*unknown, pushed(path, side.node, push)))
                .collect();
            let here = &path.nodes()[side.node];
            let mut row = self.firsts[s];
            let mut first = side.first;
            for &c in &side.components {
                let component = &layout.components[c];
                let near = layout.reach(&layout.balance_couplings, side.node, c);
                let over = layout.reach_over(&layout.balance_couplings, side.step, c);
                let p = &here.null[c];
                let mut mass = p.tr_mul(&path.operate(c, Operator::Mass, p));
                for (l, &f) in component.freedoms.iter().enumerate() {
                    mass[(l, l)] += path.rotor(f);
                    for &g in &near {
                        sink(row, layout.u(side.node, g), own[(f, g)]);
                    }
                    for &g in &over {
                        sink(row, layout.u(side.other(), g), far[(f, g)]);
                    }
                    let half = side.sign() * 0.5 * path.h(side.step);
                    for (t, &control) in component.controls.iter().enumerate() {
                        let w = here.input[c][(t, l)];
                        sink(row, layout.tau(side.step, control), half * w);
                    }
                    let of = layout.grid[side.step];
                    if let Scale::Unknown(index) = layout.scales[of.phase] {
                        sink(row, index, by_step[f] * of.base);
                    }
                    for k in 0..component.freedoms.len() {
                        sink(row, first + k, mass[(l, k)]);
                    }
                    for (unknown, push) in &pushed {
                        sink(row, *unknown, side.sign() * push[f]);
                    }
                    row += 1;
                }
                first += component.freedoms.len();
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let layout = &path.layout;
        for (s, side) in layout.sides.iter().enumerate() {
            let mut own = vec![0.0; layout.n];
            for (k, &f) in side.freedoms.iter().enumerate() {
                own[f] = lambda[self.firsts[s] + k];
            }
            let rates = path.rates(side);
            let (eta, moving) = (
                path.virtual_motion(side.node, &own),
                path.virtual_motion(side.node, &rates),
            );
            // (P λ) · M (P ν)
            let (y, impulses) = balance(path, side);
            let heavy = apply(&layout.inertias, Operator::Mass, &eta.eta);
            let none = vec![0.0; layout.nc];
            out.virtuals[side.node].push([own.clone(), y, impulses]);
            out.virtuals[side.node].push([rates, heavy, none]);
            let mut first = side.first;
            for &c in &side.components {
                let f = &layout.components[c].freedoms;
                let cross =
                    (eta.slope[c]).tr_mul(&path.operate(c, Operator::Mass, &moving.slope[c]));
                add(
                    &mut out.node[side.node],
                    f,
                    &(&cross + cross.transpose()),
                    1.0,
                );
                let slope = path.heavy_slope(side.node, c, &eta);
                for k in 0..f.len() {
                    for (l, &g) in f.iter().enumerate() {
                        let entry = (first + k, layout.u(side.node, g), slope[(k, l)]);
                        out.entries.push(entry);
                    }
                }
                first += f.len();
            }
            for (push, unknown) in &side.pushes {
                let mu = side.sign() * path.x()[*unknown];
                let slope = path.add_pulled(side.node, push, mu, &eta, out);
                for f in layout.freedoms_of(push.used()) {
                    let entry = (*unknown, layout.u(side.node, f), side.sign() * slope[f]);
                    out.entries.push(entry);
                }
            }
            // What the step adds, with a virtual motion at one of its ends.
            let signed: Vec<f64> = own.iter().map(|v| side.sign() * v).collect();
            let here = path.virtual_motion(side.node, &signed);
            let none = path.virtual_motion(side.other(), &vec![0.0; layout.n]);
            let ends = if side.before {
                [&none, &here]
            } else {
                [&here, &none]
            };
            path.add_step_curvature(side.step, ends, out);
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let (s, _) = self.rows[row];
        let side = &path.layout.sides[s];
        let word = if side.before { "before" } else { "after" };
        format!("velocity {word} node {}", side.node)
    }

    fn identity(&self, row: usize) -> String {
        let (s, f) = self.rows[row];
        format!("{s} {f}")
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        largest
    }

    fn unknown_sizes(&self, path: &Path, sizes: &Sizes, out: &mut [f64]) {
        let freedoms = scale::freedom_sizes(path, sizes);
        for side in &path.layout.sides {
            for (k, &f) in side.freedoms.iter().enumerate() {
                out[side.first + k] = sizes.near_one(freedoms[f] / sizes.time);
            }
            for (push, unknown) in &side.pushes {
                out[*unknown] = scale::impulse_size(path, push, sizes);
            }
        }
    }
}
