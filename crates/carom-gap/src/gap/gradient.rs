//! Derivatives of the gap: by the vertices (thesis (2.66), (3.40)) and by the poses (3.42)–(3.50).
//!
//! With β held, ∂gap/∂xᵢ = wᵢ α and ∂gap/∂yⱼ = −vⱼ α. The multiplier of ⟨β,α⟩ = 1 is the gap
//! itself, so a moving β adds ∂gap/∂β = −gap α; with β = Δ/|Δ| this is −gap/|Δ| (I − ββᵀ) α by Δ.

use nalgebra::Vector3;

use crate::Pose;

/// Whether β moves with the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetaRule {
    /// β is held.
    Fixed,
    /// β points from the origin of b to the origin of a (the centres of mass).
    Centres,
}

/// Gap, plane normal and contact points of one optimal solution: all a contact law needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Signed gap along β: positive when separated.
    pub gap: f64,
    /// Unit direction from b to a.
    pub beta: Vector3<f64>,
    /// Normal α of the supporting planes with ⟨β,α⟩ = 1; not a unit vector.
    pub alpha: Vector3<f64>,
    /// Contact point on a, world frame.
    pub point_a: Vector3<f64>,
    /// Contact point on b, world frame.
    pub point_b: Vector3<f64>,
    /// Contact point on a in its body frame.
    pub local_a: Vector3<f64>,
    /// Contact point on b in its body frame.
    pub local_b: Vector3<f64>,
}

/// Force and torque about the body's origin, in inertial axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench {
    /// Force.
    pub force: Vector3<f64>,
    /// Torque about the body's origin.
    pub torque: Vector3<f64>,
}

impl Contact {
    /// Unit normal of the contact, from b to a.
    pub fn normal(&self) -> Vector3<f64> {
        self.alpha.normalize()
    }

    /// (∂β/∂Δ)ᵀ ∂gap/∂β with β = Δ/|Δ|, Δ = φ_a − φ_b (thesis (3.50)).
    fn by_direction(&self, a: &Pose, b: &Pose, rule: BetaRule) -> Vector3<f64> {
        let length = (a.position - b.position).norm();
        match rule {
            BetaRule::Centres if length > 0.0 => {
                (self.beta * self.alpha.dot(&self.beta) - self.alpha) * (self.gap / length)
            }
            _ => Vector3::zeros(),
        }
    }

    /// ∂gap/∂q of both bodies, q = (φ, d₁, d₂, d₃) (thesis (3.45), (3.49)).
    ///
    /// ```
    /// use carom_gap::{Pose, Vertices, gap::{BetaRule, Posed, gap}};
    /// use nalgebra::Vector3;
    /// let v = Vertices::new(&[Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]);
    /// let (a, b) = (Pose::translation(0.1, 0.2, 3.0), Pose::identity());
    /// let g = gap(Posed::new(&v, &a), Posed::new(&v, &b), Vector3::z(), &mut None);
    /// let [da, db] = g.contact.gradient(&a, &b, BetaRule::Fixed);
    /// assert_eq!(da[2], 1.0); // lifting a by one opens the gap by one
    /// assert_eq!(db[2], -1.0);
    /// ```
    pub fn gradient(&self, a: &Pose, b: &Pose, rule: BetaRule) -> [[f64; 12]; 2] {
        let along = self.by_direction(a, b, rule);
        let mut out = [[0.0; 12]; 2];
        for (q, sign, local) in [(0, 1.0, &self.local_a), (1, -1.0, &self.local_b)] {
            for axis in 0..3 {
                out[q][axis] = sign * (self.alpha[axis] + along[axis]);
                for director in 0..3 {
                    out[q][3 + 3 * director + axis] = sign * local[director] * self.alpha[axis];
                }
            }
        }
        out
    }

    /// The gradient reduced to rigid motions, Pᵀ ∂gap/∂q: what a unit multiplier does to each body
    /// as force and torque about its origin (thesis (3.48)).
    pub fn wrenches(&self, a: &Pose, b: &Pose, rule: BetaRule) -> [Wrench; 2] {
        let along = self.by_direction(a, b, rule);
        let arm_a = a.vector(&self.local_a);
        let arm_b = b.vector(&self.local_b);
        [
            Wrench {
                force: self.alpha + along,
                torque: arm_a.cross(&self.alpha),
            },
            Wrench {
                force: -self.alpha - along,
                torque: -arm_b.cross(&self.alpha),
            },
        ]
    }
}

/// ∂gap/∂vertex for the vertices of both bodies, from weights and α.
///
/// `spread` is the distance |Δ| of the vertex means if β is the direction between them and moves
/// with the vertices (thesis (2.69)), or `None` if β is held.
pub fn vertex_gradient(
    contact: &Contact,
    weights_a: &[f64],
    weights_b: &[f64],
    spread: Option<f64>,
) -> [Vec<Vector3<f64>>; 2] {
    let (alpha, beta) = (&contact.alpha, &contact.beta);
    let along = match spread {
        Some(length) if length > 0.0 => (beta * alpha.dot(beta) - alpha) * (contact.gap / length),
        _ => Vector3::zeros(),
    };
    let side = |weights: &[f64], sign: f64| {
        let share = along / weights.len() as f64;
        weights
            .iter()
            .map(|w| (alpha * *w + share) * sign)
            .collect()
    };
    [side(weights_a, 1.0), side(weights_b, -1.0)]
}
