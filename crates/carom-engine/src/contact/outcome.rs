//! What an iterative method reached: a value, so that its caller decides.

/// What an iterative method reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Rounds it took.
    pub rounds: u32,
    /// What was left, relative to the size of the problem.
    pub residual: f64,
    /// Whether that is within its tolerance.
    pub converged: bool,
}

impl Outcome {
    /// A solution that was there already.
    pub fn solved(residual: f64) -> Self {
        Self {
            rounds: 0,
            residual,
            converged: true,
        }
    }

    /// Of two parts of one thing: rounds add up, the worse residual counts.
    pub fn and(self, other: Self) -> Self {
        Self {
            rounds: self.rounds + other.rounds,
            residual: self.residual.max(other.residual),
            converged: self.converged && other.converged,
        }
    }
}

/// An instant at which contact was not solved to its tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsettled {
    /// When.
    pub time: f64,
    /// What did not settle: `impact`, `rest`, `projection`, `time of contact`, `passed through`, …
    pub what: &'static str,
    /// Names of the two sides of a pair it concerns, where there is one.
    pub names: Option<[String; 2]>,
    /// What was left, relative to the size of the problem (an overlap in m where it says so).
    pub residual: f64,
}
