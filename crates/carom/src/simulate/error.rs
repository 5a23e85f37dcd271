//! Why a simulation cannot start or go on.

use thiserror::Error;

/// A step that failed, or settings that cannot be used; says what to do.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulateError {
    /// Newton's method did not reach its tolerance.
    #[error(
        "the step from t = {time} s did not converge around \"{body}\": residual {residual:.1e} after {iterations} iterations; take a smaller step"
    )]
    NotConverged {
        /// Time at the start of the step.
        time: f64,
        /// A body of the part that failed.
        body: String,
        /// Relative residual.
        residual: f64,
        /// Iterations made.
        iterations: usize,
    },
    /// A body turns by more than the scheme can bear.
    #[error(
        "body \"{body}\" turns by {degrees:.0} degrees in the step from t = {time} s; the scheme bears less than 90: take a step below {step:.2e} s"
    )]
    TurnsTooFar {
        /// Time at the start of the step.
        time: f64,
        /// The body.
        body: String,
        /// Angle of the step.
        degrees: f64,
        /// A step that would do.
        step: f64,
    },
    /// The equations of a step have no unique solution.
    #[error(
        "the step from t = {time} s is singular around \"{body}\": loops may be locked or doubled; remove a joint or choose another kind"
    )]
    Singular {
        /// Time at the start of the step.
        time: f64,
        /// A body of the part that failed.
        body: String,
    },
    /// Velocities that the joints do not allow.
    #[error(
        "the start velocity of body \"{body}\" does not fit its joints (off by {off:.1e}): give velocities the joints allow"
    )]
    Velocity {
        /// The body.
        body: String,
        /// By how much.
        off: f64,
    },
    /// A setting out of range.
    #[error("{setting} = {value}: {reason}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        reason: &'static str,
    },
    /// A contact law that cannot do what two materials ask of it.
    #[error(
        "{choice} needs {property} {needs}, but between the materials `{}` and `{}` it is {value}: {mend}",
        materials[0], materials[1]
    )]
    Refused {
        /// What was chosen.
        choice: String,
        /// What is asked of it: `restitution` or `friction`.
        property: &'static str,
        /// The value it needs.
        needs: f64,
        /// The value it has.
        value: f64,
        /// The two materials.
        materials: [String; 2],
        /// What to write instead.
        mend: &'static str,
    },
    /// Controls of the wrong number.
    #[error("{given} controls given, but the model has {wanted}")]
    Controls {
        /// How many were given.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A number that is not finite.
    #[error(
        "the motion left the finite numbers in the step from t = {time} s at \"{body}\": check masses, stiffnesses and loads, or take a smaller step"
    )]
    NotFinite {
        /// Time at the start of the step.
        time: f64,
        /// The body.
        body: String,
    },
    /// Impacts without end.
    #[error(
        "{count} impacts within the step from t = {time} s: bodies come to rest on each other or are wedged; give the contact a restitution below one and let it rest, or take another law"
    )]
    Impacts {
        /// Time of the last one.
        time: f64,
        /// How many.
        count: usize,
    },
    /// The integrator cannot do what the model asks.
    #[error("{integrator} cannot be used here: {reason}")]
    Unsupported {
        /// Name of the integrator or formulation.
        integrator: &'static str,
        /// Why, and what to use instead.
        reason: String,
    },
}
