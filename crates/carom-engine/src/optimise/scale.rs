//! Natural sizes of a problem: what its unknowns and rows are measured in.
//!
//! Tolerances mean the same for a wafer stage and a rocket only if numbers are of order one. All sizes
//! follow from the problem itself: T is its time, L the farthest way of a body, Θ the largest turn
//! (at most one radian), and forces are those that move what there is by L or Θ within T and stop it,
//! 6 m L/T², with what holds it up added. A length of zero is replaced by the turn of the largest body,
//! a turn of zero by the way of its rim. Sizes that are near one anyway are left at one.

use nalgebra::Vector3;

use super::path::Path;
use super::poly::Poly;
use super::push::Push;
use crate::mechanics::{log, slides};

/// Lengths, angles and times of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizes {
    pub length: f64,
    pub angle: f64,
    pub time: f64,
    /// Reach of the largest body, or the length where there is none.
    pub reach: f64,
    /// Whether sizes near one are left at one.
    pub plain: bool,
}

impl Sizes {
    /// Sizes of a problem of order one.
    pub const ONE: Self = Self {
        length: 1.0,
        angle: 1.0,
        time: 1.0,
        reach: 1.0,
        plain: true,
    };

    /// A size, or one where it is near one.
    pub fn near_one(&self, value: f64) -> f64 {
        self.rounded(value, PLAIN)
    }

    fn rounded(&self, value: f64, plain: f64) -> f64 {
        rounded(value, if self.plain { plain } else { 1.0 })
    }

    /// Overlaps and clearances are relative to this.
    pub fn overlap(&self) -> f64 {
        self.length.max(self.reach)
    }
}

/// Sizes up to this, and down to one over it, count as one where every freedom is driven: nothing is
/// gained by scaling them there.
const PLAIN: f64 = 64.0;

/// Ways in reaches of the largest body, and turns in rad, that count as none.
const ROUND_OFF: f64 = 1e-9;

/// Like `PLAIN`, for controls.
const PLAIN_CONTROL: f64 = 65536.0;

/// The nearest power of two, by which scaling is exact; one for what is within `plain` of it.
fn rounded(value: f64, plain: f64) -> f64 {
    let sound = value.is_finite() && value > 1e-300;
    match sound && !(1.0 / plain..=plain).contains(&value) {
        true => value.log2().round().exp2(),
        false => 1.0,
    }
}

/// Sizes of the problem that a motion belongs to, at the unknowns of its guess; `plain` leaves those
/// near one at one.
pub(crate) fn sizes(t: &Path, plain: bool) -> Sizes {
    let time = t.layout.total(t.x());
    let (mut length, mut angle) = (0.0_f64, 0.0_f64);
    let start = &t.nodes()[0];
    for i in &t.layout.inertias {
        for node in t.nodes() {
            let (a, b) = (&start.poses[i.body], &node.poses[i.body]);
            length = length.max((b.position - a.position).norm());
            if i.rigid {
                let turn = log(&(b.directors * a.directors.transpose()));
                angle = angle.max(turn.norm());
            }
        }
    }
    // What is given at the ends goes on for the whole time.
    for motion in &t.layout.motions {
        let given = |k: usize| {
            let [low, high] = motion.motion.twist[k];
            let sound = low.is_finite() && high.is_finite();
            if sound {
                low.abs().max(high.abs())
            } else {
                0.0
            }
        };
        let norm = |k: usize| Vector3::new(given(k), given(k + 1), given(k + 2)).norm();
        length = length.max(norm(0) * time);
        angle = angle.max(norm(3) * time);
    }
    let mut reach = 0.0_f64;
    for i in &t.layout.inertias {
        let shape = t.model.bodies()[i.body].shape.as_ref();
        let own = shape.map_or(0.0, |s| {
            s.vertices().iter().map(|v| v.reach()).fold(0.0, f64::max)
        });
        reach = reach.max(own).max(i.gyration());
    }
    let angle = angle.min(1.0);
    // What is no more than round-off of given poses is no motion.
    let moves = length > ROUND_OFF * reach;
    let (length, angle) = match (moves, angle > ROUND_OFF, reach > 0.0) {
        (true, true, _) => (length, angle),
        (true, false, true) => (length, (length / reach).min(1.0)),
        (true, false, false) => (length, 1.0),
        (false, true, true) => (angle * reach, angle),
        (false, false, true) => (reach, 1.0),
        (false, _, false) => (1.0, 1.0),
    };
    let near = if plain { PLAIN } else { 1.0 };
    Sizes {
        length: rounded(length, near),
        angle: rounded(angle, near),
        time,
        reach: if reach > 0.0 { reach } else { length },
        plain,
    }
}

