//! The closest point to the origin of a simplex of at most four vertices of A − B.

use nalgebra::Vector3;

/// A vertex of A − B and the vertices of a and b it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertex {
    pub point: Vector3<f64>,
    pub a: usize,
    pub b: usize,
}

/// Vertices with weights (≥ 0, sum one).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    len: usize,
}

/// Weights per vertex and the point they give.
type Closest = ([f64; 4], Vector3<f64>);

impl Simplex {
    pub fn new(vertex: Vertex) -> Self {
        Self {
            vertices: [vertex; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            len: 1,
        }
    }

    /// Up to four vertices reduced to the feature closest to the origin.
    pub fn closest_of(vertices: &[Vertex]) -> (Self, Vector3<f64>) {
        let mut simplex = Self::new(vertices[0]);
        simplex.vertices[..vertices.len()].copy_from_slice(vertices);
        simplex.len = vertices.len();
        let v = simplex.reduce();
        (simplex, v)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Vertex, f64)> {
        self.vertices[..self.len].iter().zip(self.weights)
    }

    pub fn last(&self) -> &Vertex {
        &self.vertices[self.len - 1]
    }

    /// Whether the simplex is a tetrahedron around the origin (once reduced).
    pub fn is_full(&self) -> bool {
        self.len == 4
    }

    /// Adds a vertex; false if it is there already.
    pub fn push(&mut self, w: Vertex) -> bool {
        let known = self.iter().any(|(v, _)| v.a == w.a && v.b == w.b);
        if known || self.len == 4 {
            return false;
        }
        self.vertices[self.len] = w;
        self.len += 1;
        true
    }

    /// Keeps the vertices that carry the closest point to the origin, and returns that point.
    pub fn reduce(&mut self) -> Vector3<f64> {
        let (weights, v) = match self.len {
            1 => ([1.0, 0.0, 0.0, 0.0], self.vertices[0].point),
            2 => self.segment(0, 1),
            3 => self.triangle(0, 1, 2),
            _ => self.tetrahedron(),
        };
        let mut kept = 0;
        for (i, weight) in weights.into_iter().enumerate().take(self.len) {
            if weight > 0.0 {
                self.vertices[kept] = self.vertices[i];
                self.weights[kept] = weight;
                kept += 1;
            }
        }
        // Without a weight (not a number), one vertex is kept all the same.
        self.len = kept.max(1);
        v
    }

    /// The unit vector from the origin to the closest point `v` of the reduced simplex, made
    /// orthogonal to the simplex. (As v itself it would be lost to cancellation near contact.)
    pub fn normal(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let p = |i: usize| self.vertices[i].point;
        let v = v.normalize();
        let normal = match self.len {
            2 => {
                let e = p(1) - p(0);
                v - e * (v.dot(&e) / e.norm_squared())
            }
            3 => {
                let n = (p(1) - p(0)).cross(&(p(2) - p(0)));
                if n.dot(&v) < 0.0 { -n } else { n }
            }
            _ => v,
        };
        let norm = normal.norm();
        if norm > 0.0 { normal / norm } else { v }
    }

    /// ⟨n, v⟩ of the weighted point v.
    pub fn along(&self, n: &Vector3<f64>) -> f64 {
        self.iter()
            .map(|(v, weight)| weight * n.dot(&v.point))
            .sum()
    }

    fn segment(&self, i: usize, j: usize) -> Closest {
        let (p, q) = (self.vertices[i].point, self.vertices[j].point);
        let e = q - p;
        let ee = e.norm_squared();
        let mut weights = [0.0; 4];
        // From the nearer end, so that small weights are accurate.
        let (s, t) = (-p.dot(&e), q.dot(&e));
        let v = if s <= 0.0 || ee == 0.0 {
            weights[i] = 1.0;
            p
        } else if t <= 0.0 {
            weights[j] = 1.0;
            q
        } else if s < t {
            weights[j] = s / ee;
            weights[i] = 1.0 - weights[j];
            p + e * weights[j]
        } else {
            weights[i] = t / ee;
            weights[j] = 1.0 - weights[i];
            q - e * weights[i]
        };
        (weights, v)
    }

    fn triangle(&self, i: usize, j: usize, k: usize) -> Closest {
        let [p, q, r] = [i, j, k].map(|i| self.vertices[i].point);
        let (e, f) = (q - p, r - p);
        let n = e.cross(&f);
        let nn = n.norm_squared();
        // Barycentric coordinates times |n|²: ⟨n, q × r⟩ and so on, written in differences so that
        // a small triangle far away does not lose them.
        let m = n.cross(&p);
        let (u, v, w) = (nn + (r - q).dot(&m), -f.dot(&m), e.dot(&m));
        if u > 0.0 && v > 0.0 && w > 0.0 {
            let sum = u + v + w;
            let mut weights = [0.0; 4];
            (weights[i], weights[j], weights[k]) = (u / sum, v / sum, w / sum);
            return (weights, n * (n.dot(&p) / nn));
        }
        closest([self.segment(i, j), self.segment(j, k), self.segment(k, i)])
    }

    fn tetrahedron(&self) -> Closest {
        let p = |i: usize| self.vertices[i].point;
        let mut inside = [0.0; 4];
        let mut outside = None;
        // Faces and the vertices opposite to them.
        for [i, j, k, l] in [[0, 1, 3, 2], [1, 2, 3, 0], [2, 0, 3, 1], [0, 1, 2, 3]] {
            let n = (p(j) - p(i)).cross(&(p(k) - p(i)));
            let height = n.dot(&(p(l) - p(i)));
            let origin = -n.dot(&p(i));
            // The weight of the opposite vertex.
            inside[l] = origin / height;
            if inside[l] > 0.0 && inside[l].is_finite() {
                continue;
            }
            let candidate = self.triangle(i, j, k);
            outside = Some(match outside {
                None => candidate,
                Some(other) => closest([candidate, other]),
            });
        }
        outside.unwrap_or_else(|| {
            let sum: f64 = inside.iter().sum();
            (inside.map(|w| w / sum), Vector3::zeros())
        })
    }
}

fn closest<const N: usize>(candidates: [Closest; N]) -> Closest {
    let mut best = candidates[0];
    for candidate in &candidates[1..] {
        if candidate.1.norm_squared() < best.1.norm_squared() {
            best = *candidate;
        }
    }
    best
}
