//! Linear systems of problems in time, eliminated node by node.
//!
//! Unknowns and multipliers of a node meet those of its neighbours. In the order of the nodes, those of
//! one are eliminated in a dense [front](super::front) that holds what they meet of the next ones, too; what belongs to no
//! node comes last.

use super::front::Front;

/// Most nodes between those that an unknown meets for it to be eliminated between them.
const NEAR: usize = 4;

/// Part of the unknowns that may belong to no node.
const MOST_LOOSE: f64 = 0.2;

/// Unknowns of a front at most: above, it pays to make use of zeros, and of products of matrices.
const MOST: usize = 72;

/// Residual of a solution over the terms it is made of: above the first it is corrected once more, above the second it is
/// no solution.
const EXACT: f64 = 1e-13;
const WRONG: f64 = 1e-7;

/// Corrections of a solution at most.
const CORRECTIONS: usize = 2;

/// How fronts follow each other.
#[derive(Clone, Debug, Default)]
struct Stage {
    /// Unknowns that are eliminated here, and those they meet that come later.
    own: Vec<usize>,
    border: Vec<usize>,
    /// Places of the border in the next front, without what that has to make up for.
    carried: Vec<usize>,
    /// Entries: two places in the front, and the number of the value.
    entries: Vec<(u32, u32, u32)>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    size: usize,
    stages: Vec<Stage>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Factors by which rows and columns are made of order one.
    scales: Vec<f64>,
    fronts: Vec<Front>,
    pub negative: usize,
}

/// Nodes of unknowns that have none of their own: amid those they meet.
fn nodes(size: usize, known: &[Option<u32>], pairs: &[(usize, usize)]) -> Option<Vec<usize>> {
    let last = known.iter().flatten().max().copied()? as usize;
    let mut ranges = vec![None::<[usize; 2]>; size];
    for &(r, c) in pairs {
        for (own, other) in [(r, c), (c, r)] {
            if let (None, Some(k)) = (known[own], known[other]) {
                let k = k as usize;
                let [low, high] = ranges[own].unwrap_or([k; 2]);
                ranges[own] = Some([low.min(k), high.max(k)]);
            }
        }
    }
    let amid = |[low, high]: [usize; 2]| (high - low <= NEAR).then_some((low + high).div_ceil(2));
    let found: Vec<usize> = (known.iter().zip(ranges))
        .map(|(known, range)| {
            let own = known.map(|k| k as usize);
            own.or_else(|| range.and_then(amid)).unwrap_or(last + 1)
        })
        .collect();
    let loose = found.iter().filter(|k| **k > last).count();
    (loose as f64 <= MOST_LOOSE * size as f64).then_some(found)
}

impl Stages {
    /// From the nodes of unknowns that are known and the pattern, counted from one; none if the problem is not one in
    /// time, or if too much meets at a node.
    pub fn new(known: &[Option<u32>], rows: &[i32], columns: &[i32]) -> Option<Self> {
        let size = known.len();
        let index = |list: &[i32]| -> Vec<usize> { list.iter().map(|k| *k as usize - 1).collect() };
        let (rows, columns) = (index(rows), index(columns));
        let pairs: Vec<(usize, usize)> =
            rows.iter().copied().zip(columns.iter().copied()).collect();
        let nodes = nodes(size, known, &pairs)?;
        let count = nodes.iter().max()? + 1;
        let mut stages = vec![Stage::default(); count];
        for (k, &node) in nodes.iter().enumerate() {
            stages[node].own.push(k);
        }
        // Entries belong to the stage that comes first, and what they meet to its border.
        let mut met: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(r, c) in &pairs {
            let (first, later) = if nodes[r] <= nodes[c] { (r, c) } else { (c, r) };
            if nodes[first] < nodes[later] {
                met[nodes[first]].push(later);
            }
        }
        for k in 0..count {
            if k > 0 {
                let before = stages[k - 1].border.iter().filter(|v| nodes[**v] > k);
                let before: Vec<usize> = before.copied().collect();
                met[k].extend(before);
            }
            met[k].sort_unstable_by_key(|v| (nodes[*v], *v));
            met[k].dedup();
            stages[k].border = std::mem::take(&mut met[k]);
        }
        let mut place = vec![usize::MAX; size];
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (e, &(r, c)) in pairs.iter().enumerate() {
            lists[nodes[r].min(nodes[c])].push(e);
        }
        for k in 0..count {
            let all = stages[k].own.iter().chain(&stages[k].border);
            all.enumerate().for_each(|(at, v)| place[*v] = at);
            stages[k].entries = (lists[k].iter())
                .map(|&e| (place[pairs[e].0] as u32, place[pairs[e].1] as u32, e as u32))
                .collect();
            if k > 0 {
                let carried = stages[k - 1].border.iter().map(|v| place[*v]);
                stages[k - 1].carried = carried.collect();
            }
        }
        let largest = stages.iter().map(|s| s.own.len() + s.border.len()).max()?;
        (largest <= MOST).then_some(())?;
        Some(Self {
            size,
            stages,
            rows,
            columns,
            ..Self::default()
        })
    }

