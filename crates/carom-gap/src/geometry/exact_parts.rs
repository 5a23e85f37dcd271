//! Exact convex decomposition of polyhedra with few planes.
//!
//! A piece of the solid is convex when no corner of its surface lies in front of the plane of any of its
//! faces: then it is the meet of the half-spaces behind these planes and of those it was cut out by. Otherwise it is
//! cut in two by one of the planes that has something in front of it (a plane through a reflex edge), and
//! so on. Pieces whose hull holds nothing else are joined at the end.

use super::Polytope;
use super::hull::checked_size;
use super::mesh::{COARSE, Mesh};
use nalgebra::{Matrix3, Vector3};

/// Meshes with more triangles or planes than this are curved surfaces.
const MOST_TRIANGLES: usize = 20_000;
const MOST_PLANES: usize = 128;
/// Planes that bound one piece, at most.
const MOST_SIDES: usize = 60;
/// Volumes that differ by less than this part are equal.
const SAME_VOLUME: f64 = 1e-6;

#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: Vector3<f64>,
    offset: f64,
}

impl Plane {
    fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// A convex polygon of the surface, in one of the planes.
#[derive(Clone, Debug)]
struct Facet {
    plane: usize,
    corners: Vec<Vector3<f64>>,
}

struct Cutter {
    planes: Vec<Plane>,
    tolerance: f64,
    most: usize,
    parts: Vec<Polytope>,
}

/// The parts, together the solid itself, if there are at most so many; the mesh is closed.
pub(super) fn exact_parts(mesh: &Mesh, most: usize, volume: f64) -> Option<Vec<Polytope>> {
    if mesh.triangles().len() > MOST_TRIANGLES {
        return None;
    }
    let size = checked_size(mesh.points()).ok()?;
    let tolerance = COARSE * size;
    let (planes, facets) = planes_of(mesh, tolerance)?;
    let mut cutter = Cutter {
        planes,
        tolerance,
        most: 4 * most,
        parts: Vec::new(),
    };
    cutter.cut(facets, &mut Vec::new())?;
    let parts = joined(cutter.parts);
    let found: f64 = parts.iter().map(|p| p.mass_properties().volume).sum();
    let right = (found - volume).abs() <= SAME_VOLUME * volume;
    (right && parts.len() <= most).then_some(parts)
}

/// The planes of the triangles, the largest first, and the triangles in them.
fn planes_of(mesh: &Mesh, tolerance: f64) -> Option<(Vec<Plane>, Vec<Facet>)> {
    let mut triangles: Vec<(f64, [Vector3<f64>; 3])> = (mesh.triangles().iter())
        .map(|t| {
            let corners = t.map(|i| mesh.points()[i as usize]);
            let area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            (area.norm(), corners)
        })
        .collect();
    // Slivers lie in the planes of others.
    triangles.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut planes: Vec<Plane> = Vec::new();
    let mut facets = Vec::with_capacity(triangles.len());
    for (area, corners) in triangles {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let within = |p: &Plane| {
            p.normal.dot(&normal) > 0.0 && corners.iter().all(|x| p.height(x).abs() <= tolerance)
        };
        let plane = match planes.iter().position(within) {
            Some(known) => known,
            None if area <= tolerance * tolerance => continue,
            None if planes.len() == MOST_PLANES => return None,
            None => {
                let normal = normal / area;
                planes.push(Plane {
                    normal,
                    offset: normal.dot(&corners[0]),
                });
                planes.len() - 1
            }
        };
        facets.push(Facet {
            plane,
            corners: corners.to_vec(),
        });
    }
    Some((planes, facets))
}

impl Cutter {
    /// Cuts the solid that is bounded by some facets within some half-spaces into convex parts.
    fn cut(&mut self, facets: Vec<Facet>, within: &mut Vec<Plane>) -> Option<()> {
        if facets.is_empty() {
            return Some(());
        }
        let Some(best) = self.best_plane(&facets) else {
            let part = self.meet(&facets, within)?;
            self.parts.extend(part);
            return (self.parts.len() <= self.most).then_some(());
        };
        let plane = self.planes[best];
        let [mut front, mut back] = [Vec::new(), Vec::new()];
        for facet in facets {
            self.split(facet, &plane, &mut front, &mut back);
        }
        for (facets, sign) in [(back, 1.0), (front, -1.0)] {
            within.push(Plane {
                normal: plane.normal * sign,
                offset: plane.offset * sign,
            });
            self.cut(facets, within)?;
            within.pop();
        }
        Some(())
    }

