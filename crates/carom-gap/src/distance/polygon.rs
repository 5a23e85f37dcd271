//! Penetration depth in the plane: a polygon inside A − B, grown towards its edge nearest to the
//! origin, with exact orientations. The planar twin of [`super::hull`].

use super::grid::{self, THIN, WIDTH};
use super::simplex::{Simplex, Vertex};
use super::{Difference, Flat, Found};
use nalgebra::Vector3;

/// A vertex of the polygon and its place on the grid.
type Corner = (Vertex, [i64; 2]);

fn corner(v: Vertex) -> Corner {
    let [x, y, _] = grid::snap(&v.point);
    (v, [x, y])
}

/// Twice the signed area of a triangle on the grid, exact.
fn orient(p: &[i64; 2], q: &[i64; 2], r: &[i64; 2]) -> i128 {
    let d = |p: &[i64; 2], q: &[i64; 2], k: usize| i128::from(q[k] - p[k]);
    d(p, q, 0) * d(p, r, 1) - d(p, q, 1) * d(p, r, 0)
}

/// Outward unit normal and length of the edge from p to q of a counter-clockwise polygon.
fn outward(p: &[i64; 2], q: &[i64; 2]) -> (Vector3<f64>, f64) {
    let n = Vector3::new((q[1] - p[1]) as f64, (p[0] - q[0]) as f64, 0.0);
    let length = n.norm();
    (n / length, length)
}

/// The depth, or the distance if the origin turns out to lie outside; `Err` if A − B is flat.
pub(super) fn expand(difference: &Difference, near: &Simplex) -> Result<Found, Flat> {
    let mut polygon = triangle(difference, near)?;
    // Every round but the last adds a vertex that is new.
    loop {
        let (k, offset) = nearest(&polygon);
        let (p, q) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let (normal, length) = outward(&p.1, &q.1);
        let w = corner(difference.support(&normal, &p.0));
        let height = -orient(&p.1, &q.1, &w.1) as f64 / length * WIDTH;
        if height > WIDTH {
            insert(&mut polygon, k, w);
            continue;
        }
        if offset < -THIN {
            let (found, proved) = outside(difference, polygon);
            // Unless round-off spoilt the normal, it proves a larger distance than any edge.
            if proved >= -offset {
                return Ok(found);
            }
        }
        return Ok(Found {
            value: 0.0 - (offset + height.max(0.0)),
            normal: -normal,
            simplex: Simplex::closest_of(&[p.0, q.0]).0,
        });
    }
}

/// The edge (by its first corner) nearest to the origin, and the depth of the origin below it.
fn nearest(polygon: &[Corner]) -> (usize, f64) {
    let offset = |k: usize| {
        let (p, q) = (polygon[k].1, polygon[(k + 1) % polygon.len()].1);
        orient(&p, &q, &[0, 0]) as f64 / outward(&p, &q).1 * WIDTH
    };
    (0..polygon.len())
        .map(|k| (k, offset(k)))
        .min_by(|l, r| l.1.total_cmp(&r.1))
        .expect("a polygon has edges")
}

/// Adds a vertex strictly outside edge k in place of the corners it hides.
fn insert(polygon: &mut Vec<Corner>, k: usize, w: Corner) {
    // Start at the edge that w sees: from the last corner to the first.
    polygon.rotate_left(k + 1);
    let sees = |p: &Corner, q: &Corner| orient(&p.1, &q.1, &w.1) < 0;
    while polygon.len() > 2 && sees(&polygon[0], &polygon[1]) {
        polygon.remove(0);
    }
    while polygon.len() > 2 && sees(&polygon[polygon.len() - 2], &polygon[polygon.len() - 1]) {
        polygon.pop();
    }
    polygon.push(w);
}

/// The distance when the origin is outside: grow towards the closest point. Also returns the
/// distance that the normal proves.
fn outside(difference: &Difference, mut polygon: Vec<Corner>) -> (Found, f64) {
    loop {
        let edge = |k: usize| (polygon[k], polygon[(k + 1) % polygon.len()]);
        let (simplex, v) = (0..polygon.len())
            .map(edge)
            .map(|(p, q)| Simplex::closest_of(&[p.0, q.0]))
            .min_by(|(_, v), (_, w)| v.norm_squared().total_cmp(&w.norm_squared()))
            .expect("a polygon has edges");
        let normal = simplex.normal(&v);
        let value = simplex.along(&normal);
        let w = corner(difference.support(&-normal, simplex.last()));
        let proved = normal.dot(&w.0.point);
        let seen = (0..polygon.len()).find(|&k| {
            let (p, q) = edge(k);
            orient(&p.1, &q.1, &w.1) < 0
        });
        match seen {
            Some(k) if value - proved > THIN => insert(&mut polygon, k, w),
            _ => {
                let found = Found {
                    value,
                    normal,
                    simplex,
                };
                return (found, proved);
            }
        }
    }
}

/// Three vertices of A − B, counter-clockwise.
fn triangle(difference: &Difference, near: &Simplex) -> Result<Vec<Corner>, Flat> {
    let p = *near.last();
    let look = |d: Vector3<f64>| [difference.support(&d, &p), difference.support(&-d, &p)];
    let furthest = |candidates: &[Vertex], measure: &dyn Fn(&Vector3<f64>) -> f64| {
        let mut best = (0.0, p);
        for c in candidates {
            let value = measure(&(c.point - p.point)).abs();
            if value > best.0 {
                best = (value, *c);
            }
        }
        best
    };
    let axes = [Vector3::x(), Vector3::y()].map(look).concat();
    let (length, q) = furthest(&axes, &|x| x.norm());
    if length <= THIN {
        return Err(Flat::Point);
    }
    let e = (q.point - p.point).normalize();
    let n = Vector3::new(e.y, -e.x, 0.0);
    let (length, r) = furthest(&look(n), &|x| x.dot(&n));
    let [p, q, r] = [p, q, r].map(corner);
    let area = orient(&p.1, &q.1, &r.1);
    if length <= THIN || area == 0 {
        return Err(Flat::Line(e));
    }
    Ok(if area > 0 {
        vec![p, q, r]
    } else {
        vec![p, r, q]
    })
}
