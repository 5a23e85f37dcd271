//! Mass properties: volume, mass, centre, inertia tensor and Euler tensor.
//!
//! With X measured from the centre of mass in body axes,
//!
//! ```text
//! E = ∫ ρ X Xᵀ dV          Euler tensor (mass matrix of the directors: blkdiag(m I, E ⊗ I))
//! J = tr(E) I − E          inertia tensor,  E = ½ tr(J) I − J
//! ```
//!
//! Bodies bounded by flat faces are integrated exactly: over signed tetrahedra (triangles in the
//! plane) from the vertex mean, so that a body far from its origin loses no digits. In the plane
//! z = 0 the "volume" is the area, E has its 2 × 2 block only, and J_zz = E_xx + E_yy.

#![allow(non_snake_case)]

use super::error::{GeometryError, positive};
use crate::Pose;
use nalgebra::{Matrix3, Vector3};

/// Mass properties of a body, about its own centre of mass and in the axes of its frame.
///
/// ```
/// use carom_gap::geometry::Polytope;
/// let cube = Polytope::cube(2.0)?;
/// let steel = cube.mass_properties().with_density(7850.0);
/// assert!((steel.mass - 8.0 * 7850.0).abs() < 1e-9);
/// assert!((steel.inertia[(0, 0)] - steel.mass * 4.0 / 6.0).abs() < 1e-9);
/// assert!((steel.euler_tensor[(0, 0)] - steel.mass * 4.0 / 12.0).abs() < 1e-9);
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Measure: volume in m³, area in m² for planar bodies, 0 where only a mass is known.
    pub volume: f64,
    /// Mass in kg.
    pub mass: f64,
    /// Centre of mass in the body frame.
    pub center: Vector3<f64>,
    /// Inertia tensor J about the centre of mass, body axes.
    pub inertia: Matrix3<f64>,
    /// Euler tensor E = ½ tr(J) I − J about the centre of mass, body axes.
    pub euler_tensor: Matrix3<f64>,
}

impl MassProperties {
    /// From the Euler tensor, which determines the inertia.
    pub fn from_euler_tensor(
        volume: f64,
        mass: f64,
        center: Vector3<f64>,
        euler_tensor: Matrix3<f64>,
    ) -> Self {
        Self {
            volume,
            mass,
            center,
            inertia: Matrix3::identity() * euler_tensor.trace() - euler_tensor,
            euler_tensor,
        }
    }

    /// From given mass and inertia; refused where no distribution of mass has them.
    ///
    /// ```
    /// use carom_gap::geometry::MassProperties;
    /// use nalgebra::{Matrix3, Vector3};
    /// let j = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
    /// let body = MassProperties::given(5.0, Vector3::zeros(), j)?;
    /// assert_eq!(body.euler_tensor[(0, 0)], 2.0);
    /// // A moment larger than the sum of the two others:
    /// let j = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 4.0));
    /// assert!(MassProperties::given(5.0, Vector3::zeros(), j).is_err());
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn given(
        mass: f64,
        center: Vector3<f64>,
        inertia: Matrix3<f64>,
    ) -> Result<Self, GeometryError> {
        positive("mass", mass)?;
        let refuse = |reason| Err(GeometryError::Inertia { reason });
        if !center.iter().chain(inertia.iter()).all(|x| x.is_finite()) {
            return refuse("centre or inertia holds a number that is not finite");
        }
        let largest = inertia.amax();
        if (inertia - inertia.transpose()).amax() > 1e-9 * largest {
            return refuse("the inertia tensor is not symmetric");
        }
        let inertia = (inertia + inertia.transpose()) * 0.5;
        let euler_tensor = Matrix3::identity() * (0.5 * inertia.trace()) - inertia;
        // Scaled, so that the eigenvalues of very small tensors are not lost.
        let scaled = if largest > 0.0 {
            euler_tensor / largest
        } else {
            euler_tensor
        };
        if scaled.symmetric_eigenvalues().min() < -1e-9 {
            return refuse("a principal moment is negative or larger than the sum of the others");
        }
        Ok(Self {
            volume: 0.0,
            mass,
            center,
            inertia,
            euler_tensor,
        })
    }

    /// The same body filled with a density (kg/m³, kg/m² in the plane).
    pub fn with_density(&self, density: f64) -> Self {
        self.scaled(density * self.volume / self.mass)
    }

