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
    reach: f64,
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
        let reach = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        Self {
            blocks,
            points: points.into(),
            starts: Box::default(),
            adjacent: Box::default(),
            mean,
            radius,
            reach,
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

    /// The same for a body that reaches beyond its vertices.
    pub(crate) fn reaching(mut self, reach: f64) -> Self {
        self.reach = self.reach.max(reach);
        self
    }

    /// Moves the points of a set to new places, as many as there are; nothing is allocated. The edge
    /// graph stays as it is.
    ///
    /// ```
    /// use carom_gap::Vertices;
    /// use nalgebra::Vector3;
    /// let mut v = Vertices::new(&[Vector3::zeros(), Vector3::x()]);
    /// v.move_points(&[Vector3::y(), Vector3::z()]);
    /// assert_eq!(v.points(), Vertices::new(&[Vector3::y(), Vector3::z()]).points());
    /// ```
    ///
    /// # Panics
    /// If their number changes.
    pub fn move_points(&mut self, points: &[Vector3<f64>]) {
        self.points.copy_from_slice(points);
        for (k, block) in self.blocks.iter_mut().enumerate() {
            for lane in 0..4 {
                let p = points.get(4 * k + lane).unwrap_or(&points[0]);
                for axis in 0..3 {
                    block[axis][lane] = p[axis];
                }
            }
        }
        let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        self.mean = mean;
        self.radius = points.iter().map(|p| (p - mean).norm()).fold(0.0, f64::max);
        self.reach = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
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

    /// Largest distance of a vertex from the origin of the body frame; for facets of a round body, of
    /// any of its points.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
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

    /// The edges of the graph, each once.
    pub(crate) fn edges(&self) -> Vec<[u32; 2]> {
        let all = (0..self.len() as u32)
            .flat_map(|i| self.neighbours(i as usize).iter().map(move |&j| [i, j]));
        all.filter(|[i, j]| i < j).collect()
    }

    /// The vertex furthest along `direction` (body frame) and its value; `hint` is where hill
    /// climbing starts.
    #[inline]
    pub fn support(&self, direction: &Vector3<f64>, hint: usize) -> (usize, f64) {
        if self.scans() {
            let mut best = Best::new();
            for (k, block) in self.blocks.iter().enumerate() {
                best.update(k, &products(block, direction));
            }
            let (index, value) = best.index_and_value();
            (self.unpad(index), value)
        } else {
            self.climb(direction, hint)
        }
    }

    /// How far the set reaches along `direction`: the value of [`support`](Self::support) alone.
    #[inline]
    pub fn highest(&self, direction: &Vector3<f64>, hint: usize) -> f64 {
        if self.scans() {
            self.scan(direction)
        } else {
            self.climb(direction, hint).1
        }
    }

    /// Least and largest product of the points with `direction`.
    #[inline]
    pub(crate) fn extent(&self, direction: &Vector3<f64>) -> (f64, f64) {
        if !self.scans() {
            let low = self.climb(&-direction, 0).1;
            return (-low, self.climb(direction, 0).1);
        }
        let (mut low, mut high) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
        for block in &self.blocks {
            let value = products(block, direction);
            for lane in 0..4 {
                low[lane] = -larger(-value[lane], -low[lane]);
                high[lane] = larger(value[lane], high[lane]);
            }
        }
        let least = larger(larger(-low[0], -low[2]), larger(-low[1], -low[3]));
        let most = larger(larger(high[0], high[2]), larger(high[1], high[3]));
        (-least, most)
    }

    /// Whether support queries look at every vertex.
    #[inline]
    pub(crate) fn scans(&self) -> bool {
        self.points.len() < CLIMB_FROM || self.starts.is_empty()
    }

    /// Largest product with `direction`, by looking at every vertex.
    #[inline]
    fn scan(&self, direction: &Vector3<f64>) -> f64 {
        let mut best = [f64::NEG_INFINITY; 4];
        for block in &self.blocks {
            let value = products(block, direction);
            for lane in 0..4 {
                best[lane] = larger(value[lane], best[lane]);
            }
        }
        larger(larger(best[0], best[2]), larger(best[1], best[3]))
    }

    /// The vertex with the least (s₀ + ⟨s, v⟩)⁺ + `tolerance` over r₀ + ⟨r, v⟩, among those where
    /// the latter exceeds `tiny`; infinity where there is none.
    #[inline]
    pub(crate) fn least_ratio(
        &self,
        (s0, s): (f64, &Vector3<f64>),
        (r0, r): (f64, &Vector3<f64>),
        tolerance: f64,
        tiny: f64,
    ) -> (f64, usize) {
        let mut best = Best::new();
        for (k, block) in self.blocks.iter().enumerate() {
            let slack = products(block, s);
            let rate = products(block, r);
            let mut negative = [0.0; 4];
            for lane in 0..4 {
                let above = larger(slack[lane] + s0, 0.0) + tolerance;
                let rate = rate[lane] + r0;
                negative[lane] = if rate > tiny {
                    -above / rate
                } else {
                    f64::NEG_INFINITY
                };
            }
            best.update(k, &negative);
        }
        let (index, value) = best.index_and_value();
        (-value, self.unpad(index))
    }

    /// Padding repeats the first point.
    #[inline]
    fn unpad(&self, index: usize) -> usize {
        if index < self.points.len() { index } else { 0 }
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

/// Products of four points with a direction.
#[inline(always)]
fn products([xs, ys, zs]: &[[f64; 4]; 3], d: &Vector3<f64>) -> [f64; 4] {
    let mut out = [0.0; 4];
    for lane in 0..4 {
        out[lane] = xs[lane] * d.x + ys[lane] * d.y + zs[lane] * d.z;
    }
    out
}

/// Maximum without the NaN rules of `f64::max`, which cost instructions here.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Largest value so far in each of four lanes and the block it came from, without branches.
struct Best {
    value: [f64; 4],
    block: [f64; 4],
}

impl Best {
    #[inline(always)]
    fn new() -> Self {
        Self {
            value: [f64::NEG_INFINITY; 4],
            block: [0.0; 4],
        }
    }

    #[inline(always)]
    fn update(&mut self, block: usize, values: &[f64; 4]) {
        let block = block as f64;
        for lane in 0..4 {
            let better = values[lane] > self.value[lane];
            self.value[lane] = if better {
                values[lane]
            } else {
                self.value[lane]
            };
            self.block[lane] = if better { block } else { self.block[lane] };
        }
    }

    #[inline(always)]
    fn index_and_value(&self) -> (usize, f64) {
        let pick = |i: usize, j: usize| if self.value[j] > self.value[i] { j } else { i };
        let (i, j) = (pick(0, 2), pick(1, 3));
        let lane = pick(i, j);
        (4 * self.block[lane] as usize + lane, self.value[lane])
    }
}
