//! Signed Euclidean distance by trying every candidate normal.
//!
//! For unit n the bodies are at least min_A ⟨n, x⟩ − max_B ⟨n, y⟩ apart, and the signed distance
//! is the largest of these bounds over all n. It is attained where n is fixed by a pair of
//! features: a face, two edges, a vertex and an edge, or two vertices. Every pair and triple of
//! points is tried as if it were an edge or a face: more candidates can do no harm.

type Point = [f64; 3];

fn sub(p: &Point, q: &Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: &Point, q: &Point) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: &Point, q: &Point) -> Point {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}

/// Euclidean gap if separated, minus the penetration depth if overlapping, and the unit normal
/// from b to a, in the plane (`dim` 2, all z are 0) or in space (3). Cost grows like (|A| |B|)² (|A| + |B|).
pub fn sat_distance(a: &[Point], b: &[Point], dim: usize) -> (f64, Point) {
    let mut best = (f64::NEG_INFINITY, [0.0; 3]);
    let mut consider = |n: Point| {
        let norm = dot(&n, &n).sqrt();
        if norm.is_nan() || norm < 1e-200 {
            return;
        }
        let n = n.map(|c| c / norm);
        let (mut low_a, mut high_a) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in a {
            let value = dot(&n, x);
            low_a = low_a.min(value);
            high_a = high_a.max(value);
        }
        let (mut low_b, mut high_b) = (f64::INFINITY, f64::NEG_INFINITY);
        for y in b {
            let value = dot(&n, y);
            low_b = low_b.min(value);
            high_b = high_b.max(value);
        }
        if low_a - high_b > best.0 {
            best = (low_a - high_b, n);
        }
        if low_b - high_a > best.0 {
            best = (low_b - high_a, n.map(|c| -c));
        }
    };
    let edges = |points: &[Point]| {
        let mut list = Vec::new();
        for (i, p) in points.iter().enumerate() {
            list.extend(points[..i].iter().map(|q| (*p, sub(q, p))));
        }
        list
    };
    let (edges_a, edges_b) = (edges(a), edges(b));

    // Something to begin with, for points on each other.
    consider([1.0, 0.0, 0.0]);
    consider([0.0, 1.0, 0.0]);
    if dim == 3 {
        consider([0.0, 0.0, 1.0]);
    }
    // Vertex and vertex.
    for x in a {
        for y in b {
            consider(sub(x, y));
        }
    }
    // Vertex and edge.
    for (points, edges) in [(a, &edges_b), (b, &edges_a)] {
        for x in points {
            for (p, e) in edges {
                // The part of x − p orthogonal to e, twice: the first result is short, and far from
                // orthogonal, where x is almost on the line.
                let orthogonal = |d: Point| {
                    let t = dot(&d, e) / dot(e, e);
                    sub(&d, &e.map(|c| c * t))
                };
                let d = orthogonal(sub(x, p));
                consider(d);
                let scale = dot(&d, &d).sqrt();
                consider(orthogonal(d.map(|c| c / scale)));
            }
        }
    }
    if dim == 2 {
        for (_, e) in edges_a.iter().chain(&edges_b) {
            consider([e[1], -e[0], 0.0]);
        }
        return best;
    }
    // Faces.
    for (points, edges) in [(a, &edges_a), (b, &edges_b)] {
        for (p, e) in edges {
            for q in points {
                consider(cross(e, &sub(q, p)));
            }
        }
    }
    // Edge and edge.
    for (_, e) in &edges_a {
        for (_, f) in &edges_b {
            consider(cross(e, f));
        }
    }
    best
}
