//! Where the entries of a linear system go when inequalities and leaves are taken out.

use std::collections::HashMap;

use nalgebra::DMatrix;

use super::super::nlp::Leaf;
use super::Structure;
use super::bunch_parlett::Factors;

/// Where the entries go: first to the system without inequalities (the middle one), then
/// to the one without leaves.
pub(super) struct Plan {
    pub unknowns: usize,
    /// Entries of the middle system that are entries of the whole one: slot and place.
    kept: Vec<(u32, u32)>,
    inequalities: Vec<Inequality>,
    middle: Vec<f64>,
    leaves: Vec<LeafPlan>,
    /// Entries of the last system that are entries of the middle one.
    carried: Vec<u32>,
    /// Unknowns of the middle system that are left, and pattern of the last one, counted from one.
    pub left: Vec<usize>,
    pub rows: Vec<i32>,
    pub columns: Vec<i32>,
}

/// Places of the entries of one inequality.
#[derive(Clone, Debug, Default)]
struct Inequality {
    slack: Vec<u32>,
    link: Vec<u32>,
    multiplier: Vec<u32>,
    /// Unknown and place of each entry of its gradient.
    gradient: Vec<(u32, u32)>,
    /// Slots of the products of those entries, lower triangle by rows.
    products: Vec<u32>,
    /// Values of the last factorisation: Σ, −1, and what is left of the multiplier's diagonal.
    sigma: f64,
    sign: f64,
    pivot: f64,
}

/// Places of the entries of one leaf.
#[derive(Clone, Debug, Default)]
struct LeafPlan {
    /// Its unknowns in the middle system, how many of them are multipliers, and those it meets.
    members: Vec<usize>,
    equalities: i32,
    border: Vec<usize>,
    /// Entries: row and column within the leaf, or within border and leaf; slot in the middle.
    block: Vec<(usize, usize, u32)>,
    coupling: Vec<(usize, usize, u32)>,
    /// Slots in the last system of the products of the border, lower triangle by rows.
    products: Vec<u32>,
    factors: Option<Factors>,
    /// Leaf by border, and A⁻¹ times it.
    meets: DMatrix<f64>,
    solved: DMatrix<f64>,
}

/// A place of the lower triangle.
fn key(a: usize, b: usize) -> u64 {
    ((a.max(b) as u64) << 32) | a.min(b) as u64
}

fn place(key: u64) -> (usize, usize) {
    ((key >> 32) as usize, (key & 0xffff_ffff) as usize)
}

/// Sorts and numbers places.
fn number(mut keys: Vec<u64>) -> (Vec<u64>, HashMap<u64, u32>) {
    keys.sort_unstable();
    keys.dedup();
    let slots = keys.iter().enumerate().map(|(k, v)| (*v, k as u32));
    let slots = slots.collect();
    (keys, slots)
}

/// The lower triangle of the products of a list with itself, by rows.
fn products(list: &[usize]) -> impl Iterator<Item = u64> + '_ {
    let rows = list.iter().enumerate();
    rows.flat_map(|(i, a)| list[..=i].iter().map(|b| key(*a, *b)))
}

impl Plan {
    /// None if the system is of another form.
    pub fn new(dim: usize, structure: &Structure, rows: &[i32], columns: &[i32]) -> Option<Self> {
        let Structure {
            equalities: e,
            inequalities: m,
            leaves,
            ..
        } = structure;
        let unknowns = dim.checked_sub(e + 2 * m)?;
        let (slacks, fixed) = (unknowns, unknowns + m);
        let multipliers = fixed + e;
        let mut list = vec![Inequality::default(); *m];
        let mut pairs: Vec<(u64, u32)> = Vec::new();
        let slack = |k: usize| (slacks..fixed).contains(&k).then(|| k - slacks);
        let middle_of = |k: usize| if k < slacks { k } else { k - m };
        for (place, (r, c)) in rows.iter().zip(columns).enumerate() {
            let (r, c) = ((*r - 1) as usize, (*c - 1) as usize);
            let (r, c, place) = (r.max(c), r.min(c), place as u32);
            match (r.checked_sub(multipliers), slack(r), slack(c)) {
                (Some(k), _, _) if r == c => list[k].multiplier.push(place),
                (Some(k), _, Some(s)) if s == k => list[k].link.push(place),
                (Some(k), _, None) if c < slacks => list[k].gradient.push((c as u32, place)),
                (None, Some(s), _) if r == c => list[s].slack.push(place),
                (None, None, None) => pairs.push((key(middle_of(r), middle_of(c)), place)),
                _ => return None,
            }
        }
        let mut keys: Vec<u64> = pairs.iter().map(|p| p.0).collect();
        let lists: Vec<Vec<usize>> = (list.iter())
            .map(|row| row.gradient.iter().map(|g| g.0 as usize).collect())
            .collect();
        keys.extend(lists.iter().flat_map(|l| products(l)));
        let (keys, slots) = number(keys);
        for (row, own) in list.iter_mut().zip(&lists) {
            row.products = products(own).map(|k| slots[&k]).collect();
        }
        let mut out = Self {
            unknowns,
            kept: pairs.iter().map(|(k, place)| (slots[k], *place)).collect(),
            inequalities: list,
            middle: vec![0.0; keys.len()],
            leaves: Vec::new(),
            carried: Vec::new(),
            left: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
        };
        out.take_leaves(unknowns + e, leaves, &keys)?;
        Some(out)
    }

