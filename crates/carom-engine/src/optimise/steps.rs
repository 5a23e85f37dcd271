//! Inertia and drag of bodies among the coordinates of a node.
//!
//! With a virtual motion η at each node the balances of momentum, each times its multiplier, add up
//! to the first variation of the action (thesis (4.6)). A step from q to q⁺ of size h contributes
//!
//! ```text
//! S = (η⁺ − η)ᵀ (M/h) (q⁺ − q) − ½ (η + η⁺)ᵀ C (q⁺ − q) + (h/2) (η + η⁺)ᵀ F(q̄),
//! ```
//!
//! with q̄ = (q + q⁺)/2, drag C and forces F = −∇V: bilinear but for pair potentials.

use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::mechanics::{drag_times, mass_times};
use crate::model::{BodyId, BodyKind, Drag, Model};

/// A movable body among the coordinates of a node, with its drag.
#[derive(Clone, Debug)]
pub(crate) struct BodyInertia {
    pub body: usize,
    /// First coordinate among those of a node.
    pub start: usize,
    pub rigid: bool,
    kind: BodyKind,
    drag: Drag,
    /// Constant force.
    pub weight: Vector3<f64>,
}

/// Which of the two operators on coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Mass,
    Drag,
}

pub(crate) fn inertias(model: &Model, starts: &[usize]) -> Vec<BodyInertia> {
    let mut out = Vec::new();
    for (b, body) in model.bodies().iter().enumerate() {
        if body.kind == BodyKind::Static {
            continue;
        }
        let mut drag = Drag {
            body: BodyId(b as u32),
            linear: 0.0,
            angular: 0.0,
        };
        let of_body = |d: &&Drag| d.body == drag.body;
        let all: Vec<&Drag> = model.forces().drags.iter().filter(of_body).collect();
        for one in all {
            drag.linear += one.linear;
            drag.angular += one.angular;
        }
        out.push(BodyInertia {
            body: b,
            start: starts[b],
            rigid: matches!(body.kind, BodyKind::Rigid { .. }),
            kind: body.kind.clone(),
            drag,
            weight: model.forces().gravity * body.mass(),
        });
    }
    out
}

impl BodyInertia {
    pub fn mass(&self) -> f64 {
        match self.kind {
            BodyKind::Rigid { mass, .. } | BodyKind::Particle { mass } => mass,
            BodyKind::Static => 0.0,
        }
    }

    /// √(tr J/2m): how far from its centre the mass of the body lies.
    pub fn gyration(&self) -> f64 {
        match &self.kind {
            BodyKind::Rigid { mass, euler_tensor } => (euler_tensor.trace() / mass).max(0.0).sqrt(),
            _ => 0.0,
        }
    }

    pub fn has_drag(&self) -> bool {
        self.drag.linear != 0.0 || self.drag.angular != 0.0
    }

    /// The operator on coordinates of this body, given and returned by place.
    pub fn apply(
        &self,
        operator: Operator,
        get: impl Fn(usize) -> f64,
        mut set: impl FnMut(usize, f64),
    ) {
        let shift = Vector3::from_fn(|i, _| get(i));
        let directors = match self.rigid {
            true => Matrix3::from_fn(|i, j| get(3 + 3 * j + i)),
            false => Matrix3::zeros(),
        };
        let out = match operator {
            Operator::Mass => mass_times(&self.kind, &shift, &directors),
            Operator::Drag => drag_times(&self.drag, &shift, &directors),
        };
        (out.force.iter().enumerate()).for_each(|(k, v)| set(k, *v));
        if self.rigid {
            (out.directors.iter().enumerate()).for_each(|(k, v)| set(3 + k, *v));
        }
    }
}

/// The operator on coordinates of a node.
pub(crate) fn apply(inertias: &[BodyInertia], operator: Operator, v: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; v.len()];
    for i in inertias {
        i.apply(operator, |k| v[i.start + k], |k, x| out[i.start + k] = x);
    }
    out
}

/// The operator on what coordinates of a node have more than others.
pub(crate) fn difference(
    inertias: &[BodyInertia],
    operator: Operator,
    from: &[f64],
    to: &[f64],
) -> Vec<f64> {
    let mut out = vec![0.0; to.len()];
    for i in inertias {
        let s = i.start;
        i.apply(operator, |k| to[s + k] - from[s + k], |k, x| out[s + k] = x);
    }
    out
}

/// The operator on the columns of a matrix whose rows are the coordinates of some bodies, each
/// given with its first row.
pub(crate) fn apply_rows<'a>(
    bodies: impl Iterator<Item = (usize, &'a BodyInertia)>,
    operator: Operator,
    m: &DMatrix<f64>,
) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(m.nrows(), m.ncols());
    for (first, i) in bodies {
        for c in 0..m.ncols() {
            i.apply(
                operator,
                |k| m[(first + k, c)],
                |k, x| out[(first + k, c)] = x,
            );
        }
    }
    out
}
