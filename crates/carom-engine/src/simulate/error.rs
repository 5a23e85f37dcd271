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
        "body \"{body}\" turns by {degrees:.0} degrees in the step from t = {time} s; steps of up to 50 are safe, and none can be of 90 or more: take a step below {step:.2e} s"
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
        "the start velocity of body \"{body}\" does not fit its joints (off by {off:.1e}): give velocities that the joints allow, or rates to joints and no velocities to the bodies beyond them (in a loop, one rate is enough)"
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
        "{choice} needs {property} {needs}, but between the materials `{}` and `{}` it is {value}: {fix}",
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
        fix: &'static str,
    },
    /// Controls of the wrong number.
    #[error("{given} controls given, but the model has {wanted}")]
    Controls {
        /// How many were given.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A controller that gave no number.
    #[error(
        "controller \"{name}\" gives {output} = {value} at t = {time} s: look for a division by zero or the root of a negative number in its expressions, or for gains that make the motion unstable"
    )]
    Controller {
        /// When.
        time: f64,
        /// The controller.
        name: String,
        /// Its output.
        output: String,
        /// What it gave.
        value: f64,
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
    /// An explicit step that is too long for an elastic body.
    #[error(
        "step = {step} is too long for explicit steps of the elastic body \"{body}\": take at most {stable:.3e} s, a coarser mesh, or beta >= gamma/2"
    )]
    Unstable {
        /// The step.
        step: f64,
        /// The longest stable one.
        stable: f64,
        /// The body that sets it.
        body: String,
    },
    /// A force beyond the range it was measured in.
    #[error(
        "\"{name}\" is out of its range in the step from t = {time} s: {why}; stop earlier, or keep the bodies within it"
    )]
    OutOfRange {
        /// Time at the start of the step.
        time: f64,
        /// The solenoids or field.
        name: String,
        /// What is out of range.
        why: String,
    },
    /// An element that was turned inside out.
    #[error(
        "element {element} of the elastic body \"{body}\" was turned inside out in the step from t = {time} s: take a smaller step, a stiffer material, or a softer contact"
    )]
    Inverted {
        /// Time at the start of the step.
        time: f64,
        /// The body.
        body: String,
        /// The element, from 1.
        element: usize,
    },
    /// Bodies that overlap at the start and could not be moved apart.
    #[error(
        "\"{a}\" and \"{b}\" could not be moved apart at the start (they overlap by {depth:.3e} m): move them in the file"
    )]
    Separate {
        /// The first.
        a: String,
        /// The second.
        b: String,
        /// Overlap that is left, in m.
        depth: f64,
    },
    /// Bodies that overlap at the start and belong to a loop of joints.
    #[error("bodies in a loop of joints cannot be moved apart at the start: move them in the file")]
    SeparateLoop,
    /// More contact problems missed their tolerance than allowed.
    #[error(
        "{count} contact problems did not settle, more than max_unsettled = {most}; the last, {what}{}, at t = {time} s, with a residual of {residual:.1e}: take a smaller step, or allow more",
        between(.names)
    )]
    Unsettled {
        /// When the last of them was.
        time: f64,
        /// What did not settle.
        what: String,
        /// Names of its two sides, where it has some.
        names: Option<[String; 2]>,
        /// What was left.
        residual: f64,
        /// How many there were.
        count: u64,
        /// How many may be.
        most: u64,
    },
    /// Contacts that push bodies faster than they came.
    #[error(
        "contact added {gain:.3e} J in the step from t = {time} s, which it never should: take a smaller step, or another contact law"
    )]
    ContactGain {
        /// Time at the start of the step.
        time: f64,
        /// Energy gained in the step, in J.
        gain: f64,
    },
    /// Impacts without end.
    #[error(
        "{count} impacts within one step, the last at t = {time} s between \"{}\" and \"{}\": give the contact a restitution below one so that it comes to rest, or take a smaller step", pair[0], pair[1]
    )]
    Impacts {
        /// Time at the start of the step.
        time: f64,
        /// How many.
        count: usize,
        /// Who met last.
        pair: [String; 2],
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

/// Names of two sides as part of a sentence.
fn between(names: &Option<[String; 2]>) -> String {
    match names {
        Some([a, b]) => format!(" between \"{a}\" and \"{b}\""),
        None => String::new(),
    }
}

impl SimulateError {
    /// The same failure, in the step that began at this time. Parts of a step count their time from
    /// its start.
    pub(super) fn in_step_from(mut self, start: f64) -> Self {
        match &mut self {
            SimulateError::NotConverged { time, .. }
            | SimulateError::TurnsTooFar { time, .. }
            | SimulateError::Singular { time, .. }
            | SimulateError::NotFinite { time, .. }
            | SimulateError::Inverted { time, .. }
            | SimulateError::OutOfRange { time, .. }
            | SimulateError::ContactGain { time, .. }
            | SimulateError::Impacts { time, .. } => *time = start,
            _ => {}
        }
        self
    }
}
