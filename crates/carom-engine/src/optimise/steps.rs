//! Inertia, drag and potentials of a step, in redundant coordinates.
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

use crate::model::{BodyKind, Model, PairLaw, Point};

/// Mass and drag of a movable body.
#[derive(Clone, Debug)]
pub(crate) struct BodyInertia {
    pub body: usize,
    /// First coordinate among those of a node.
    pub start: usize,
    pub rigid: bool,
    mass: f64,
    euler_tensor: Matrix3<f64>,
    drag: f64,
    angular_drag: f64,
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
        let (mass, euler_tensor, rigid) = match &body.kind {
            BodyKind::Rigid { mass, euler_tensor } => (*mass, *euler_tensor, true),
            BodyKind::Particle { mass } => (*mass, Matrix3::zeros(), false),
            BodyKind::Static => continue,
        };
        let drags = model.forces().drags.iter();
        let of_body = drags.filter(|d| d.body.index() == b);
        let (drag, angular_drag) =
            of_body.fold((0.0, 0.0), |(l, a), d| (l + d.linear, a + d.angular));
        out.push(BodyInertia {
            body: b,
            start: starts[b],
            rigid,
            mass,
            euler_tensor,
            drag,
            angular_drag,
            weight: model.forces().gravity * mass,
        });
    }
    out
}

impl BodyInertia {
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// √(tr J/2m): how far from its centre the mass of the body lies.
    pub fn gyration(&self) -> f64 {
        (self.euler_tensor.trace() / self.mass).max(0.0).sqrt()
    }

    pub fn has_drag(&self) -> bool {
        self.drag != 0.0 || self.angular_drag != 0.0
    }

    /// The operator on coordinates of this body, given and returned by place.
    pub fn apply(
        &self,
        operator: Operator,
        get: impl Fn(usize) -> f64,
        mut set: impl FnMut(usize, f64),
    ) {
        let (m, e) = match operator {
            Operator::Mass => (self.mass, self.euler_tensor),
            Operator::Drag => (
                self.drag,
                Matrix3::from_diagonal_element(0.5 * self.angular_drag),
            ),
        };
        for k in 0..3 {
            set(k, m * get(k));
            if self.rigid {
                for i in 0..3 {
                    let sum = (0..3).map(|j| e[(i, j)] * get(3 + 3 * j + k)).sum();
                    set(3 + 3 * i + k, sum);
                }
            }
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

/// A potential between two points.
#[derive(Clone, Debug)]
pub(crate) struct PairTerm {
    pub ends: [Point; 2],
    law: PairLaw,
}

pub(crate) fn pair_terms(model: &Model) -> Vec<PairTerm> {
    let pairs = model.forces().pairs.iter();
    pairs
        .map(|p| PairTerm {
            ends: [p.a, p.b],
            law: p.law,
        })
        .collect()
}

/// Force F(x) = −φ(r) x on the first point and its derivatives.
pub(crate) struct PairForce {
    pub force: Vector3<f64>,
    /// ∂F/∂x.
    pub slope: Matrix3<f64>,
    /// φ′/r and (φ″ − φ′/r)/r² with φ = V′/r.
    bend: [f64; 2],
    x: Vector3<f64>,
}

impl PairTerm {
    /// At the vector x from the second point to the first.
    pub fn at(&self, x: &Vector3<f64>) -> PairForce {
        let r = x.norm().max(f64::MIN_POSITIVE);
        let [_, v1, v2] = self.law.at(r);
        let v3 = self.law.third(r);
        let phi = v1 / r;
        let phi1 = (v2 - phi) / r;
        let phi2 = (v3 - 2.0 * phi1) / r;
        let along = x * x.transpose();
        PairForce {
            force: x * -phi,
            slope: -(Matrix3::identity() * phi + along * (phi1 / r)),
            bend: [phi1 / r, (phi2 - phi1 / r) / (r * r)],
            x: *x,
        }
    }
}

impl PairForce {
    /// ∂²(F(x)·ξ)/∂x².
    pub fn curvature(&self, xi: &Vector3<f64>) -> Matrix3<f64> {
        let [b, c] = self.bend;
        let x = &self.x;
        let s = x.dot(xi);
        let cross = xi * x.transpose();
        -((cross + cross.transpose() + Matrix3::identity() * s) * b + x * x.transpose() * (s * c))
    }
}
