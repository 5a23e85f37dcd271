//! What a point of the search is worth: violated rows, controls at their bounds, momentum, velocities.

use nalgebra::{DMatrix, DVector, Vector3};

use super::blocks::add;
use super::layout::ClosedContact;
use super::nlp::Nlp;
use super::path::Path;
use super::plan::{HeldContact, PlannedContact, Violation};
use super::program::Program;
use super::push::Push;
use super::steps::Operator;
use crate::model::JointKind;

/// How many of the worst rows are named.
const NAMED: usize = 8;

/// Largest violation of rows and bounds, as the program is scaled and in their own units, at given
/// (scaled) unknowns or at the start; and the worst rows in words, in their own units.
pub(crate) fn violations(program: &mut Program, x: Option<&[f64]>) -> ([f64; 2], Vec<Violation>) {
    let x = match x {
        Some(x) => program.unscaled(x),
        None => program.unscaled(&program.start()),
    };
    let t = &mut program.transcription;
    let ranges = t.ranges();
    let mut g = vec![0.0; ranges.len()];
    t.values(&x, &mut g);
    let off = |v: f64, [low, high]: [f64; 2]| (low - v).max(v - high).max(0.0);
    let mut list: Vec<(f64, f64, usize)> = (g.iter().zip(&ranges).zip(&program.row_scales))
        .enumerate()
        .map(|(k, ((v, range), s))| (off(*v, *range) * s, off(*v, *range), k))
        .collect();
    let mut largest = [0.0_f64; 2];
    for (scaled, plain, _) in &list {
        largest = [largest[0].max(*scaled), largest[1].max(*plain)];
    }
    for ((v, b), d) in x.iter().zip(&t.bounds).zip(&program.unknown_sizes) {
        let plain = off(*v, *b);
        largest = [largest[0].max(plain / d), largest[1].max(plain)];
    }
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named = list.iter().take(NAMED).filter(|l| l.0 > 1e-8);
    let worst = named
        .map(|(_, amount, row)| Violation {
            what: t.describe(*row),
            amount: *amount,
        })
        .collect();
    (largest, worst)
}

/// Controls that stand at their bounds, in words: which, and in how many steps.
pub(crate) fn at_bounds(t: &Path) -> Vec<String> {
    let steps = t.layout.grid.len();
    let mut out = Vec::new();
    for a in t.model.actuators().iter().filter(|a| a.signals.is_none()) {
        for (k, c) in a.range().enumerate() {
            let Some([low, high]) = a.bounds.get(k).copied() else {
                continue;
            };
            let near = 1e-3 * (high - low);
            let at = |bound: f64| {
                let stands = |s: &usize| (t.x()[t.layout.tau(*s, c)] - bound).abs() <= near;
                (0..steps).filter(stands).count()
            };
            if low < high && high - low < f64::INFINITY && 2 * (at(low) + at(high)) > steps {
                out.push(format!(
                    "component {} of {} is at its bounds [{low}, {high}] in {} of {steps} steps",
                    k + 1,
                    a.name,
                    at(low) + at(high)
                ));
            }
        }
    }
    out
}

/// Largest residual of the balances of momentum, and of their sums L_{k+1} − L_k − T_k over bodies
/// that nothing ties to the world (thesis (4.12)).
pub(crate) fn momentum_residual(t: &Path) -> f64 {
    let mut worst = 0.0_f64;
    for (node, balance) in t.balances().iter().enumerate() {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        let (here, impulses) = (&t.nodes()[node], t.impulses(node));
        let laws = t.law_impulses(node);
        for (c, component) in t.layout.components.iter().enumerate() {
            if !t.layout.is_balanced(c, node) {
                continue;
            }
            let y = Path::gather(&component.coordinates, &balance.sum);
            let tau = Path::gather(&component.controls, &impulses);
            let mut r = here.null[c].tr_mul(&y) + here.input[c].tr_mul(&tau);
            for (&f, r) in component.freedoms.iter().zip(r.iter_mut()) {
                *r += laws[f];
            }
            worst = worst.max(r.amax());
            let root = &t.model.joints()[component.joints[0]];
            if root.kind == JointKind::Free {
                let p = Vector3::new(r[0], r[1], r[2]);
                linear += p;
                angular += here.poses[root.child.index()].position.cross(&p);
                if let [_, _, _, a, b, c, ..] = r.as_slice()[..] {
                    angular += Vector3::new(a, b, c);
                }
            }
        }
        worst = worst.max(linear.norm()).max(angular.norm());
    }
    worst
}

