//! Small dense symmetric indefinite fronts: the first unknowns of a matrix are eliminated as far as their pivots are sound.
//!
//! A front holds the unknowns that are eliminated now and, after them, those they meet. Pivots of one and of two unknowns
//! are chosen among the former; the columns of L have no entries above 1/[`SOUND`]. What has no such pivot is left for
//! the next front, where more is known of it. The columns of the former follow every pivot; what the others are left with
//! is added up at the end, four columns of L at a time. Wide fronts are eliminated [panel by panel](super::panels).

/// Least size of a pivot over the entries of its column: bounds the growth of what is left.
const SOUND: f64 = 1e-3;

/// Unknowns of a front from which on it is eliminated panel by panel.
pub(super) const WIDE: usize = 72;

/// By what this falls in a last front that has no such pivots any more, and from where on any pivot will do.
const LESS_SOUND: f64 = 1e-3;
const ANY: f64 = 1e-9;

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
    /// Pivots as they are: d of one, x, y and z of two.
    values: Vec<[f64; 3]>,
    /// Number of negative eigenvalues of what is eliminated.
    pub negative: usize,
}

impl Front {
    /// Begins again with zeros, for as many unknowns as `ids` has.
    pub fn begin(&mut self) {
        self.size = self.ids.len();
        self.a.clear();
        self.a.resize(self.size * self.size, 0.0);
        self.pivots.clear();
        self.values.clear();
        self.negative = 0;
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Number of unknowns that are eliminated.
    pub fn done(&self) -> usize {
        self.pivots.len()
    }

    /// Eliminates the first `count` unknowns as far as they have sound pivots; with `all` those with any pivot but zero.
    /// None if there is no other.
    pub fn eliminate(&mut self, count: usize, all: bool) -> Option<()> {
        if self.size > WIDE {
            return self.eliminate_by_panels(count, all);
        }
        self.eliminate_among(count, SOUND, all)?;
        self.take_from_rest(count);
        Some(())
    }

    /// The same, where only the columns of these unknowns are told of it.
    pub(super) fn eliminate_among(
        &mut self,
        count: usize,
        mut sound: f64,
        all: bool,
    ) -> Option<()> {
        // Unknowns without a sound pivot wait at the end until others are eliminated.
        let (mut waiting, mut moved) = (0, false);
        while self.done() < count {
            let p = self.done();
            if p + waiting == count {
                if !moved {
                    if !all {
                        break;
                    }
                    if sound == 0.0 {
                        return None;
                    }
                    sound = if sound > ANY { sound * LESS_SOUND } else { 0.0 };
                }
                (waiting, moved) = (0, false);
            }
            match self.pivot(p, count, sound) {
                Some(partner) => {
                    match partner {
                        None => self.eliminate_one(p, count),
                        Some(r) => {
                            // A partner may be one that waits.
                            waiting -= usize::from(r + waiting >= count);
                            self.exchange(p + 1, r);
                            self.eliminate_two(p, count);
                        }
                    }
                    moved = true;
                }
                None => {
                    waiting += 1;
                    self.exchange(p, count - waiting);
                }
            }
        }
        Some(())
    }

    /// Moves what is left behind to `rest`: its unknowns, and its lower triangle by columns.
    pub fn split(&mut self, ids: &mut Vec<usize>, rest: &mut Vec<f64>) {
        let (m, done) = (self.size, self.done());
        ids.clear();
        ids.extend(&self.ids[done..]);
        rest.clear();
        rest.extend_from_slice(&self.a[done * m..]);
        self.a.truncate(done * m);
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
            b[c] -= dot(&b[first..], below);
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

    /// Whether the unknown p, among those up to `end`, is a sound pivot; with a partner if there must be two.
    fn pivot(&self, p: usize, end: usize, sound: f64) -> Option<Option<usize>> {
        let m = self.size;
        let column = &self.a[p * m..(p + 1) * m];
        let d = column[p];
        let near = largest(&column[p + 1..end]);
        let most = near.max(largest(&column[end..]));
        if d.abs() > ZERO && d.abs() >= sound * most {
            return Some(None);
        }
        // The partner it meets most.
        let found = column[p + 1..end].iter().position(|v| v.abs() == near)?;
        let r = p + 1 + found;
        let (y, z) = (column[r], self.a[r + r * m]);
        let det = (d * z - y * y).abs();
        // Largest entries of both columns beside the pivot.
        let own = largest(&column[p + 1..r]).max(largest(&column[r + 1..]));
        let before = (p + 1..r).fold(0.0_f64, |most, c| larger(self.a[r + c * m].abs(), most));
        let other = before.max(largest(&self.a[r * m + r + 1..(r + 1) * m]));
        // Entries of the two columns times the inverse of the pivot.
        let grown = [
            z.abs() * own + y.abs() * other,
            y.abs() * own + d.abs() * other,
        ];
        let fits = det > ZERO * ZERO && sound * grown[0].max(grown[1]) <= det;
        fits.then_some(Some(r))
    }

    /// Takes the unknown p out of the columns up to `end`.
    fn eliminate_one(&mut self, p: usize, end: usize) {
        let m = self.size;
        let (before, after) = self.a.split_at_mut((p + 1) * m);
        let own = &mut before[p * m + p..];
        let d = own[0];
        let inverse = 1.0 / d;
        for (c, column) in (p + 1..end).zip(after.chunks_exact_mut(m)) {
            let l = own[c - p] * inverse;
            if l != 0.0 {
                subtract(&mut column[c..], l, &own[c - p..]);
            }
        }
        own[1..].iter_mut().for_each(|v| *v *= inverse);
        self.negative += usize::from(d < 0.0);
        self.pivots.push(Pivot::One(inverse));
        self.values.push([d, 0.0, 0.0]);
    }

    /// The same for the unknowns p and p + 1.
    fn eliminate_two(&mut self, p: usize, end: usize) {
        let m = self.size;
        let (before, after) = self.a.split_at_mut((p + 2) * m);
        let (first, second) = before[p * m..].split_at_mut(m);
        let (x, y, z) = (first[p], first[p + 1], second[p + 1]);
        let det = x * z - y * y;
        let inverse = [z / det, -y / det, x / det];
        for (c, column) in (p + 2..end).zip(after.chunks_exact_mut(m)) {
            let (a, b) = (first[c], second[c]);
            let l = [
                inverse[0] * a + inverse[1] * b,
                inverse[1] * a + inverse[2] * b,
            ];
            if l != [0.0; 2] {
                subtract_two(&mut column[c..], l, [&first[c..], &second[c..]]);
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
        self.values.extend([[x, y, z], [0.0; 3]]);
    }

    /// Takes all that is eliminated out of the columns from `end` on: C ← C − L D Lᵀ.
    fn take_from_rest(&mut self, end: usize) {
        let (m, done) = (self.size, self.done());
        let (own, rest) = self.a.split_at_mut(end * m);
        // Rows of L D for one column of the rest.
        let mut factors = vec![0.0; done];
        for (c, to) in (end..m).zip(rest.chunks_exact_mut(m)) {
            for (p, (pivot, [x, y, z])) in self.pivots.iter().zip(&self.values).enumerate() {
                let l = own[p * m + c];
                match pivot {
                    Pivot::One(_) => factors[p] = l * x,
                    Pivot::Two(_) => {
                        let k = own[(p + 1) * m + c];
                        (factors[p], factors[p + 1]) = (l * x + k * y, l * y + k * z);
                    }
                    Pivot::Second => {}
                }
            }
            let to = &mut to[c..];
            let column = |p: usize| &own[p * m + c..(p + 1) * m];
            let mut p = 0;
            let mut fours = factors.chunks_exact(4);
            for four in &mut fours {
                if four.iter().any(|f| *f != 0.0) {
                    let columns = [column(p), column(p + 1), column(p + 2), column(p + 3)];
                    subtract_four(to, four, columns);
                }
                p += 4;
            }
            for (k, f) in fours.remainder().iter().enumerate() {
                subtract(to, *f, column(p + k));
            }
        }
    }

    /// Exchanges two unknowns up to `end` that are not eliminated.
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
        let (before, after) = self.a.split_at_mut(q * m);
        before[p * m + q + 1..(p + 1) * m].swap_with_slice(&mut after[q + 1..m]);
    }
}

/// The larger of two sizes.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Size of the largest of some numbers.
pub(super) fn largest(list: &[f64]) -> f64 {
    let mut most = [0.0; 4];
    let fours = list.chunks_exact(4);
    let rest = fours.remainder();
    for four in fours {
        for (m, v) in most.iter_mut().zip(four) {
            *m = larger(v.abs(), *m);
        }
    }
    rest.iter()
        .chain(&most)
        .fold(0.0, |m, v| larger(v.abs(), m))
}

/// to ← to − f v.
#[inline]
fn subtract(to: &mut [f64], f: f64, v: &[f64]) {
    to.iter_mut().zip(v).for_each(|(x, v)| *x -= f * v);
}

/// to ← to − f v − g w.
#[inline]
fn subtract_two(to: &mut [f64], [f, g]: [f64; 2], [v, w]: [&[f64]; 2]) {
    let pairs = v.iter().zip(w);
    (to.iter_mut().zip(pairs)).for_each(|(x, (v, w))| *x -= f * v + g * w);
}

/// The same for four.
#[inline]
fn subtract_four(to: &mut [f64], f: &[f64], [v, w, y, z]: [&[f64]; 4]) {
    let fours = v.iter().zip(w).zip(y.iter().zip(z));
    for (x, ((v, w), (y, z))) in to.iter_mut().zip(fours) {
        *x -= (f[0] * v + f[1] * w) + (f[2] * y + f[3] * z);
    }
}

/// a · b.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = [0.0; 4];
    let (x, y) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = (x.remainder().iter().zip(y.remainder()))
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in x.zip(y) {
        for (s, (a, b)) in sum.iter_mut().zip(a.iter().zip(b)) {
            *s += a * b;
        }
    }
    (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest
}
