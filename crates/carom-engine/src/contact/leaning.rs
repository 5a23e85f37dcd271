//! Where two faces that lean against each other may touch: corners over the other face, and edges that cross.
//!
//! Two boxes of which one lands a little askew on the other touch at one place only, mostly where two edges cross. As
//! they give way others of the places follow at which the outlines of their faces meet. Each is a contact of its own,
//! with the normal of the face below a corner or across both edges, and a gap of its own.

use nalgebra::Vector3;
use smallvec::SmallVec;

use super::contact_point::{Anchor, ContactPoint};
use super::manifold::Faces;
use super::pair_gap::{GapRow, Path};
use super::pairs::{Collider, body_of};
use carom_gap::round::Roll;

/// Faces, and what edges that cross are both across, lean by no more than this from the normal (cosine).
const LEANING: f64 = 0.9;
/// Sine of the angle between edges that cross at a place of their own.
const ACROSS: f64 = 0.02;
/// Places closer than this are one, in body sizes.
const SAME: f64 = 1e-7;

/// Corners of a face in the world.
type Corners = SmallVec<[Vector3<f64>; 16]>;

impl Faces {
    /// Adds to the last point the other places at which faces of two parts that lean against each other may touch, no
    /// further apart than `within`, for a contact whose gap and normal are in `row`.
    pub(super) fn leaning(
        &self,
        sides: [&Collider; 2],
        at: &Path,
        row: &GapRow,
        within: f64,
        out: &mut Vec<ContactPoint>,
    ) {
        let (Some(a), Some(b)) = (body_of(sides[0]), body_of(sides[1])) else {
            return;
        };
        let poses = [&at.poses[a.index()], &at.poses[b.index()]];
        let n = row.normal;
        // Of each part the face that looks at the other: against the normal on the first, along it on the second.
        let looking = [(0, -n), (1, n)].map(|(s, outward)| {
            let local = poses[s].direction_to_body(&outward);
            let faces = self.of(sides[s]).iter().map(|f| (f, f.normal.dot(&local)));
            let face = faces.max_by(|x, y| x.1.total_cmp(&y.1));
            face.filter(|(f, c)| *c >= LEANING && f.points.len() > 2)
        });
        let [Some((face_a, _)), Some((face_b, _))] = looking else {
            return;
        };
        let corners = [(0, face_a), (1, face_b)].map(|(s, f)| {
            f.points
                .iter()
                .map(|x| poses[s].point(x))
                .collect::<Corners>()
        });
        let normals = [
            poses[0].vector(&face_a.normal),
            poses[1].vector(&face_b.normal),
        ];
        let size = (corners.iter())
            .map(|c| (c[0] - c[c.len() / 2]).norm())
            .fold(0.0, f64::max);
        let from = out.len().saturating_sub(1);
        let mut add = |p: ContactPoint| {
            let place = p.a.place(at.poses);
            let near = |o: &ContactPoint| {
                (o.a.place(at.poses) - place).norm() <= SAME * size || o.is_same_crossing(&p, size)
            };
            if p.gap(at.poses) <= within && !out[from..].iter().any(near) {
                out.push(p);
            }
        };
        let plain = |x: &Vector3<f64>, y: &Vector3<f64>| ContactPoint {
            a: Anchor::at(Some(a), x, at.poses),
            b: Anchor::at(Some(b), y, at.poses),
            frame: None,
            normal: n,
            edges: None,
            freedom: None,
            roll: Roll::Fixed,
        };
        // Corners of the first over the face of the second, by their distances from its plane, and the other way.
        for x in corners[0].iter().filter(|x| is_over(x, &corners[1], &n)) {
            let foot = x - normals[1] * (x - corners[1][0]).dot(&normals[1]);
            add(ContactPoint {
                frame: Some(b),
                normal: face_b.normal,
                ..plain(x, &foot)
            });
        }
        for y in corners[1].iter().filter(|y| is_over(y, &corners[0], &-n)) {
            let foot = y - normals[0] * (y - corners[0][0]).dot(&normals[0]);
            add(ContactPoint {
                frame: Some(a),
                normal: -face_a.normal,
                ..plain(&foot, y)
            });
        }
        // Edges that cross where one looks along the normal: p + s u and q + t v.
        for (p, u) in edges(&corners[0]) {
            for (q, v) in edges(&corners[1]) {
                let across = u.cross(&v);
                let along = across.dot(&n);
                let (width, length) = (across.norm(), u.norm() * v.norm());
                if along.abs() < ACROSS * length || along.abs() < LEANING * width {
                    continue;
                }
                let s = (q - p).cross(&v).dot(&n) / along;
                let t = (q - p).cross(&u).dot(&n) / along;
                if !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
                    continue;
                }
                let e = poses[0].direction_to_body(&u).normalize() * along.signum();
                let f = poses[1].direction_to_body(&v).normalize();
                add(ContactPoint {
                    normal: across / (width * along.signum()),
                    edges: Some([e, f]),
                    ..plain(&(p + u * s), &(q + v * t))
                });
            }
        }
    }
}

