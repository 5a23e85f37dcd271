//! Gap of two solids, and of a solid above a half-space.

use super::climb::Climb;
use super::closest::{of_segments, on_segment};
use super::patch::shared;
use super::polish::Kinks;
use super::search::Cores;
use super::support::Side;
use super::{Core, Round};
use crate::distance::{Distance, distance};
use crate::gap::HalfSpace;
use crate::{Pose, Vertices};
use nalgebra::Vector3;

/// A convex body as a query sees it: a polytope or a round body.
#[derive(Clone, Copy, Debug)]
pub enum Solid<'a> {
    /// The hull of some points.
    Hull(&'a Vertices),
    /// A core with a radius.
    Round(&'a Round),
}

impl<'a> From<&'a Vertices> for Solid<'a> {
    fn from(vertices: &'a Vertices) -> Self {
        Solid::Hull(vertices)
    }
}

impl<'a> From<&'a Round> for Solid<'a> {
    fn from(round: &'a Round) -> Self {
        Solid::Round(round)
    }
}

impl<'a> Solid<'a> {
    /// Radius of the ball swept over the core.
    pub fn radius(&self) -> f64 {
        match self {
            Solid::Hull(_) => 0.0,
            Solid::Round(r) => r.radius,
        }
    }

    /// Points whose hull the core is, if it is a polytope.
    pub(super) fn hull(&self) -> Option<&'a Vertices> {
        match self {
            Solid::Hull(v) => Some(v),
            Solid::Round(Round {
                core: Core::Hull(v),
                ..
            }) => Some(v),
            Solid::Round(_) => None,
        }
    }

    /// A point inside, in the body frame.
    pub fn center(&self) -> Vector3<f64> {
        match self {
            Solid::Hull(v) => *v.mean(),
            Solid::Round(r) => r.center(),
        }
    }

    /// Distance of the furthest point from the origin of the body frame, or a little more.
    pub fn reach(&self) -> f64 {
        match self {
            Solid::Hull(v) => v.reach(),
            Solid::Round(r) => r.reach(),
        }
    }

    pub(super) fn side(&self, pose: &Pose) -> Side<'a> {
        match self {
            Solid::Hull(v) => Side::of_vertices(v, pose),
            Solid::Round(r) => Side::of_core(&r.core, pose),
        }
    }

    /// The point furthest along a unit vector of the inertial frame, in the inertial frame.
    pub fn support(&self, pose: &Pose, d: &Vector3<f64>) -> Vector3<f64> {
        pose.position + self.side(pose).support(d) + d * self.radius()
    }
}

/// Gap of two posed solids: Euclidean distance, or minus the penetration depth, to round-off.
///
/// `start` is a guess of the normal, such as that of a moment ago. Where bodies overlap deeply it may
/// decide which of several ways out is found; without it, several are tried.
///
/// ```
/// use carom_gap::{Pose, round::{Round, nearest}};
/// use nalgebra::Vector3;
/// let egg = Round::ellipsoid(1.0, 1.0, 2.0)?;
/// let capsule = Round::capsule(0.25, 3.0)?;
/// let lying = Pose::new(Vector3::new(0.0, 0.0, 3.0), Vector3::y() * std::f64::consts::FRAC_PI_2);
/// let found = nearest((&capsule).into(), &lying, (&egg).into(), &Pose::identity(), None);
/// assert!((found.value - 0.75).abs() < 1e-14);
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
pub fn nearest(
    a: Solid,
    pose_a: &Pose,
    b: Solid,
    pose_b: &Pose,
    start: Option<&Vector3<f64>>,
) -> Distance {
    let (ra, rb) = (a.radius(), b.radius());
    if let (Some(va), Some(vb)) = (a.hull(), b.hull()) {
        let core = hulls(va, pose_a, vb, pose_b, start);
        return swell(core, ra, rb);
    }
    let cores = Cores {
        a: a.side(pose_a),
        b: b.side(pose_b),
        offset: pose_a.position - pose_b.position,
        size: a.reach().max(b.reach()),
    };
    let centres = pose_a.point(&a.center()) - pose_b.point(&b.center());
    let given = start.and_then(|s| s.try_normalize(0.0));
    let prove = |value: f64, n: &Vector3<f64>| shared([a, b], [pose_a, pose_b], value, n);
    let mut kinks = Kinks::default();
    let found = match given {
        Some(n) => cores.climb(&n, true, &mut kinks, &prove),
        None => cores.highest(&centres, &mut kinks, &prove),
    };
    let Climb {
        value,
        normal,
        points: [point_a, point_b],
    } = found;
    let core = Distance {
        value,
        normal,
        point_a,
        point_b,
    };
    swell(core, ra, rb)
}

/// Gap of a solid above a half-space, with its lowest point; the normal is that of the half-space.
pub fn above(a: Solid, pose: &Pose, ground: &HalfSpace) -> Distance {
    let n = *ground.normal();
    let point_a = a.support(pose, &-n);
    let value = point_a.dot(&n) - ground.offset();
    Distance {
        value,
        normal: n,
        point_a,
        point_b: point_a - n * value,
    }
}

/// The distance of cores as that of what balls swept over them.
fn swell(core: Distance, ra: f64, rb: f64) -> Distance {
    Distance {
        value: core.value - ra - rb,
        normal: core.normal,
        point_a: core.point_a - core.normal * ra,
        point_b: core.point_b + core.normal * rb,
    }
}

/// Distance of two hulls; of points and segments in closed form.
fn hulls(
    a: &Vertices,
    pose_a: &Pose,
    b: &Vertices,
    pose_b: &Pose,
    start: Option<&Vector3<f64>>,
) -> Distance {
    let end = |v: &Vertices, pose: &Pose, i: usize| pose.point(&v.points()[i]);
    let closed = match (a.len(), b.len()) {
        (1, 1) => Some([end(a, pose_a, 0), end(b, pose_b, 0)]),
        (1, 2) => {
            let x = end(a, pose_a, 0);
            let (p, q) = (end(b, pose_b, 0), end(b, pose_b, 1));
            Some([x, on_segment(&p, &q, &x)])
        }
        (2, 1) => {
            let x = end(b, pose_b, 0);
            let (p, q) = (end(a, pose_a, 0), end(a, pose_a, 1));
            Some([on_segment(&p, &q, &x), x])
        }
        (2, 2) => {
            let [p, q] = [0, 1].map(|i| end(a, pose_a, i));
            let [r, s] = [0, 1].map(|i| end(b, pose_b, i));
            Some(of_segments([&p, &q], [&r, &s]))
        }
        _ => None,
    };
    if let Some([point_a, point_b]) = closed {
        let apart = point_a - point_b;
        let value = apart.norm();
        // Below, the direction would be round-off.
        if value > 1e-6 * (a.reach() + b.reach()) {
            return Distance {
                value,
                normal: apart / value,
                point_a,
                point_b,
            };
        }
    }
    let between = pose_a.point(a.mean()) - pose_b.point(b.mean());
    let given = start.filter(|s| s.norm_squared() > 0.0);
    distance(a, pose_a, b, pose_b, given.unwrap_or(&between))
}
