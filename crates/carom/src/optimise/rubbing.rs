//! Friction at impacts that rebound, by the simulator's own law (Poisson).
//!
//! Compression: from ν⁻ the impulse λ ∇g + τ ∇t leads to ν° with nothing approaching, ∇g · P ν° = 0.
//! Expansion: e λ is given once more along the normal, with an impulse across it again. In both, what
//! acts across the contact stays in its cone and opposes the sliding that is left
//! ([`slide`](super::rows::slide)). ν° are velocities of the node like those before and after: the momentum
//! before it with λ ∇g + τ ∇t as pushes.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::draft::{Draft, FREE};
use super::feature::Feature;
use super::layout::Side;
use super::path::Path;
use super::push::Push;
use super::rows::jump::{JumpRow, pushed};
use super::rows::slide::{Linear, Slide, SlideRow};
use super::steps::Operator;

/// An impact with friction: what touches, the unknown of its impulse along the normal, and the law.
pub(crate) struct Rub<'a> {
    pub node: usize,
    pub feature: &'a Feature,
    /// Ways of what touches, across its normal.
    pub across: &'a [Push; 2],
    /// Sides before and after.
    pub sides: [usize; 2],
    /// Unknown of the whole impulse along the normal.
    pub normal: usize,
    pub friction: f64,
    pub restitution: f64,
}

/// What a step of the law begins with: impulses along the normal and across it, κ, and the sizes of the
/// impulse across and of the speed that it is measured in.
struct Begin {
    compression: Vector3<f64>,
    expansion: Vector3<f64>,
    slips: [f64; 2],
    size: f64,
    speed: f64,
}

/// Adds unknowns and rows of friction at an impact.
pub(crate) fn rub(out: &mut Draft, with: &Rub) {
    let Rub {
        node,
        feature,
        across,
        sides: [before, after],
        normal,
        friction,
        restitution: e,
    } = *with;
    let begin = foresee(&out.path, with);
    // The whole impulse across, in the balance of the node.
    let whole = [0, 1].map(|k| {
        let value = begin.compression[k + 1] + begin.expansion[k + 1];
        out.react(node, "rub", &across[k], FREE, value)
    });
    out.x[normal] = begin.compression[0] + begin.expansion[0];
    // ν°, and the impulses of the compression.
    let homes = out.path.layout.sides[before].components.clone();
    let middle = out.path.layout.add_side(node, true, homes);
    let own = out.path.layout.sides[middle].clone();
    out.x.extend(vec![0.0; own.freedoms.len()]);
    out.bounds.extend(vec![FREE; own.freedoms.len()]);
    let ways = ways(with);
    let pressed = [0, 1, 2].map(|k| {
        let layout = &mut out.path.layout;
        let unknown = layout.unknown();
        let list = &mut layout.sides[middle].pushes;
        list.push((ways[k].clone(), unknown));
        out.x.push(begin.compression[k]);
        out.bounds
            .push(if k == 0 { [0.0, f64::INFINITY] } else { FREE });
        unknown
    });
    let rates = after_push(&out.path, &own, &ways, &begin.compression);
    for (k, &f) in own.freedoms.iter().enumerate() {
        out.x[own.first + k] = rates[f];
    }
    let name = &feature.name;
    let mut add =
        |what: String, slide: Slide| out.slides.rows.push(SlideRow::new(node, what, slide));
    // The whole is λ + e λ.
    let sum = vec![(normal, 1.0), (pressed[0], -(1.0 + e))];
    add(format!("expansion of {name}"), Slide::Sum(sum));
    out.jumps.rows.push(JumpRow {
        node,
        what: format!("compression of {name}"),
        push: feature.gap.clone().into(),
        sides: vec![(middle, 1.0)],
        products: Vec::new(),
        range: [0.0; 2],
    });
    // Impulses across of both, as sums of unknowns, with the side that slides after them.
    let one = |k: usize| -> Linear { vec![(pressed[k + 1], 1.0)] };
    let rest = |k: usize| -> Linear { vec![(whole[k], 1.0), (pressed[k + 1], -1.0)] };
    let stages = [
        ("compression", middle, [one(0), one(1)], 1.0, begin.slips[0]),
        ("expansion", after, [rest(0), rest(1)], e, begin.slips[1]),
    ];
    for (word, side, taus, part, slip) in stages {
        if part == 0.0 {
            // Without an expansion nothing acts across in it.
            for (k, tau) in taus.into_iter().enumerate() {
                let what = format!("no {word} {k} of {name}");
                let slide = Slide::Sum(tau);
                out.slides.rows.push(SlideRow::new(node, what, slide));
            }
            continue;
        }
        let unknown = out.path.layout.unknown();
        let list = &mut out.path.layout.places;
        list.push((format!("slip {node} {word} {name}"), unknown));
        out.x.push(slip);
        out.bounds.push(FREE);
        for (k, tau) in taus.iter().enumerate() {
            let factor = begin.speed / begin.size;
            let product = |(t, w): &(usize, f64)| (unknown, *t, factor * w);
            out.jumps.rows.push(JumpRow {
                node,
                what: format!("sliding {k} in the {word} of {name}"),
                push: across[k].clone(),
                sides: vec![(side, 1.0)],
                products: tau.iter().map(product).collect(),
                range: [0.0; 2],
            });
        }
        let slide = Slide::Cone {
            slip: unknown,
            limit: vec![(pressed[0], friction * part)],
            across: taus,
            size: begin.size,
        };
        let what = format!("friction in the {word} of {name}");
        out.slides.rows.push(SlideRow::new(node, what, slide));
    }
}

