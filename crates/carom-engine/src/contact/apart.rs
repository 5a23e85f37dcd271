//! Pairs that are certainly apart, and need no gap.
//!
//! A pair whose distance is known stays apart until its bodies have moved that far, however they move and turn:
//! each body has an odometer, which adds up how far the furthest of its points went from one evaluation to the next,
//! and a pair that was found apart is not looked at before the two odometers have gone on by its distance. The list of
//! pairs itself is made with some slack, and made again when a body has used it up. What is apart pushes nothing, and
//! its gap starts without a basis when it is looked at again: no result depends on when that was, and a run that is
//! resumed goes on bit for bit.

use carom_gap::Pose;
use carom_gap::gap::Basis;

use super::pairs::Key;
use crate::model::Model;

/// Slack of the list of pairs, in widths of the margin it is asked for.
const SLACK: f64 = 32.0;

/// How far bodies went, and since when the list of pairs stands.
#[derive(Debug)]
pub(super) struct Apart {
    /// Distance of the furthest point of each body from its origin.
    reaches: Vec<f64>,
    /// Where the bodies were last, and how far they have gone.
    last: Vec<Pose>,
    ways: Vec<f64>,
    /// Where the bodies were when pairs were listed, and how far they may go from there; none if they are to be
    /// listed again.
    listed: Vec<Pose>,
    slack: Option<f64>,
    /// Where the gap solver starts for pairs of a run that is resumed.
    pub handed: Vec<(Key, Basis)>,
}

impl Apart {
    pub fn new(model: &Model) -> Self {
        let poses: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        Self {
            reaches: model.bodies().iter().map(|b| b.reach()).collect(),
            ways: vec![0.0; poses.len()],
            last: poses.clone(),
            listed: poses,
            slack: None,
            handed: Vec::new(),
        }
    }

    /// How far a point of a body may have gone between two poses.
    pub fn shift(&self, k: usize, from: &Pose, to: &Pose) -> f64 {
        if from == to {
            return 0.0;
        }
        let turned = (to.directors - from.directors).norm();
        (to.position - from.position).norm() + self.reaches[k] * turned
    }

    /// Adds the way to new poses.
    pub fn go_to(&mut self, poses: &[Pose]) {
        for (k, pose) in poses.iter().enumerate() {
            let way = self.shift(k, &self.last[k], pose);
            if way != 0.0 {
                self.ways[k] += way;
                self.last[k] = *pose;
            }
        }
    }

    /// How far the bodies of a pair have gone, together.
    pub fn way(&self, bodies: &[Option<usize>; 2]) -> f64 {
        bodies.iter().flatten().map(|k| self.ways[*k]).sum()
    }

    /// Whether the list of pairs holds all that may meet between two configurations, where boxes are wider by a
    /// margin. Written so that what is not a number is not held.
    pub fn holds(&self, from: &[Pose], to: &[Pose], margin: f64) -> bool {
        let Some(slack) = self.slack else {
            return false;
        };
        let within = |poses: &[Pose]| {
            (poses.iter().enumerate())
                .all(|(k, pose)| self.shift(k, &self.listed[k], pose) + margin <= slack)
        };
        within(to) && (std::ptr::eq(from, to) || within(from))
    }

    /// Notes that pairs are listed here, for a margin; returns the margin to list them with.
    pub fn list(&mut self, poses: &[Pose], margin: f64) -> f64 {
        let slack = SLACK * margin;
        self.listed.copy_from_slice(poses);
        self.slack = Some(slack);
        slack
    }

    /// Has pairs listed again.
    pub fn forget(&mut self) {
        self.slack = None;
    }
}
