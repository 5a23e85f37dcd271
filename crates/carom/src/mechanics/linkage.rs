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
    /// Size of the terms that the first derivatives sum: what their round-off is relative to.
    pub scale: f64,
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
    let mut scale = 0.0;
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
        let longest = e.jacobian.iter().map(|j| j.norm()).fold(0.0, f64::max);
        scale += m * longest * (y.norm() / h + h * g.norm());
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
        scale,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coordinate, Link, LinkKind, LinkageSpec};

    /// A cart with a pendulum of two arms, the second at an angle relative to the first.
    fn cart() -> Linkage {
        let coordinate = |name: &str| Coordinate {
            name: name.into(),
            start: 0.0,
            rate: 0.0,
            limits: None,
        };
        let link = |parent, coordinate, kind, mass| Link {
            name: format!("{coordinate}"),
            parent,
            coordinate,
            kind,
            mass,
        };
        let arm = |length, relative| LinkKind::Arm {
            length,
            offset: 0.3,
            relative,
        };
        let direction = [0.8, 0.6];
        let spec = LinkageSpec {
            name: "cart".into(),
            origin: Vector3::zeros(),
            plane: [Vector3::x(), Vector3::z()],
            coordinates: vec![coordinate("x"), coordinate("a"), coordinate("b")],
            links: vec![
                link(None, 0, LinkKind::Slide { direction }, 2.0),
                link(Some(0), 1, arm(0.7, false), 0.5),
                link(Some(1), 2, arm(0.4, true), 0.3),
            ],
        };
        Linkage::new(spec, 0)
    }

    /// L_d itself.
    fn lagrangian(l: &Linkage, g: &Vector3<f64>, q: &[f64], next: &[f64], h: f64, w: f64) -> f64 {
        let delta = DVector::from_fn(q.len(), |k, _| next[k] - q[k]);
        let middle: Vec<f64> = q
            .iter()
            .zip(next)
            .map(|(a, b)| w * a + (1.0 - w) * b)
            .collect();
        let kinetic = 0.5 * delta.dot(&(mass_matrix(l, &middle) * &delta));
        kinetic / h - h * potential(l, g, &middle)
    }

    #[test]
    fn derivatives_of_the_discrete_lagrangian() {
        let l = cart();
        let g = Vector3::new(0.4, 0.0, -9.81);
        let (q, delta, h) = ([0.2, 0.5, -0.9], [0.11, -0.24, 0.17], 0.13);
        let next: Vec<f64> = q.iter().zip(&delta).map(|(a, b)| a + b).collect();
        let nudged = |q: &[f64], k: usize, e: f64| {
            let mut q = q.to_vec();
            q[k] += e;
            q
        };
        let e = 1e-5;
        for w in [0.5, 0.3] {
            let ld = discrete(&l, &g, &q, &delta, h, w);
            let value = |q: &[f64], next: &[f64], h: f64| lagrangian(&l, &g, q, next, h, w);
            let d2 = |q: &[f64]| {
                let delta: Vec<f64> = next.iter().zip(q).map(|(a, b)| a - b).collect();
                discrete(&l, &g, q, &delta, h, w).d2
            };
            for k in 0..3 {
                let (up, down) = (nudged(&q, k, e), nudged(&q, k, -e));
                let d1 = (value(&up, &next, h) - value(&down, &next, h)) / (2.0 * e);
                assert!((d1 - ld.d1[k]).abs() < 1e-8);
                let row = (d2(&up) - d2(&down)) / (2.0 * e);
                assert!((row.transpose() - ld.d12.row(k)).amax() < 1e-8);
                let (up, down) = (nudged(&next, k, e), nudged(&next, k, -e));
                let d2 = (value(&q, &up, h) - value(&q, &down, h)) / (2.0 * e);
                assert!((d2 - ld.d2[k]).abs() < 1e-8);
            }
            let slope = (value(&q, &next, h + e) - value(&q, &next, h - e)) / (2.0 * e);
            assert!((ld.energy + slope).abs() < 1e-7);
        }
    }
}
