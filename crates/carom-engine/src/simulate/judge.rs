//! What a finished step must not have done: left the finite numbers, gained energy by contact, or left
//! more contact problems unsettled than allowed.

use super::ledger::{Ledger, StepInfo, Totals};
use super::{Settings, SimulateError, State};
use crate::contact::Unsettled;
use crate::mechanics::turned;
use crate::model::{EnergyCondition, Law, Model};

/// A gain of energy by contact that is noted, in the energy at stake.
const NOTED: f64 = 1e-6;
/// Contacts that a body turns about are constraints: their work swings by the order of the scheme. An impulse P whose
/// direction turns by θ in a step does about P²θ/(24 m) (measured of boxes that rock and tumble), which is a sixth of
/// θ times what its halves at both ends of the step move. What is not noted is six times that.
const SWUNG: f64 = 1.0;
/// The same where contacts turn about a body that rolls: per square of the angle of a step.
const ROLLING: f64 = 0.1;
/// A gain of energy by contact that ends a run, in the same.
const REFUSED: f64 = 0.1;

/// Looks at a step before it is entered into the ledger.
pub(super) struct Judge<'a> {
    pub model: &'a Model,
    pub settings: &'a Settings,
    /// The ledger up to the step.
    pub ledger: &'a Ledger,
    /// Time at the start of the step.
    pub start: f64,
    /// Largest angle by which a round body turned or would rock in the step.
    pub rolled: f64,
}

/// Largest angle by which a round body turned, or would rock in a step: contact turns about it.
pub(super) fn rolled(model: &Model, before: &State, after: &State) -> f64 {
    let h = after.time - before.time;
    let gravity = model.forces().gravity.norm();
    let bodies = model.bodies().iter().enumerate();
    let round = bodies.filter(|(_, body)| body.is_round() && body.mass().is_finite());
    let turn = |(k, body): (usize, &crate::model::Body)| {
        let angle = turned(&before.poses[k].directors, &after.poses[k].directors);
        // ω ≈ √(g/r) of rocking.
        angle + h * (gravity / body.reach()).sqrt()
    };
    round.map(turn).fold(0.0, f64::max)
}

/// Energy of the speeds that a few units in the last place of positions make in a step: ½ m (16 ε |x|/h)².
fn trembling(model: &Model, state: &State, h: f64) -> f64 {
    let bodies = model.bodies().iter().zip(&state.poses);
    let energy = |(body, pose): (&crate::model::Body, &carom_gap::Pose)| {
        let far = pose.position.norm() + body.reach();
        0.5 * body.mass() * (16.0 * f64::EPSILON * far / h).powi(2)
    };
    let energies = bodies.map(energy);
    energies.filter(|e| e.is_finite()).sum()
}