/// The size of every unknown of nodes, steps and ends; others are one.
pub(crate) fn unknowns(t: &Path, bounds: &[[f64; 2]], sizes: &Sizes) -> Vec<f64> {
    let Sizes {
        length,
        angle,
        time,
        ..
    } = *sizes;
    let layout = &t.layout;
    let mut out = vec![1.0; bounds.len()];
    let freedoms = freedom_sizes(t, sizes);
    let controls = control_sizes(t, sizes, &freedoms);
    for node in 0..layout.nodes() {
        for (f, size) in freedoms.iter().enumerate() {
            out[layout.u(node, f)] = *size;
        }
    }
    for step in 0..layout.grid.len() {
        for (c, size) in controls.iter().enumerate() {
            out[layout.tau(step, c)] = *size;
        }
    }
    for motion in &layout.motions {
        for (k, unknown) in motion.unknowns.iter().enumerate() {
            if let Some(index) = unknown {
                out[*index] = sizes.near_one(if k < 3 { length } else { angle } / time);
            }
        }
    }
    out
}

/// The size of every degree of freedom: a length or an angle.
pub(crate) fn freedom_sizes(t: &Path, sizes: &Sizes) -> Vec<f64> {
    let mut out = vec![sizes.angle; t.layout.n];
    for (j, joint) in t.model.joints().iter().enumerate() {
        let slides = slides(joint);
        for k in 0..t.model.joint_freedom(j) {
            if slides[k] && joint.kind != crate::model::JointKind::Rod {
                out[t.model.offsets[j] + k] = sizes.length;
            }
        }
    }
    out
}

/// The size of every control: what moves its freedoms by their sizes in the time there is, and holds
/// them against weights and pair forces, within its bounds.
fn control_sizes(t: &Path, sizes: &Sizes, freedoms: &[f64]) -> Vec<f64> {
    let layout = &t.layout;
    let last = layout.grid.len();
    let mut forces = vec![0.0_f64; layout.n];
    let mut input = nalgebra::DMatrix::<f64>::zeros(layout.n, layout.nc);
    for node in [0, last / 2, last] {
        let here = &t.nodes()[node];
        let held = t.forces(node);
        for (c, component) in layout.components.iter().enumerate() {
            let p = &here.null[c];
            let heavy = t.operate(c, super::steps::Operator::Mass, p);
            let weight = p.tr_mul(&Path::gather(&component.coordinates, &held));
            for (l, &f) in component.freedoms.iter().enumerate() {
                let mass = p.column(l).dot(&heavy.column(l));
                let moved = 6.0 * mass * freedoms[f] / (sizes.time * sizes.time);
                forces[f] = forces[f].max(moved).max(weight[l].abs());
                for (k, &control) in component.controls.iter().enumerate() {
                    let w = here.input[c][(k, l)].abs();
                    input[(f, control)] = input[(f, control)].max(w);
                }
            }
        }
    }
    let mut out = vec![1.0; layout.nc];
    for actuator in t.model.actuators() {
        for (k, c) in actuator.range().enumerate() {
            let column = input.column(c);
            let largest = column.max();
            let strong = (0..layout.n).filter(|&f| column[f] >= 0.1 * largest && column[f] > 0.0);
            let mut size = strong.map(|f| forces[f] / column[f]).fold(0.0, f64::max);
            if let Some([low, high]) = actuator.bounds.get(k) {
                let most = low.abs().max(high.abs());
                if most.is_finite() && most > 0.0 {
                    size = if size > 0.0 { size.min(most) } else { most };
                }
            }
            out[c] = sizes.rounded(size, PLAIN_CONTROL);
        }
    }
    out
}

/// How much a polynomial of the coordinates changes where these change by their sizes.
pub(crate) fn poly_size(t: &Path, poly: &Poly, q: &[f64], sizes: &Sizes) -> f64 {
    let size = |i: usize| match t.layout.is_position(i) {
        true => sizes.length,
        false => sizes.angle,
    };
    let linear: f64 = (poly.linear.iter()).map(|(i, a)| a.abs() * size(*i)).sum();
    let quadratic: f64 = (poly.quadratic.iter())
        .map(|(i, j, b)| b.abs() * (q[*i].abs() * size(*j) + q[*j].abs() * size(*i)))
        .sum();
    let cubic: f64 = (poly.cubic.iter())
        .map(|([i, j, k], c)| {
            let part = |a: usize, b: usize, x: usize| (q[a] * q[b]).abs() * size(x);
            c.abs() * (part(*j, *k, *i) + part(*i, *k, *j) + part(*i, *j, *k))
        })
        .sum();
    sizes.near_one((linear + quadratic + cubic).max(f64::MIN_POSITIVE))
}

/// What the impulse of a push is measured in: what moves the lightest body it acts
/// on by a length within the time.
pub(crate) fn impulse_size(path: &Path, push: &Push, sizes: &Sizes) -> f64 {
    let used: Vec<usize> = push.used().collect();
    let bodies = path.layout.inertias.iter().filter(|i| {
        let end = i.start + if i.rigid { 12 } else { 3 };
        used.iter().any(|q| (i.start..end).contains(q))
    });
    let mass = bodies.map(|i| i.mass()).fold(f64::INFINITY, f64::min);
    let steps = path.layout.grid.len() as f64;
    sizes.near_one(mass * sizes.length / sizes.time / steps)
}
