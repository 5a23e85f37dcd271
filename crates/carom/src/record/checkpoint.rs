//! Where to go on: state and ledger as exact bits.
//!
//! The file holds a magic word, a fingerprint of the scenario, and then 64-bit words, little
//! endian; its last word is a checksum of the others, so that a damaged file is noticed.

mod lists;

use super::contacts::ContactsLength;
use super::words::{Reader, Words};
use crate::Pose;
use crate::mechanics::Covector;
use crate::simulate::{Ledger, PairImpulse, State, Trend};

const MAGIC: u64 = u64::from_le_bytes(*b"caromcp7");

/// A moment of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Fingerprint of the scenario as run.
    pub scenario: u64,
    /// Frames recorded so far.
    pub frames: u64,
    /// How far the file of contact events is.
    pub contacts: ContactsLength,
    /// Wall time used so far, in s.
    pub wall_seconds: f64,
    /// State.
    pub state: State,
    /// Ledger.
    pub ledger: Ledger,
    /// What controllers remember.
    pub feedback: Vec<u64>,
    /// What contacts gave since a time, that of the last frame.
    pub pressed: (f64, Vec<PairImpulse>),
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or damaged.
    #[error("the checkpoint is damaged: run again without --resume")]
    Damaged,
    /// Of other model or settings.
    #[error(
        "the checkpoint belongs to another scenario: run with the same file, variant and --set values, or without --resume"
    )]
    OtherScenario,
}

impl Checkpoint {
    /// A number that tells scenarios apart (FNV-1a).
    pub fn fingerprint(text: &str) -> u64 {
        hash(text.as_bytes())
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Words(Vec::new());
        out.word(MAGIC);
        out.word(self.scenario);
        out.word(self.frames);
        out.word(self.contacts.events);
        out.word(self.contacts.bytes);
        out.number(self.wall_seconds);
        // Taken apart without `..`: a new field must be stored, or a resumed run would differ.
        let State {
            time,
            time_carry,
            poses,
            momenta,
            coordinates,
            coordinate_momenta,
            carry,
            unbalanced,
            guess,
            standing,
            impulses,
            warm,
        } = &self.state;
        out.number(*time);
        out.number(*time_carry);
        out.word(poses.len() as u64);
        for ((pose, p), carry) in poses.iter().zip(momenta).zip(carry) {
            out.numbers(pose.position.as_slice());
            out.numbers(pose.directors.as_slice());
            out.numbers(p.force.as_slice());
            out.numbers(p.directors.as_slice());
            out.numbers(carry.as_slice());
        }
        for list in [coordinates, coordinate_momenta, unbalanced, guess] {
            out.word(list.len() as u64);
            out.numbers(list);
        }
        out.standing(standing);
        out.impulses(impulses);
        out.word(warm.len() as u64);
        for (key, basis) in warm {
            let words = [key.0, key.1].into_iter().chain(basis.to_words());
            words.for_each(|w| out.word(u64::from(w)));
        }
        let Ledger {
            steps,
            energy,
            kinetic,
            potential,
            energy_discrete,
            linear_momentum,
            angular_momentum,
            momentum_residual_max,
            constraint_violation_max,
            newton_iterations,
            work,
            damping,
            forces,
            supports,
            unexplained: unexplained_energy,
            trend,
            reach,
            contact_count,
            overlap_max,
            contact_energy,
            projection_energy,
            projection_angular,
            contact_residual_max,
            unsettled_count,
            unsettled,
            caught_count,
        } = &self.ledger;
        out.word(*steps);
        for range in [energy, kinetic, potential] {
            out.range(range);
        }
        out.word(u64::from(energy_discrete.is_some()));
        out.range(energy_discrete.as_ref().unwrap_or(energy));
        out.drift(linear_momentum);
        out.drift(angular_momentum);
        out.number(*momentum_residual_max);
        out.number(*constraint_violation_max);
        out.word(*newton_iterations);
        out.number(*work);
        out.number(*damping);
        for impulse in [forces, supports] {
            out.numbers(impulse.linear.as_slice());
            out.numbers(impulse.angular.as_slice());
        }
        out.range(unexplained_energy);
        out.word(trend.count);
        out.numbers(&[trend.sum, trend.moment, *reach]);
        out.word(*contact_count);
        out.number(*overlap_max);
        out.number(*contact_energy);
        out.number(*projection_energy);
        out.numbers(projection_angular.as_slice());
        out.number(*contact_residual_max);
        out.word(*unsettled_count);
        out.word(*caught_count);
        out.unsettled(unsettled);
        out.word(self.feedback.len() as u64);
        self.feedback.iter().for_each(|word| out.word(*word));
        out.number(self.pressed.0);
        out.pressed(&self.pressed.1);
        let sum = hash(&out.0);
        out.word(sum);
        out.0
    }

    /// From bytes; `scenario` is the fingerprint it must have, `start` the model's start, which
    /// says how many numbers there are.
    pub fn from_bytes(bytes: &[u8], scenario: u64, start: &State) -> Result<Self, CheckpointError> {
        let damaged = CheckpointError::Damaged;
        let body = bytes.len().checked_sub(8).ok_or(damaged)?;
        let mut tail = Reader(&bytes[body..]);
        if tail.word() != Some(hash(&bytes[..body])) {
            return Err(damaged);
        }
        let mut words = Reader(&bytes[..body]);
        if words.word() != Some(MAGIC) {
            return Err(damaged);
        }
        if words.word() != Some(scenario) {
            return Err(CheckpointError::OtherScenario);
        }
        words.rest(scenario, start).ok_or(damaged)
    }
}

