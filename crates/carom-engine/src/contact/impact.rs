//! The papers' jumps of momentum: reflection in the reduced mass metric (thesis (3.103)–(3.109)), restitution,
//! friction, several contacts at once.
//!
//! With g = Pᵀ∇gap and the reduced mass matrix M, a contact that closes at the rate v = ⟨g, ν⟩ < 0
//! gets the multiplier λ = −(1 + e) v / ⟨g, M⁻¹g⟩ (thesis (3.108), (3.110b)): its rate becomes −e v,
//! everything orthogonal to g is kept, and so is kinetic energy for e = 1. Several contacts at once: the papers' rule reflects
//! along the sum of the gaps of each connected group; what that leaves approaching is for Poisson's law.
//! Or contacts are reflected one after the other, the fastest first, until none approaches. No
//! reflection gains energy, so neither does their sequence.
//!
//! Friction obeys Coulomb's law on the impulses of each hit, |tangential| ≤ μ |normal|, against the
//! sliding that is left (maximum dissipation); thesis (3.118) compares squares of norms instead.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use super::outcome::Outcome;
use super::rows::Rows;
use crate::sets::Sets;

/// How simultaneous impacts are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpRule {
    /// All points of all patches at once, compression then expansion (see `poisson`).
    #[default]
    Poisson,
    /// Along the sum of the gaps of each connected group, then one after the other.
    Sum,
    /// One after the other, the fastest approach first.
    Sequential,
}

/// A contact that may jump.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Row of the gap.
    pub normal: usize,
    /// First of the two rows across it, where there is friction.
    pub tangents: Option<usize>,
    /// Restitution e.
    pub restitution: f64,
    /// Friction μ.
    pub friction: f64,
    /// Length of the gap's gradient: rates of the normal row are this times speeds.
    pub steepness: f64,
    /// Approach slower than this (a speed) is taken up without rebound.
    pub rest_speed: f64,
    /// What it belongs to on either side: impulses on one are felt by all contacts of the same.
    pub owners: [usize; 2],
    /// Whether it is a vertex of a patch: it does not take part in the sum of gaps.
    pub vertex: bool,
    /// Change of kinetic energy by it so far.
    pub energy: f64,
}

/// Hits of one contact within a jump after which it does not rebound any more.
const MOST_HITS: u32 = 200;
/// Approach below this part of the fastest counts as none.
const STILL: f64 = 1e-13;

/// Storage of the resolution.
#[derive(Debug, Default)]
pub struct Jump {
    rates: Vec<f64>,
    hits: Vec<u32>,
    /// Touches of each owner, as a list per owner.
    of_owner: HashMap<usize, Vec<usize>>,
    /// Approaching touches, the fastest first; entries of older stamps are out of date.
    queue: BinaryHeap<Approach>,
    stamps: Vec<u32>,
    /// Velocities of a common impulse.
    push: Vec<f64>,
    /// Owners that contacts tie together.
    together: Sets,
}

/// A touch in the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Approach {
    rate: f64,
    touch: usize,
    stamp: u32,
}

impl Eq for Approach {}

impl Ord for Approach {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the largest first: the lowest rate, then the first in order.
        let faster = other.rate.total_cmp(&self.rate);
        faster.then(other.touch.cmp(&self.touch))
    }
}

impl PartialOrd for Approach {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Jump {
    /// One reflection along the sum of the gaps of each connected group of contacts that approach:
    /// velocities ν jump, multipliers go into the rows. Returns whether something approaches still.
    pub fn along_sum(&mut self, touches: &mut [Touch], rows: &mut Rows, nu: &mut [f64]) -> bool {
        let still = self.look(touches, rows, nu);
        self.sum_of_gaps(touches, rows, nu, still);
        self.rates.iter().any(|rate| *rate < still)
    }

    /// Rates of all contacts; returns the one that counts as none.
    fn look(&mut self, touches: &[Touch], rows: &Rows, nu: &[f64]) -> f64 {
        self.rates.clear();
        let speeds = touches.iter().map(|t| rows.rate(t.normal, nu));
        self.rates.extend(speeds);
        let fastest = self.rates.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        -STILL * fastest
    }

