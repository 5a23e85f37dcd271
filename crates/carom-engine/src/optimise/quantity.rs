//! Values of formulas and of the quantities they use, with their derivatives by the unknowns.
//!
//! A quantity is looked at on a [`Spot`]: a node for configurations, the step beside it for velocities
//! (differences over the step) and controls.

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::blocks::add;
use super::family::Curvature;
use super::formula::{Formula, Quantity};
use super::layout::{Layout, Scale};
use super::path::Path;
use super::poly::Poly;
use crate::expression::Jet;
use crate::mechanics::{Dual, Real, Second, hat, log};

/// Where a quantity is looked at: a node and one of the two steps beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub node: usize,
    pub step: usize,
}

/// A gradient by unknowns.
pub(crate) type Slope = Vec<(usize, f64)>;

impl Quantity {
    /// Says which components its second derivatives couple.
    pub fn couple(&self, layout: &mut Layout, at: Spot) {
        match self {
            Quantity::Place(poly) => {
                let homes = layout.homes(poly.used());
                layout.couplings.at(at.node, &homes);
            }
            Quantity::Rate(poly) => {
                let homes = layout.homes(poly.used());
                layout.couplings.at(at.step, &homes);
                layout.couplings.at(at.step + 1, &homes);
            }
            _ => {}
        }
    }

    pub fn value(&self, path: &Path, at: Spot) -> f64 {
        let (x, layout) = (path.x(), &path.layout);
        let h = path.h(at.step);
        let ends = [at.step, at.step + 1].map(|k| &path.nodes()[k].q);
        match self {
            Quantity::Place(poly) => poly.value(&path.nodes()[at.node].q),
            Quantity::Rate(poly) => (poly.value(ends[1]) - poly.value(ends[0])) / h,
            Quantity::Turned { directors, axis } => {
                turned(&path.nodes()[at.node].q, *directors, |_, v| v)[*axis]
            }
            Quantity::Spin { directors, axis } => {
                let sum = |i: usize| {
                    let [a, b] = ends.map(|q| director(q, *directors, i));
                    a.cross(&b)[*axis]
                };
                0.5 * (0..3).map(sum).sum::<f64>() / h
            }
            Quantity::Joint(f) => path.joint_value(at.node, *f),
            Quantity::JointRate(f) => {
                (path.joint_value(at.step + 1, *f) - path.joint_value(at.step, *f)) / h
            }
            Quantity::Control(c) => x[layout.tau(at.step, *c)],
            Quantity::ControlRate(_) if at.step == 0 => 0.0,
            Quantity::ControlRate(c) => {
                let [now, before] = [at.step, at.step - 1].map(|k| x[layout.tau(k, *c)]);
                (now - before) / (0.5 * (h + path.h(at.step - 1)))
            }
            Quantity::Time => (0..at.node).map(|k| path.h(k)).sum(),
            Quantity::Parameter(k) => x[layout.parameters[*k]],
        }
    }

    /// Gradient of what is divided by the size of the step, if it is a rate: by unknowns of nodes and
    /// steps.
    fn numerator(&self, path: &Path, at: Spot) -> Slope {
        let layout = &path.layout;
        let pulled = |node: usize, poly: &Poly, sign: f64| {
            let mut y = vec![0.0; layout.nq];
            poly.gradient(&path.nodes()[node].q, |i, v| y[i] += sign * v);
            let values = path.pull(node, &y);
            let list = layout.freedoms_of(poly.used()).into_iter();
            list.map(|f| (layout.u(node, f), values[f]))
                .collect::<Vec<_>>()
        };
        let (a, b) = (at.step, at.step + 1);
        match self {
            Quantity::Place(poly) => pulled(at.node, poly, 1.0),
            Quantity::Rate(poly) => {
                let mut out = pulled(b, poly, 1.0);
                out.extend(pulled(a, poly, -1.0));
                out
            }
            Quantity::Turned { directors, axis } => {
                let mut y = vec![0.0; layout.nq];
                let slope = turned_slope(&path.nodes()[at.node].q, *directors, *axis);
                y[*directors..*directors + 9].copy_from_slice(&slope);
                let values = path.pull(at.node, &y);
                let list = layout.freedoms_of([*directors].into_iter()).into_iter();
                list.map(|f| (layout.u(at.node, f), values[f])).collect()
            }
            Quantity::Spin { directors, axis } => {
                let mut out = Vec::new();
                for (node, y) in spin_slopes(path, at.step, *directors, *axis) {
                    let values = path.pull(node, &y);
                    let list = layout.freedoms_of([*directors].into_iter()).into_iter();
                    out.extend(list.map(|f| (layout.u(node, f), values[f])));
                }
                out
            }
            Quantity::Joint(f) => vec![(layout.u(at.node, *f), 1.0)],
            Quantity::JointRate(f) => vec![(layout.u(b, *f), 1.0), (layout.u(a, *f), -1.0)],
            Quantity::Control(c) => vec![(layout.tau(a, *c), 1.0)],
            Quantity::ControlRate(_) if at.step == 0 => Vec::new(),
            Quantity::ControlRate(c) => {
                vec![(layout.tau(a, *c), 1.0), (layout.tau(a - 1, *c), -1.0)]
            }
            Quantity::Time => Vec::new(),
            Quantity::Parameter(k) => vec![(layout.parameters[*k], 1.0)],
        }
    }

