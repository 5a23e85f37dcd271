//! The start of a run: what overlaps there is named, or moved apart if the file says so.

use super::error::{Fault, ScenarioError};
use super::sections::place_of;
use super::{Scenario, Settings};
use crate::model::{Law, Model};
use crate::simulate::{Overlap, State, overlaps, separate};
use crate::words::counted;

/// Overlapping pairs that an error names.
const NAMED: usize = 5;

/// Where a run starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// The state.
    pub state: State,
    /// What the user should know before the first step.
    pub warnings: Vec<String>,
    /// How far bodies that overlapped were moved at most, in m.
    pub separated: Option<f64>,
}

impl Scenario {
    /// What a user should know of the settings, though nothing is wrong with them.
    pub fn notes(&self) -> Vec<String> {
        let Settings {
            step, steps, asked, ..
        } = self.settings;
        let Some(asked) = asked.filter(|_| self.optimise.is_none()) else {
            return Vec::new();
        };
        let round = |value: f64| format!("{value:.6e}").parse::<f64>().unwrap_or(value);
        let (end, fits) = (round(steps as f64 * step), round(asked / steps as f64));
        vec![format!(
            "simulate.duration = {asked} is not a multiple of step = {step}: the run takes {} and \
             ends at t = {end} s; write duration = {end}, or step = {fits}, to end where you say",
            counted(steps, "step")
        )]
    }

    /// The start of a simulation. Bodies that overlap there are an error where the contact law wants
    /// them apart, a warning where a potential presses them apart; with `separate = true` they are
    /// moved apart first.
    pub fn start(&self, model: &Model) -> Result<Start, ScenarioError> {
        let state = State::start(model).map_err(|error| self.place(&error))?;
        let mut start = Start {
            state,
            warnings: Vec::new(),
            separated: None,
        };
        let settings = self.settings.simulator();
        let mut found = overlaps(model, &settings, &start.state);
        if found.is_empty() {
            return Ok(start);
        }
        if self.settings.separate {
            let moved = separate(model, &settings, &mut start.state);
            start.separated = Some(moved.map_err(|error| self.place(&error))?);
            found.clear();
        }
        let (soft, hard): (Vec<Overlap>, Vec<Overlap>) =
            (found.into_iter()).partition(|o| matches!(o.law, Law::Potential { .. }));
        start.warnings.extend(
            soft.iter().take(NAMED).map(|overlap| {
                format!("{}: the contact potential pushes them apart", said(overlap))
            }),
        );
        match hard.is_empty() {
            true => Ok(start),
            false => Err(self.overlap_error(&hard)),
        }
    }

    /// One fault for each pair, at the section of the first of the two.
    fn overlap_error(&self, found: &[Overlap]) -> ScenarioError {
        let faults = found.iter().take(NAMED).map(|overlap| {
            let [a, b] = &overlap.names;
            let name = match overlap.limit {
                true => a.split('.').next().unwrap_or(a),
                false => a,
            };
            let sections: &[&str] = match overlap.limit {
                true => &["joint", "linkage"],
                false => &["body", "group"],
            };
            let place = (sections.iter())
                .find_map(|section| Some((section, place_of(&self.root, section, name)?)));
            let more = match found.len().saturating_sub(NAMED) {
                0 => String::new(),
                _ => format!(" (one of {} pairs)", found.len()),
            };
            let other = match overlap.limit {
                true => "widen the limits, ".into(),
                false => format!(
                    "move them, let them pass through each other by \
                     contact.exclude = [[\"{a}\", \"{b}\"]], "
                ),
            };
            Fault {
                place: place.map(|(_, place)| place),
                field: place.map_or(String::new(), |(section, _)| format!("{section}.{name}")),
                message: said(overlap) + &more,
                fix: format!(
                    "{other}or write separate = true under [simulate]: they are then moved apart \
                     before the first step"
                ),
            }
        });
        ScenarioError::new(&self.file, &self.sources, faults.collect())
    }
}

/// An overlap in words.
fn said(overlap: &Overlap) -> String {
    let [a, b] = &overlap.names;
    let depth = overlap.depth;
    match overlap.limit {
        true => format!("\"{a}\" starts {depth:.3e} beyond its {b}"),
        false => format!("\"{a}\" and \"{b}\" overlap by {depth:.3e} m at the start"),
    }
}