    /// Reflects the contacts one after the other, the fastest first, until none approaches.
    pub fn one_by_one(
        &mut self,
        touches: &mut [Touch],
        rows: &mut Rows,
        nu: &mut [f64],
    ) -> Outcome {
        let n = touches.len();
        let still = self.look(touches, rows, nu);
        self.of_owner.values_mut().for_each(Vec::clear);
        for (k, t) in touches.iter().enumerate() {
            for o in owners(t) {
                self.of_owner.entry(o).or_default().push(k);
            }
        }
        self.hits.clear();
        self.hits.resize(n, 0);
        self.stamps.clear();
        self.stamps.resize(n, 0);
        self.queue.clear();
        for (touch, rate) in self.rates.iter().enumerate() {
            if *rate < still {
                let (rate, stamp) = (*rate, 0);
                self.queue.push(Approach { rate, touch, stamp });
            }
        }
        let mut count = 0;
        while let Some(next) = self.queue.pop() {
            let worst = next.touch;
            if next.stamp != self.stamps[worst] {
                continue;
            }
            self.hits[worst] += 1;
            count += 1;
            let tired = self.hits[worst] > MOST_HITS;
            if self.hits[worst] > 20 * MOST_HITS {
                // Wedged beyond round-off: what is left is for the caller.
                return Outcome {
                    rounds: count,
                    residual: (next.rate / still * STILL).abs(),
                    converged: false,
                };
            }
            hit(&mut touches[worst], rows, nu, tired);
            for o in owners(&touches[worst]) {
                for &k in &self.of_owner[&o] {
                    let rate = rows.rate(touches[k].normal, nu);
                    self.stamps[k] += 1;
                    if rate < still {
                        let (touch, stamp) = (k, self.stamps[k]);
                        self.queue.push(Approach { rate, touch, stamp });
                    }
                }
            }
        }
        Outcome {
            rounds: count,
            residual: 0.0,
            converged: true,
        }
    }

