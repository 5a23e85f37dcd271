//! Why a simulation cannot start or go on.

use std::borrow::Cow;
use std::fmt;

use crate::words::counted;

/// A step that failed, or settings that cannot be used. The fields name the part at fault;
/// [`reason`](Self::reason) says what is wrong with it and [`fix`](Self::fix) what to do. Printed, an
/// error says both.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulateError {
    /// Newton's method did not reach its tolerance.
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
    Singular {
        /// Time at the start of the step.
        time: f64,
        /// A body of the part that failed.
        body: String,
    },
    /// Velocities that the joints do not allow.
    Velocity {
        /// The body.
        body: String,
        /// By how much.
        off: f64,
    },
    /// A setting out of range.
    Setting {
        /// Its name.
        setting: &'static str,
        /// Its value.
        value: f64,
        /// What is wrong with it.
        reason: &'static str,
        /// How to fix it.
        fix: &'static str,
    },
    /// A contact law that cannot do what two materials ask of it.
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
    Controls {
        /// How many were given.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A controller that gave no number.
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
    NotFinite {
        /// Time at the start of the step.
        time: f64,
        /// The body.
        body: String,
    },
    /// An explicit step that is too long for an elastic body.
    Unstable {
        /// The step.
        step: f64,
        /// The longest stable one.
        stable: f64,
        /// The body that sets it.
        body: String,
    },
    /// A force beyond the range it was measured in.
    OutOfRange {
        /// Time at the start of the step.
        time: f64,
        /// The solenoids or field.
        name: String,
        /// What is out of range.
        why: String,
    },
    /// An element that was turned inside out.
    Inverted {
        /// Time at the start of the step.
        time: f64,
        /// The body.
        body: String,
        /// The element, from 1.
        element: usize,
    },
    /// Bodies that overlap at the start and could not be moved apart.
    Separate {
        /// The first.
        a: String,
        /// The second.
        b: String,
        /// Overlap that is left, in m.
        depth: f64,
    },
    /// Bodies that overlap at the start and belong to a loop of joints.
    SeparateLoop,
    /// More contact problems missed their tolerance than allowed.
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
    ContactGain {
        /// Time at the start of the step.
        time: f64,
        /// Energy gained in the step, in J.
        gain: f64,
    },
    /// Impacts without end.
    Impacts {
        /// Time at the start of the step.
        time: f64,
        /// How many.
        count: usize,
        /// Who met last.
        pair: [String; 2],
    },
    /// The integrator cannot do what the model asks.
    Unsupported {
        /// Name of the integrator or formulation.
        integrator: &'static str,
        /// Why not.
        reason: String,
        /// What to use instead.
        fix: &'static str,
    },
}

/// Names of two sides as part of a sentence.
fn between(names: &Option<[String; 2]>) -> String {
    match names {
        Some([a, b]) => format!(" between \"{a}\" and \"{b}\""),
        None => String::new(),
    }
}

impl fmt::Display for SimulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason(), self.fix())
    }
}

impl std::error::Error for SimulateError {}

