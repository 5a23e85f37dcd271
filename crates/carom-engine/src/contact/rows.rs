//! Rows of a contact problem: what a unit impulse along each does to the velocities.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::contact_point::ContactPoint;
use super::mass::{Entry, MassMetric};
use super::pair_gap::{GapRow, Path};
use crate::mechanics::{Twist, Wrench};
use crate::model::{BodyId, Model};

/// What a multiplier pushes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Push {
    /// Wrenches on bodies, about their origins.
    pub wrenches: [Option<(BodyId, Wrench)>; 2],
    /// A degree of freedom (joints first, then coordinates of linkages) and its sign.
    pub freedom: Option<(usize, f64)>,
}

impl Push {
    /// Along the gradient of a gap.
    pub fn along(row: &GapRow) -> Self {
        Self {
            wrenches: row.wrenches,
            freedom: row.freedom,
        }
    }

    /// At a point of a contact, along a direction; limits follow their degree of freedom.
    pub fn at(point: &ContactPoint, direction: &Vector3<f64>, poses: &[Pose]) -> Self {
        Self {
            wrenches: match point.freedom {
                Some(_) => [None; 2],
                None => point.wrenches(direction, poses),
            },
            freedom: point.freedom,
        }
    }
}

/// Rows with their responses, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    entries: Vec<Entry>,
    starts: Vec<usize>,
    weights: Vec<f64>,
    pushes: Vec<Push>,
    /// What bodies whose motion is given add to the rates of rows.
    drift: Vec<f64>,
    /// Multipliers found so far.
    pub lambda: Vec<f64>,
}

/// Energy that impulses have at stake.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stake {
    /// ½ Σ λ (w⁺ − w⁻): what they move together. What wedged bodies press on each other alone counts for nothing.
    pub moved: f64,
    /// ½ Σ λ²⟨g, M⁻¹g⟩: what each would move alone.
    pub pressed: f64,
    /// What they moved in steps, times the largest angle a body turned by.
    pub swung: f64,
}

impl std::ops::AddAssign for Stake {
    fn add_assign(&mut self, other: Self) {
        self.moved += other.moved;
        self.pressed += other.pressed;
        self.swung += other.swung;
    }
}

