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
    /// Work of what drags on the coordinates beyond their limits.
    pub drag_work: f64,
    /// Work of damping and of servos.
    pub damping_work: f64,
    /// See `damping_work`.
    pub servo_work: f64,
    /// Size of the terms that the first derivatives sum: what their round-off is relative to.
    pub scale: f64,
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
        self.scale = 0.0;
        self.drag_work = 0.0;
        self.damping_work = 0.0;
        self.servo_work = 0.0;
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
            let longest = e.jacobian.iter().map(|j| j.norm()).fold(0.0, f64::max);
            self.scale += m * longest * (y.norm() / h + h * g.norm());
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
        // Rotors: ½ J Δ².
        for (i, &j) in linkage.armature.iter().enumerate() {
            kinetic += 0.5 * j * delta[i] * delta[i];
            self.k_d[i] += j * delta[i];
            self.k_dd[i * n + i] += j;
            self.scale += j * delta[i].abs() / h;
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

impl Discrete {
    /// What coordinate k alone weighs at q̄: M_kk.
    pub fn inertia(&self, k: usize) -> f64 {
        self.k_dd[k * self.k_d.len() + k]
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
    for (i, j) in linkage.armature.iter().enumerate() {
        mass[i * n + i] += j;
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
        let n = q.len();
        let middle: Vec<f64> = q
            .iter()
            .zip(next)
            .map(|(a, b)| w * a + (1.0 - w) * b)
            .collect();
        let (mut end, mut mass) = (End::default(), Vec::new());
        mass_matrix(l, &middle, &mut end, &mut mass);
        let mut kinetic = 0.0;
        for i in 0..n {
            for j in 0..n {
                kinetic += 0.5 * (next[i] - q[i]) * mass[i * n + j] * (next[j] - q[j]);
            }
        }
        kinetic / h - h * potential(l, g, &middle, &mut end)
    }

    fn discrete(
        l: &Linkage,
        g: &Vector3<f64>,
        q: &[f64],
        delta: &[f64],
        h: f64,
        w: f64,
    ) -> Discrete {
        let mut ld = Discrete::default();
        ld.set(l, g, q, delta, h, w);
        ld
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
                for (j, (a, b)) in d2(&up).iter().zip(d2(&down)).enumerate() {
                    assert!(((a - b) / (2.0 * e) - ld.d12[3 * k + j]).abs() < 1e-8);
                }
                let (up, down) = (nudged(&next, k, e), nudged(&next, k, -e));
                let d2 = (value(&q, &up, h) - value(&q, &down, h)) / (2.0 * e);
                assert!((d2 - ld.d2[k]).abs() < 1e-8);
            }
            let slope = (value(&q, &next, h + e) - value(&q, &next, h - e)) / (2.0 * e);
            assert!((ld.energy + slope).abs() < 1e-7);
        }
    }
}
