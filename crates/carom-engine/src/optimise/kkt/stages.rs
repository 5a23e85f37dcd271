//! Linear systems of problems in time, eliminated node by node.
//!
//! Unknowns and multipliers of a node meet those of its neighbours. In the order of the nodes, those of
//! one are eliminated in a dense [front](super::front) that holds what they meet of the next ones, too; what belongs to no
//! node comes last. Where much meets at a node, the elimination goes from both ends to the middle at the same time.

use super::front::{Front, WIDE, larger, largest};

/// Most nodes between those that an unknown meets for it to be eliminated between them.
const NEAR: usize = 4;

/// Part of the unknowns that may belong to no node.
const MOST_LOOSE: f64 = 0.2;

/// Unknowns of the largest front where all that meets at a node is taken as dense: few of them, or so many that products of
/// matrices pay. Between and above, the solver for sparse systems makes use of zeros.
const DENSE: [std::ops::RangeInclusive<usize>; 2] = [0..=WIDE, 120..=600];

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
    /// The stage that the border belongs to, and its places there, without what that has to make up for.
    parent: usize,
    carried: Vec<usize>,
}

/// Stages with the entries of each, and the numbers of their values.
type Order = (Vec<Stage>, Vec<Vec<(Entry, u32)>>);

/// What the front of a stage leaves to the next one: unknowns, first the late ones that had no sound pivot, and their
/// matrix, lower triangle by columns of a size.
#[derive(Debug, Default)]
struct Left {
    stage: usize,
    late: usize,
    ids: Vec<usize>,
    stride: usize,
    rest: Vec<f64>,
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
    /// The first stage of the second half and the first after it, where there are two.
    halves: Option<[usize; 2]>,
    /// All entries with the numbers of their values, stage by stage.
    entries: Vec<Vec<(Entry, u32)>>,
    /// Those that are not zero, with their values times the scales of their row and column, and where those of each stage
    /// begin.
    present: Vec<(Entry, f64)>,
    begins: Vec<usize>,
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

/// From both ends to the middle, if nothing of one half meets the other: where the second half begins and ends. Of a node,
/// what meets least is eliminated first.
fn in_halves(
    mut order: Vec<usize>,
    nodes: &[usize],
    pairs: &[(usize, usize)],
    last: usize,
) -> Option<([usize; 2], Order)> {
    let mut degrees = vec![0; order.len()];
    for &(r, c) in pairs {
        degrees[r] += 1;
        degrees[c] += 1;
    }
    order.sort_by_key(|k| degrees[*k]);
    let half = last / 2;
    let place = |node: usize| match node {
        n if n < half || n > last => n,
        n => half + last - n,
    };
    let moved: Vec<usize> = nodes.iter().map(|n| place(*n)).collect();
    let found = in_order(&order, &moved, pairs, Some([half, last]));
    let apart = |s: &Stage| s.border.iter().all(|v| !(half..last).contains(&moved[*v]));
    found.0[..half]
        .iter()
        .all(apart)
        .then_some(([half, last], found))
}

/// Stages with the unknowns that have their number, in a given order, each followed by the next one but at the end of the
/// first of two halves.
fn in_order(
    order: &[usize],
    numbers: &[usize],
    pairs: &[(usize, usize)],
    halves: Option<[usize; 2]>,
) -> Order {
    let count = numbers.iter().max().map_or(0, |n| n + 1);
    let mut stages = vec![Stage::default(); count];
    for &k in order {
        stages[numbers[k]].own.push(k);
    }
    // Entries belong to the stage that comes first, and what they meet to its border.
    let mut met: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(r, c) in pairs {
        let (first, later) = match numbers[r] <= numbers[c] {
            true => (r, c),
            false => (c, r),
        };
        if numbers[first] < numbers[later] {
            met[numbers[first]].push(later);
        }
    }
    for k in 0..count {
        met[k].sort_unstable_by_key(|v| (numbers[*v], *v));
        met[k].dedup();
        stages[k].border = std::mem::take(&mut met[k]);
        stages[k].parent = match halves {
            Some([half, middle]) if k + 1 == half => middle,
            _ => k + 1,
        };
        let parent = stages[k].parent;
        if let Some(met) = met.get_mut(parent) {
            let passed = stages[k].border.iter().filter(|v| numbers[**v] > parent);
            met.extend(passed);
        }
    }
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (e, &(r, c)) in pairs.iter().enumerate() {
        lists[numbers[r].min(numbers[c])].push(e);
    }
    let mut place = vec![usize::MAX; numbers.len()];
    let mut entries = Vec::with_capacity(count);
    for k in 0..count {
        let all = stages[k].own.iter().chain(&stages[k].border);
        all.enumerate().for_each(|(at, v)| place[*v] = at);
        let entry = |&e: &usize| {
            let (row, column) = pairs[e];
            let (r, c) = (place[row], place[column]);
            let entry = Entry {
                row: row as u32,
                column: column as u32,
                place: [r.max(c) as u32, r.min(c) as u32],
            };
            (entry, e as u32)
        };
        entries.push(lists[k].iter().map(entry).collect());
        for child in 0..k {
            if stages[child].parent == k {
                let carried = stages[child].border.iter().map(|v| place[*v]);
                stages[child].carried = carried.collect();
            }
        }
    }
    (stages, entries)
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
        let all: Vec<usize> = (0..size).collect();
        let chain = in_order(&all, &nodes, &pairs, None);
        let largest = (chain.0.iter())
            .map(|s| s.own.len() + s.border.len())
            .max()?;
        let dense = DENSE.iter().any(|range| range.contains(&largest));
        dense.then_some(())?;
        let last = known.iter().flatten().max().map(|k| *k as usize)?;
        let halved = (largest > WIDE).then(|| in_halves(all, &nodes, &pairs, last));
        let (halves, (stages, entries)) = match halved.flatten() {
            Some((halves, order)) => (Some(halves), order),
            None => (None, chain),
        };
        Some(Self {
            size,
            fronts: vec![Front::default(); stages.len()],
            stages,
            halves,
            entries,
            ..Self::default()
        })
    }

