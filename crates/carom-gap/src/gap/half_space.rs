//! Half-spaces as bodies: floors and walls.
//!
//! β is the half-space's own normal, so α = β and the program is solved by one support query: the
//! gap is the height of the lowest vertex. Its optimal weights are all convex combinations of the
//! lowest vertices; the symmetric choice is equal weights.

use nalgebra::Vector3;

use super::{Contact, GapError, Posed, Wrench};

/// The solid {x : ⟨normal, x⟩ ≤ offset}.
///
/// ```
/// use carom_gap::{Pose, Vertices, gap::{HalfSpace, Posed}};
/// use nalgebra::Vector3;
/// let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
/// let point = Vertices::new(&[Vector3::zeros()]);
/// let g = floor.gap(Posed::new(&point, &Pose::translation(3.0, 0.0, 0.25)), 0);
/// assert_eq!(g.contact.gap, 0.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: Vector3<f64>,
    offset: f64,
}

/// Gap of a body a to a half-space b.
#[derive(Clone, Copy, Debug)]
pub struct HalfSpaceGap {
    /// Gap, α = β = normal, and contact points: the lowest vertex and its foot. The half-space's
    /// body frame is the world.
    pub contact: Contact,
    /// The lowest vertex: the hint of the next query.
    pub vertex: usize,
}

impl HalfSpace {
    /// A half-space by its outward normal (any length but zero) and the offset ⟨n, x⟩ of its
    /// surface along the unit normal.
    pub fn new(normal: Vector3<f64>, offset: f64) -> Result<Self, GapError> {
        let size = normal.amax();
        if size == 0.0 || !normal.iter().all(|c| c.is_finite()) || !offset.is_finite() {
            return Err(GapError::HalfSpace { normal, offset });
        }
        Ok(Self {
            normal: (normal / size).normalize(),
            offset,
        })
    }

    /// Outward unit normal.
    pub fn normal(&self) -> &Vector3<f64> {
        &self.normal
    }

    /// ⟨normal, x⟩ of the surface.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Gap to a posed body; `hint` is a vertex near the lowest one (0 if unknown).
    #[inline]
    pub fn gap(&self, a: Posed, hint: usize) -> HalfSpaceGap {
        let n = self.normal;
        let down = -a.pose.direction_to_body(&n);
        let (vertex, _) = a.vertices.support(&down, hint);
        self.at(a, vertex, a.vertices.points()[vertex])
    }

    /// The symmetric optimal solution: every vertex within `tolerance` of the lowest (same length
    /// unit as the gap) carries an equal weight. Their indices are put into `active`.
    pub fn symmetric_gap(
        &self,
        a: Posed,
        hint: usize,
        tolerance: f64,
        active: &mut Vec<u32>,
    ) -> HalfSpaceGap {
        active.clear();
        self.symmetric_gap_with(a, hint, tolerance, |i| active.push(i))
    }

    /// The same, which tells of every vertex that carries.
    pub fn symmetric_gap_with(
        &self,
        a: Posed,
        hint: usize,
        tolerance: f64,
        mut tell: impl FnMut(u32),
    ) -> HalfSpaceGap {
        let down = -a.pose.direction_to_body(&self.normal);
        let (vertex, lowest) = a.vertices.support(&down, hint);
        let mut centre = Vector3::zeros();
        let mut count = 0_u32;
        for (i, v) in a.vertices.points().iter().enumerate() {
            if v.dot(&down) >= lowest - tolerance {
                tell(i as u32);
                count += 1;
                centre += v;
            }
        }
        if count == 0 {
            tell(vertex as u32);
            count = 1;
            centre = a.vertices.points()[vertex];
        }
        self.at(a, vertex, centre / f64::from(count))
    }

    /// Solution with contact point `local` of the body; the gap is that of `vertex`.
    fn at(&self, a: Posed, vertex: usize, local: Vector3<f64>) -> HalfSpaceGap {
        let n = self.normal;
        let gap = a.pose.point(&a.vertices.points()[vertex]).dot(&n) - self.offset;
        let point_a = a.pose.point(&local);
        let point_b = point_a - n * (point_a.dot(&n) - self.offset);
        HalfSpaceGap {
            contact: Contact {
                gap,
                beta: n,
                alpha: n,
                point_a,
                point_b,
                local_a: local,
                local_b: point_b,
            },
            vertex,
        }
    }
}

impl HalfSpaceGap {
    /// ∂gap/∂q of the body.
    pub fn gradient(&self) -> [f64; 12] {
        let mut out = [0.0; 12];
        let c = &self.contact;
        for axis in 0..3 {
            out[axis] = c.alpha[axis];
            for director in 0..3 {
                out[3 + 3 * director + axis] = c.local_a[director] * c.alpha[axis];
            }
        }
        out
    }

    /// The gradient reduced to force and torque about the body's origin.
    pub fn wrench(&self, a: &crate::Pose) -> Wrench {
        let c = &self.contact;
        Wrench {
            force: c.alpha,
            torque: a.vector(&c.local_a).cross(&c.alpha),
        }
    }
}
