//! Discrete Lagrangian of a linkage, whose mass depends on the configuration.
//!
//! ```text
//! L_d = (1/2h) Δᵀ M(q̄) Δ − h V(q̄),   Δ = q⁺ − q,   q̄ = γ q + (1 − γ) q⁺,
//! Δᵀ M(q̄) Δ = Σ mᵢ |yᵢ|²,   yᵢ = Jᵢ(q̄) Δ.
//! ```

use nalgebra::{Vector2, Vector3};

use crate::model::LinkTerm as Term;
use crate::model::{Link, Linkage};

/// Position of a link's end and its derivatives by the coordinates.
#[derive(Clone, Debug, Default)]
pub struct End {
    position: Vector2<f64>,
    /// J, one column per coordinate.
    jacobian: Vec<Vector2<f64>>,
    /// Arms: (term, l e(a), l e′(a)).
    arms: Vec<(usize, Vector2<f64>, Vector2<f64>)>,
}

impl End {
    fn set(&mut self, terms: &[Term], q: &[f64]) {
        self.position = Vector2::zeros();
        self.jacobian.clear();
        self.jacobian.resize(q.len(), Vector2::zeros());
        self.arms.clear();
        for (k, term) in terms.iter().enumerate() {
            match term {
                Term::Slide {
                    direction,
                    coordinate,
                } => {
                    self.position += direction * q[*coordinate];
                    self.jacobian[*coordinate] += direction;
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
                    self.position += e;
                    coordinates.iter().for_each(|j| self.jacobian[*j] += de);
                    self.arms.push((k, e, de));
                }
            }
        }
    }
}

/// The discrete Lagrangian and its first and second derivatives at (q, q⁺, h), in storage that is
/// used again.
#[derive(Clone, Debug, Default)]
pub struct Discrete {
    /// ∂L_d/∂q.
    pub d1: Vec<f64>,
    /// ∂L_d/∂q⁺.
    pub d2: Vec<f64>,
    /// ∂²L_d/∂q ∂q⁺, row by row.
    pub d12: Vec<f64>,
    /// −∂L_d/∂h: the discrete energy.
    pub energy: f64,
    middle: Vec<f64>,
    end: End,
    /// Derivatives of K = Σ m|y|²/2 and V by the midpoint (m) and by Δ (d).
    k_m: Vec<f64>,
    k_d: Vec<f64>,
    v_m: Vec<f64>,
    k_mm: Vec<f64>,
    k_md: Vec<f64>,
    k_dd: Vec<f64>,
    v_mm: Vec<f64>,
    y_m: Vec<Vector2<f64>>,
    y_mm: Vec<Vector2<f64>>,
    /// ∂²y/∂m∂d = ∂²x/∂m².
    y_md: Vec<Vector2<f64>>,
}

fn clear<T: Clone>(v: &mut Vec<T>, n: usize, zero: T) {
    v.clear();
    v.resize(n, zero);
}