    /// Factorises the matrix with these values; none if it is singular.
    pub fn factorise(&mut self, values: &[f64]) -> Option<()> {
        self.scale(values);
        let mut fronts = std::mem::take(&mut self.fronts);
        let done = self.eliminate_all(&mut fronts);
        self.negative = fronts.iter().map(|f| f.negative).sum();
        self.fronts = fronts;
        done
    }

    /// Eliminates all stages, those of two halves at the same time.
    fn eliminate_all(&self, fronts: &mut [Front]) -> Option<()> {
        let Some([half, middle]) = self.halves else {
            return self.eliminate(0, fronts, Vec::new()).map(drop);
        };
        let (first, others) = fronts.split_at_mut(half);
        let (second, others) = others.split_at_mut(middle - half);
        let (left, right) = rayon::join(
            || self.eliminate(0, first, Vec::new()),
            || self.eliminate(half, second, Vec::new()),
        );
        let (mut left, right) = (left?, right?);
        left.extend(right);
        self.eliminate(middle, others, left).map(drop)
    }

    /// Eliminates stages from one on, each of which follows the one before, from what others left; with what is left then.
    fn eliminate(
        &self,
        from: usize,
        fronts: &mut [Front],
        mut left: Vec<Left>,
    ) -> Option<Vec<Left>> {
        let mut places = Vec::new();
        for (k, front) in (from..).zip(fronts) {
            let stage = &self.stages[k];
            // First what the fronts before could not eliminate.
            let late: usize = left.iter().map(|l| l.late).sum();
            front.ids.clear();
            for l in &left {
                front.ids.extend(&l.ids[..l.late]);
            }
            front.ids.extend(stage.own.iter().chain(&stage.border));
            front.begin();
            let m = front.size();
            let mut before = 0;
            for l in &left {
                places.clear();
                places.extend(before..before + l.late);
                let carried = self.stages[l.stage].carried.iter();
                places.extend(carried.map(|c| late + c));
                before += l.late;
                let skipped = l.stride - places.len();
                for (j, &to) in places.iter().enumerate() {
                    let own = &l.rest[j * l.stride + skipped + j..(j + 1) * l.stride];
                    for (&i, &v) in places[j..].iter().zip(own) {
                        // What has died away from node to node must not become numbers that are slow to multiply.
                        if v.abs() > NOTHING {
                            front.a[i.max(to) + i.min(to) * m] += v;
                        }
                    }
                }
            }
            for (Entry { place, .. }, v) in &self.present[self.begins[k]..self.begins[k + 1]] {
                let [r, c] = place.map(|at| late + at as usize);
                front.a[r + c * m] += v;
            }
            let last = k + 1 == self.stages.len();
            let count = late + stage.own.len();
            front.eliminate(count, last)?;
            let mut next = left.pop().unwrap_or_default();
            left.clear();
            (next.stage, next.late, next.stride) = (k, count - front.done(), m);
            front.split(&mut next.ids, &mut next.rest);
            left.push(next);
        }
        Some(left)
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
        self.begins.clear();
        self.begins.push(0);
        for own in &self.entries {
            let own = own.iter().map(|(entry, e)| (*entry, values[*e as usize]));
            self.present.extend(own.filter(|(_, v)| *v != 0.0));
            self.begins.push(self.present.len());
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
