//! Maxima of f(n): search coarsely, polish, and stop where the closest points prove the normal.
//!
//! A pair of points x of a and y of b with x − y = f(n) n proves n right where the cores are apart, and a
//! way out that no small turn shortens where they overlap.

use super::polish::Kinks;
use super::search::Cores;
use nalgebra::Vector3;

/// How far a search goes (in sizes of the cores) and how near what it found kinks are looked at (cosine to
/// their plane): first a guess as it is, then as coarsely as mostly does, then with care.
const STAGES: [(f64, f64); 4] = [(0.0, 0.1), (4e-2, 0.15), (1e-4, 2e-2), (1e-10, 4e-3)];
/// A normal is proved by points that miss each other by no more, in sizes of the cores.
const PROVED: f64 = 2e-13;
/// Cores that overlap by more may have several ways out, in their size.
const DEEP: f64 = 1e-9;
/// Steps towards another way out, the least cosine of a step, and the cosine at which a way is the same.
const MOST_ASCENTS: usize = 8;
const FAR: f64 = 0.5;
const SAME: f64 = 0.99;
/// Where a way is longer by more than this (in sizes of the cores) and twice as long, none is looked for.
const STEEP: f64 = 0.7;
/// Cores are searched with at least this gap between them, in their size.
const APART: f64 = 0.06;
/// Rounds of searching and polishing.
const MOST_ROUNDS: usize = 16;

/// A maximum of f.
pub(super) struct Climb {
    pub value: f64,
    pub normal: Vector3<f64>,
    /// The closest points of both cores.
    pub points: [Vector3<f64>; 2],
}

/// The closest points of two cores if f has this value at this normal, and how far they miss each other seen
/// along it.
pub(super) type Prove<'a> = dyn Fn(f64, &Vector3<f64>) -> ([Vector3<f64>; 2], f64) + 'a;

impl Cores<'_> {
    /// The highest maximum of f that is found without a guess.
    pub fn highest(&self, centres: &Vector3<f64>, kinks: &mut Kinks, prove: &Prove) -> Climb {
        let between = centres.try_normalize(1e-12 * self.size);
        let first = between.unwrap_or_else(Vector3::z);
        let mut best = self.climb(&first, false, kinks, prove);
        if best.value >= -DEEP * self.size {
            return best;
        }
        // Inside each other there are several ways out.
        for axis in self.ways_out(centres) {
            for start in [axis, -axis] {
                let Some(n) = self.ascend(&start, best.value, &best.normal) else {
                    continue;
                };
                let (_, n, _) = self.polish(&n, STAGES[0].1, kinks);
                if n.dot(&best.normal) > 1.0 - 1e-9 {
                    continue;
                }
                let other = self.climb(&n, true, kinks, prove);
                if other.value > best.value + 1e-12 * self.size {
                    best = other;
                }
            }
        }
        best
    }

    /// A maximum of f, from a guess: search, polish, until the closest points prove it or neither leads
    /// further. A `near` guess is polished before anything is searched.
    pub fn climb(
        &self,
        start: &Vector3<f64>,
        near: bool,
        kinks: &mut Kinks,
        prove: &Prove,
    ) -> Climb {
        let mut best = (self.value(start), *start);
        let mut points = None;
        for round in usize::from(!near)..MOST_ROUNDS {
            let (tolerance, around) = STAGES[round.min(STAGES.len() - 1)];
            let lift = (APART * self.size - best.0).max(0.0);
            let found = match round {
                0 => best.1,
                _ => match self.search(&best.1, &(best.1 * lift), tolerance) {
                    Some(found) => found,
                    None if round + 1 < STAGES.len() => continue,
                    None => break,
                },
            };
            let (value, normal, polished) = self.polish(&found, around, kinks);
            let moved = (normal - best.1).norm();
            let better = value > best.0 + 4.0 * f64::EPSILON * self.size;
            if better || points.is_none() && value >= best.0 {
                best = (value, normal);
                let (shared, miss) = prove(value, &normal);
                points = Some(shared);
                if polished && miss <= PROVED * self.size {
                    break;
                }
            }
            // Apart without being lifted, what was found to the last is the answer.
            if round + 1 >= STAGES.len() && (lift == 0.0 || !better || moved <= 1e-9) {
                break;
            }
        }
        let (value, normal) = best;
        Climb {
            value,
            normal,
            points: points.unwrap_or_else(|| prove(value, &normal).0),
        }
    }

    /// Lines along which cores are likely to be thin: where else a way out may be.
    fn ways_out(&self, centres: &Vector3<f64>) -> Vec<Vector3<f64>> {
        let (of_a, of_b) = (self.a.axes(), self.b.axes());
        let mut ways = Vec::with_capacity(18);
        for own in [&of_a, &of_b] {
            ways.extend(own.iter().flatten().copied());
            // Round about an axis: straight away from it.
            if let [Some(axis), None, None] = own {
                ways.extend((centres - axis * axis.dot(centres)).try_normalize(1e-9 * self.size));
            }
        }
        for u in of_a.iter().flatten() {
            for v in of_b.iter().flatten() {
                ways.extend(u.cross(v).try_normalize(1e-3));
            }
        }
        ways
    }

    /// A normal from where a way out may lead that is shorter than one of depth −`known` along `other`, by
    /// Polyak's steps to that value: f(n) ≤ ⟨w, n⟩ for the support w of any normal.
    fn ascend(
        &self,
        start: &Vector3<f64>,
        known: f64,
        other: &Vector3<f64>,
    ) -> Option<Vector3<f64>> {
        let mut n = *start;
        for _ in 0..MOST_ASCENTS {
            if n.dot(other) > SAME {
                return None;
            }
            let w = self.lowest(&n);
            let f = w.dot(&n);
            if f > 1.2 * known {
                return Some(n);
            }
            if f < 2.0 * known - STEEP * self.size {
                return None;
            }
            // The nearest n with ⟨w, n⟩ = known, in the plane of both.
            let length = w.norm();
            let w = w / length;
            let (share, across) = (known / length, n - w * w.dot(&n));
            let steep = across.norm();
            let next = w * share + across * ((1.0 - share * share).sqrt() / steep);
            if !(steep > 1e-9 && next.dot(&n) > FAR) {
                return None;
            }
            n = next;
        }
        None
    }
}
