//! Small dense symmetric indefinite fronts: the first unknowns of a matrix are eliminated as far as their pivots are sound.
//!
//! A front holds the unknowns that are eliminated now and, after them, those they meet. Pivots of one and of two unknowns
//! are chosen among the former; the columns of L have no entries above 1/[`SOUND`]. What has no such pivot is left for
//! the next front, where more is known of it.

/// Least size of a pivot over the entries of its column: bounds the growth of what is left.
const SOUND: f64 = 0.05;

/// Unknowns of a front from which on it is eliminated panel by panel.
pub(super) const WIDE: usize = 72;

/// Pivots that are this small in a matrix whose largest entries are near one count as zero.
const ZERO: f64 = 1e-14;

/// Inverse of a pivot: of one unknown, or of two at the first of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pivot {
    One(f64),
    Two([f64; 3]),
    /// The second unknown of two.
    Second,
}

/// A front: lower triangle by columns, with the unknowns that its rows stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    pub(super) size: usize,
    pub ids: Vec<usize>,
    pub a: Vec<f64>,
    pub(super) pivots: Vec<Pivot>,
    /// Number of negative eigenvalues of what is eliminated.
    pub negative: usize,
}

impl Front {
    /// A front of zeros.
    pub fn new(ids: Vec<usize>) -> Self {
        let size = ids.len();
        Self {
            size,
            a: vec![0.0; size * size],
            ids,
            pivots: Vec::new(),
            negative: 0,
        }
    }

    /// The place of an entry of the lower triangle.
    pub fn at(&self, i: usize, j: usize) -> usize {
        i.max(j) + i.min(j) * self.size
    }

    /// Number of unknowns that are eliminated.
    pub fn done(&self) -> usize {
        self.pivots.len()
    }

    /// Eliminates the first `count` unknowns as far as they have sound pivots; with `all` those with any pivot but zero.
    /// None if there is no other.
    pub fn eliminate(&mut self, count: usize, all: bool) -> Option<()> {
        match self.size > WIDE {
            true => self.eliminate_by_panels(count, all),
            false => self.eliminate_among([count, self.size], SOUND, all),
        }
    }

    /// The same, where only the columns up to `until` are told of it.
    pub(super) fn eliminate_among(
        &mut self,
        [count, until]: [usize; 2],
        mut sound: f64,
        all: bool,
    ) -> Option<()> {
        while self.done() < count {
            let p = self.done();
            match self.choose(p, count, sound) {
                Some((j, None)) => {
                    self.exchange(p, j);
                    self.eliminate_one(p, until);
                }
                Some((j, Some(r))) => {
                    self.exchange(p, j);
                    self.exchange(p + 1, r);
                    self.eliminate_two(p, until);
                }
                None if all && sound > 0.0 => sound = 0.0,
                None => return (!all).then_some(()),
            }
        }
        Some(())
    }

    /// Keeps the columns of what is eliminated; returns the rest with its lower triangle by columns.
    pub fn split(&mut self) -> (Vec<usize>, Vec<f64>) {
        let (m, done) = (self.size, self.done());
        let left = m - done;
        let mut rest = vec![0.0; left * left];
        for j in 0..left {
            let column = &self.a[(done + j) * m + done + j..(done + j + 1) * m];
            rest[j * left + j..(j + 1) * left].copy_from_slice(column);
        }
        self.a.truncate(done * m);
        (self.ids[done..].to_vec(), rest)
    }

    /// b ← L⁻¹ b among the unknowns of the front.
    pub fn forward(&self, b: &mut [f64]) {
        for (c, below) in self.below() {
            let value = b[c];
            let first = self.size - below.len();
            let own = b[first..].iter_mut().zip(below);
            own.for_each(|(to, l)| *to -= l * value);
        }
    }

    /// b ← L⁻ᵀ b for the eliminated unknowns, where the others are known.
    pub fn backward(&self, b: &mut [f64]) {
        for (c, below) in self.below().rev() {
            let first = self.size - below.len();
            b[c] -= match self.size > WIDE {
                true => dot(&b[first..], below),
                false => b[first..].iter().zip(below).map(|(x, l)| x * l).sum(),
            };
        }
    }

    /// b ← D⁻¹ b for the eliminated unknowns.
    pub fn divide(&self, b: &mut [f64]) {
        for (c, pivot) in self.pivots.iter().enumerate() {
            match *pivot {
                Pivot::One(inverse) => b[c] *= inverse,
                Pivot::Two([x, y, z]) => {
                    (b[c], b[c + 1]) = (x * b[c] + y * b[c + 1], y * b[c] + z * b[c + 1]);
                }
                Pivot::Second => {}
            }
        }
    }

    /// The columns of L below their pivots.
    fn below(&self) -> impl DoubleEndedIterator<Item = (usize, &[f64])> {
        self.pivots.iter().enumerate().map(|(c, pivot)| {
            let first = c + 1 + usize::from(matches!(pivot, Pivot::Two(_)));
            (c, &self.a[c * self.size + first..(c + 1) * self.size])
        })
    }

