//! Why a problem cannot be posed.

/// What is wrong with an optimal control problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptimiseError {
    /// The model holds something the optimiser cannot treat.
    #[error("{what}: {fix}")]
    Unsupported {
        /// What.
        what: String,
        /// What to do about it.
        fix: String,
    },
    /// Conditions that no motion can meet.
    #[error("conditions contradict each other: {what}")]
    Contradiction {
        /// Which.
        what: String,
    },
    /// Something does not fit.
    #[error("{what}: {fix}")]
    Invalid {
        /// What.
        what: String,
        /// What to do about it.
        fix: String,
    },
    /// The guess cannot be made.
    #[error("the guess: {what}")]
    Guess {
        /// Why.
        what: String,
    },
}