    /// What a rate is divided by, and its gradient by time scales; one where it is no rate.
    fn divisor(&self, path: &Path, at: Spot) -> (f64, Slope) {
        let steps: &[(usize, f64)] = match self {
            Quantity::Rate(_) | Quantity::Spin { .. } | Quantity::JointRate(_) => &[(at.step, 1.0)],
            Quantity::ControlRate(_) if at.step > 0 => &[(at.step, 0.5), (at.step - 1, 0.5)],
            _ => return (1.0, Vec::new()),
        };
        let mut sum = 0.0;
        let mut slope: Slope = Vec::new();
        for &(step, part) in steps {
            sum += part * path.h(step);
            add_scale(path, step, part, &mut slope);
        }
        (sum, slope)
    }

    /// Gradient by all unknowns it depends on, each once, always the same ones.
    pub fn gradient(&self, path: &Path, at: Spot) -> Slope {
        if let Quantity::Time = self {
            let mut slope = Vec::new();
            (0..at.node).for_each(|k| add_scale(path, k, 1.0, &mut slope));
            return slope;
        }
        let (h, by_h) = self.divisor(path, at);
        let value = self.value(path, at);
        let mut out: Slope = (self.numerator(path, at).into_iter())
            .map(|(k, v)| (k, v / h))
            .collect();
        out.extend(by_h.into_iter().map(|(k, v)| (k, -value * v / h)));
        out
    }

    /// Second derivatives times a weight.
    pub fn curvature(&self, path: &Path, at: Spot, weight: f64, out: &mut Curvature) {
        let (h, by_h) = self.divisor(path, at);
        let w = weight / h;
        let mut place = |node: usize, poly: &Poly, w: f64| {
            let q = &path.nodes()[node].q;
            let pulls = &mut out.pulls[node];
            poly.gradient(q, |i, v| pulls[i] += w * v);
            path.add_products(node, &poly.second(q), w, &mut out.node[node]);
        };
        match self {
            Quantity::Place(poly) => place(at.node, poly, w),
            Quantity::Rate(poly) => {
                place(at.step + 1, poly, w);
                place(at.step, poly, -w);
            }
            Quantity::Turned { directors, axis } => {
                let q = &path.nodes()[at.node].q;
                let slope = turned_slope(q, *directors, *axis);
                let pulls = out.pulls[at.node][*directors..].iter_mut();
                pulls.zip(slope).for_each(|(c, v)| *c += w * v);
                let products = turned_products(q, *directors, *axis);
                path.add_products(at.node, &products, w, &mut out.node[at.node]);
            }
            Quantity::Spin { directors, axis } => {
                for (node, y) in spin_slopes(path, at.step, *directors, *axis) {
                    let pulls = out.pulls[node].iter_mut();
                    pulls.zip(y).for_each(|(c, v)| *c += w * v);
                }
                // ½ d⁺ · (e × d): bilinear.
                let (home, first) = path.layout.coordinate_home[*directors];
                let turn = hat(&unit(*axis));
                let n = path.layout.components[home].freedoms.len();
                let mut block = DMatrix::zeros(n, n);
                for i in 0..3 {
                    let [a, b] = [at.step, at.step + 1]
                        .map(|k| path.nodes()[k].tangent[home].fixed_rows::<3>(first + 3 * i));
                    block += b.tr_mul(&(turn * a)) * 0.5;
                }
                let freedoms = &path.layout.components[home].freedoms;
                add(&mut out.next[at.step], freedoms, &block, w);
            }
            _ => {}
        }
        // D/h: −∂D ∂hᵀ/h² − ∂h ∂Dᵀ/h² + 2 D ∂h ∂hᵀ/h³.
        if !by_h.is_empty() {
            let top = self.numerator(path, at);
            out.product(&by_h, &top, -w / h);
            out.product(&by_h, &by_h, w * self.value(path, at) / h);
        }
    }
}

