//! Penetration depth in space: a polytope inside A − B, grown towards its facet nearest to the
//! origin, with exact topology.
//!
//! The facet of the polytope nearest to the origin bounds the depth from below; the support
//! function of A − B along any facet's normal bounds it from above. The nearest facet is replaced
//! until the bounds agree. Only faces strictly visible from a new vertex are removed: in exact
//! arithmetic they form a disc, its rim is one closed loop, and no new face is degenerate.

use super::grid::{self, Point, THIN, WIDTH};
use super::simplex::{Simplex, Vertex};
use super::{Difference, Flat, Found};
use nalgebra::Vector3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Vertices added before the best bound so far is taken for the answer.
const MAX_VERTICES: usize = 20_000;

/// The depth, or the distance if the origin turns out to lie outside; `Err` if A − B is flat.
pub(super) fn expand(difference: &Difference, near: &Simplex) -> Result<Found, Flat> {
    let mut hull = Hull::new(tetrahedron(difference, near)?);
    // The best upper bound and the normal that gave it.
    let mut best = (f64::INFINITY, Vector3::x());
    while let Some(Nearest { offset, face }) = hull.queue.pop() {
        let face = face as usize;
        if !hull.faces[face].alive {
            continue;
        }
        if offset >= best.0 - WIDTH || hull.vertices.len() > MAX_VERTICES {
            break;
        }
        let Face {
            normal, corners, ..
        } = hull.faces[face];
        let w = difference.support(&normal, &hull.vertices[corners[0] as usize]);
        let height = hull.height(face, &grid::snap(&w.point));
        if offset + height.max(0.0) < best.0 {
            best = (offset + height.max(0.0), normal);
        }
        if height <= WIDTH {
            break;
        }
        hull.insert(w, face);
    }
    if best.0 < -THIN {
        let (found, proved) = hull.outside(difference);
        // Unless round-off spoilt the normal, it proves a larger distance than any face.
        if proved >= -best.0 {
            return Ok(found);
        }
    }
    // The witness: of the faces in that plane, the one that holds the foot of the perpendicular.
    let foot = best.1 * best.0;
    let (simplex, _) = hull.closest(&foot, |face| face.offset <= best.0 + THIN);
    Ok(Found {
        value: 0.0 - best.0,
        normal: -best.1,
        simplex,
    })
}

/// Four vertices of A − B that span space, as far apart as a few support calls make them.
fn tetrahedron(difference: &Difference, near: &Simplex) -> Result<[Vertex; 4], Flat> {
    let hint = *near.last();
    let look = |d: Vector3<f64>| {
        let d = d.normalize();
        [
            difference.support(&d, &hint),
            difference.support(&-d, &hint),
        ]
    };
    let furthest = |candidates: &[Vertex], measure: &dyn Fn(&Vector3<f64>) -> f64| {
        let mut best = (0.0, hint);
        for c in candidates {
            let value = measure(&c.point).abs();
            if value > best.0 {
                best = (value, *c);
            }
        }
        best
    };
    let p = hint;
    // Furthest from the point, from the line, from the plane.
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()]
        .map(look)
        .concat();
    let (length, q) = furthest(&axes, &|x| (x - p.point).norm());
    if length <= THIN {
        return Err(Flat::Point);
    }
    let e = (q.point - p.point).normalize();
    let u = e.cross(&Vector3::ith(e.iamin(), 1.0)).normalize();
    let sides = [u, e.cross(&u)].map(look).concat();
    let (length, r) = furthest(&sides, &|x| (x - p.point).cross(&e).norm());
    if length <= THIN {
        return Err(Flat::Line(e));
    }
    let n = e.cross(&(r.point - p.point));
    let n = (n - e * n.dot(&e)).normalize();
    let (length, s) = furthest(&look(n), &|x| (x - p.point).dot(&n));
    // On the grid the four must span space, too.
    let [gp, gq, gr, gs] = [p, q, r, s].map(|v| grid::snap(&v.point));
    let normal = grid::cross(&grid::sub(&gq, &gp), &grid::sub(&gr, &gp));
    let volume = grid::dot(&normal, &grid::sub(&gs, &gp));
    if length <= THIN || volume == 0.0 {
        return Err(Flat::Plane(n));
    }
    // The first three counter-clockwise seen from outside.
    Ok(if volume < 0.0 {
        [p, q, r, s]
    } else {
        [p, r, q, s]
    })
}

#[derive(Clone, Copy)]
struct Face {
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// The face across the edge from corner k to corner k + 1.
    adjacent: [u32; 3],
    /// Outward normal, exact.
    exact: [i128; 3],
    /// Outward unit normal and its length before.
    normal: Vector3<f64>,
    length: f64,
    /// Distance of the origin below the face's plane.
    offset: f64,
    alive: bool,
}

/// A face in the queue, the one with the smallest offset first.
struct Nearest {
    offset: f64,
    face: u32,
}

impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = other.offset.total_cmp(&self.offset);
        order.then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Nearest {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Nearest {}

struct Hull {
    vertices: Vec<Vertex>,
    points: Vec<Point>,
    faces: Vec<Face>,
    queue: BinaryHeap<Nearest>,
    /// Scratch of `insert`: faces to look at, and the new face that starts at each rim vertex.
    stack: Vec<u32>,
    rim: Vec<[u32; 3]>,
    starts: Vec<u32>,
}

impl Hull {
    /// A tetrahedron whose first three corners are counter-clockwise seen from outside.
    fn new(vertices: [Vertex; 4]) -> Self {
        let mut hull = Self {
            points: vertices.iter().map(|v| grid::snap(&v.point)).collect(),
            vertices: vertices.to_vec(),
            faces: Vec::with_capacity(64),
            queue: BinaryHeap::with_capacity(64),
            stack: Vec::new(),
            rim: Vec::new(),
            starts: vec![0; 4],
        };
        hull.add([0, 1, 2], [1, 2, 3]);
        hull.add([0, 3, 1], [3, 2, 0]);
        hull.add([1, 3, 2], [1, 3, 0]);
        hull.add([2, 3, 0], [2, 1, 0]);
        hull
    }

    fn add(&mut self, corners: [u32; 3], adjacent: [u32; 3]) -> u32 {
        let [p, q, r] = corners.map(|i| &self.points[i as usize]);
        let exact = grid::cross(&grid::sub(q, p), &grid::sub(r, p));
        let normal = grid::to_f64(&exact);
        let length = normal.norm();
        let offset = grid::dot(&exact, p) / length * WIDTH;
        let face = self.faces.len() as u32;
        self.faces.push(Face {
            corners,
            adjacent,
            exact,
            normal: normal / length,
            length,
            offset,
            alive: true,
        });
        self.queue.push(Nearest { offset, face });
        face
    }

    /// Height of `p` over the plane of a face; the sign is exact.
    fn height(&self, face: usize, p: &Point) -> f64 {
        let face = &self.faces[face];
        let base = &self.points[face.corners[0] as usize];
        grid::dot(&face.exact, &grid::sub(p, base)) / face.length * WIDTH
    }

    /// Whether a vertex is strictly above the plane of a face; exact.
    fn sees(&self, face: usize, v: &Vertex, point: &Point) -> bool {
        // Floating point decides where its error cannot matter.
        let height = self.faces[face].normal.dot(&v.point) - self.faces[face].offset;
        if height.abs() > 1e-13 {
            height > 0.0
        } else {
            self.height(face, point) > 0.0
        }
    }

    /// Adds a vertex that is strictly above the face `from`.
    fn insert(&mut self, w: Vertex, from: usize) {
        let new = self.vertices.len() as u32;
        let point = grid::snap(&w.point);
        self.vertices.push(w);
        self.points.push(point);
        self.starts.push(0);

        // Remove what the vertex sees and collect the rim: an edge and the face beyond it.
        self.rim.clear();
        self.faces[from].alive = false;
        self.stack.push(from as u32);
        while let Some(at) = self.stack.pop() {
            let Face {
                corners, adjacent, ..
            } = self.faces[at as usize];
            for k in 0..3 {
                let beyond = adjacent[k] as usize;
                if !self.faces[beyond].alive {
                    continue;
                }
                if self.sees(beyond, &w, &point) {
                    self.faces[beyond].alive = false;
                    self.stack.push(beyond as u32);
                } else {
                    let edge = [corners[k], corners[(k + 1) % 3]];
                    self.rim.push([edge[0], edge[1], beyond as u32]);
                }
            }
        }

        // A fan of new faces over the rim.
        let first = self.faces.len() as u32;
        for k in 0..self.rim.len() {
            let [start, end, beyond] = self.rim[k];
            let face = self.add([start, end, new], [beyond, 0, 0]);
            self.starts[start as usize] = face;
            let beyond = &mut self.faces[beyond as usize];
            let side = (0..3).find(|&k| beyond.corners[k] == end);
            beyond.adjacent[side.expect("the faces share an edge")] = face;
        }
        for face in first..self.faces.len() as u32 {
            let next = self.starts[self.faces[face as usize].corners[1] as usize];
            self.faces[face as usize].adjacent[1] = next;
            self.faces[next as usize].adjacent[2] = face;
        }
    }

    /// Of the faces' points closest to the origin the one closest to `target`, among the faces
    /// that are asked for.
    fn closest(
        &self,
        target: &Vector3<f64>,
        wanted: impl Fn(&Face) -> bool,
    ) -> (Simplex, Vector3<f64>) {
        let faces = self.faces.iter().filter(|f| f.alive && wanted(f));
        let candidates =
            faces.map(|f| Simplex::closest_of(&f.corners.map(|i| self.vertices[i as usize])));
        candidates
            .min_by(|(_, v), (_, w)| {
                let distances = [v, w].map(|v| (v - target).norm_squared());
                distances[0].total_cmp(&distances[1])
            })
            .unwrap_or_else(|| Simplex::closest_of(&self.vertices[..1]))
    }

    /// The distance when the origin is outside: grow towards the closest point. Also returns the
    /// distance that the normal proves.
    fn outside(&mut self, difference: &Difference) -> (Found, f64) {
        loop {
            let (simplex, v) = self.closest(&Vector3::zeros(), |face| face.offset < 0.0);
            let normal = simplex.normal(&v);
            let value = simplex.along(&normal);
            let w = difference.support(&-normal, simplex.last());
            let proved = normal.dot(&w.point);
            let point = grid::snap(&w.point);
            let seen =
                (0..self.faces.len()).find(|&f| self.faces[f].alive && self.sees(f, &w, &point));
            match seen {
                Some(face) if value - proved > THIN && self.vertices.len() < MAX_VERTICES => {
                    self.insert(w, face);
                }
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
}
