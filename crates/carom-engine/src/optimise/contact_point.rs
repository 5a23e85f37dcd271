//! The point where two bodies touch, which may move over both of them: balls that roll, edges that cross.
//!
//! An impulse along a unit vector d there pushes along the covector a with a · q̇ = d · (ẋ_A − ẋ_B). The rates are those
//! of the points of both bodies that touch at the moment, at places l in them:
//!
//! ```text
//! a = (d, l₁ d, l₂ d, l₃ d)_A − (d, l₁ d, l₂ d, l₃ d)_B.
//! ```
//!
//! d and l follow from the poses. a is no gradient: a ball may roll to another place and back by another way. Its
//! derivatives are taken by numbers that carry them.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use crate::mechanics::numbers::{apply_back, apply_to, dot, times, vector};
use crate::mechanics::{Dual, Real, Second, coordinate_count, coordinate_starts};
use crate::model::{BodyId, Model};

/// What meets at the point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Surfaces {
    /// A ball around a point of the first body on a plane of the second with this unit normal.
    OnPlane {
        centre: Vector3<f64>,
        radius: f64,
        normal: Vector3<f64>,
    },
    /// A ball around a point of each body; the unit vector from the second to the first where it is set up.
    Balls {
        centres: [Vector3<f64>; 2],
        radii: [f64; 2],
        apart: Vector3<f64>,
    },
    /// An edge of each body, from a point of it along a direction; whether the first lies on the side of the cross product
    /// of both.
    Edges {
        from: [Vector3<f64>; 2],
        along: [Vector3<f64>; 2],
        ahead: bool,
    },
}

/// A body's coordinates at a node, or its pose where it has none.
#[derive(Clone, Copy, Debug)]
struct Holder {
    first: usize,
    count: usize,
    pose: Pose,
}

/// One of three directions at the point where two bodies touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPoint {
    holders: [Holder; 2],
    surfaces: Surfaces,
    /// 0 along the normal, from the second body to the first; 1 and 2 across it.
    direction: usize,
}

/// A pose in numbers that may carry derivatives.
struct Frame<T> {
    at: Vector3<T>,
    directors: Matrix3<T>,
}

impl<T: Real> Frame<T> {
    fn point(&self, local: &Vector3<f64>) -> Vector3<T> {
        self.at + apply_to(&self.directors, local)
    }

    /// Where a body has a point.
    fn local(&self, point: Vector3<T>) -> Vector3<T> {
        apply_back(&self.directors, &(point - self.at))
    }
}

/// Two directions across a unit normal.
pub(crate) fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let least = |a: &&Vector3<f64>, b: &&Vector3<f64>| n.dot(a).abs().total_cmp(&n.dot(b).abs());
    let axis = axes.iter().min_by(least).copied().unwrap_or(axes[0]);
    let first = (axis - n * n.dot(&axis)).normalize();
    [first, n.cross(&first)]
}

fn unit<T: Real>(v: Vector3<T>) -> Vector3<T> {
    times(&v, T::of(1.0) / dot(&v, &v).sqrt())
}

impl Surfaces {
    /// The normal with two directions across it, and the point of each body.
    fn meet<T: Real>(&self, [a, b]: &[Frame<T>; 2]) -> ([Vector3<T>; 3], [Vector3<T>; 2]) {
        match self {
            Self::OnPlane {
                centre,
                radius,
                normal,
            } => {
                let [s, t] = tangents(normal);
                let frame = [*normal, s, t].map(|v| apply_to(&b.directors, &v));
                let point = a.point(centre) - frame[0].map(|x| x.scale(*radius));
                (frame, [point; 2])
            }
            Self::Balls {
                centres,
                radii,
                apart,
            } => {
                let [x, y] = [a.point(&centres[0]), b.point(&centres[1])];
                let n = unit(x - y);
                // Both turned by the shortest way from the first normal to this one.
                let old: Vector3<T> = vector(apart);
                let share = T::of(1.0) / (T::of(1.0) + dot(&n, &old));
                let turned = tangents(apart).map(|t| {
                    let t = vector(&t);
                    t - times(&(n + old), dot(&n, &t) * share)
                });
                let points = [
                    x - n.map(|v| v.scale(radii[0])),
                    y + n.map(|v| v.scale(radii[1])),
                ];
                ([n, turned[0], turned[1]], points)
            }
            Self::Edges { from, along, ahead } => {
                let [x, y] = [a.point(&from[0]), b.point(&from[1])];
                let [e, f] =
                    [(a, along[0]), (b, along[1])].map(|(k, v)| apply_to(&k.directors, &v));
                let sign = if *ahead { 1.0 } else { -1.0 };
                let n = unit(e.cross(&f)).map(|v| v.scale(sign));
                let t = unit(e);
                // Where the lines are nearest: x + s e and y + r f.
                let d = x - y;
                let [ee, ef, ff] = [dot(&e, &e), dot(&e, &f), dot(&f, &f)];
                let [ed, fd] = [dot(&e, &d), dot(&f, &d)];
                let whole = ee * ff - ef * ef;
                let s = (ef * fd - ff * ed) / whole;
                let r = (ee * fd - ef * ed) / whole;
                ([n, t, n.cross(&t)], [x + times(&e, s), y + times(&f, r)])
            }
        }
    }
}

