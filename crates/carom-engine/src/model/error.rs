//! Why a model was refused.

use thiserror::Error;

/// A fault in a model; names the culprit and the fix.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ModelError {
    /// Two things of one kind share a name.
    #[error("there are two {what}s named \"{name}\": give each its own name")]
    Duplicate {
        /// body, joint, …
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A body without usable mass.
    #[error("body \"{body}\": {reason}")]
    Body {
        /// Its name.
        body: String,
        /// What is wrong and how to fix it.
        reason: String,
    },
    /// A joint that cannot be.
    #[error("joint \"{joint}\": {reason}")]
    Joint {
        /// Its name.
        joint: String,
        /// What is wrong and how to fix it.
        reason: String,
    },
    /// A linkage that cannot be.
    #[error("linkage \"{linkage}\": {reason}")]
    Linkage {
        /// Its name.
        linkage: String,
        /// What is wrong and how to fix it.
        reason: String,
    },
    /// A force that cannot be.
    #[error("{what} \"{name}\": {reason}")]
    Force {
        /// spring, charge, damper, drag, actuator, load, …
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong and how to fix it.
        reason: String,
    },
    /// Nothing moves.
    #[error("the model has nothing that moves: add a rigid body, a particle or a linkage")]
    Empty,
}