impl Reader<'_> {
    /// Everything after the fingerprint.
    fn rest(&mut self, scenario: u64, start: &State) -> Option<Checkpoint> {
        let frames = self.word()?;
        let contacts = ContactsLength {
            events: self.word()?,
            bytes: self.word()?,
        };
        let wall_seconds = self.number()?;
        let mut state = start.clone();
        state.time = self.number()?;
        state.time_carry = self.number()?;
        if self.word()? != state.poses.len() as u64 {
            return None;
        }
        for k in 0..state.poses.len() {
            state.poses[k] = Pose {
                position: self.vector()?,
                directors: self.matrix()?,
            };
            state.momenta[k] = Covector {
                force: self.vector()?,
                directors: self.matrix()?,
            };
            state.carry[k] = self.vector()?;
        }
        let lists = [
            &mut state.coordinates,
            &mut state.coordinate_momenta,
            &mut state.unbalanced,
            &mut state.guess,
        ];
        for list in lists {
            if self.word()? != list.len() as u64 {
                return None;
            }
            for value in list.iter_mut() {
                *value = self.number()?;
            }
        }
        state.standing = self.standing(state.poses.len())?;
        state.impulses = self.impulses()?;
        state.warm = self.warm()?;
        let steps = self.word()?;
        let (energy, kinetic, potential) = (self.range()?, self.range()?, self.range()?);
        let has_discrete = self.word()? == 1;
        let discrete = self.range()?;
        let ledger = Ledger {
            steps,
            energy,
            kinetic,
            potential,
            energy_discrete: has_discrete.then_some(discrete),
            linear_momentum: self.drift()?,
            angular_momentum: self.drift()?,
            momentum_residual_max: self.number()?,
            constraint_violation_max: self.number()?,
            newton_iterations: self.word()?,
            work: self.number()?,
            damping: self.number()?,
            forces: self.impulse()?,
            supports: self.impulse()?,
            unexplained: self.range()?,
            trend: Trend {
                count: self.word()?,
                sum: self.number()?,
                moment: self.number()?,
            },
            reach: self.number()?,
            contact_count: self.word()?,
            overlap_max: self.number()?,
            contact_energy: self.number()?,
            projection_energy: self.number()?,
            projection_angular: self.vector()?,
            contact_residual_max: self.number()?,
            unsettled_count: self.word()?,
            caught_count: self.word()?,
            unsettled: self.unsettled()?,
        };
        let mut feedback = Vec::new();
        for _ in 0..self.word()? {
            feedback.push(self.word()?);
        }
        let pressed = (self.number()?, self.pressed()?);
        Some(Checkpoint {
            pressed,
            scenario,
            frames,
            contacts,
            wall_seconds,
            state,
            ledger,
            feedback,
        })
    }
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::lists::SIDES;
    use super::*;
    use nalgebra::Vector3;

    use crate::contact::{Side, Unsettled};
    use crate::scenario::Scenario;
    use crate::simulate::Simulation;

    #[test]
    fn a_checkpoint_is_exact_and_notices_damage() {
        let text = "gravity = [0, 0, -9.81]\n[body.a]\nshape = { box = [1, 2, 3] }\ndensity = 2\n\
                    angular_velocity = [1, 2, 3]\n[joint.j]\nkind = \"spherical\"\n\
                    between = [\"world\", \"a\"]\nat = [0, 0, 0]\n\
                    [linkage.l]\ncoordinates.x = { rate = 1 }\n\
                    links.a = { slide = [1, 0], by = \"x\", mass = 1 }\n\
                    [simulate]\nsteps = 9\nstep = 0.01\n";
        let scenario = Scenario::parse("test.toml", text).unwrap();
        let model = scenario.build().unwrap();
        let start = State::start(&model).unwrap();
        let mut simulation = Simulation::new(model, scenario.settings.simulator()).unwrap();
        simulation.run(5).unwrap();
        let checkpoint = Checkpoint {
            scenario: 7,
            frames: 3,
            contacts: ContactsLength {
                events: 2,
                bytes: 500,
            },
            wall_seconds: 0.5,
            state: simulation.state().clone(),
            ledger: Ledger {
                unsettled: vec![
                    Unsettled {
                        time: 0.25,
                        what: "impact",
                        names: Some(["a".into(), "floor, rough".into()]),
                        residual: 1e-3,
                    },
                    Unsettled {
                        time: 0.5,
                        what: "rest",
                        names: None,
                        residual: 2.0,
                    },
                ],
                ..simulation.ledger().clone()
            },
            feedback: vec![3, u64::MAX, 0],
            pressed: (
                0.25,
                SIDES
                    .iter()
                    .map(|side| PairImpulse {
                        sides: [Side::Wall(1), side(0)],
                        impulse: Vector3::new(1.0, 2.0, 3.0),
                        along: Vector3::new(4.0, 5.0, 6.0),
                        normal: 7.0,
                        moment: Vector3::new(8.0, 9.0, 10.0),
                        weight: 11.0,
                        angular: [
                            Vector3::new(12.0, 13.0, 14.0),
                            Vector3::new(15.0, 16.0, 17.0),
                        ],
                    })
                    .collect(),
            ),
        };
        let bytes = checkpoint.to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes, 7, &start), Ok(checkpoint));
        let other = Checkpoint::from_bytes(&bytes, 8, &start);
        assert_eq!(other, Err(CheckpointError::OtherScenario));
        for k in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[k] ^= 4;
            assert!(
                Checkpoint::from_bytes(&damaged, 7, &start).is_err(),
                "byte {k}"
            );
            assert!(Checkpoint::from_bytes(&bytes[..k], 7, &start).is_err());
        }
    }
}