    fn take_leaves(&mut self, size: usize, leaves: &[Leaf], keys: &[u64]) -> Option<()> {
        // Leaf and place in it of each unknown.
        let mut home = vec![None; size];
        for (l, leaf) in leaves.iter().enumerate() {
            let equalities = leaf.equalities.iter().map(|r| self.unknowns + r);
            let members: Vec<usize> = leaf.unknowns.iter().copied().chain(equalities).collect();
            for (k, &at) in members.iter().enumerate() {
                *home.get_mut(at)? = Some((l, k));
            }
            self.leaves.push(LeafPlan {
                members,
                equalities: leaf.equalities.len() as i32,
                ..LeafPlan::default()
            });
        }
        self.left = (0..size).filter(|k| home[*k].is_none()).collect();
        let mut last = Vec::new();
        for (slot, k) in keys.iter().enumerate() {
            let (slot, (r, c)) = (slot as u32, place(*k));
            match (home[r], home[c]) {
                (Some((l, i)), Some((other, j))) if l == other => {
                    self.leaves[l].block.push((i, j, slot));
                }
                (Some(_), Some(_)) => return None,
                (Some((l, i)), None) | (None, Some((l, i))) => {
                    let far = if home[r].is_some() { c } else { r };
                    let leaf = &mut self.leaves[l];
                    let known = leaf.border.iter().position(|b| *b == far);
                    let at = known.unwrap_or_else(|| {
                        leaf.border.push(far);
                        leaf.border.len() - 1
                    });
                    leaf.coupling.push((i, at, slot));
                }
                (None, None) => {
                    last.push(*k);
                    self.carried.push(slot);
                }
            }
        }
        // Carried entries come first in the pattern, those that only products have after them.
        let mut fresh: Vec<u64> = (self.leaves.iter())
            .flat_map(|leaf| products(&leaf.border).collect::<Vec<_>>())
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        let known: HashMap<u64, u32> = (last.iter().enumerate())
            .map(|(k, v)| (*v, k as u32))
            .collect();
        fresh.retain(|k| !known.contains_key(k));
        let mut slots = known;
        for k in fresh {
            slots.insert(k, last.len() as u32);
            last.push(k);
        }
        for leaf in &mut self.leaves {
            leaf.products = products(&leaf.border).map(|k| slots[&k]).collect();
        }
        let mut new = vec![0; size];
        for (k, &at) in self.left.iter().enumerate() {
            new[at] = k as i32 + 1;
        }
        self.rows = last.iter().map(|k| new[place(*k).0]).collect();
        self.columns = last.iter().map(|k| new[place(*k).1]).collect();
        Some(())
    }

    /// Fills the last system; the number of negative eigenvalues of what is taken out, and whether a leaf has more of them
    /// than equalities, or none if that is singular.
    pub fn reduce(&mut self, values: &[f64], out: &mut [f64]) -> Option<(i32, bool)> {
        let mut negative = 0;
        let mut bent = false;
        self.middle.fill(0.0);
        for &(slot, place) in &self.kept {
            self.middle[slot as usize] += values[place as usize];
        }
        let sum = |places: &[u32]| -> f64 { places.iter().map(|p| values[*p as usize]).sum() };
        let mut gradient = Vec::new();
        for row in &mut self.inequalities {
            row.sigma = sum(&row.slack);
            row.sign = sum(&row.link);
            row.pivot = sum(&row.multiplier) - row.sign * row.sign / row.sigma;
            if row.sigma == 0.0 || row.pivot == 0.0 || !row.pivot.is_finite() {
                return None;
            }
            negative += i32::from(row.sigma < 0.0) + i32::from(row.pivot < 0.0);
            gradient.clear();
            gradient.extend(row.gradient.iter().map(|g| values[g.1 as usize]));
            let mut slots = row.products.iter();
            for (i, a) in gradient.iter().enumerate() {
                let scaled = a / row.pivot;
                for (b, slot) in gradient[..=i].iter().zip(&mut slots) {
                    self.middle[*slot as usize] -= scaled * b;
                }
            }
        }
        out.fill(0.0);
        for (to, slot) in out.iter_mut().zip(&self.carried) {
            *to = self.middle[*slot as usize];
        }
        for leaf in &mut self.leaves {
            let own = leaf.reduce(&self.middle, out)?;
            bent |= own > leaf.equalities;
            negative += own;
        }
        Some((negative, bent))
    }

