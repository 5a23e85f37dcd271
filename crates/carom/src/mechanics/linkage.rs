//! Discrete Lagrangian of a linkage, whose mass depends on the configuration.
//!
//! ```text
//! L_d = (1/2h) Δᵀ M(q̄) Δ − h V(q̄),   Δ = q⁺ − q,   q̄ = γ q + (1 − γ) q⁺,
//! Δᵀ M(q̄) Δ = Σ mᵢ |yᵢ|²,   yᵢ = Jᵢ(q̄) Δ.
//! ```

use nalgebra::{DMatrix, DVector, Vector2, Vector3};

use crate::model::LinkTerm as Term;
use crate::model::Linkage;

/// Position of a link's end and its derivatives by the coordinates.
struct End {
    position: Vector2<f64>,
    /// J, one column per coordinate.
    jacobian: Vec<Vector2<f64>>,
    /// Arms: (coordinates, l e(a), l e′(a)).
    arms: Vec<(Vec<usize>, Vector2<f64>, Vector2<f64>)>,
}

fn end(terms: &[Term], q: &[f64]) -> End {
    let mut position = Vector2::zeros();
    let mut jacobian = vec![Vector2::zeros(); q.len()];
    let mut arms = Vec::new();
    for term in terms {
        match term {
            Term::Slide {
                direction,
                coordinate,
            } => {
                position += direction * q[*coordinate];
                jacobian[*coordinate] += direction;
            }
            Term::Arm {
                length,
                offset,
                coordinates,
            } => {
                let a = offset + coordinates.iter().map(|j| q[*j]).sum::<f64>();
                let (sin, cos) = a.sin_cos();
                let (e, de) = (
                    Vector2::new(cos, sin) * *length,
                    Vector2::new(-sin, cos) * *length,
                );
                position += e;
                coordinates.iter().for_each(|j| jacobian[*j] += de);
                arms.push((coordinates.clone(), e, de));
            }
        }
    }
    End {
        position,
        jacobian,
        arms,
    }
}

/// The discrete Lagrangian and its first and second derivatives at (q, q⁺, h).
pub struct Discrete {
    /// ∂L_d/∂q.
    pub d1: DVector<f64>,
    /// ∂L_d/∂q⁺.
    pub d2: DVector<f64>,
    /// ∂²L_d/∂q ∂q⁺.
    pub d12: DMatrix<f64>,
    /// −∂L_d/∂h: the discrete energy.
    pub energy: f64,
}

