//! Round bodies: exact gap, normal, witness points, first contact and contact patch.
//!
//! A round body is a convex core and a ball of some radius swept over it: a sphere is a point with a
//! radius, a capsule a segment, a rounded hull any hull. Discs, cylinders, cones and ellipsoids are
//! cores known by their support function h(d) = max ⟨d, x⟩. The signed distance of two bodies is
//!
//! ```text
//! gap = max over unit n of  f(n) = −h_A(−n) − h_B(n)
//! ```
//!
//! with n from b to a: the distance where they are apart, minus the penetration depth where they
//! overlap. Every f(n) is a lower bound, so that a candidate can only be too careful.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | [`Round`], what a body is |
//! | `support` | support functions in the inertial frame, their derivatives and kinks |
//! | `closest` | closest points of points and segments, in closed form |
//! | `search` | a normal by Gilbert, Johnson and Keerthi's method on bodies held apart |
//! | `polish` | the normal to round-off: Newton's method on the strata between kinks |
//! | `climb` | maxima of f by both, and where else to look for one |
//! | `nearest` | [`nearest`], gap of any two solids, and of one above a half-space |
//! | `patch` | [`patch`], the points that share a contact, and how they follow a motion |
//! | `along` | lines along each other |
//! | `area` | points around what a disc shares with a disc or a polygon |
//! | `facets` | a polytope to draw a round body by |
//! | `mass` | mass properties |
//! | `meet` | [`first_contact`] of two solids on their ways |

mod along;
mod area;
mod climb;
mod clip;
mod closest;
mod facets;
mod feature;
mod mass;
mod meet;
mod nearest;
mod patch;
mod polish;
mod search;
mod support;

pub use along::Beside;
pub(crate) use facets::directions;
pub use meet::{Way, first_contact};
pub use nearest::{Solid, above, nearest};
pub use patch::{PatchPoint, Roll, patch, patch_on, patch_points, patch_points_on};

use crate::geometry::GeometryError;
use crate::geometry::{checked_size, positive_size};
use crate::{Aabb, Pose, Vertices};
use nalgebra::{Matrix3, Vector3};

/// The convex set a ball is swept over, in the body frame.
#[derive(Clone, Debug)]
pub enum Core {
    /// The hull of some points: a point, a segment, a polytope.
    Hull(Vertices),
    /// A flat disc.
    Disc {
        /// Its centre.
        center: Vector3<f64>,
        /// Unit normal.
        axis: Vector3<f64>,
        /// Its radius.
        radius: f64,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Its centre.
        center: Vector3<f64>,
        /// Unit vector along it.
        axis: Vector3<f64>,
        /// Its radius.
        radius: f64,
        /// Half of its height.
        half: f64,
    },
    /// A cone with a flat base.
    Cone {
        /// Centre of its base.
        base: Vector3<f64>,
        /// Unit vector from the base to the apex.
        axis: Vector3<f64>,
        /// Radius of the base.
        radius: f64,
        /// From the base to the apex.
        height: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its centre.
        center: Vector3<f64>,
        /// Semi-axes as columns.
        axes: Matrix3<f64>,
    },
}

/// A convex core with a ball swept over it, in the body frame.
///
/// ```
/// use carom_gap::{Pose, round::{Round, nearest}};
/// use nalgebra::Vector3;
/// let ball = Round::sphere(0.5)?;
/// let can = Round::cylinder(0.3, 1.0)?;
/// let found = nearest(
///     (&ball).into(), &Pose::translation(2.0, 0.0, 0.2),
///     (&can).into(), &Pose::identity(),
///     None,
/// );
/// assert!((found.value - (2.0 - 0.5 - 0.3)).abs() < 1e-15);
/// assert_eq!(found.normal, Vector3::x());
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Round {
    core: Core,
    radius: f64,
}

impl Round {
    /// A sphere.
    pub fn sphere(radius: f64) -> Result<Self, GeometryError> {
        Self::swept(Vertices::new(&[Vector3::zeros()]), radius)
    }

    /// A circle in the plane z = 0, for planar bodies.
    pub fn circle(radius: f64) -> Result<Self, GeometryError> {
        Self::swept(Vertices::planar(&[Vector3::zeros()]), radius)
    }

    /// A capsule along z: all points within `radius` of a segment of length `height`.
    pub fn capsule(radius: f64, height: f64) -> Result<Self, GeometryError> {
        let h = positive_size("height", height)? * 0.5;
        let ends = [Vector3::new(0.0, 0.0, -h), Vector3::new(0.0, 0.0, h)];
        Self::swept(Vertices::new(&ends).with_edges(&[[0, 1]]), radius)
    }