impl Rows {
    /// No rows.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.starts.clear();
        self.weights.clear();
        self.pushes.clear();
        self.drift.clear();
        self.lambda.clear();
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.pushes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pushes.is_empty()
    }

    /// Adds a row; returns its index.
    pub fn push(&mut self, model: &Model, metric: &mut MassMetric, at: &Path, push: Push) -> usize {
        self.starts.push(self.entries.len());
        let weight = metric.response(
            model,
            at.poses,
            at.coordinates,
            &push.wrenches,
            push.freedom,
            &mut self.entries,
        );
        self.weights.push(weight);
        self.pushes.push(push);
        self.drift.push(0.0);
        self.lambda.push(0.0);
        self.pushes.len() - 1
    }

    /// Adds a row that pushes many bodies; returns its index. It cannot be applied to momenta.
    pub fn push_many(
        &mut self,
        model: &Model,
        metric: &mut MassMetric,
        at: &Path,
        wrenches: impl Iterator<Item = (BodyId, Wrench)>,
    ) -> usize {
        let from = self.entries.len();
        self.starts.push(from);
        for (body, w) in wrenches {
            let one = [Some((body, w)), None];
            let (poses, coordinates) = (at.poses, at.coordinates);
            metric.response(model, poses, coordinates, &one, None, &mut self.entries);
        }
        let mut nu = vec![0.0; model.freedom()];
        let entries = &self.entries[from..];
        entries.iter().for_each(|e| nu[e.freedom] += e.response);
        let weight = entries.iter().map(|e| e.gradient * nu[e.freedom]).sum();
        self.weights.push(weight);
        self.pushes.push(Push::default());
        self.drift.push(0.0);
        self.lambda.push(0.0);
        self.pushes.len() - 1
    }

    /// Adds a row like another; returns its index.
    pub fn push_again(&mut self, row: usize) -> usize {
        let range = self.starts[row]..self.starts[row] + self.entries(row).len();
        self.starts.push(self.entries.len());
        self.entries.extend_from_within(range);
        self.weights.push(self.weights[row]);
        self.pushes.push(self.pushes[row]);
        self.drift.push(self.drift[row]);
        self.lambda.push(0.0);
        self.pushes.len() - 1
    }

    /// Forgets all rows from one on.
    pub fn truncate(&mut self, count: usize) {
        if count < self.len() {
            self.entries.truncate(self.starts[count]);
            self.starts.truncate(count);
            self.weights.truncate(count);
            self.pushes.truncate(count);
            self.drift.truncate(count);
            self.lambda.truncate(count);
        }
    }

    /// Entries of a row.
    #[inline]
    pub fn entries(&self, row: usize) -> &[Entry] {
        let end = self.starts.get(row + 1).copied();
        &self.entries[self.starts[row]..end.unwrap_or(self.entries.len())]
    }

    /// ⟨g, M⁻¹g⟩.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights[row]
    }

    /// What the impulses have at stake, from the rates that their velocities `nu` give and those `before`.
    pub fn at_stake(&self, nu: &[f64], before: impl Fn(usize) -> f64) -> Stake {
        let mut stake = Stake::default();
        for (row, l) in self.lambda.iter().enumerate() {
            stake.moved += 0.5 * l * (self.rate(row, nu) - before(row));
            stake.pressed += 0.5 * l * l * self.weights[row];
        }
        stake
    }

    /// What a row pushes.
    pub fn pushed(&self, row: usize) -> &Push {
        &self.pushes[row]
    }

    /// ⟨g, ν⟩: the rate of a row.
    #[inline]
    pub fn rate(&self, row: usize, nu: &[f64]) -> f64 {
        let entries = self.entries(row).iter();
        entries.map(|e| e.gradient * nu[e.freedom]).sum()
    }

    /// What bodies whose motion is given add to the rate of a row.
    #[inline]
    pub fn drift(&self, row: usize) -> f64 {
        self.drift[row]
    }

    /// Says how fast bodies whose motion is given move.
    pub fn set_drift(&mut self, row: usize, twist: impl Fn(BodyId) -> Twist) {
        let sides = self.pushes[row].wrenches.iter().flatten();
        self.drift[row] = sides
            .map(|(body, w)| {
                let t = twist(*body);
                w.force.dot(&t.v) + w.torque.dot(&t.w)
            })
            .sum();
    }

    /// Work of bodies whose motion is given, by the multipliers found: −Σ λ drift is what they take.
    pub fn given_work(&self) -> f64 {
        let terms = self.lambda.iter().zip(&self.drift);
        -terms.map(|(l, d)| l * d).sum::<f64>()
    }

    /// The same where these bodies moved with mean twists in a step of which the rows are one end: half by
    /// the velocities at that end, half by the mean ones, so that what rests on them takes no part.
    pub fn given_work_over(&self, mean: impl Fn(BodyId) -> Twist) -> f64 {
        let of = |row: usize| -> f64 {
            let sides = self.pushes[row].wrenches.iter().flatten();
            sides
                .map(|(body, w)| {
                    let t = mean(*body);
                    w.force.dot(&t.v) + w.torque.dot(&t.w)
                })
                .sum()
        };
        -(0..self.len())
            .map(|r| 0.5 * self.lambda[r] * (self.drift[r] + of(r)))
            .sum::<f64>()
    }

    /// ν += δ M⁻¹g, and the multiplier with it.
    #[inline]
    pub fn add(&mut self, row: usize, delta: f64, nu: &mut [f64]) {
        self.lambda[row] += delta;
        for e in self.entries(row) {
            nu[e.freedom] += delta * e.response;
        }
    }

    /// Makes a row push nothing and ask for nothing: its weight is zero from now on.
    pub fn silence(&mut self, row: usize, nu: &mut [f64]) {
        let had = self.lambda[row];
        if had != 0.0 {
            self.add(row, -had, nu);
        }
        self.lambda[row] = 0.0;
        let from = self.starts[row];
        let count = self.entries(row).len();
        for e in &mut self.entries[from..from + count] {
            (e.gradient, e.response) = (0.0, 0.0);
        }
        self.weights[row] = 0.0;
        self.drift[row] = 0.0;
    }

    /// Multipliers become these, ν with them.
    pub fn go_to(&mut self, lambda: &[f64], nu: &mut [f64]) {
        for (row, to) in lambda.iter().enumerate() {
            let change = to - self.lambda[row];
            if change != 0.0 {
                self.add(row, change, nu);
            }
        }
    }

    /// Takes all impulses back.
    pub fn let_go(&mut self, nu: &mut [f64]) {
        for row in 0..self.len() {
            let had = self.lambda[row];
            if had != 0.0 {
                self.add(row, -had, nu);
            }
        }
    }

    /// ⟨gᵢ, M⁻¹gⱼ⟩ of two rows of one point: their entries are of the same degrees of freedom in the same order.
    pub fn coupling(&self, i: usize, j: usize) -> f64 {
        let both = self.entries(i).iter().zip(self.entries(j));
        both.map(|(a, b)| {
            debug_assert_eq!(a.freedom, b.freedom);
            a.gradient * b.response
        })
        .sum()
    }

    /// Force of a row on the first of its bodies per unit of its multiplier.
    pub fn direction(&self, row: usize) -> Vector3<f64> {
        self.pushes[row].wrenches[0]
            .or(self.pushes[row].wrenches[1].map(|(b, w)| {
                let force = -w.force;
                (b, Wrench { force, ..w })
            }))
            .map_or(Vector3::zeros(), |(_, w)| w.force)
    }
}