    /// Factorises the matrix with these values; none if it is singular.
    pub fn factorise(&mut self, values: &[f64]) -> Option<()> {
        self.scale(values);
        self.fronts.clear();
        self.negative = 0;
        let mut left: (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut late = 0;
        for (k, stage) in self.stages.iter().enumerate() {
            let (ids, rest) = &left;
            let mut all = ids[..late].to_vec();
            all.extend(stage.own.iter().chain(&stage.border));
            let mut front = Front::new(all);
            // What the front before left: first what it could not eliminate.
            let carried = k
                .checked_sub(1)
                .map_or(&[][..], |b| &self.stages[b].carried);
            let places: Vec<usize> = (0..late).chain(carried.iter().map(|c| late + c)).collect();
            for (j, &to) in places.iter().enumerate() {
                for (i, &from) in places.iter().enumerate().skip(j) {
                    let at = front.at(from, to);
                    front.a[at] = rest[i + j * ids.len()];
                }
            }
            for &(r, c, e) in &stage.entries {
                let e = e as usize;
                let at = front.at(late + r as usize, late + c as usize);
                front.a[at] += values[e] * self.scales[self.rows[e]] * self.scales[self.columns[e]];
            }
            let last = k + 1 == self.stages.len();
            front.eliminate(late + stage.own.len(), last)?;
            late = late + stage.own.len() - front.done();
            left = front.split();
            self.negative += front.negative;
            self.fronts.push(front);
        }
        Some(())
    }

    /// Overwrites b with A⁻¹ b; says whether that is accurate.
    pub fn solve(&self, values: &[f64], b: &mut [f64]) -> bool {
        let whole = b.to_vec();
        self.substitute(b);
        for correction in 0..=CORRECTIONS {
            let (mut rest, size) = self.residual(values, &whole, b);
            let scaled = rest.iter().zip(&self.scales);
            let off = scaled.fold(0.0_f64, |m, (v, s)| m.max((v * s).abs())) / size;
            if !off.is_finite() || size == 0.0 {
                return size == 0.0;
            }
            // One correction always: searches that follow a thin bent valley feel the last digits.
            if correction > 0 && off <= EXACT || correction == CORRECTIONS {
                return off <= WRONG;
            }
            self.substitute(&mut rest);
            b.iter_mut().zip(rest).for_each(|(x, d)| *x += d);
        }
        true
    }

    /// S A S with the largest entry of each row near one.
    fn scale(&mut self, values: &[f64]) {
        self.scales = vec![1.0; self.size];
        for _ in 0..2 {
            let mut largest = vec![0.0_f64; self.size];
            for ((v, &r), &c) in values.iter().zip(&self.rows).zip(&self.columns) {
                let v = (v * self.scales[r] * self.scales[c]).abs();
                largest[r] = largest[r].max(v);
                largest[c] = largest[c].max(v);
            }
            for (scale, most) in self.scales.iter_mut().zip(largest) {
                if most > 0.0 && most.is_finite() {
                    *scale /= most.sqrt();
                }
            }
        }
    }

    /// b − A x, and the size of its terms in rows as they are scaled.
    fn residual(&self, values: &[f64], b: &[f64], x: &[f64]) -> (Vec<f64>, f64) {
        let mut rest = b.to_vec();
        let mut sizes: Vec<f64> = b.iter().map(|v| v.abs()).collect();
        for ((v, &r), &c) in values.iter().zip(&self.rows).zip(&self.columns) {
            rest[r] -= v * x[c];
            sizes[r] += (v * x[c]).abs();
            if r != c {
                rest[c] -= v * x[r];
                sizes[c] += (v * x[r]).abs();
            }
        }
        let scaled = sizes.into_iter().zip(&self.scales);
        let size = scaled.fold(0.0_f64, |m, (v, s)| m.max(v * s));
        (rest, size)
    }

    fn substitute(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.scales).for_each(|(v, s)| *v *= s);
        let mut own = Vec::new();
        for front in &self.fronts {
            own.clear();
            own.extend(front.ids.iter().map(|&k| b[k]));
            front.forward(&mut own);
            front.ids.iter().zip(&own).for_each(|(&k, v)| b[k] = *v);
        }
        for front in self.fronts.iter().rev() {
            own.clear();
            own.extend(front.ids.iter().map(|&k| b[k]));
            front.divide(&mut own);
            front.backward(&mut own);
            let done = front.ids.iter().zip(&own).take(front.done());
            done.for_each(|(&k, v)| b[k] = *v);
        }
        b.iter_mut().zip(&self.scales).for_each(|(v, s)| *v *= s);
    }
}