    /// The same distribution of mass, `factor` times as heavy.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            mass: self.mass * factor,
            inertia: self.inertia * factor,
            euler_tensor: self.euler_tensor * factor,
            ..*self
        }
    }

    /// The same body placed at `pose`, in the axes of the outer frame.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let D = &pose.directors;
        let E = symmetric(D * self.euler_tensor * D.transpose());
        Self::from_euler_tensor(self.volume, self.mass, pose.point(&self.center), E)
    }

    /// Euler tensor about another point (parallel axes): E + m r rᵀ.
    pub fn euler_tensor_about(&self, point: &Vector3<f64>) -> Matrix3<f64> {
        let r = self.center - point;
        self.euler_tensor + r * r.transpose() * self.mass
    }

    /// Inertia tensor about another point (parallel axes): J + m (r·r I − r rᵀ).
    pub fn inertia_about(&self, point: &Vector3<f64>) -> Matrix3<f64> {
        let r = self.center - point;
        self.inertia + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * self.mass
    }

    /// All of several bodies as one (parallel axes); `None` without any mass. Where bodies overlap
    /// their masses add, as if both were there.
    ///
    /// ```
    /// use carom_gap::{Pose, geometry::{MassProperties, Polytope}};
    /// let half = *Polytope::cuboid(1.0, 2.0, 3.0)?.mass_properties();
    /// let halves = [-0.5, 0.5].map(|x| half.transformed(&Pose::translation(x, 0.0, 0.0)));
    /// let whole = MassProperties::combine(&halves).unwrap();
    /// let direct = Polytope::cuboid(2.0, 2.0, 3.0)?;
    /// assert!((whole.inertia - direct.mass_properties().inertia).norm() < 1e-13);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn combine<'a>(bodies: impl IntoIterator<Item = &'a MassProperties>) -> Option<Self> {
        let bodies: Vec<_> = bodies.into_iter().collect();
        let mass: f64 = bodies.iter().map(|b| b.mass).sum();
        if mass <= 0.0 {
            return None;
        }
        let volume = bodies.iter().map(|b| b.volume).sum();
        // Relative to the first centre: a far-away group keeps its digits.
        let origin = bodies[0].center;
        let offset: Vector3<f64> = bodies.iter().map(|b| (b.center - origin) * b.mass).sum();
        let center = origin + offset / mass;
        let E = bodies.iter().map(|b| b.euler_tensor_about(&center)).sum();
        Some(Self::from_euler_tensor(volume, mass, center, E))
    }

    /// Unit density inside a closed surface of outward triangles. The volume is signed.
    pub(crate) fn of_surface(
        points: &[Vector3<f64>],
        triangles: impl IntoIterator<Item = [u32; 3]>,
    ) -> Self {
        let origin = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let at = |i: u32| points[i as usize] - origin;
        let (mut V, mut m, mut S) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for [i, j, k] in triangles {
            let (a, b, c) = (at(i), at(j), at(k));
            let d = a.dot(&b.cross(&c));
            let s = a + b + c;
            // ∫ 1, ∫ X and ∫ X Xᵀ over the tetrahedron (0, a, b, c).
            V += d / 6.0;
            m += s * (d / 24.0);
            S += (outer(&a) + outer(&b) + outer(&c) + outer(&s)) * (d / 120.0);
        }
        Self::from_moments(V, m, S, origin)
    }

    /// Unit density inside a counter-clockwise loop in z = 0. The area is signed.
    pub(crate) fn of_loop(points: &[Vector3<f64>]) -> Self {
        let origin = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let (mut A, mut m, mut S) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for (i, p) in points.iter().enumerate() {
            let a = p - origin;
            let b = points[(i + 1) % points.len()] - origin;
            let d = a.x * b.y - a.y * b.x;
            let s = a + b;
            // ∫ 1, ∫ X and ∫ X Xᵀ over the triangle (0, a, b).
            A += d / 2.0;
            m += s * (d / 6.0);
            S += (outer(&a) + outer(&b) + outer(&s)) * (d / 24.0);
        }
        Self::from_moments(A, m, S, origin)
    }

    /// From volume and moments about `origin`, moved to the centre: E = S − m mᵀ / V.
    fn from_moments(V: f64, m: Vector3<f64>, S: Matrix3<f64>, origin: Vector3<f64>) -> Self {
        let c = if V == 0.0 { m } else { m / V };
        Self::from_euler_tensor(V, V, origin + c, symmetric(S - outer(&c) * V))
    }
}

fn outer(x: &Vector3<f64>) -> Matrix3<f64> {
    x * x.transpose()
}

fn symmetric(A: Matrix3<f64>) -> Matrix3<f64> {
    (A + A.transpose()) * 0.5
}
