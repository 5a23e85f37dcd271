//! Linear systems of problems in time, eliminated node by node.
//!
//! Unknowns and multipliers of a node meet those of its neighbours. In the order of the nodes, those of
//! one are eliminated in a dense [front](super::front) that holds what they meet of the next ones, too; what belongs to no
//! node comes last. Where much meets at a node, the elimination goes from both ends to the middle at the same time.

use super::front::{Front, WIDE};

/// Most nodes between those that an unknown meets for it to be eliminated between them.
const NEAR: usize = 4;

/// Part of the unknowns that may belong to no node.
const MOST_LOOSE: f64 = 0.2;

/// Unknowns of the largest front where all that meets at a node is taken as dense: few of them, or so many that products of
/// matrices pay. Between and above, the solver for sparse systems makes use of zeros.
const DENSE: [std::ops::RangeInclusive<usize>; 2] = [0..=WIDE, 120..=600];

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
    /// The stage that the border belongs to, and its places there, without what that has to make up for.
    parent: usize,
    carried: Vec<usize>,
    /// Entries: two places in the front, and the number of the value.
    entries: Vec<(u32, u32, u32)>,
}

/// What the front of a stage leaves to the next one: unknowns, first the late ones that had no sound pivot, and their
/// matrix, lower triangle by columns.
struct Left {
    stage: usize,
    late: usize,
    ids: Vec<usize>,
    rest: Vec<f64>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    size: usize,
    stages: Vec<Stage>,
    /// The first stage of the second half and the first after it, where there are two.
    halves: Option<[usize; 2]>,
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
        let all: Vec<usize> = (0..size).collect();
        let chain = Self::in_order(&all, &nodes, &pairs, None);
        let largest = chain.iter().map(|s| s.own.len() + s.border.len()).max()?;
        let dense = DENSE.iter().any(|range| range.contains(&largest));
        dense.then_some(())?;
        // From both ends to the middle: nodes in the order in which they are eliminated. Of a node, first what meets
        // least.
        let mut order = all;
        let mut degrees = vec![0; size];
        for &(r, c) in &pairs {
            degrees[r] += 1;
            degrees[c] += 1;
        }
        order.sort_by_key(|k| degrees[*k]);
        let last = known.iter().flatten().max().map(|k| *k as usize);
        let halved = last.filter(|_| largest > WIDE).and_then(|last| {
            let half = last / 2;
            let place = |node: usize| match node {
                n if n < half || n > last => n,
                n => half + last - n,
            };
            let moved: Vec<usize> = nodes.iter().map(|n| place(*n)).collect();
            let stages = Self::in_order(&order, &moved, &pairs, Some([half, last]));
            let apart = |s: &Stage| s.border.iter().all(|v| !(half..last).contains(&moved[*v]));
            stages[..half]
                .iter()
                .all(apart)
                .then_some((stages, [half, last]))
        });
        let (stages, halves) = match halved {
            Some((stages, halves)) => (stages, Some(halves)),
            None => (chain, None),
        };
        Some(Self {
            size,
            stages,
            halves,
            rows,
            columns,
            ..Self::default()
        })
    }

    /// Stages with the unknowns that have their number, in a given order, each followed by the next one but at the end of
    /// the first of two halves.
    fn in_order(
        order: &[usize],
        numbers: &[usize],
        pairs: &[(usize, usize)],
        halves: Option<[usize; 2]>,
    ) -> Vec<Stage> {
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
            let passed = stages[k].border.iter().filter(|v| numbers[**v] > parent);
            let passed: Vec<usize> = passed.copied().collect();
            if let Some(met) = met.get_mut(parent) {
                met.extend(passed);
            }
        }
        let mut place = vec![usize::MAX; numbers.len()];
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (e, &(r, c)) in pairs.iter().enumerate() {
            lists[numbers[r].min(numbers[c])].push(e);
        }
        for k in 0..count {
            let all = stages[k].own.iter().chain(&stages[k].border);
            all.enumerate().for_each(|(at, v)| place[*v] = at);
            stages[k].entries = (lists[k].iter())
                .map(|&e| (place[pairs[e].0] as u32, place[pairs[e].1] as u32, e as u32))
                .collect();
            for child in 0..k {
                if stages[child].parent == k {
                    let carried = stages[child].border.iter().map(|v| place[*v]);
                    stages[child].carried = carried.collect();
                }
            }
        }
        stages
    }

    /// Factorises the matrix with these values; none if it is singular.
    pub fn factorise(&mut self, values: &[f64]) -> Option<()> {
        self.scale(values);
        self.fronts.clear();
        let count = self.stages.len();
        let (mut fronts, left) = match self.halves {
            None => self.eliminate(values, 0..count, Vec::new())?,
            Some([half, middle]) => {
                let [first, second] = [0..half, half..middle];
                let halves = rayon::join(
                    || self.eliminate(values, first, Vec::new()),
                    || self.eliminate(values, second, Vec::new()),
                );
                let ((mut fronts, mut left), (others, right)) = (halves.0?, halves.1?);
                fronts.extend(others);
                left.extend(right);
                let (others, left) = self.eliminate(values, middle..count, left)?;
                fronts.extend(others);
                (fronts, left)
            }
        };
        debug_assert!(left.is_empty());
        self.negative = fronts.iter().map(|f| f.negative).sum();
        self.fronts.append(&mut fronts);
        Some(())
    }

    /// Eliminates some stages, each of which follows the one before, from what others left; with what is left then.
    fn eliminate(
        &self,
        values: &[f64],
        stages: std::ops::Range<usize>,
        mut left: Vec<Left>,
    ) -> Option<(Vec<Front>, Vec<Left>)> {
        let mut fronts = Vec::with_capacity(stages.len());
        for k in stages {
            let stage = &self.stages[k];
            // First what the fronts before could not eliminate.
            let late: usize = left.iter().map(|l| l.late).sum();
            let mut all: Vec<usize> = Vec::with_capacity(late + stage.own.len());
            left.iter().for_each(|l| all.extend(&l.ids[..l.late]));
            all.extend(stage.own.iter().chain(&stage.border));
            let mut front = Front::new(all);
            let mut before = 0;
            for l in &left {
                let carried = self.stages[l.stage].carried.iter().map(|c| late + c);
                let places: Vec<usize> = (before..before + l.late).chain(carried).collect();
                for (j, &to) in places.iter().enumerate() {
                    for (i, &from) in places.iter().enumerate().skip(j) {
                        let at = front.at(from, to);
                        front.a[at] += l.rest[i + j * places.len()];
                    }
                }
                before += l.late;
            }
            for &(r, c, e) in &stage.entries {
                let e = e as usize;
                let at = front.at(late + r as usize, late + c as usize);
                front.a[at] += values[e] * self.scales[self.rows[e]] * self.scales[self.columns[e]];
            }
            let last = k + 1 == self.stages.len();
            front.eliminate(late + stage.own.len(), last)?;
            let late = late + stage.own.len() - front.done();
            let (ids, rest) = front.split();
            left = match ids.is_empty() {
                true => Vec::new(),
                false => vec![Left {
                    stage: k,
                    late,
                    ids,
                    rest,
                }],
            };
            fronts.push(front);
        }
        Some((fronts, left))
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