impl ContactPoint {
    /// Three directions at the point where a body touches another one, or what stands still.
    pub fn frame(model: &Model, [a, b]: [Option<BodyId>; 2], surfaces: Surfaces) -> [Self; 3] {
        let starts = coordinate_starts(model);
        let holder = |body: Option<BodyId>| match body {
            Some(id) => Holder {
                first: starts[id.index()],
                count: coordinate_count(&model.body(id).kind),
                pose: model.body(id).start,
            },
            None => Holder {
                first: 0,
                count: 0,
                pose: Pose::identity(),
            },
        };
        let holders = [holder(a), holder(b)];
        [0, 1, 2].map(|direction| Self {
            holders,
            surfaces,
            direction,
        })
    }

    /// Whether the gradient of the gap is not the push along the normal: that of edges is a determinant, whose gradient
    /// grows and falls with the angle between them.
    pub fn has_own_normal(&self) -> bool {
        matches!(self.surfaces, Surfaces::Edges { .. })
    }

    /// Coordinates that it acts on and depends on.
    pub fn used(&self) -> impl Iterator<Item = usize> + use<> {
        let [a, b] = self.holders;
        (a.first..a.first + a.count).chain(b.first..b.first + b.count)
    }

    /// a, in the order of the coordinates used.
    fn covector<T: Real>(&self, coordinate: impl Fn(usize) -> T) -> Vec<T> {
        let frame = |h: &Holder| {
            let own = h.pose.to_q();
            let q = |k: usize| match k < h.count {
                true => coordinate(h.first + k),
                false => T::of(own[k]),
            };
            let arrow = |k: usize| Vector3::new(q(k), q(k + 1), q(k + 2));
            Frame {
                at: arrow(0),
                directors: Matrix3::from_columns(&[arrow(3), arrow(6), arrow(9)]),
            }
        };
        let frames = [frame(&self.holders[0]), frame(&self.holders[1])];
        let (directions, points) = self.surfaces.meet(&frames);
        let along = directions[self.direction];
        let mut out = Vec::with_capacity(24);
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            let place = frames[k].local(points[k]);
            let d = along.map(|v| v.scale(sign));
            let weights = [T::of(1.0), place.x, place.y, place.z];
            let parts = weights
                .into_iter()
                .flat_map(|w| [d.x * w, d.y * w, d.z * w]);
            out.extend(parts.take(self.holders[k].count));
        }
        out
    }

    /// Calls `each` with the parts of a(q).
    pub fn vector(&self, q: &[f64], mut each: impl FnMut(usize, f64)) {
        let own = self.covector(|k| q[k]);
        self.used().zip(own).for_each(|(k, v)| each(k, v));
    }

    /// Parts b = ∂aᵢ/∂qⱼ as (i, j, b).
    pub fn slope(&self, q: &[f64]) -> Vec<(usize, usize, f64)> {
        let mut out = Vec::new();
        for j in self.used() {
            let own = self.covector(|k| Dual {
                v: q[k],
                d: f64::from(k == j),
            });
            out.extend(self.used().zip(own).map(|(i, a)| (i, j, a.d)));
        }
        out
    }

    /// Second derivatives of η · a(q) with η held, as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
    pub fn bend(&self, q: &[f64], eta: &[f64]) -> Vec<(usize, usize, f64)> {
        let list: Vec<usize> = self.used().collect();
        let mut out = Vec::new();
        for (row, &i) in list.iter().enumerate() {
            for &j in &list[..=row] {
                let own =
                    self.covector(|k| Second::seed(q[k], f64::from(k == i), f64::from(k == j)));
                let parts = list.iter().zip(own);
                let mixed: f64 = parts.map(|(k, a)| eta[*k] * a.mixed()).sum();
                // The square of a coordinate counts twice.
                let share = if i == j { 0.5 } else { 1.0 };
                out.push((i, j, share * mixed));
            }
        }
        out
    }
}
