//! A pair of a group as it was looked at last: what did not move is not looked at again, nor what cannot have come near.

use carom_gap::Pose;

use super::groups::Member;
use crate::contact::{GapRow, Glance, Pair, Room, Way, evaluate_within, reach_of};
use crate::model::Model;
use crate::simulate::State;
use crate::simulate::collide::Workspace;
use crate::simulate::collide::touching::path;

/// A pair as it was looked at last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Where its bodies were.
    poses: Option<[Pose; 2]>,
    glance: Glance,
}

impl Seen {
    /// As it is known where it is, or else from where the step began.
    pub fn from(step: &[Pose], state: &State, m: &Member) -> Self {
        let (poses, gap, room) = match m.gap {
            Some(gap) => (&state.poses[..], gap, Room::UNKNOWN),
            None => (step, f64::INFINITY, m.room),
        };
        Self {
            poses: places(&m.pair, poses),
            glance: Glance {
                gap,
                room,
                row: None,
            },
        }
    }

    /// Its gap then.
    pub fn gap(&self) -> f64 {
        self.glance.gap
    }

    /// Its gap and gradient then, if it was near.
    pub fn row(&self) -> Option<&GapRow> {
        self.glance.row.as_ref()
    }

    /// The gap of the pair, if it was measured and is where it was.
    pub fn gap_at(&self, pair: &Pair, state: &State) -> Option<f64> {
        let [x, y] = self.poses.as_ref()?;
        let [now_x, now_y] = pair.poses(&state.poses);
        let measured = self.glance.gap.is_finite();
        (measured && x == now_x && y == now_y).then_some(self.glance.gap)
    }

    /// How far the sides of the pair are apart at least, by where they were.
    fn apart(&self, model: &Model, pair: &Pair, state: &State) -> f64 {
        let (Pair::Bodies(a, b), Some([x, y])) = (pair, &self.poses) else {
            return f64::NEG_INFINITY;
        };
        let [now_x, now_y] = pair.poses(&state.poses);
        let ways = [
            Way::between(x, now_x, reach_of(model, a)),
            Way::between(y, now_y, reach_of(model, b)),
        ];
        self.glance.room.after([&ways[0], &ways[1]])
    }

    /// Gap and gradient of the pair if the gap is at most `limit`; what did not move is known.
    pub fn look(
        &mut self,
        m: &Member,
        model: &Model,
        work: &mut Workspace,
        state: &State,
        limit: f64,
    ) -> Option<&GapRow> {
        let known = self.gap_at(&m.pair, state).is_some();
        // The gap along any direction is no less than the distance.
        if !known && self.apart(model, &m.pair, state) > limit {
            return None;
        }
        let far = self.glance.gap > limit;
        if !known || self.glance.row.is_none() && !far {
            let mut warm = work.bases.of(m.key);
            self.glance = evaluate_within(model, &m.pair, &path(state), &mut warm, limit);
            work.bases.remember(m.key, warm);
            self.poses = places(&m.pair, &state.poses);
        }
        // Written so that what is not a number is looked at.
        let far = self.glance.gap > limit;
        self.glance.row.as_ref().filter(|_| !far)
    }
}

/// Poses that the gap of a pair depends on; none where it depends on others too.
fn places(pair: &Pair, poses: &[Pose]) -> Option<[Pose; 2]> {
    let own = pair.poses(poses).map(|p| *p);
    pair.colliders().map(|_| own)
}
