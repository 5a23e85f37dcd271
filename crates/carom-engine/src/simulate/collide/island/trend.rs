//! Where trials of a step lead: Aitken's rule for a chain of vectors.
//!
//! A trial takes impulses λ to those that its gaps ask for, S(λ). Near the end S is nearly linear, and two changes
//! f = J M⁻¹Jᵀ (S(λ) − λ) in turn say how much of the next is to be gone (Irons and Tuck 1969):
//!
//! ```text
//! ω ← −ω ⟨f₋, f − f₋⟩ / |f − f₋|²,     λ ← λ + ω (S(λ) − λ).
//! ```
//!
//! Trials that creep on are taken far at once, those that go back and forth meet in the middle.

use crate::contact::Rows;

/// The least and the most of a change that is gone.
const LEAST: f64 = 0.05;
const MOST: f64 = 50.0;

/// The last changes.
#[derive(Debug, Default)]
pub(super) struct Trend {
    /// How the last trial and this one changed the rates of all rows.
    last: Vec<f64>,
    now: Vec<f64>,
    /// ω of the last trial.
    part: f64,
}

impl Trend {
    /// Begins anew.
    pub fn forget(&mut self) {
        self.last.clear();
    }

    /// Takes a trial that led from impulses `before`, at which rows had `rates`, to those in the rows, which go on by
    /// the rule.
    pub fn follow(&mut self, before: &[f64], rates: &[f64], rows: &mut Rows, nu: &mut [f64]) {
        self.now.clear();
        let change = |row: usize| rows.rate(row, nu) - rates[row];
        self.now.extend((0..rows.len()).map(change));
        let mut part = 1.0;
        if self.last.len() == self.now.len() {
            let (mut along, mut square) = (0.0, 0.0);
            for (now, last) in self.now.iter().zip(&self.last) {
                along += last * (now - last);
                square += (now - last) * (now - last);
            }
            let said = -self.part * along / square;
            if said.is_finite() && said > 0.0 {
                part = said.clamp(LEAST, MOST);
            }
        }
        self.part = part;
        std::mem::swap(&mut self.last, &mut self.now);
        for (row, had) in before.iter().enumerate() {
            let more = (part - 1.0) * (rows.lambda[row] - had);
            if more != 0.0 {
                rows.add(row, more, nu);
            }
        }
    }
}