/// Joint velocities at every node: those of the momentum −D₁L_d − f⁻ of the step that begins there
/// (thesis (4.23)), at the last node D₂L_d + f⁺ of the step that ends there.
pub(crate) fn rates(t: &Path) -> Vec<Vec<f64>> {
    let last = t.layout.grid.len();
    let of = |node: usize| {
        let mut nu = vec![0.0; t.layout.n];
        let (step, side, sign) = match node < last {
            true => (node, 0, -1.0),
            false => (last - 1, 1, 1.0),
        };
        let sum = &t.step_terms(step)[side].sum;
        let half = 0.5 * t.h(step);
        let mut laws = vec![0.0; t.layout.n];
        t.add_law_side(step, side, &mut laws);
        let impulses: Vec<f64> = t.controls(step).iter().map(|v| half * v).collect();
        for (c, component) in t.layout.components.iter().enumerate() {
            let here = &t.nodes()[node];
            let p = &here.null[c];
            let y = Path::gather(&component.coordinates, sum);
            let tau = Path::gather(&component.controls, &impulses);
            let mut momentum = (p.tr_mul(&y) + here.input[c].tr_mul(&tau)) * sign;
            let mut mass: DMatrix<f64> = p.tr_mul(&t.operate(c, Operator::Mass, p));
            for (k, &f) in component.freedoms.iter().enumerate() {
                momentum[k] += sign * laws[f];
                mass[(k, k)] += t.rotor(f);
            }
            if let Some(rates) = mass.lu().solve(&momentum) {
                for (&f, v) in component.freedoms.iter().zip(rates.iter()) {
                    nu[f] = *v;
                }
            }
        }
        hold_rates(t, node, nu)
    };
    (0..=last).map(of).collect()
}

/// The nearest velocities, measured by masses, that the constraints held at a node allow.
fn hold_rates(t: &Path, node: usize, nu: Vec<f64>) -> Vec<f64> {
    let held: Vec<&Push> = (t.layout.held.iter())
        .filter(|(at, _, _)| *at == node)
        .map(|(_, push, _)| push)
        .collect();
    if held.is_empty() {
        return nu;
    }
    let here = &t.nodes()[node];
    let null = t.wide(&here.null);
    let mut g = DMatrix::zeros(held.len(), t.layout.n);
    for (k, push) in held.iter().enumerate() {
        let mut y = vec![0.0; t.layout.nq];
        push.vector(&here.q, |i, v| y[i] += v);
        g.set_row(k, &null.tr_mul(&DVector::from_vec(y)).transpose());
    }
    let mut mass = DMatrix::zeros(t.layout.n, t.layout.n);
    for (c, component) in t.layout.components.iter().enumerate() {
        let p = &here.null[c];
        let own = p.tr_mul(&t.operate(c, Operator::Mass, p));
        add(&mut mass, &component.freedoms, &own, 1.0);
    }
    // ν − M⁻¹Gᵀ (G M⁻¹Gᵀ)⁺ G ν
    let nu = DVector::from_vec(nu);
    let Some(spread) = mass.lu().solve(&g.transpose()) else {
        return nu.as_slice().to_vec();
    };
    let inner = (&g * &spread).svd(true, true);
    let tolerance = 1e-12 * inner.singular_values.max();
    match inner.solve(&(&g * &nu), tolerance) {
        Ok(lambda) => (nu - spread * lambda).as_slice().to_vec(),
        Err(_) => nu.as_slice().to_vec(),
    }
}

/// What happens at contacts by plan, in the order of time.
pub(crate) fn contacts(t: &Path) -> Vec<PlannedContact> {
    let mut out: Vec<PlannedContact> = (t.layout.impacts.iter())
        .map(|touch| PlannedContact {
            kind: touch.kind,
            node: touch.node,
            time: (0..touch.node).map(|k| t.h(k)).sum(),
            what: touch.what.clone(),
            impulse: touch.impulses.iter().map(|&k| t.x()[k]).sum(),
        })
        .collect();
    out.sort_by_key(|c| c.node);
    out
}

/// Contacts that are closed, with their impulses node by node.
pub(crate) fn held(t: &Path) -> Vec<HeldContact> {
    let of = |c: &ClosedContact| {
        let mut out = HeldContact {
            what: c.what.clone(),
            nodes: [c.from, c.to],
            normal: vec![0.0; c.to - c.from + 1],
            across: vec![0.0; c.to - c.from + 1],
        };
        for &(node, unknown) in &c.normal {
            out.normal[node - c.from] += t.x()[unknown];
        }
        for &(node, unknown) in &c.across {
            let size = &mut out.across[node - c.from];
            *size = size.hypot(t.x()[unknown]);
        }
        out
    };
    t.layout.closed.iter().map(of).collect()
}