impl Formula {
    /// Says which components its second derivatives couple.
    pub(crate) fn couple(&self, layout: &mut Layout, at: Spot) {
        self.inputs.iter().for_each(|q| q.couple(layout, at));
    }

    fn arguments(&self, path: &Path, at: Spot) -> Vec<f64> {
        self.inputs.iter().map(|q| q.value(path, at)).collect()
    }

    pub(crate) fn value(&self, path: &Path, at: Spot) -> f64 {
        self.function.eval(&self.arguments(path, at))
    }

    /// Gradient by unknowns; one may come more than once.
    pub(crate) fn gradient(&self, path: &Path, at: Spot) -> Slope {
        let jet = self.function.jet(&self.arguments(path, at));
        let mut out = Vec::new();
        for (q, f) in self.inputs.iter().zip(&jet.gradient) {
            out.extend(q.gradient(path, at).into_iter().map(|(k, v)| (k, f * v)));
        }
        out
    }

    /// Second derivatives times a weight.
    pub(crate) fn curvature(&self, path: &Path, at: Spot, weight: f64, out: &mut Curvature) {
        let Jet {
            gradient, hessian, ..
        } = self.function.jet(&self.arguments(path, at));
        let n = self.inputs.len();
        let slopes: Vec<Slope> = self.inputs.iter().map(|q| q.gradient(path, at)).collect();
        for (q, f) in self.inputs.iter().zip(&gradient) {
            q.curvature(path, at, weight * f, out);
        }
        for i in 0..n {
            out.product(&slopes[i], &slopes[i], 0.5 * weight * hessian[i * n + i]);
            for j in 0..i {
                out.product(&slopes[i], &slopes[j], weight * hessian[i * n + j]);
            }
        }
    }
}

/// Adds what the size of a step changes with the time scale of its phase.
fn add_scale(path: &Path, step: usize, part: f64, slope: &mut Slope) {
    let of = path.layout.grid[step];
    if let Scale::Unknown(index) = path.layout.scales[of.phase] {
        match slope.iter_mut().find(|(k, _)| *k == index) {
            Some((_, v)) => *v += part * of.base,
            None => slope.push((index, part * of.base)),
        }
    }
}

fn director(q: &[f64], first: usize, i: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&q[first + 3 * i..first + 3 * i + 3])
}

/// Rotation vector of directors that begin at a coordinate, in numbers seeded by their place among the nine.
fn turned<T: Real>(q: &[f64], first: usize, seed: impl Fn(usize, f64) -> T) -> Vector3<T> {
    log(&Matrix3::from_fn(|i, j| {
        let k = 3 * j + i;
        seed(k, q[first + k])
    }))
}

/// Gradient of a component of it by the nine.
fn turned_slope(q: &[f64], first: usize, axis: usize) -> [f64; 9] {
    std::array::from_fn(|m| {
        let seed = |k: usize, v: f64| Dual {
            v,
            d: f64::from(k == m),
        };
        turned(q, first, seed)[axis].d
    })
}

/// Its second derivatives as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
fn turned_products(q: &[f64], first: usize, axis: usize) -> Vec<(usize, usize, f64)> {
    let mut out = Vec::new();
    for m in 0..9 {
        for n in 0..=m {
            let seed = |k: usize, v: f64| Second::seed(v, f64::from(k == m), f64::from(k == n));
            let mixed = turned(q, first, seed)[axis].mixed();
            // The square of a coordinate counts twice.
            let share = if m == n { 0.5 } else { 1.0 };
            out.push((first + m, first + n, share * mixed));
        }
    }
    out
}

fn unit(axis: usize) -> Vector3<f64> {
    let mut e = Vector3::zeros();
    e[axis] = 1.0;
    e
}

/// Gradient of ½ Σ e · (d_i × d_i⁺) by the coordinates at both ends of a step.
fn spin_slopes(path: &Path, step: usize, first: usize, axis: usize) -> [(usize, Vec<f64>); 2] {
    let e = unit(axis);
    [(step, step + 1), (step + 1, step)].map(|(node, other)| {
        let mut y = vec![0.0; path.layout.nq];
        for i in 0..3 {
            let d = director(&path.nodes()[other].q, first, i);
            let slope = if node == step {
                d.cross(&e)
            } else {
                e.cross(&d)
            } * 0.5;
            y[first + 3 * i..first + 3 * i + 3].copy_from_slice(slope.as_slice());
        }
        (node, y)
    })
}
