//! `[sweep]`: which values of a scenario are varied, and how.

use super::error::{Fault, ScenarioError};
use super::fields::{Fields, Item, Read};
use super::first_guesses::refuse_sweep;
use super::scope::Scope;
use super::sections::section;
use super::tree::{Table, Value};
use super::{Scenario, write};

/// Most values of one axis, and most samples.
const MOST: u64 = 100_000_000;

/// Most axes that Sobol's sequence samples.
pub(crate) const SOBOL_DIMENSIONS: usize = 21;

/// Where samples of an axis come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Uniform between two numbers.
    Uniform(f64, f64),
    /// Uniform in the logarithm.
    Logarithmic(f64, f64),
    /// Normal: mean and deviation.
    Normal(f64, f64),
}

/// A varied value.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// Every one of these, as `--set` takes them.
    Values(Vec<String>),
    /// Samples.
    Samples(Range),
}

/// How samples are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Independently.
    #[default]
    Random,
    /// One in each of as many strata of every axis.
    Latin,
    /// Sobol's sequence.
    Sobol,
}

/// What a sweep varies.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepSpec {
    /// Keys as `--set` takes them, with their axes, in the order of the file.
    pub axes: Vec<(String, Axis)>,
    /// Samples at each point of the grid of values.
    pub samples: u64,
    /// How they are spread.
    pub spread: Spread,
    /// Seed of the samples.
    pub seed: u64,
}

impl Scenario {
    /// What is varied, if the scenario is a sweep.
    pub fn sweep(&self) -> Result<Option<SweepSpec>, ScenarioError> {
        let fail = |fault: Box<Fault>| ScenarioError::new(&self.file, &self.sources, vec![*fault]);
        let parameters = section(&self.root, "parameters").map_err(fail)?;
        let scope = Scope::new(parameters, &self.sources)
            .map_err(|faults| ScenarioError::new(&self.file, &self.sources, faults))?;
        let Some(table) = section(&self.root, "sweep").map_err(fail)? else {
            return Ok(None);
        };
        let place = self.root.get("sweep").map(|e| e.key).unwrap_or_default();
        let fields = Fields::new(table, "sweep", place, &scope);
        read(&fields).map(Some).map_err(fail)
    }
}

fn read(fields: &Fields) -> Read<SweepSpec> {
    let fix = "say what is varied: [sweep.vary] with spacing = [0.02, 0.03] or { from = 0, to = 1, count = 5 }";
    refuse_sweep(fields)?;
    let vary = fields.need("vary", fix)?;
    let mut axes = Vec::new();
    collect("", vary.fields()?.table, &vary, &mut axes)?;
    if axes.is_empty() {
        return Err(vary.fault("varies nothing", fix));
    }
    let sampled = axes.iter().any(|(_, a)| matches!(a, Axis::Samples(_)));
    let samples = fields.get("samples");
    let samples = match (samples, sampled) {
        (Some(item), true) => item.count(1, MOST)?,
        (Some(item), false) => {
            return Err(item.fault(
                "nothing is sampled",
                "give an axis { from, to } without count, or remove samples",
            ));
        }
        (None, true) => {
            return Err(fields.fault("`samples` is missing", "say how many: samples = 100"));
        }
        (None, false) => 1,
    };
    let spread = fields.get("spread").map(|item| {
        item.choice(&[
            ("random", Spread::Random),
            ("latin-hypercube", Spread::Latin),
            ("sobol", Spread::Sobol),
        ])
    });
    let spread = spread.transpose()?.unwrap_or_default();
    let dimensions = (axes.iter())
        .filter(|(_, a)| matches!(a, Axis::Samples(_)))
        .count();
    if spread == Spread::Sobol && dimensions > SOBOL_DIMENSIONS {
        return Err(fields.fault(
            format!("{dimensions} axes are sampled"),
            format!(
                "Sobol's sequence is known here for {}; write spread = \"latin-hypercube\"",
                SOBOL_DIMENSIONS
            ),
        ));
    }
    let seed = fields.get("seed").map(|item| item.count(0, 1 << 53));
    let seed = seed.transpose()?.unwrap_or(1);
    fields.finish()?;
    let grid = (axes.iter()).try_fold(samples, |n, (_, axis)| match axis {
        Axis::Values(values) => n.checked_mul(values.len() as u64),
        Axis::Samples(_) => Some(n),
    });
    if grid.is_none_or(|n| n > MOST) {
        return Err(fields.fault("too many runs", format!("at most {MOST} runs make a sweep")));
    }
    Ok(SweepSpec {
        axes,
        samples,
        spread,
        seed,
    })
}

