//! Periodic boundaries: what is at the end as it was at the start.

use crate::model::{BodyId, Model};

/// A body that is at the end as it, or another one, was at the start.
///
/// Of a free body that is its pose, of any other one its place relative to what carries it: the
/// coordinates of its joint.
///
/// ```
/// use carom::model::{BodySpec, ModelBuilder};
/// use carom::optimise::Recurrence;
/// let mut builder = ModelBuilder::new();
/// let body = builder.body(BodySpec::particle("bead", 1.0));
/// builder.body(BodySpec::particle("other", 1.0));
/// let model = builder.build().unwrap();
/// assert_eq!(Recurrence::all(&model).len(), 2);
/// let free = [f64::NEG_INFINITY, f64::INFINITY];
/// // A gait: anywhere along x, but otherwise as it began.
/// let gait = Recurrence { shift: vec![free, [0.0; 2], [0.0; 2]], ..Recurrence::of(body) };
/// assert!(gait.velocity);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrence {
    /// The body at the end.
    pub body: BodyId,
    /// The body whose place and velocity at the start it has; it hangs on a joint of the same kind.
    pub like: BodyId,
    /// Least and largest difference of each coordinate of its joint, or of its position if it is free;
    /// none for no difference.
    pub shift: Vec<[f64; 2]>,
    /// Whether its orientation is the same, of free bodies and spherical joints.
    pub rotation: bool,
    /// Whether its velocities are the same (relative to what carries it).
    pub velocity: bool,
}

impl Recurrence {
    /// A body is as it began.
    pub fn of(body: BodyId) -> Self {
        Self {
            body,
            like: body,
            shift: Vec::new(),
            rotation: true,
            velocity: true,
        }
    }

    /// Everything is as it began.
    pub fn all(model: &Model) -> Vec<Self> {
        let joints = model.joints().iter().enumerate();
        joints
            .filter(|(j, _)| model.joint_freedom(*j) > 0)
            .map(|(_, joint)| Self::of(joint.child))
            .collect()
    }
}