    /// The plane with something in front that cuts the fewest facets; none if the piece is convex.
    fn best_plane(&self, facets: &[Facet]) -> Option<usize> {
        let mut own: Vec<usize> = facets.iter().map(|f| f.plane).collect();
        own.sort_unstable();
        own.dedup();
        let mut best: Option<(usize, usize, usize)> = None;
        for k in own {
            let (mut cut, mut front, mut back) = (0, 0, 0);
            for facet in facets {
                let (low, high) = self.range(facet, &self.planes[k]);
                front += usize::from(high > self.tolerance);
                back += usize::from(low < -self.tolerance);
                cut += usize::from(high > self.tolerance && low < -self.tolerance);
            }
            let uneven = front.abs_diff(back);
            if front > 0 && best.is_none_or(|(c, u, _)| (cut, uneven) < (c, u)) {
                best = Some((cut, uneven, k));
            }
        }
        best.map(|(.., k)| k)
    }

    /// Least and largest height of a facet's corners.
    fn range(&self, facet: &Facet, plane: &Plane) -> (f64, f64) {
        let heights = facet.corners.iter().map(|x| plane.height(x));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
            (l.min(x), h.max(x))
        })
    }

    fn split(&self, facet: Facet, plane: &Plane, front: &mut Vec<Facet>, back: &mut Vec<Facet>) {
        let (low, high) = self.range(&facet, plane);
        let inside = low >= -self.tolerance && high <= self.tolerance;
        if inside {
            // The solid is behind the facet: on this side or the other.
            let same = self.planes[facet.plane].normal.dot(&plane.normal) > 0.0;
            if same { back } else { front }.push(facet);
        } else if high <= self.tolerance {
            back.push(facet);
        } else if low >= -self.tolerance {
            front.push(facet);
        } else {
            for (side, sign) in [(front, 1.0), (back, -1.0)] {
                let corners = clipped(&facet.corners, plane, sign);
                if corners.len() >= 3 {
                    side.push(Facet {
                        plane: facet.plane,
                        corners,
                    });
                }
            }
        }
    }

    /// The convex piece behind the planes of some facets, within some half-spaces; `None` inside where it
    /// has no volume, `None` outside where it has too many sides.
    fn meet(&self, facets: &[Facet], within: &[Plane]) -> Option<Option<Polytope>> {
        let mut sides: Vec<Plane> = Vec::new();
        let own = facets.iter().map(|f| self.planes[f.plane]);
        for p in own.chain(within.iter().copied()) {
            let same = |q: &&Plane| {
                (q.normal - p.normal).norm() < 1e-9 && (q.offset - p.offset).abs() <= self.tolerance
            };
            if sides.iter().find(same).is_none() {
                sides.push(p);
            }
        }
        if sides.len() > MOST_SIDES {
            return None;
        }
        let mut corners = Vec::new();
        for (i, a) in sides.iter().enumerate() {
            for (j, b) in sides.iter().enumerate().skip(i + 1) {
                for c in &sides[j + 1..] {
                    let m = Matrix3::from_rows(&[
                        a.normal.transpose(),
                        b.normal.transpose(),
                        c.normal.transpose(),
                    ]);
                    if m.determinant().abs() < 1e-6 {
                        continue;
                    }
                    let Some(inverse) = m.try_inverse() else {
                        continue;
                    };
                    let x = inverse * Vector3::new(a.offset, b.offset, c.offset);
                    if sides.iter().all(|p| p.height(&x) <= self.tolerance) {
                        corners.push(x);
                    }
                }
            }
        }
        Some(Polytope::hull_within(&corners, COARSE).ok())
    }
}

/// The part of a convex polygon on one side of a plane.
fn clipped(corners: &[Vector3<f64>], plane: &Plane, sign: f64) -> Vec<Vector3<f64>> {
    let mut out = Vec::with_capacity(corners.len() + 1);
    for (k, p) in corners.iter().enumerate() {
        let q = &corners[(k + 1) % corners.len()];
        let (hp, hq) = (sign * plane.height(p), sign * plane.height(q));
        if hp >= 0.0 {
            out.push(*p);
        }
        if (hp >= 0.0) != (hq >= 0.0) {
            out.push(p + (q - p) * (hp / (hp - hq)));
        }
    }
    out
}

/// Joins parts whose hull holds nothing but them.
fn joined(mut parts: Vec<Polytope>) -> Vec<Polytope> {
    let volume = |p: &Polytope| p.mass_properties().volume;
    'again: loop {
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                let points: Vec<_> = (parts[i].vertices().points().iter())
                    .chain(parts[j].vertices().points())
                    .copied()
                    .collect();
                let Ok(hull) = Polytope::hull_within(&points, COARSE) else {
                    continue;
                };
                let sum = volume(&parts[i]) + volume(&parts[j]);
                if volume(&hull) <= sum * (1.0 + SAME_VOLUME) {
                    parts.swap_remove(j);
                    parts[i] = hull;
                    continue 'again;
                }
            }
        }
        return parts;
    }
}
