//! What a step must not do: leave the finite numbers, or turn a body by more than the scheme bears.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::{SimulateError, Simulation, State};
use crate::mechanics::{Increment, Share, twists};
use crate::model::{BodyKind, Model};

/// Bodies that turn by more than this in a step, in rad, may be too fast for it.
const FAST: f64 = 0.9;

impl Simulation {
    /// Whether bodies turn too fast for steps of the set size: what the next step says of it, which is made only
    /// where a body turns fast.
    ///
    /// ```
    /// use carom::scenario::Scenario;
    /// use carom::simulate::{SimulateError, Simulation, State};
    ///
    /// let text = "[body.top]\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, 1000]\n\
    ///             [simulate]\nduration = 1\nstep = 0.01\n";
    /// let scenario = Scenario::parse("top.toml", text)?;
    /// let model = scenario.build()?;
    /// let start = State::start(&model)?;
    /// let simulation = Simulation::from_state(model, scenario.settings.simulator(), start)?;
    /// let refused = simulation.check_turns();
    /// assert!(matches!(refused, Err(SimulateError::TurnsTooFar { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_turns(mut self) -> Result<(), SimulateError> {
        let state = self.state();
        let spins = twists(self.model(), &state.poses, &state.guess);
        let fastest = spins.iter().map(|t| t.w.norm()).fold(0.0, f64::max);
        if fastest * self.settings().step < FAST {
            return Ok(());
        }
        match self.step() {
            Err(error @ SimulateError::TurnsTooFar { .. }) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Rotation angle of R from R − I.
pub(super) fn angle(turn: &Matrix3<f64>) -> f64 {
    (0.5 * turn.trace() + 1.0).clamp(-1.0, 1.0).acos()
}

/// The scheme bears less than a quarter turn per step.
pub(super) fn turns(
    model: &Model,
    share: &Share,
    state: &State,
    increments: &[Increment],
    next: &[Pose],
    h: f64,
) -> Result<(), SimulateError> {
    for &k in &share.bodies {
        let body = &model.bodies()[k];
        let turn = &increments[k].turn;
        let trace = turn.trace();
        if !next[k].position.sum().is_finite() || trace.is_nan() {
            return Err(SimulateError::NotFinite {
                time: state.time,
                body: body.name.clone(),
            });
        }
        // tr(R − I) = 2 cos θ − 2
        if trace < -2.0 {
            let a = angle(turn);
            return Err(SimulateError::TurnsTooFar {
                time: state.time,
                body: body.name.clone(),
                degrees: a.to_degrees(),
                step: h * 0.5 * std::f64::consts::FRAC_PI_2 / a,
            });
        }
    }
    Ok(())
}

/// Why a Newton method failed around the given bodies. One that turns too fast for the step is the
/// usual cause: J sin(Δθ)/h has no solution beyond one radian per step at its angular velocity. Names
/// the fastest.
pub(super) fn failed(
    model: &Model,
    state: &State,
    bodies: impl Iterator<Item = usize>,
    increments: &[Increment],
    h: f64,
    otherwise: SimulateError,
) -> SimulateError {
    let spins = twists(model, &state.poses, &state.guess);
    let fastest = bodies
        .filter(|k| matches!(model.bodies()[*k].kind, BodyKind::Rigid { .. }))
        .map(|k| {
            let turned = angle(&increments[k].turn);
            (k, turned.max(spins[k].w.norm() * h))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1));
    match fastest {
        Some((k, turned)) if turned > 0.95 => SimulateError::TurnsTooFar {
            time: state.time,
            body: model.bodies()[k].name.clone(),
            degrees: turned.to_degrees(),
            step: 0.5 * h / turned,
        },
        _ => otherwise,
    }
}

/// Why no step h carries the angular momentum of a body on its own.
pub(super) fn too_fast(
    model: &Model,
    state: &State,
    k: usize,
    h: f64,
    momentum: &Vector3<f64>,
) -> SimulateError {
    let rate = match &model.bodies()[k].kind {
        BodyKind::Rigid { euler_tensor, .. } if momentum.iter().all(|c| c.is_finite()) => {
            let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
            momentum.norm() / inertia.symmetric_eigenvalues().min()
        }
        _ => {
            return SimulateError::NotFinite {
                time: state.time,
                body: model.bodies()[k].name.clone(),
            };
        }
    };
    SimulateError::TurnsTooFar {
        time: state.time,
        body: model.bodies()[k].name.clone(),
        degrees: (rate * h).to_degrees(),
        step: 0.5 / rate,
    }
}