/// Edges of a face: where each begins, and along it.
fn edges(corners: &Corners) -> impl Iterator<Item = (Vector3<f64>, Vector3<f64>)> + '_ {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| (*p, q - p))
}

/// Whether a place is over a face as seen along its outward normal `n`.
fn is_over(x: &Vector3<f64>, corners: &Corners, n: &Vector3<f64>) -> bool {
    edges(corners).all(|(p, along)| (x - p).dot(&along.cross(n)) <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Pair, evaluate};
    use crate::model::{BodySpec, ModelBuilder};
    use carom_gap::Pose;
    use carom_gap::geometry::{Polytope, Shape};
    use nalgebra::Rotation3;

    /// Two cubes, the upper one turned by 45 degrees, leaning by an angle about a line of its face through its centre.
    fn poses(direction: f64, lean: f64) -> [Pose; 2] {
        let along = Vector3::new(direction.cos(), direction.sin(), 0.0);
        let turn = Rotation3::new(along * lean)
            * Rotation3::new(Vector3::z() * std::f64::consts::FRAC_PI_4);
        let mut upper = Pose::translation(0.0, 0.0, 1.0);
        upper.directors = *turn.matrix();
        [Pose::identity(), upper]
    }

    #[test]
    fn places_found_while_leaning_one_way_tell_the_gap_leaning_any_way() {
        let cube = Shape::single(Polytope::cuboid(1.0, 1.0, 1.0).unwrap(), 1.0).unwrap();
        let mut builder = ModelBuilder::new();
        for name in ["lower", "upper"] {
            builder.body(BodySpec::rigid(name).shape(cube.clone()));
        }
        let model = builder.build().unwrap();
        let side = |k| Collider::Part {
            body: crate::model::BodyId(k),
            part: 0,
        };
        let pair = Pair::Bodies(side(0), side(1));
        let gap = |poses: &[Pose]| {
            let at = Path {
                poses,
                coordinates: &[],
            };
            let row = evaluate(&model, &pair, &at, &mut None);
            // Along the normal.
            (row, row.gap / row.steepness)
        };
        let leaning = poses(0.3, 0.01);
        let (row, deepest) = gap(&leaning);
        let at = Path {
            poses: &leaning,
            coordinates: &[],
        };
        let mut found = Vec::new();
        Faces::new(&model).points(&model, &pair, &at, &row, 0.1, &mut found);
        // Two squares turned against each other by 45 degrees cross at eight places; where the gap is not small, what
        // was found first is beside the one of them it stands for.
        assert!(found.len() == 8 || found.len() == 9, "{}", found.len());
        assert!((found[0].gap(&leaning) - deepest).abs() < 1e-13);
        for k in 0..24 {
            let other = poses(0.3 + 0.26 * k as f64, 0.008);
            let gaps = found.iter().map(|p| p.gap(&other));
            let (least, exact) = (gaps.fold(f64::INFINITY, f64::min), gap(&other).1);
            // The one found first is a little beside its edges.
            assert!((least - exact).abs() < 1e-6, "{k}: {least} {exact}");
        }
        // Nothing else is close.
        let mut close = Vec::new();
        Faces::new(&model).points(&model, &pair, &at, &row, row.gap + 1e-9, &mut close);
        assert_eq!(close.len(), 1);
    }
}