/// Along the normal, and both ways across it.
fn ways(with: &Rub) -> [Push; 3] {
    let [first, second] = with.across.clone();
    [(&with.feature.gap).into(), first, second]
}

/// M⁻¹ of the components of a side on a covector over all degrees of freedom.
fn response(path: &Path, side: &Side, push: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; path.layout.n];
    for &c in &side.components {
        let component = &path.layout.components[c];
        let p: &DMatrix<f64> = &path.nodes()[side.node].null[c];
        let mass = p.tr_mul(&path.operate(c, Operator::Mass, p));
        let own = component.freedoms.iter().map(|&f| push[f]);
        let own = DVector::from_iterator(component.freedoms.len(), own);
        if let Some(moved) = mass.lu().solve(&own) {
            for (&f, v) in component.freedoms.iter().zip(moved.iter()) {
                out[f] = *v;
            }
        }
    }
    out
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Velocities of the momentum before a node after an impulse there.
fn after_push(path: &Path, side: &Side, ways: &[Push; 3], impulse: &Vector3<f64>) -> Vec<f64> {
    let mut out = path.side_rates(side);
    for (way, value) in ways.iter().zip(impulse.iter()) {
        let moved = response(path, side, &pushed(path, side.node, way));
        out.iter_mut().zip(moved).for_each(|(o, m)| *o += value * m);
    }
    out
}

/// Steps of the law at the velocities of the guess.
fn foresee(path: &Path, with: &Rub) -> Begin {
    let side = &path.layout.sides[with.sides[0]];
    let pushes = ways(with).map(|way| pushed(path, with.node, &way));
    let rates = path.side_rates(side);
    let moved = [0, 1, 2].map(|k| response(path, side, &pushes[k]));
    let w = Matrix3::from_fn(|i, j| dot(&pushes[i], &moved[j]));
    let v = Vector3::from_fn(|i, _| dot(&pushes[i], &rates));
    let speed = match v.amax() > 0.0 {
        true => v.amax(),
        false => 1.0,
    };
    let mobility = w[(0, 0)].max(f64::MIN_POSITIVE);
    // What acts across is at most μ times what acts along the normal.
    let size = speed / mobility * with.friction.min(1.0);
    let (compression, left) = stage(&w, &v, None, with.friction);
    let given = with.restitution * compression[0];
    let (expansion, end) = match with.restitution > 0.0 {
        true => stage(&w, &left, Some(given), with.friction),
        false => (Vector3::zeros(), left),
    };
    // v = −κ (speed/size) τ.
    let slip = |tau: &Vector3<f64>, v: &Vector3<f64>| {
        let (tau, v) = (tau.yz().norm() / size, v.yz().norm() / speed);
        if tau > 1e-9 { v / tau } else { 0.0 }
    };
    Begin {
        slips: [slip(&compression, &left), slip(&expansion, &end)],
        compression,
        expansion,
        size,
        speed,
    }
}

/// Impulse of a step of the law and the rates it leaves: the normal one stops the approach, or is given;
/// across it what stops the sliding, within the cone. Relaxed until it settles, as a guess.
fn stage(
    w: &Matrix3<f64>,
    v: &Vector3<f64>,
    given: Option<f64>,
    friction: f64,
) -> (Vector3<f64>, Vector3<f64>) {
    let mut impulse = Vector3::new(given.unwrap_or(0.0), 0.0, 0.0);
    for _ in 0..200 {
        let now = v + w * impulse;
        if given.is_none() && w[(0, 0)] > 0.0 {
            impulse[0] = (impulse[0] - now[0] / w[(0, 0)]).max(0.0);
        }
        let now = v + w * impulse;
        let softest = w[(1, 1)].max(w[(2, 2)]);
        if softest > 0.0 {
            (1..3).for_each(|k| impulse[k] -= now[k] / softest);
        }
        let (size, limit) = (impulse.yz().norm(), friction * impulse[0]);
        if size > limit {
            (1..3).for_each(|k| impulse[k] *= limit / size);
        }
    }
    (impulse, v + w * impulse)
}