    /// All points within `radius` of the hull of some points; with their edge graph, large hulls are
    /// quicker.
    pub fn swept(core: Vertices, radius: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            core: Core::Hull(core),
            radius: positive_size("radius", radius)?,
        })
    }

    /// A cylinder along z with flat ends, centred.
    pub fn cylinder(radius: f64, height: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            core: Core::Cylinder {
                center: Vector3::zeros(),
                axis: Vector3::z(),
                radius: positive_size("radius", radius)?,
                half: positive_size("height", height)? * 0.5,
            },
            radius: 0.0,
        })
    }

    /// A cone along z, base at z = −height/4, apex at z = 3 height/4: its centroid is the origin.
    pub fn cone(radius: f64, height: f64) -> Result<Self, GeometryError> {
        let height = positive_size("height", height)?;
        Ok(Self {
            core: Core::Cone {
                base: Vector3::new(0.0, 0.0, -0.25 * height),
                axis: Vector3::z(),
                radius: positive_size("radius", radius)?,
                height,
            },
            radius: 0.0,
        })
    }

    /// A disc across z of some thickness, with a round rim; a thickness of zero makes it flat.
    /// `radius` is that of the whole.
    pub fn disc(radius: f64, thickness: f64) -> Result<Self, GeometryError> {
        let radius = positive_size("radius", radius)?;
        let ball = match thickness {
            0.0 => 0.0,
            t => 0.5 * positive_size("thickness", t)?,
        };
        if ball >= radius {
            return Err(GeometryError::NotPositive {
                what: "radius less half of the thickness",
                value: radius - ball,
            });
        }
        Ok(Self {
            core: Core::Disc {
                center: Vector3::zeros(),
                axis: Vector3::z(),
                radius: radius - ball,
            },
            radius: ball,
        })
    }

    /// An ellipsoid by its semi-axes along x, y and z.
    pub fn ellipsoid(a: f64, b: f64, c: f64) -> Result<Self, GeometryError> {
        let semi = Vector3::new(
            positive_size("semi-axis a", a)?,
            positive_size("semi-axis b", b)?,
            positive_size("semi-axis c", c)?,
        );
        Ok(Self {
            core: Core::Ellipsoid {
                center: Vector3::zeros(),
                axes: Matrix3::from_diagonal(&semi),
            },
            radius: 0.0,
        })
    }

    /// The same with a ball of this radius swept over it.
    pub fn rounded(mut self, by: f64) -> Result<Self, GeometryError> {
        self.radius += positive_size("radius", by)?;
        Ok(self)
    }

    /// The core.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Radius of the ball that is swept over the core.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same body placed in another frame; the pose must turn and move only.
    pub fn transformed(&self, pose: &Pose) -> Result<Self, GeometryError> {
        let point = |x: &Vector3<f64>| pose.point(x);
        let turn = |x: &Vector3<f64>| pose.vector(x).normalize();
        let core = match &self.core {
            Core::Hull(v) => {
                let points: Vec<_> = v.points().iter().map(point).collect();
                let moved = match v.is_planar() && points.iter().all(|p| p.z == 0.0) {
                    true => Vertices::planar(&points),
                    false => Vertices::new(&points),
                };
                let edges = v.edges();
                Core::Hull(match edges.is_empty() {
                    true => moved,
                    false => moved.with_edges(&edges),
                })
            }
            Core::Disc {
                center,
                axis,
                radius,
            } => Core::Disc {
                center: point(center),
                axis: turn(axis),
                radius: *radius,
            },
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => Core::Cylinder {
                center: point(center),
                axis: turn(axis),
                radius: *radius,
                half: *half,
            },
            Core::Cone {
                base,
                axis,
                radius,
                height,
            } => Core::Cone {
                base: point(base),
                axis: turn(axis),
                radius: *radius,
                height: *height,
            },
            Core::Ellipsoid { center, axes } => Core::Ellipsoid {
                center: point(center),
                axes: pose.directors * axes,
            },
        };
        let moved = Self { core, ..*self };
        checked_size(&[moved.center()])?;
        Ok(moved)
    }

    /// A point inside.
    pub fn center(&self) -> Vector3<f64> {
        match &self.core {
            Core::Hull(v) => *v.mean(),
            Core::Disc { center, .. }
            | Core::Cylinder { center, .. }
            | Core::Ellipsoid { center, .. } => *center,
            Core::Cone {
                base, axis, height, ..
            } => base + axis * (0.25 * height),
        }
    }

    /// Distance of its furthest point from the origin of the body frame, or a little more.
    pub fn reach(&self) -> f64 {
        let core = match &self.core {
            Core::Hull(v) => v.reach(),
            Core::Disc {
                center,
                axis,
                radius,
            } => rim_reach(center, axis, *radius),
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => rim_reach(&(center + axis * *half), axis, *radius).max(rim_reach(
                &(center - axis * *half),
                axis,
                *radius,
            )),
            Core::Cone {
                base,
                axis,
                radius,
                height,
            } => rim_reach(base, axis, *radius).max((base + axis * *height).norm()),
            Core::Ellipsoid { center, axes } => {
                let longest = (0..3).map(|k| axes.column(k).norm()).fold(0.0, f64::max);
                center.norm() + longest
            }
        };
        core + self.radius
    }

    /// Box along the inertial axes.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let side = support::Side::of_core(&self.core, pose);
        let along = |k: usize, sign: f64| {
            let d = Vector3::ith(k, sign);
            side.support(&d)[k] + pose.position[k] + sign * self.radius
        };
        Aabb {
            min: Vector3::from_fn(|k, _| along(k, -1.0)),
            max: Vector3::from_fn(|k, _| along(k, 1.0)),
        }
    }
}

/// Largest distance of a circle's points from the origin.
fn rim_reach(center: &Vector3<f64>, axis: &Vector3<f64>, radius: f64) -> f64 {
    let along = center.dot(axis);
    let off = (center - axis * along).norm();
    along.hypot(off + radius)
}