impl Judge<'_> {
    /// All numbers of the state must be finite; names what has others.
    pub fn finite(&self, state: &State, totals: &Totals) -> Result<(), SimulateError> {
        // One number that is not finite spoils the sums.
        let angular = totals.angular.sum() + totals.linear.sum();
        if (totals.energy() + angular).is_finite() {
            return Ok(());
        }
        let bodies = self.model.bodies().iter().enumerate();
        let broken = bodies.map(|(k, body)| {
            let (pose, p) = (&state.poses[k], &state.momenta[k]);
            let sum = pose.position.sum() + pose.directors.sum();
            (sum + p.force.sum() + p.directors.sum(), &body.name)
        });
        let linkages = self.model.linkages().iter().map(|l| {
            let range = l.first..l.first + l.freedom();
            let (q, p) = (&state.coordinates, &state.coordinate_momenta);
            let sum = q[range.clone()].iter().chain(&p[range]).sum::<f64>();
            (sum, &l.spec.name)
        });
        let mut all = broken.chain(linkages);
        let culprit = all.find(|(sum, _)| !sum.is_finite());
        Err(SimulateError::NotFinite {
            time: self.start,
            // Finite numbers whose squares are not.
            body: culprit.map_or("all bodies".into(), |(_, name)| name.clone()),
        })
    }

    /// Contacts never add energy: a gain beyond round-off is noted, a large one is an error.
    pub fn gain(
        &self,
        info: &mut StepInfo,
        state: &State,
        totals: &Totals,
        unsettled: &mut Vec<Unsettled>,
    ) -> Result<(), SimulateError> {
        let gain = info.contact.energy;
        if gain <= 0.0 {
            return Ok(());
        }
        // What is at stake, but for the kinetic energy that the contacts themselves may have made.
        let potential = &self.ledger.potential;
        let (low, high) = (
            potential.min.min(totals.potential),
            potential.max.max(totals.potential),
        );
        let moved = self.ledger.kinetic.max + (high - low) + info.work.abs();
        let stake = info.contact.at_stake;
        let round_off = 64.0 * f64::EPSILON * (totals.energy().abs() + totals.potential.abs())
            + trembling(self.model, state, info.time - self.start);
        // Contacts that hold as joints press more than they move.
        if gain > REFUSED * (moved + stake.moved.max(stake.pressed)) + round_off {
            return Err(SimulateError::ContactGain {
                time: self.start,
                gain,
            });
        }
        // The energy of the steps, when it is kept, leaves that of the momentum as it comes.
        let noted = NOTED.max(ROLLING * self.rolled * self.rolled);
        let scale = moved + stake.moved;
        let swung = SWUNG * stake.swung;
        if gain > noted * scale + swung + round_off && !self.keeps_discrete_energy() {
            info.contact.unsettled += 1;
            unsettled.push(Unsettled {
                time: info.time,
                what: "energy gained by contact",
                names: None,
                residual: gain / scale,
            });
        }
        Ok(())
    }

    /// No more contact problems may miss their tolerance than the settings allow.
    pub fn settled(&self, info: &StepInfo, unsettled: &[Unsettled]) -> Result<(), SimulateError> {
        let count = self.ledger.unsettled_count + u64::from(info.contact.unsettled);
        match self.settings.max_unsettled {
            Some(most) if count > most => {
                let last = unsettled.last();
                Err(SimulateError::Unsettled {
                    time: last.map_or(info.time, |u| u.time),
                    what: last.map_or("contact", |u| u.what).into(),
                    names: last.and_then(|u| u.names.clone()),
                    residual: last.map_or(info.contact.residual, |u| u.residual),
                    count,
                    most,
                })
            }
            _ => Ok(()),
        }
    }

    /// Whether some impact keeps the energy of the steps.
    fn keeps_discrete_energy(&self) -> bool {
        let surfaces = &self.model.contact().surfaces;
        let mut laws = (surfaces.iter().filter_map(|s| s.law)).chain([self.settings.law]);
        laws.any(|law| {
            matches!(
                law,
                Law::Exact {
                    condition: EnergyCondition::Discrete,
                    ..
                }
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodySpec, ModelBuilder};
    use crate::simulate::ContactInfo;

    fn model() -> Model {
        let mut builder = ModelBuilder::new();
        builder.body(BodySpec::particle("bead", 2.0));
        builder.build().unwrap()
    }

    fn totals(kinetic: f64, potential: f64) -> Totals {
        Totals {
            kinetic,
            potential,
            ..Totals::default()
        }
    }

    fn gained(energy: f64) -> StepInfo {
        StepInfo {
            time: 0.51,
            contact: ContactInfo {
                energy,
                ..ContactInfo::default()
            },
            ..StepInfo::default()
        }
    }

    /// The judge of a step that begins at 0.5 s.
    fn at_half<'a>(model: &'a Model, settings: &'a Settings, ledger: &'a Ledger) -> Judge<'a> {
        Judge {
            model,
            settings,
            ledger,
            start: 0.5,
            rolled: 0.0,
        }
    }

    /// What is said of a gain in a run with 4 J of kinetic energy at most, from which 1 J is left.
    fn judge(gain: f64, settings: &Settings) -> (Result<(), SimulateError>, Vec<Unsettled>) {
        let (model, mut ledger) = (model(), Ledger::new(&totals(4.0, 0.0)));
        ledger.enter(&StepInfo::default(), &totals(1.0, 0.0), 0.0);
        let judge = at_half(&model, settings, &ledger);
        let (mut info, mut unsettled) = (gained(gain), Vec::new());
        let state = State::start(&model).unwrap();
        let verdict = judge.gain(&mut info, &state, &totals(1.0 + gain, 0.0), &mut unsettled);
        let verdict = verdict.and_then(|()| judge.settled(&info, &unsettled));
        assert_eq!(info.contact.unsettled as usize, unsettled.len());
        (verdict, unsettled)
    }

    #[test]
    fn contact_that_adds_energy_is_noted_or_refused() {
        let settings = Settings::default();
        for quiet in [-1.0, 0.0, 1e-15, 3e-9] {
            assert_eq!(judge(quiet, &settings), (Ok(()), vec![]), "{quiet}");
        }
        let (verdict, unsettled) = judge(0.04, &settings);
        assert_eq!(verdict, Ok(()));
        assert_eq!(unsettled[0].what, "energy gained by contact");
        assert!((unsettled[0].residual - 0.01).abs() < 1e-12);
        assert_eq!(unsettled[0].time, 0.51);
        for gain in [0.5, 1e27] {
            let refused = SimulateError::ContactGain { time: 0.5, gain };
            assert_eq!(judge(gain, &settings).0, Err(refused));
        }
        // What keeps the energy of the steps leaves that of the momentum as it comes.
        let discrete = Settings {
            law: Law::Exact {
                condition: EnergyCondition::Discrete,
                form: Default::default(),
            },
            ..settings
        };
        assert_eq!(judge(0.04, &discrete), (Ok(()), vec![]));
    }

    /// Far from the origin what rests trembles by round-off: 2 kg, 1 km away, in steps of 0.01 s by 1.3e-19 J.
    #[test]
    fn what_trembles_by_round_off_gains_nothing() {
        let (model, settings) = (model(), Settings::default());
        let ledger = Ledger::new(&totals(0.0, 0.0));
        let judge = at_half(&model, &settings, &ledger);
        let mut state = State::start(&model).unwrap();
        state.poses[0].position.x = 1e3;
        let verdict = |gain| {
            let (mut info, mut unsettled) = (gained(gain), Vec::new());
            judge.gain(&mut info, &state, &totals(gain, 0.0), &mut unsettled)
        };
        assert_eq!(verdict(1e-19), Ok(()));
        assert!(verdict(1e-18).is_err());
    }

    #[test]
    fn more_than_allowed_is_an_error_that_names_the_last() {
        let settings = |most| Settings {
            max_unsettled: Some(most),
            ..Settings::default()
        };
        assert_eq!(judge(0.04, &settings(1)).0, Ok(()));
        let error = judge(0.04, &settings(0)).0.unwrap_err();
        assert!(matches!(
            error,
            SimulateError::Unsettled {
                time: 0.51,
                count: 1,
                most: 0,
                ..
            }
        ));
        let error = SimulateError::Unsettled {
            time: 0.51,
            what: "impact".into(),
            names: Some(["cube".into(), "floor".into()]),
            residual: 1e-3,
            count: 4,
            most: 3,
        };
        let text = error.to_string();
        assert!(
            text.contains("impact between \"cube\" and \"floor\", at t = 0.51 s"),
            "{text}"
        );
    }

    #[test]
    fn numbers_that_are_not_finite_name_their_body() {
        let (model, settings) = (model(), Settings::default());
        let ledger = Ledger::new(&totals(1.0, 0.0));
        let judge = at_half(&model, &settings, &ledger);
        let mut state = State::start(&model).unwrap();
        assert_eq!(judge.finite(&state, &totals(1.0, 0.0)), Ok(()));
        state.momenta[0].force.x = f64::NAN;
        let error = judge.finite(&state, &totals(f64::NAN, 0.0)).unwrap_err();
        assert!(
            matches!(error, SimulateError::NotFinite { body, time } if body == "bead" && time == 0.5)
        );
    }
}
