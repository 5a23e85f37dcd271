//! Why a model was refused.

use carom_gap::geometry::GeometryError;
use thiserror::Error;

/// A fault in a model: the part at fault, what is wrong with it, and how to fix it.
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
    #[error("body \"{body}\": {reason}: {fix}")]
    Body {
        /// Its name.
        body: String,
        /// What is wrong.
        reason: String,
        /// How to fix it.
        fix: String,
    },
    /// A joint that cannot be.
    #[error("joint \"{joint}\": {reason}: {fix}")]
    Joint {
        /// Its name.
        joint: String,
        /// What is wrong.
        reason: String,
        /// How to fix it.
        fix: String,
    },
    /// A linkage that cannot be.
    #[error("linkage \"{linkage}\": {reason}: {fix}")]
    Linkage {
        /// Its name.
        linkage: String,
        /// What is wrong.
        reason: String,
        /// How to fix it.
        fix: String,
    },
    /// A force that cannot be.
    #[error("{what} \"{name}\": {reason}: {fix}")]
    Force {
        /// spring, charge, damper, drag, actuator, load, …
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
        /// How to fix it.
        fix: String,
    },
    /// Nothing moves.
    #[error("the model has nothing that moves: add a rigid body, a particle or a linkage")]
    Empty,
}

impl ModelError {
    pub(crate) fn body(name: &str, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Body {
            body: name.into(),
            reason: reason.into(),
            fix: fix.into(),
        }
    }

    /// What geometry refuses.
    pub(crate) fn shape(name: &str, error: &GeometryError) -> Self {
        Self::body(name, error.reason(), error.fix())
    }

    pub(crate) fn joint(name: &str, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Joint {
            joint: name.into(),
            reason: reason.into(),
            fix: fix.into(),
        }
    }

    pub(crate) fn linkage(name: &str, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Linkage {
            linkage: name.into(),
            reason: reason.into(),
            fix: fix.into(),
        }
    }

    pub(crate) fn force(
        what: &'static str,
        name: &str,
        reason: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self::Force {
            what,
            name: name.into(),
            reason: reason.into(),
            fix: fix.into(),
        }
    }
}