    /// The reflection along sums of gaps.
    fn sum_of_gaps(&mut self, touches: &mut [Touch], rows: &mut Rows, nu: &mut [f64], still: f64) {
        let takes_part = |rates: &[f64], t: &Touch, k: usize| !t.vertex && rates[k] < still;
        // Owners that share a contact belong together.
        let most = touches.iter().flat_map(owners).max();
        self.together.reset(most.map_or(0, |o| o + 1));
        for (k, t) in touches.iter().enumerate() {
            if takes_part(&self.rates, t, k)
                && let [a, b] = t.owners
                && a != usize::MAX
                && b != usize::MAX
            {
                self.together.merge(a, b);
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (k, t) in touches.iter().enumerate() {
            if takes_part(&self.rates, t, k)
                && let Some(o) = owners(t).next()
            {
                groups.entry(self.together.root(o)).or_default().push(k);
            }
        }
        self.push.resize(nu.len(), 0.0);
        for members in groups.values() {
            let rate: f64 = members.iter().map(|&k| self.rates[k]).sum();
            for &k in members {
                for e in rows.entries(touches[k].normal) {
                    self.push[e.freedom] += e.response;
                }
            }
            let weights = members
                .iter()
                .map(|&k| rows.rate(touches[k].normal, &self.push));
            let weight: f64 = weights.sum();
            for &k in members {
                for e in rows.entries(touches[k].normal) {
                    self.push[e.freedom] = 0.0;
                }
            }
            let e = members
                .iter()
                .map(|&k| restitution(&touches[k], self.rates[k]))
                .fold(1.0, f64::min);
            let lambda = -(1.0 + e) * rate / weight;
            let before: Vec<f64> = members.iter().map(|&k| self.rates[k]).collect();
            for &k in members {
                rows.add(touches[k].normal, lambda, nu);
            }
            for (&k, v) in members.iter().zip(before) {
                let after = rows.rate(touches[k].normal, nu);
                touches[k].energy += 0.5 * lambda * (v + after);
                rub(&mut touches[k], rows, nu);
            }
        }
        for (k, t) in touches.iter().enumerate() {
            self.rates[k] = rows.rate(t.normal, nu);
        }
    }
}

/// What a touch belongs to, each once.
fn owners(t: &Touch) -> impl Iterator<Item = usize> + use<> {
    let [a, b] = t.owners;
    let second = (b != a).then_some(b);
    let all = [Some(a), second].into_iter().flatten();
    all.filter(|o| *o != usize::MAX)
}

/// e, or none for approach at rest speed.
fn restitution(t: &Touch, rate: f64) -> f64 {
    if -rate < t.rest_speed * t.steepness {
        0.0
    } else {
        t.restitution
    }
}

/// One hit of one contact.
fn hit(t: &mut Touch, rows: &mut Rows, nu: &mut [f64], tired: bool) {
    // Joints keep the bodies as they are along this normal.
    if rows.weight(t.normal) == 0.0 {
        return;
    }
    let before = rows.rate(t.normal, nu);
    let mut e = if tired { 0.0 } else { restitution(t, before) };
    let Some(first) = t.tangents.filter(|_| t.friction > 0.0) else {
        let lambda = -(1.0 + e) * before / rows.weight(t.normal);
        rows.add(t.normal, lambda, nu);
        t.energy += 0.5 * lambda * (before + rows.rate(t.normal, nu));
        return;
    };
    let start = [t.normal, first, first + 1].map(|r| rows.rate(r, nu));
    loop {
        let impulse = sliding_hit(t, first, rows, nu, -e * before);
        let now = [t.normal, first, first + 1].map(|r| rows.rate(r, nu));
        let energy: f64 = (0..3).map(|k| 0.5 * impulse[k] * (start[k] + now[k])).sum();
        // Newton's restitution with friction can gain energy: then it is less.
        if energy <= 0.0 || e == 0.0 {
            t.energy += energy;
            return;
        }
        for (k, r) in [t.normal, first, first + 1].into_iter().enumerate() {
            rows.add(r, -impulse[k], nu);
        }
        e = if e > 1e-3 { 0.5 * e } else { 0.0 };
    }
}

/// Normal and tangential impulses of a hit that ends with the normal rate `target`.
fn sliding_hit(t: &Touch, first: usize, rows: &mut Rows, nu: &mut [f64], target: f64) -> [f64; 3] {
    let mut impulse = [0.0; 3];
    for _ in 0..200 {
        let step = (target - rows.rate(t.normal, nu)) / rows.weight(t.normal);
        let next = (impulse[0] + step).max(0.0);
        let change = next - impulse[0];
        rows.add(t.normal, change, nu);
        impulse[0] = next;
        let limit = t.friction * next * t.steepness;
        let moved = slide(first, rows, nu, [impulse[1], impulse[2]], limit, [0.0; 2]);
        let shift = (moved[0] - impulse[1]).hypot(moved[1] - impulse[2]);
        impulse = [next, moved[0], moved[1]];
        if change.abs() * t.steepness + shift <= 1e-14 * next * t.steepness {
            break;
        }
    }
    impulse
}

/// Friction after a normal impulse is known.
fn rub(t: &mut Touch, rows: &mut Rows, nu: &mut [f64]) {
    let Some(first) = t.tangents.filter(|_| t.friction > 0.0) else {
        return;
    };
    let limit = t.friction * rows.lambda[t.normal].max(0.0) * t.steepness;
    let had = [rows.lambda[first], rows.lambda[first + 1]];
    let before = [rows.rate(first, nu), rows.rate(first + 1, nu)];
    let now = slide(first, rows, nu, had, limit, [0.0; 2]);
    for k in 0..2 {
        let after = rows.rate(first + k, nu);
        t.energy += 0.5 * (now[k] - had[k]) * (before[k] + after);
    }
}

/// The tangential impulse that stops sliding, shortened to `limit`; had so far `had`. Rates are
/// those of ν plus `bias`.
fn slide(
    first: usize,
    rows: &mut Rows,
    nu: &mut [f64],
    had: [f64; 2],
    limit: f64,
    bias: [f64; 2],
) -> [f64; 2] {
    let v = [0, 1].map(|k: usize| rows.rate(first + k, nu) + bias[k]);
    let (a, d) = (rows.weight(first), rows.weight(first + 1));
    let b = rows.coupling(first, first + 1);
    let determinant = a * d - b * b;
    let stop = if determinant > 1e-12 * a * d {
        [
            (-d * v[0] + b * v[1]) / determinant,
            (b * v[0] - a * v[1]) / determinant,
        ]
    } else if a >= d && a > 0.0 {
        // In a plane one of the two directions has no mobility.
        [-v[0] / a, 0.0]
    } else if d > 0.0 {
        [0.0, -v[1] / d]
    } else {
        [0.0; 2]
    };
    let mut wanted = [had[0] + stop[0], had[1] + stop[1]];
    let size = wanted[0].hypot(wanted[1]);
    if size > limit {
        let shrink = if size > 0.0 { limit / size } else { 0.0 };
        wanted = wanted.map(|w| w * shrink);
    }
    for k in 0..2 {
        rows.add(first + k, wanted[k] - had[k], nu);
    }
    wanted
}