impl SimulateError {
    /// What is wrong, with the part at fault.
    pub fn reason(&self) -> String {
        match self {
            Self::NotConverged {
                time,
                body,
                residual,
                iterations,
            } => format!(
                "the step from t = {time} s did not converge around \"{body}\" (residual {residual:.1e} after \
                 {iterations} iterations)"
            ),
            Self::TurnsTooFar {
                time,
                body,
                degrees,
                ..
            } => format!(
                "body \"{body}\" turns by {degrees:.0} degrees in the step from t = {time} s; steps of up to 50 \
                 are safe, and none can be of 90 or more"
            ),
            Self::Singular { time, body } => format!(
                "the step from t = {time} s is singular around \"{body}\", as where loops are locked or doubled"
            ),
            Self::Velocity { body, off } => format!(
                "the start velocity of body \"{body}\" does not fit its joints (off by {off:.1e})"
            ),
            Self::Setting {
                setting,
                value,
                reason,
                ..
            } => format!("{setting} = {value} {reason}"),
            Self::Refused {
                choice,
                property,
                needs,
                value,
                materials: [a, b],
                ..
            } => format!(
                "{choice} needs {property} {needs}, but between the materials `{a}` and `{b}` it is {value}"
            ),
            Self::Controls { given, wanted } => {
                format!(
                    "{} given, but the model has {wanted}",
                    counted(*given, "control")
                )
            }
            Self::Controller {
                time,
                name,
                output,
                value,
            } => format!("controller \"{name}\" gives {output} = {value} at t = {time} s"),
            Self::NotFinite { time, body } => format!(
                "the motion left the finite numbers in the step from t = {time} s at \"{body}\""
            ),
            Self::Unstable { step, body, .. } => format!(
                "step = {step} is too long for explicit steps of the elastic body \"{body}\""
            ),
            Self::OutOfRange { time, name, why } => {
                format!("\"{name}\" is out of its range in the step from t = {time} s: {why}")
            }
            Self::Inverted {
                time,
                body,
                element,
            } => format!(
                "element {element} of the elastic body \"{body}\" was turned inside out in the step from \
                 t = {time} s"
            ),
            Self::Separate { a, b, depth } => format!(
                "\"{a}\" and \"{b}\" could not be moved apart at the start (they overlap by {depth:.3e} m)"
            ),
            Self::SeparateLoop => {
                "bodies in a loop of joints cannot be moved apart at the start".into()
            }
            Self::Unsettled {
                time,
                what,
                names,
                residual,
                count,
                most,
            } => format!(
                "{count} contact problems did not settle, more than max_unsettled = {most}; the last, \
                 {what}{}, at t = {time} s, with a residual of {residual:.1e}",
                between(names)
            ),
            Self::ContactGain { time, gain } => format!(
                "contact added {gain:.3e} J in the step from t = {time} s, which it never should"
            ),
            Self::Impacts {
                time,
                count,
                pair: [a, b],
            } => format!(
                "{count} impacts within one step, the last at t = {time} s between \"{a}\" and \"{b}\""
            ),
            Self::Unsupported {
                integrator, reason, ..
            } => format!("{integrator} cannot be used here: {reason}"),
        }
    }

    /// How to fix it.
    pub fn fix(&self) -> Cow<'static, str> {
        let fix = match self {
            Self::TurnsTooFar { step, .. } => {
                return format!("take a step below {step:.2e} s").into();
            }
            Self::Unstable { stable, .. } => {
                return format!("take at most {stable:.3e} s, a coarser mesh, or beta >= gamma/2")
                    .into();
            }
            Self::Setting { fix, .. }
            | Self::Refused { fix, .. }
            | Self::Unsupported { fix, .. } => fix,
            Self::NotConverged { .. } => "take a smaller step",
            Self::Singular { .. } => "remove a joint or choose another kind",
            Self::Velocity { .. } => {
                "give velocities that the joints allow, or rates to joints and no velocities to the bodies \
                 beyond them (in a loop, one rate is enough)"
            }
            Self::Controls { .. } => "give one value for each component of its actuators",
            Self::Controller { .. } => {
                "look for a division by zero or the root of a negative number in its expressions, or for \
                 gains that make the motion unstable"
            }
            Self::NotFinite { .. } => "check masses, stiffnesses and loads, or take a smaller step",
            Self::OutOfRange { .. } => "stop earlier, or keep the bodies within it",
            Self::Inverted { .. } => "take a smaller step, a stiffer material, or a softer contact",
            Self::Separate { .. } | Self::SeparateLoop => "move them in the file",
            Self::Unsettled { .. } => "take a smaller step, or allow more",
            Self::ContactGain { .. } => "take a smaller step, or another contact law",
            Self::Impacts { .. } => {
                "give the contact a restitution below one so that it comes to rest, or take a smaller step"
            }
        };
        fix.into()
    }

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
