//! The vertices of a convex body as the gap solver sees them: a support function.

use nalgebra::Vector3;

/// From this many vertices on, the support function climbs the edge graph instead of scanning.
const CLIMB_FROM: usize = 24;

/// A non-empty set of points in the body frame whose convex hull is the body.
///
/// Points need not be extreme; coordinates must be finite. `planar` sets lie in z = 0 and make
/// two-dimensional queries against each other. The edge graph, where known, turns the support
/// function of large hulls into hill climbing.
///
/// ```
/// use carom_gap::Vertices;
/// use nalgebra::Vector3;
/// let v = Vertices::new(&[Vector3::zeros(), Vector3::x(), Vector3::y()]);
/// assert_eq!(v.support(&Vector3::new(1.0, 0.5, 0.0), 0).0, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Vertices {
    /// Blocks of four points, coordinates apart: the layout the scan wants. Padded by repeating
    /// the first point.
    blocks: Box<[[[f64; 4]; 3]]>,
    points: Box<[Vector3<f64>]>,
    /// Edge graph in compressed rows: neighbours of i are `adjacent[starts[i]..starts[i + 1]]`.
    starts: Box<[u32]>,
    adjacent: Box<[u32]>,
    mean: Vector3<f64>,
    radius: f64,
    planar: bool,
}

impl Vertices {
    /// A set of points without an edge graph.
    ///
    /// # Panics
    /// If `points` is empty.
    pub fn new(points: &[Vector3<f64>]) -> Self {
        assert!(!points.is_empty(), "a vertex set needs a point");
        let blocks = points
            .chunks(4)
            .map(|chunk| {
                let mut block = [[0.0; 4]; 3];
                for lane in 0..4 {
                    let p = chunk.get(lane).unwrap_or(&points[0]);
                    for axis in 0..3 {
                        block[axis][lane] = p[axis];
                    }
                }
                block
            })
            .collect();
        let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let radius = points.iter().map(|p| (p - mean).norm()).fold(0.0, f64::max);
        Self {
            blocks,
            points: points.into(),
            starts: Box::default(),
            adjacent: Box::default(),
            mean,
            radius,
            planar: false,
        }
    }

    /// Marks the set as living in the plane z = 0.
    pub fn planar(points: &[Vector3<f64>]) -> Self {
        Self {
            planar: true,
            ..Self::new(points)
        }
    }

    /// Adds the edge graph of the hull (`edges` in any order, each once or twice).
    pub fn with_edges(mut self, edges: &[[u32; 2]]) -> Self {
        let mut neighbours = vec![Vec::new(); self.points.len()];
        for &[i, j] in edges {
            neighbours[i as usize].push(j);
            neighbours[j as usize].push(i);
        }
        let mut starts = vec![0];
        let mut adjacent = Vec::new();
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
            adjacent.extend_from_slice(list);
            starts.push(adjacent.len() as u32);
        }
        self.starts = starts.into();
        self.adjacent = adjacent.into();
        self
    }

    /// Number of points.
    #[inline]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Never true: a vertex set has at least one point.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// All points, in the order they were given.
    #[inline]
    pub fn points(&self) -> &[Vector3<f64>] {
        &self.points
    }

    /// Vertex mean (the papers' centre in bare queries).
    #[inline]
    pub fn mean(&self) -> &Vector3<f64> {
        &self.mean
    }

    /// Largest distance of a vertex from the mean.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Whether the set lives in the plane z = 0.
    #[inline]
    pub fn is_planar(&self) -> bool {
        self.planar
    }

    /// Neighbours of vertex `i` in the edge graph; empty where no graph is known.
    #[inline]
    pub fn neighbours(&self, i: usize) -> &[u32] {
        if self.starts.is_empty() {
            &[]
        } else {
            &self.adjacent[self.starts[i] as usize..self.starts[i + 1] as usize]
        }
    }

    /// The vertex furthest along `direction` (body frame) and its value; `hint` is where hill
    /// climbing starts.
    #[inline]
    pub fn support(&self, direction: &Vector3<f64>, hint: usize) -> (usize, f64) {
        if self.points.len() < CLIMB_FROM || self.starts.is_empty() {
            self.scan(direction)
        } else {
            self.climb(direction, hint)
        }
    }

    /// Support by looking at every vertex.
    #[inline]
    pub fn scan(&self, direction: &Vector3<f64>) -> (usize, f64) {
        let (dx, dy, dz) = (direction.x, direction.y, direction.z);
        let mut best = [f64::NEG_INFINITY; 4];
        let mut best_block = [0usize; 4];
        for (k, [xs, ys, zs]) in self.blocks.iter().enumerate() {
            for lane in 0..4 {
                let value = xs[lane] * dx + ys[lane] * dy + zs[lane] * dz;
                if value > best[lane] {
                    best[lane] = value;
                    best_block[lane] = k;
                }
            }
        }
        let mut lane = 0;
        for l in 1..4 {
            if best[l] > best[lane] {
                lane = l;
            }
        }
        let index = best_block[lane] * 4 + lane;
        // Padding repeats the first point.
        (
            if index < self.points.len() { index } else { 0 },
            best[lane],
        )
    }

    /// Support by climbing the edge graph from `hint`.
    #[inline]
    fn climb(&self, direction: &Vector3<f64>, hint: usize) -> (usize, f64) {
        let mut at = hint.min(self.points.len() - 1);
        let mut value = self.points[at].dot(direction);
        loop {
            let mut next = at;
            for &j in self.neighbours(at) {
                let candidate = self.points[j as usize].dot(direction);
                if candidate > value {
                    value = candidate;
                    next = j as usize;
                }
            }
            if next == at {
                return (at, value);
            }
            at = next;
        }
    }
}
