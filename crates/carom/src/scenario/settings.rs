//! `[simulate]`: how long, how fine, with which integrator, and what is kept.

use super::bodies::section;
use super::contact::{self, Law};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::tree::Table;

/// Largest number of steps of a run.
const MOST_STEPS: u64 = 100_000_000_000;
/// About how many frames are kept where the file does not say.
const USUAL_FRAMES: u64 = 2_000;

/// Formulations of the variational scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulation {
    /// Chosen by the simulator.
    #[default]
    Auto,
    /// Null space and joint coordinates.
    Reduced,
    /// Null space, redundant coordinates.
    Projected,
    /// Lagrange multipliers, sparse.
    Multipliers,
}

impl Formulation {
    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Auto => "auto",
            Formulation::Reduced => "reduced",
            Formulation::Projected => "projected",
            Formulation::Multipliers => "multipliers",
        }
    }
}

/// Which integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// Midpoint variational integrator.
    Variational {
        /// How its equations are set up.
        formulation: Formulation,
    },
    /// Explicit Newmark.
    Newmark {
        /// β.
        beta: f64,
        /// γ.
        gamma: f64,
    },
}

/// Settings of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Contact law.
    pub law: Law,
    /// Step size h in s.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// Integrator.
    pub integrator: Integrator,
    /// Newton's method stops below this residual; the simulator's own choice if not given.
    pub tolerance: Option<f64>,
    /// Most Newton iterations per step; the simulator's own choice if not given.
    pub max_iterations: Option<u32>,
    /// A frame is recorded every so many steps.
    pub record_every: u64,
    /// Seconds of wall time between checkpoints; 0 for none.
    pub checkpoint: f64,
}

/// Reads the section.
pub(crate) fn read(root: &Table, scope: &Scope) -> Read<Option<Settings>> {
    let Some(table) = section(root, "simulate")? else {
        return Ok(None);
    };
    let place = root.get("simulate").map(|e| e.key).unwrap_or_default();
    let fields = Fields::new(table, "simulate", place, scope);
    let step = fields
        .need("step", "give the step size in s: step = 0.01")?
        .positive()?;
    let mend = "say how long: duration = 10.0 (s), or steps = 1000";
    let steps = match fields.one_of(&["duration", "steps"])? {
        Some(("duration", item)) => {
            let count = item.positive()? / step;
            // A duration of 4.0 in steps of 0.01 is 400 steps, whatever round-off makes of it.
            let near = (count - count.round()).abs() < 1e-6 * count.max(1.0);
            let count = if near { count.round() } else { count.ceil() };
            if count > MOST_STEPS as f64 {
                return Err(item.fault(
                    format!("takes {count:e} steps"),
                    format!("at most {MOST_STEPS} steps are run; take a larger step"),
                ));
            }
            (count as u64).max(1)
        }
        Some((_, item)) => item.count(1, MOST_STEPS)?,
        None => return Err(fields.fault("how long is not said", mend)),
    };
    let law = fields
        .get("law")
        .map(|item| contact::law(&item))
        .transpose()?;
    let integrator = integrator(&fields)?;
    let tolerance = fields
        .get("tolerance")
        .map(|item| item.positive())
        .transpose()?;
    let max_iterations = fields.get("max_iterations");
    let max_iterations = max_iterations
        .map(|item| item.count(1, 10_000))
        .transpose()?;
    let record_every = match fields.get("record") {
        None => steps.div_ceil(USUAL_FRAMES),
        Some(item) => record(&item, step)?,
    };
    let checkpoint = fields
        .get("checkpoint")
        .map(|item| item.non_negative())
        .transpose()?;
    fields.finish()?;
    Ok(Some(Settings {
        law: law.unwrap_or_default(),
        step,
        steps,
        integrator,
        tolerance,
        max_iterations: max_iterations.map(|n| n as u32),
        record_every,
        checkpoint: checkpoint.unwrap_or(10.0),
    }))
}

fn integrator(fields: &Fields) -> Read<Integrator> {
    let formulations = [
        ("auto", Formulation::Auto),
        ("reduced", Formulation::Reduced),
        ("projected", Formulation::Projected),
        ("multipliers", Formulation::Multipliers),
    ];
    let newmark = match fields.get("integrator") {
        None => false,
        Some(item) => item.choice(&[("variational", false), ("newmark", true)])?,
    };
    if newmark {
        let number = |key, usual| -> Read<f64> {
            let item = fields.get(key);
            item.map_or(Ok(usual), |item: Item| item.non_negative())
        };
        return Ok(Integrator::Newmark {
            beta: number("beta", 0.0)?,
            gamma: number("gamma", 0.5)?,
        });
    }
    let formulation = fields.get("formulation");
    let formulation = formulation
        .map(|item| item.choice(&formulations))
        .transpose()?;
    Ok(Integrator::Variational {
        formulation: formulation.unwrap_or_default(),
    })
}

/// `{ every = n }` steps, or `{ rate = hz }`.
fn record(item: &Item, step: f64) -> Read<u64> {
    let fields = item.fields()?;
    let chosen = fields.one_of(&["every", "rate"])?;
    fields.finish()?;
    match chosen {
        Some(("every", item)) => item.count(1, MOST_STEPS),
        Some((_, item)) => {
            let rate = item.positive()?;
            Ok(((1.0 / (rate * step)).round() as u64).max(1))
        }
        None => Err(item.fault("records nothing", "write every = n (steps) or rate = hz")),
    }
}