    /// A sound pivot among the unknowns from p to `end`: its place, and that of its partner if there are two.
    fn choose(&self, p: usize, end: usize, sound: f64) -> Option<(usize, Option<usize>)> {
        for j in p..end {
            let [near, far] = self.largest(p, end, [j, j]);
            let d = self.a[self.at(j, j)];
            if d.abs() > ZERO && d.abs() >= sound * near.1.max(far.1) {
                return Some((j, None));
            }
            let r = near.0;
            if r == j {
                continue;
            }
            let (y, z) = (self.a[self.at(r, j)], self.a[self.at(r, r)]);
            let det = (d * z - y * y).abs();
            let most = [[j, r], [r, j]].map(|pair| {
                let [near, far] = self.largest(p, end, pair);
                near.1.max(far.1)
            });
            // Entries of the two columns times the inverse of the pivot.
            let grown = [
                z.abs() * most[0] + y.abs() * most[1],
                y.abs() * most[0] + d.abs() * most[1],
            ];
            if det > ZERO * ZERO && sound * grown[0].max(grown[1]) <= det {
                return Some((j.min(r), Some(j.max(r))));
            }
        }
        None
    }

    /// Places and sizes of the largest entries of a column from p on, up to `end` and after it, but for the places of a
    /// pair whose first is the column.
    fn largest(&self, p: usize, end: usize, [j, other]: [usize; 2]) -> [(usize, f64); 2] {
        let m = self.size;
        let row = (p..j).map(|i| (i, self.a[j + i * m]));
        let column = &self.a[j * m + j + 1..j * m + end];
        let column = column.iter().enumerate().map(|(k, v)| (j + 1 + k, *v));
        let mut near = (j, 0.0_f64);
        for (i, v) in row.chain(column) {
            if v.abs() > near.1 && i != other {
                near = (i, v.abs());
            }
        }
        [near, (j, largest(&self.a[j * m + end..(j + 1) * m]))]
    }

    fn eliminate_one(&mut self, p: usize, until: usize) {
        let m = self.size;
        let (before, after) = self.a.split_at_mut((p + 1) * m);
        let own = &mut before[p * m + p..];
        let d = own[0];
        for (c, column) in (p + 1..until).zip(after.chunks_mut(m)) {
            let l = own[c - p] / d;
            if l != 0.0 {
                let pairs = column[c..].iter_mut().zip(&own[c - p..]);
                pairs.for_each(|(to, v)| *to -= v * l);
            }
        }
        own[1..].iter_mut().for_each(|v| *v /= d);
        self.negative += usize::from(d < 0.0);
        self.pivots.push(Pivot::One(1.0 / d));
    }

    fn eliminate_two(&mut self, p: usize, until: usize) {
        let m = self.size;
        let (before, after) = self.a.split_at_mut((p + 2) * m);
        let (first, second) = before[p * m..].split_at_mut(m);
        let (x, y, z) = (first[p], first[p + 1], second[p + 1]);
        let det = x * z - y * y;
        let inverse = [z / det, -y / det, x / det];
        for (c, column) in (p + 2..until).zip(after.chunks_mut(m)) {
            let (a, b) = (first[c], second[c]);
            let l = [
                inverse[0] * a + inverse[1] * b,
                inverse[1] * a + inverse[2] * b,
            ];
            if l != [0.0; 2] {
                let pairs = first[c..].iter().zip(&second[c..]);
                let own = column[c..].iter_mut().zip(pairs);
                own.for_each(|(to, (v, w))| *to -= v * l[0] + w * l[1]);
            }
        }
        for (v, w) in first[p + 2..].iter_mut().zip(&mut second[p + 2..]) {
            (*v, *w) = (
                inverse[0] * *v + inverse[1] * *w,
                inverse[1] * *v + inverse[2] * *w,
            );
        }
        self.negative += if det < 0.0 {
            1
        } else {
            2 * usize::from(x < 0.0)
        };
        self.pivots.extend([Pivot::Two(inverse), Pivot::Second]);
    }

    /// Exchanges two unknowns that are not eliminated.
    fn exchange(&mut self, p: usize, q: usize) {
        let m = self.size;
        if p == q {
            return;
        }
        self.ids.swap(p, q);
        for c in 0..p {
            self.a.swap(p + c * m, q + c * m);
        }
        self.a.swap(p + p * m, q + q * m);
        for i in p + 1..q {
            self.a.swap(i + p * m, q + i * m);
        }
        for i in q + 1..m {
            self.a.swap(i + p * m, i + q * m);
        }
    }
}

/// Numbers that are taken at once.
const LANES: usize = 8;

/// The largest of some numbers by size.
fn largest(list: &[f64]) -> f64 {
    let larger = |m: f64, v: f64| if v.abs() > m { v.abs() } else { m };
    let mut lanes = [0.0; LANES];
    let chunks = list.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        let pairs = lanes.iter_mut().zip(chunk);
        pairs.for_each(|(m, v)| *m = larger(*m, *v));
    }
    lanes.iter().chain(rest).fold(0.0, |m, v| larger(m, *v))
}

/// The scalar product.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (left, right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = left.remainder().iter().zip(right.remainder());
    let rest: f64 = rest.map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        let products = lanes.iter_mut().zip(x.iter().zip(y));
        products.for_each(|(sum, (x, y))| *sum += x * y);
    }
    lanes.iter().sum::<f64>() + rest
}