/// Evaluates a linkage's discrete Lagrangian; `gravity` is the acceleration in the world.
pub fn discrete(
    linkage: &Linkage,
    gravity: &Vector3<f64>,
    q: &[f64],
    delta: &[f64],
    h: f64,
    gamma: f64,
) -> Discrete {
    let n = q.len();
    let middle: Vec<f64> = q
        .iter()
        .zip(delta)
        .map(|(q, d)| q + (1.0 - gamma) * d)
        .collect();
    let g = plane_gravity(linkage, gravity);
    // Derivatives of K = Σ m|y|²/2 and V by the midpoint (m) and by Δ (d).
    let mut kinetic = 0.0;
    let mut potential = 0.0;
    let mut k_m = DVector::zeros(n);
    let mut k_d = DVector::zeros(n);
    let mut k_mm = DMatrix::zeros(n, n);
    let mut k_md = DMatrix::zeros(n, n);
    let mut k_dd = DMatrix::zeros(n, n);
    let mut v_m = DVector::zeros(n);
    let mut v_mm = DMatrix::zeros(n, n);
    for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
        let m = link.mass;
        if m == 0.0 {
            continue;
        }
        let e = end(terms, &middle);
        let y: Vector2<f64> = e
            .jacobian
            .iter()
            .zip(delta)
            .fold(Vector2::zeros(), |y, (j, d)| y + j * *d);
        // ∂y/∂m = −Σ l e(a) ȧ on the arm's coordinates; ∂²y/∂m∂d = −l e(a); ∂²y/∂m² = −l e′(a) ȧ.
        let mut y_m = vec![Vector2::zeros(); n];
        let mut y_mm = vec![Vector2::zeros(); n * n];
        let mut y_md = vec![Vector2::zeros(); n * n];
        let mut x_mm = vec![Vector2::zeros(); n * n];
        for (coordinates, unit, turned) in &e.arms {
            let rate: f64 = coordinates.iter().map(|j| delta[*j]).sum();
            for &i in coordinates {
                y_m[i] -= unit * rate;
                for &j in coordinates {
                    y_mm[i * n + j] -= turned * rate;
                    y_md[i * n + j] -= unit;
                    x_mm[i * n + j] -= unit;
                }
            }
        }
        kinetic += 0.5 * m * y.norm_squared();
        potential -= m * g.dot(&e.position);
        for i in 0..n {
            k_m[i] += m * y.dot(&y_m[i]);
            k_d[i] += m * y.dot(&e.jacobian[i]);
            v_m[i] -= m * g.dot(&e.jacobian[i]);
            for j in 0..n {
                let at = i * n + j;
                k_mm[(i, j)] += m * (y_m[i].dot(&y_m[j]) + y.dot(&y_mm[at]));
                k_md[(i, j)] += m * (y_m[i].dot(&e.jacobian[j]) + y.dot(&y_md[at]));
                k_dd[(i, j)] += m * e.jacobian[i].dot(&e.jacobian[j]);
                v_mm[(i, j)] -= m * g.dot(&x_mm[at]);
            }
        }
    }
    // ∂/∂q = γ ∂m − ∂d, ∂/∂q⁺ = (1 − γ) ∂m + ∂d.
    let (a, b) = (gamma, 1.0 - gamma);
    let l_m = &k_m / h - &v_m * h;
    let l_d = &k_d / h;
    let l_mm = &k_mm / h - &v_mm * h;
    let d12 = l_mm * (a * b) + &k_md * (a / h) - k_md.transpose() * (b / h) - &k_dd / h;
    Discrete {
        d1: &l_m * a - &l_d,
        d2: &l_m * b + &l_d,
        d12,
        energy: kinetic / (h * h) + potential,
    }
}

/// Mass matrix M(q).
pub fn mass_matrix(linkage: &Linkage, q: &[f64]) -> DMatrix<f64> {
    let n = q.len();
    let mut mass = DMatrix::zeros(n, n);
    for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
        let e = end(terms, q);
        for i in 0..n {
            for j in 0..n {
                mass[(i, j)] += link.mass * e.jacobian[i].dot(&e.jacobian[j]);
            }
        }
    }
    mass
}

/// V(q) of gravity.
pub fn potential(linkage: &Linkage, gravity: &Vector3<f64>, q: &[f64]) -> f64 {
    let g = plane_gravity(linkage, gravity);
    let links = linkage.spec.links.iter().zip(&linkage.ends);
    links
        .map(|(link, terms)| -link.mass * g.dot(&end(terms, q).position))
        .sum()
}

/// World positions of the ends of all links, with their velocities for given rates.
pub fn ends(linkage: &Linkage, q: &[f64], rates: &[f64]) -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let [e1, e2] = &linkage.spec.plane;
    let lift = |v: &Vector2<f64>| e1 * v.x + e2 * v.y;
    linkage
        .ends
        .iter()
        .map(|terms| {
            let e = end(terms, q);
            let v = e
                .jacobian
                .iter()
                .zip(rates)
                .fold(Vector2::zeros(), |v, (j, r)| v + j * *r);
            (linkage.spec.origin + lift(&e.position), lift(&v))
        })
        .collect()
}

fn plane_gravity(linkage: &Linkage, gravity: &Vector3<f64>) -> Vector2<f64> {
    let [e1, e2] = &linkage.spec.plane;
    Vector2::new(gravity.dot(e1), gravity.dot(e2))
}