impl Discrete {
    /// Evaluates a linkage's discrete Lagrangian; `gravity` is the acceleration in the world.
    pub fn set(
        &mut self,
        linkage: &Linkage,
        gravity: &Vector3<f64>,
        q: &[f64],
        delta: &[f64],
        h: f64,
        gamma: f64,
    ) {
        let n = q.len();
        self.middle.clear();
        let middle = q.iter().zip(delta).map(|(q, d)| q + (1.0 - gamma) * d);
        self.middle.extend(middle);
        let g = plane_gravity(linkage, gravity);
        for v in [&mut self.k_m, &mut self.k_d, &mut self.v_m] {
            clear(v, n, 0.0);
        }
        for v in [
            &mut self.k_mm,
            &mut self.k_md,
            &mut self.k_dd,
            &mut self.v_mm,
        ] {
            clear(v, n * n, 0.0);
        }
        let mut kinetic = 0.0;
        let mut potential = 0.0;
        for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
            let m = link.mass;
            if m == 0.0 {
                continue;
            }
            self.end.set(terms, &self.middle);
            let e = &self.end;
            let y: Vector2<f64> = e
                .jacobian
                .iter()
                .zip(delta)
                .fold(Vector2::zeros(), |y, (j, d)| y + j * *d);
            // ∂y/∂m = −Σ l e(a) ȧ on the arm's coordinates; ∂²y/∂m∂d = −l e(a); ∂²y/∂m² = −l e′(a) ȧ.
            clear(&mut self.y_m, n, Vector2::zeros());
            clear(&mut self.y_mm, n * n, Vector2::zeros());
            clear(&mut self.y_md, n * n, Vector2::zeros());
            for (term, unit, turned) in &e.arms {
                let Term::Arm { coordinates, .. } = &terms[*term] else {
                    continue;
                };
                let rate: f64 = coordinates.iter().map(|j| delta[*j]).sum();
                for &i in coordinates {
                    self.y_m[i] -= unit * rate;
                    for &j in coordinates {
                        self.y_mm[i * n + j] -= turned * rate;
                        self.y_md[i * n + j] -= unit;
                    }
                }
            }
            kinetic += 0.5 * m * y.norm_squared();
            potential -= m * g.dot(&e.position);
            for i in 0..n {
                self.k_m[i] += m * y.dot(&self.y_m[i]);
                self.k_d[i] += m * y.dot(&e.jacobian[i]);
                self.v_m[i] -= m * g.dot(&e.jacobian[i]);
                for j in 0..n {
                    let at = i * n + j;
                    self.k_mm[at] += m * (self.y_m[i].dot(&self.y_m[j]) + y.dot(&self.y_mm[at]));
                    self.k_md[at] += m * (self.y_m[i].dot(&e.jacobian[j]) + y.dot(&self.y_md[at]));
                    self.k_dd[at] += m * e.jacobian[i].dot(&e.jacobian[j]);
                    self.v_mm[at] -= m * g.dot(&self.y_md[at]);
                }
            }
        }
        // ∂/∂q = γ ∂m − ∂d, ∂/∂q⁺ = (1 − γ) ∂m + ∂d.
        let (a, b) = (gamma, 1.0 - gamma);
        clear(&mut self.d1, n, 0.0);
        clear(&mut self.d2, n, 0.0);
        clear(&mut self.d12, n * n, 0.0);
        for i in 0..n {
            let l_m = self.k_m[i] / h - self.v_m[i] * h;
            let l_d = self.k_d[i] / h;
            self.d1[i] = l_m * a - l_d;
            self.d2[i] = l_m * b + l_d;
            for j in 0..n {
                let at = i * n + j;
                let l_mm = self.k_mm[at] / h - self.v_mm[at] * h;
                self.d12[at] = l_mm * (a * b) + self.k_md[at] * (a / h)
                    - self.k_md[j * n + i] * (b / h)
                    - self.k_dd[at] / h;
            }
        }
        self.energy = kinetic / (h * h) + potential;
    }
}

/// Mass matrix M(q), row by row.
pub fn mass_matrix(linkage: &Linkage, q: &[f64], end: &mut End, mass: &mut Vec<f64>) {
    let n = q.len();
    clear(mass, n * n, 0.0);
    for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
        end.set(terms, q);
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] += link.mass * end.jacobian[i].dot(&end.jacobian[j]);
            }
        }
    }
}

/// V(q) of gravity.
pub fn potential(linkage: &Linkage, gravity: &Vector3<f64>, q: &[f64], end: &mut End) -> f64 {
    let g = plane_gravity(linkage, gravity);
    let mut v = 0.0;
    for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
        end.set(terms, q);
        v -= link.mass * g.dot(&end.position);
    }
    v
}

/// World positions of the ends of all links, with their velocities for given rates.
pub fn each_end(
    linkage: &Linkage,
    q: &[f64],
    rates: &[f64],
    end: &mut End,
    mut each: impl FnMut(&Link, Vector3<f64>, Vector3<f64>),
) {
    let [e1, e2] = &linkage.spec.plane;
    let lift = |v: &Vector2<f64>| e1 * v.x + e2 * v.y;
    for (link, terms) in linkage.spec.links.iter().zip(&linkage.ends) {
        end.set(terms, q);
        let v = end
            .jacobian
            .iter()
            .zip(rates)
            .fold(Vector2::zeros(), |v, (j, r)| v + j * *r);
        each(link, linkage.spec.origin + lift(&end.position), lift(&v));
    }
}

fn plane_gravity(linkage: &Linkage, gravity: &Vector3<f64>) -> Vector2<f64> {
    let [e1, e2] = &linkage.spec.plane;
    Vector2::new(gravity.dot(e1), gravity.dot(e2))
}
