//! Linear systems of problems in time, eliminated node by node.
//!
//! Unknowns and multipliers of a node meet those of its neighbours. In the order of the nodes, those of
//! one are eliminated in a dense [front](super::front) that holds what they meet of the next ones, too; what belongs to no
//! node comes last.

use super::front::{Front, larger, largest};

/// Most nodes between those that an unknown meets for it to be eliminated between them.
const NEAR: usize = 4;

/// Part of the unknowns that may belong to no node.
const MOST_LOOSE: f64 = 0.2;

/// Unknowns of a front at most: above, it pays to make use of zeros, and of products of matrices.
const MOST: usize = 72;

/// Residual of a solution over its size, both as the system is scaled: above the first it is corrected, above the second
/// it is no solution.
const EXACT: f64 = 1e-12;
const WRONG: f64 = 1e-7;

/// The same below which one correction, which squares it, leaves nothing to look at.
const SMALL: f64 = 1e-8;

/// Entries below this are zero: the largest ones are near one.
const NOTHING: f64 = 1e-100;

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
    /// How many entries come with them.
    entries: usize,
}

/// An entry of the matrix.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    row: u32,
    column: u32,
    /// Its place in the front, the later unknown first, but for those that come late.
    place: [u32; 2],
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    size: usize,
    stages: Vec<Stage>,
    /// All entries with the numbers of their values, stage by stage.
    entries: Vec<(Entry, u32)>,
    /// Those that are not zero, with their values times the scales of their row and column, and how many of them are of
    /// each stage.
    present: Vec<(Entry, f64)>,
    counts: Vec<usize>,
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
        let mut entries = Vec::with_capacity(pairs.len());
        for (e, &(r, c)) in pairs.iter().enumerate() {
            lists[nodes[r].min(nodes[c])].push(e);
        }
        for k in 0..count {
            let all = stages[k].own.iter().chain(&stages[k].border);
            all.enumerate().for_each(|(at, v)| place[*v] = at);
            stages[k].entries = lists[k].len();
            entries.extend(lists[k].iter().map(|&e| {
                let (row, column) = pairs[e];
                let (r, c) = (place[row], place[column]);
                let entry = Entry {
                    row: row as u32,
                    column: column as u32,
                    place: [r.max(c) as u32, r.min(c) as u32],
                };
                (entry, e as u32)
            }));
            if k > 0 {
                let carried = stages[k - 1].border.iter().map(|v| place[*v]);
                stages[k - 1].carried = carried.collect();
            }
        }
        let largest = stages.iter().map(|s| s.own.len() + s.border.len()).max()?;
        (largest <= MOST).then_some(())?;
        Some(Self {
            size,
            fronts: vec![Front::default(); stages.len()],
            stages,
            entries,
            ..Self::default()
        })
    }

    /// Factorises the matrix with these values; none if it is singular.
    pub fn factorise(&mut self, values: &[f64]) -> Option<()> {
        self.scale(values);
        self.negative = 0;
        // What the front before left, with the size of its columns, and how many unknowns it could not eliminate.
        let (mut ids, mut rest): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
        let (mut stride, mut late) = (0, 0);
        let mut places = Vec::new();
        let mut present = &self.present[..];
        for k in 0..self.stages.len() {
            let (stage, front) = (&self.stages[k], &mut self.fronts[k]);
            front.ids.clear();
            front.ids.extend(&ids[..late]);
            front.ids.extend(stage.own.iter().chain(&stage.border));
            front.begin();
            let m = front.size();
            // First what it could not eliminate.
            places.clear();
            places.extend(0..late);
            if k > 0 {
                let carried = self.stages[k - 1].carried.iter();
                places.extend(carried.map(|c| late + c));
            }
            let before = stride - places.len();
            for (j, &to) in places.iter().enumerate() {
                let from = &rest[j * stride + before + j..(j + 1) * stride];
                let column = &mut front.a[to * m..(to + 1) * m];
                for (&i, &v) in places[j..].iter().zip(from) {
                    // What has died away from node to node must not become numbers that are slow to multiply.
                    column[i] = if v.abs() > NOTHING { v } else { 0.0 };
                }
            }
            let (own, others) = present.split_at(self.counts[k]);
            present = others;
            for (Entry { place, .. }, v) in own {
                let [r, c] = place.map(|at| late + at as usize);
                front.a[r + c * m] += v;
            }
            let last = k + 1 == self.stages.len();
            let count = late + stage.own.len();
            front.eliminate(count, last)?;
            late = count - front.done();
            stride = m;
            front.split(&mut ids, &mut rest);
            self.negative += front.negative;
        }
        Some(())
    }

    /// Overwrites b with A⁻¹ b; says whether that is accurate.
    pub fn solve(&self, b: &mut [f64]) -> bool {
        // S A S (S⁻¹ x) = S b
        b.iter_mut().zip(&self.scales).for_each(|(v, s)| *v *= s);
        let whole = b.to_vec();
        self.substitute(b);
        for correction in 0..=CORRECTIONS {
            let mut rest = self.residual(&whole, b);
            let size = largest(&whole) + largest(b);
            let off = largest(&rest) / size;
            if !off.is_finite() && size != 0.0 {
                return false;
            }
            let done = correction > 0 && off <= EXACT || correction == CORRECTIONS;
            if size == 0.0 || done {
                b.iter_mut().zip(&self.scales).for_each(|(v, s)| *v *= s);
                return size == 0.0 || off <= WRONG;
            }
            // One correction always: searches that follow a thin bent valley feel the last digits.
            self.substitute(&mut rest);
            b.iter_mut().zip(rest).for_each(|(x, d)| *x += d);
            if off <= SMALL {
                b.iter_mut().zip(&self.scales).for_each(|(v, s)| *v *= s);
                return true;
            }
        }
        true
    }

    /// S A S with the largest entry of each row near one.
    fn scale(&mut self, values: &[f64]) {
        self.present.clear();
        self.counts.clear();
        let mut entries = &self.entries[..];
        for stage in &self.stages {
            let (own, others) = entries.split_at(stage.entries);
            entries = others;
            let before = self.present.len();
            let own = own.iter().map(|(entry, e)| (*entry, values[*e as usize]));
            self.present.extend(own.filter(|(_, v)| *v != 0.0));
            self.counts.push(self.present.len() - before);
        }
        self.scales.clear();
        self.scales.resize(self.size, 1.0);
        let mut most = vec![0.0_f64; self.size];
        for _ in 0..2 {
            most.fill(0.0);
            for (Entry { row, column, .. }, v) in &self.present {
                let (v, r, c) = (v.abs(), *row as usize, *column as usize);
                most[r] = larger(v, most[r]);
                most[c] = larger(v, most[c]);
            }
            for (most, scale) in most.iter_mut().zip(&mut self.scales) {
                let sound = *most > 0.0 && most.is_finite();
                *most = if sound { 1.0 / most.sqrt() } else { 1.0 };
                *scale *= *most;
            }
            for (Entry { row, column, .. }, v) in &mut self.present {
                *v *= most[*row as usize] * most[*column as usize];
            }
        }
    }

    /// b − A x, all scaled.
    fn residual(&self, b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut rest = b.to_vec();
        for (Entry { row, column, .. }, v) in &self.present {
            let (r, c) = (*row as usize, *column as usize);
            rest[r] -= v * x[c];
            if r != c {
                rest[c] -= v * x[r];
            }
        }
        rest
    }

    /// b ← A⁻¹ b, all scaled, as far as the factors are exact.
    fn substitute(&self, b: &mut [f64]) {
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
    }
}