    /// Takes the right-hand side of what is left.
    pub fn forward(&self, values: &[f64], whole: &[f64], equalities: usize) -> Vec<f64> {
        let (n, m) = (self.unknowns, self.inequalities.len());
        let mut middle = whole[..n].to_vec();
        middle.extend(&whole[n + m..n + m + equalities]);
        for (k, row) in self.inequalities.iter().enumerate() {
            let own = whole[n + m + equalities + k] - row.sign * whole[n + k] / row.sigma;
            for (c, place) in &row.gradient {
                middle[*c as usize] -= values[*place as usize] * own / row.pivot;
            }
        }
        for leaf in &self.leaves {
            for (b, &at) in leaf.border.iter().enumerate() {
                let own = leaf.members.iter().enumerate();
                middle[at] -= own
                    .map(|(i, &m)| leaf.solved[(i, b)] * middle[m])
                    .sum::<f64>();
            }
        }
        middle
    }

    /// Puts the solution of what is left into that of everything.
    pub fn backward(
        &self,
        values: &[f64],
        mut middle: Vec<f64>,
        part: &[f64],
        whole: &mut [f64],
        equalities: usize,
    ) {
        let (n, m) = (self.unknowns, self.inequalities.len());
        for (&at, v) in self.left.iter().zip(part) {
            middle[at] = *v;
        }
        for leaf in &self.leaves {
            leaf.solve(&mut middle);
        }
        whole[..n].copy_from_slice(&middle[..n]);
        whole[n + m..n + m + equalities].copy_from_slice(&middle[n..]);
        for (k, row) in self.inequalities.iter().enumerate() {
            let at = n + m + equalities + k;
            let mut own = whole[at] - row.sign * whole[n + k] / row.sigma;
            for (c, place) in &row.gradient {
                own -= values[*place as usize] * middle[*c as usize];
            }
            whole[at] = own / row.pivot;
            whole[n + k] = (whole[n + k] - row.sign * whole[at]) / row.sigma;
        }
    }
}

impl LeafPlan {
    fn reduce(&mut self, middle: &[f64], out: &mut [f64]) -> Option<i32> {
        let (n, b) = (self.members.len(), self.border.len());
        let mut block = DMatrix::zeros(n, n);
        for &(i, j, slot) in &self.block {
            block[(i, j)] += middle[slot as usize];
            if i != j {
                block[(j, i)] += middle[slot as usize];
            }
        }
        self.meets = DMatrix::zeros(n, b);
        for &(i, k, slot) in &self.coupling {
            self.meets[(i, k)] += middle[slot as usize];
        }
        let factors = Factors::new(block)?;
        self.solved = self.meets.clone();
        for column in self.solved.as_mut_slice().chunks_mut(n) {
            factors.solve(column);
        }
        let mut slots = self.products.iter();
        for i in 0..b {
            for (j, slot) in (0..=i).zip(&mut slots) {
                out[*slot as usize] -= self.meets.column(i).dot(&self.solved.column(j));
            }
        }
        let negative = factors.negative as i32;
        self.factors = Some(factors);
        Some(negative)
    }

    /// Overwrites the leaf's part of a right-hand side, whose border is solved, with the solution.
    fn solve(&self, middle: &mut [f64]) {
        let mut own: Vec<f64> = self.members.iter().map(|&at| middle[at]).collect();
        for (k, &at) in self.border.iter().enumerate() {
            for (i, v) in own.iter_mut().enumerate() {
                *v -= self.meets[(i, k)] * middle[at];
            }
        }
        if let Some(factors) = &self.factors {
            factors.solve(&mut own);
        }
        for (&at, v) in self.members.iter().zip(own) {
            middle[at] = v;
        }
    }
}