/// Axes, with dotted keys of nested tables.
fn collect(path: &str, table: &Table, of: &Item, axes: &mut Vec<(String, Axis)>) -> Read<()> {
    for (name, entry) in table {
        let key = super::fields::join(path, name);
        let item = Item {
            node: &entry.node,
            path: format!("{}.{key}", of.path),
            scope: of.scope,
        };
        match &entry.node.value {
            Value::Table(inner) if !describes(inner) => collect(&key, inner, of, axes)?,
            _ => axes.push((key, axis(&item)?)),
        }
    }
    Ok(())
}

/// Whether a table is an axis rather than a part of a dotted key.
fn describes(table: &Table) -> bool {
    ["from", "to", "count", "mean", "deviation"]
        .iter()
        .any(|key| table.contains_key(*key))
}

fn axis(item: &Item) -> Read<Axis> {
    let fix = "write a list of values, { from, to, count } for a grid, { from, to } or { mean, deviation } for samples";
    if let Value::List(items) = &item.node.value {
        if items.is_empty() {
            return Err(item.fault("has no values", fix));
        }
        return Ok(Axis::Values(items.iter().map(write::inline).collect()));
    }
    if !matches!(item.node.value, Value::Table(_)) {
        return Err(item.fault("is one value", fix));
    }
    let fields = item.fields()?;
    if let Some(mean) = fields.get("mean") {
        let mean = mean.number()?;
        let deviation = fields.need("deviation", "give the deviation")?.positive()?;
        fields.finish()?;
        return Ok(Axis::Samples(Range::Normal(mean, deviation)));
    }
    let low = fields.need("from", fix)?;
    let from = low.number()?;
    let high = fields.need("to", fix)?;
    let to = high.number()?;
    let count = fields.get("count");
    let count = count.map(|item| item.count(1, MOST)).transpose()?;
    let log = fields.get("log");
    let log = log.map_or(Ok(false), |item| item.boolean())?;
    fields.finish()?;
    if log && (from <= 0.0 || to <= 0.0) {
        return Err(low.fault("has no logarithm", "log = true needs positive ends"));
    }
    let range = match log {
        true => Range::Logarithmic(from, to),
        false => Range::Uniform(from, to),
    };
    let Some(count) = count else {
        if from >= to {
            return Err(high.fault("does not rise", "`from` must be smaller than `to`"));
        }
        return Ok(Axis::Samples(range));
    };
    let value = |k: u64| {
        let part = k as f64 / (count.max(2) - 1) as f64;
        // The ends are exact.
        match k {
            0 => from,
            k if k + 1 == count => to,
            // 0.04 rather than 0.039999999999999994.
            _ => {
                let value = range.at(part);
                format!("{value:.14e}").parse().unwrap_or(value)
            }
        }
    };
    Ok(Axis::Values(
        (0..count).map(|k| format!("{:?}", value(k))).collect(),
    ))
}

impl Range {
    /// The value below which a part of all samples is.
    pub fn at(&self, part: f64) -> f64 {
        match *self {
            Range::Uniform(from, to) => from + (to - from) * part,
            Range::Logarithmic(from, to) => (from.ln() + (to.ln() - from.ln()) * part).exp(),
            Range::Normal(mean, deviation) => {
                mean + deviation * carom_engine::random::normal_quantile(part)
            }
        }
    }
}
