//! The start of a run: bodies that overlap before the first step, and moving them apart.
//!
//! Moving apart is a projection in the metric of the mass matrix: the gaps are linearised at the
//! present configuration, the least displacement u with gap + ∇gap·u ≥ 0 is found by sweeps over its
//! multipliers, the bodies are moved by it, and so on until nothing overlaps. Velocities stay as they
//! are.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::{Settings, SimulateError, State};
use crate::contact::{Detector, Entry, Key, MassMetric, Pair, Path, depth, size, way_out};
use crate::mechanics::{Increment, linkage, retract_joint, twists, violation};
use crate::model::{Law, Model};

/// Overlap that is round-off of touching, in sizes of the pair.
const ROUND_OFF: f64 = 1e-9;
/// Overlap left by moving apart, in the same.
const CLEAN: f64 = 1e-12;
/// Linearisations before moving apart has failed.
const MOST_ROUNDS: usize = 400;
/// Linearisations that open an overlap and no more.
const PATIENT_ROUNDS: usize = 10;
/// Sweeps over the multipliers of one linearisation.
const MOST_SWEEPS: usize = 400;
/// A round turns no body further, as the norm of R − I.
const FURTHEST_TURN: f64 = 0.5;
/// Loops of joints must stay closed.
const CLOSED: f64 = 1e-9;

/// Two things that overlap at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// Their names.
    pub names: [String; 2],
    /// How deep, in m; beyond a limit, in the unit of its coordinate.
    pub depth: f64,
    /// Whether it is a coordinate beyond its limit.
    pub limit: bool,
    /// The law of the pair.
    pub law: Law,
}

/// Pairs that overlap by more than round-off, the deepest first; pairs without a law do not count.
pub fn overlaps(model: &Model, settings: &Settings, state: &State) -> Vec<Overlap> {
    let mut detector = Detector::new(model);
    let mut candidates = Vec::new();
    detector.candidates(model, &state.poses, &state.poses, 0.0, &mut candidates);
    let at = path(state);
    let mut found: Vec<Overlap> = Vec::new();
    for (pair, _) in &candidates {
        let law = detector.surface(pair).law.unwrap_or(settings.law);
        if law == Law::None {
            continue;
        }
        let depth = depth(model, pair, &at);
        if depth <= round_off(model, pair, state) {
            continue;
        }
        // Bodies of several parts count once.
        let names = pair.names(model);
        match found.iter_mut().find(|o| o.names == names) {
            Some(same) => same.depth = same.depth.max(depth),
            None => found.push(Overlap {
                names,
                depth,
                limit: !matches!(pair, Pair::Bodies(..)),
                law,
            }),
        }
    }
    found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    found
}

/// Moves bodies that overlap apart, before the first step of a run; velocities are kept. Returns how
/// far the body that moved most was moved, in m.
pub fn separate(
    model: &Model,
    settings: &Settings,
    state: &mut State,
) -> Result<f64, SimulateError> {
    let start = state.poses.clone();
    let closed = violation(model, &start);
    let mut mover = Mover::new(model, settings, state);
    let mut done = false;
    for round in 0..MOST_ROUNDS {
        // Corners that sink in one after the other: what is left is opened further than it must.
        if round == PATIENT_ROUNDS {
            mover.eager = 1.0;
        }
        if !mover.linearise(state) {
            done = true;
            break;
        }
        mover.solve();
        mover.displace(state);
    }
    let left = overlaps(model, settings, state);
    if let Some(Overlap {
        names: [a, b],
        depth,
        ..
    }) = left.into_iter().next().filter(|_| !done)
    {
        return Err(SimulateError::Separate { a, b, depth });
    }
    if violation(model, &state.poses) > closed + CLOSED {
        return Err(SimulateError::SeparateLoop);
    }
    let moved = state.poses.iter().zip(&start);
    let moved = moved.map(|(new, old)| (new.position - old.position).norm());
    let moved = moved.fold(0.0, f64::max);
    keep_velocities(model, state);
    Ok(moved)
}

fn path(state: &State) -> Path<'_> {
    Path {
        poses: &state.poses,
        coordinates: &state.coordinates,
    }
}

/// Overlap that touching bodies may have: of their size, and of the place where they are.
fn round_off(model: &Model, pair: &Pair, state: &State) -> f64 {
    let place = match pair {
        Pair::Bodies(a, b) => {
            let bodies = [a, b].into_iter().filter_map(crate::contact::body_of);
            let far = bodies.map(|b| state.poses[b.index()].position.norm());
            far.fold(0.0, f64::max)
        }
        _ => 0.0,
    };
    ROUND_OFF * size(model, pair) + 8.0 * f64::EPSILON * place
}

/// The momenta that belong to the velocities of a state at its new configuration.
fn keep_velocities(model: &Model, state: &mut State) {
    let moving = twists(model, &state.poses, &state.guess);
    state.set_velocities(model, &moving);
    let mut mass = Vec::new();
    for l in model.linkages() {
        let range = l.first..l.first + l.freedom();
        let rates = state.guess[model.tree_freedom..][range.clone()].to_vec();
        let q = &state.coordinates[range.clone()];
        linkage::mass_matrix(l, q, &mut linkage::End::default(), &mut mass);
        let rows = mass.chunks_exact(rates.len());
        for (p, row) in state.coordinate_momenta[range].iter_mut().zip(rows) {
            *p = row.iter().zip(&rates).map(|(m, v)| m * v).sum();
        }
    }
}

/// A gap, linearised.
struct Row {
    /// What the displacement must make up for.
    missing: f64,
    /// ∇gap and M⁻¹∇gap.
    entries: Vec<Entry>,
    /// ⟨∇gap, M⁻¹∇gap⟩.
    weight: f64,
    multiplier: f64,
}

/// Moves bodies apart, round by round.
struct Mover<'a> {
    model: &'a Model,
    settings: &'a Settings,
    detector: Detector,
    metric: MassMetric,
    candidates: Vec<(Pair, Key)>,
    rows: Vec<Row>,
    /// The deepest overlap of the last round, in m.
    worst: f64,
    /// By how much of an overlap more than it is opened.
    eager: f64,
    displacement: Vec<f64>,
    increments: Vec<Increment>,
    next: Vec<Pose>,
}

impl<'a> Mover<'a> {
    fn new(model: &'a Model, settings: &'a Settings, state: &State) -> Self {
        Self {
            model,
            settings,
            detector: Detector::new(model),
            metric: MassMetric::new(model),
            candidates: Vec::new(),
            rows: Vec::new(),
            worst: 0.0,
            eager: 0.0,
            displacement: vec![0.0; model.freedom()],
            increments: vec![Increment::default(); state.poses.len()],
            next: state.poses.clone(),
        }
    }

    /// Rows of what overlaps and what is near; false if nothing overlaps.
    fn linearise(&mut self, state: &State) -> bool {
        let model = self.model;
        // What is further off than bodies were deep is not reached.
        let near = 2.0 * self.worst;
        let poses = &state.poses;
        self.detector
            .candidates(model, poses, poses, near, &mut self.candidates);
        self.rows.clear();
        self.worst = 0.0;
        let mut overlapping = false;
        for (pair, _) in &self.candidates {
            let law = self.detector.surface(pair).law;
            if law.unwrap_or(self.settings.law) == Law::None {
                continue;
            }
            let row = way_out(model, pair, &path(state));
            let gap = row.gap / row.steepness;
            if gap > near {
                continue;
            }
            let clean = CLEAN * size(model, pair);
            overlapping |= gap < -clean;
            self.worst = self.worst.max(-gap);
            let mut entries = Vec::new();
            let weight = self.metric.response(
                model,
                poses,
                &state.coordinates,
                &row.wrenches,
                row.freedom,
                &mut entries,
            );
            if weight > 0.0 {
                let more = self.eager * (-row.gap).max(0.0);
                self.rows.push(Row {
                    missing: 0.5 * clean * row.steepness - row.gap + more,
                    entries,
                    weight,
                    multiplier: 0.0,
                });
            }
        }
        overlapping
    }

    /// The least displacement that opens all rows, by sweeps over their multipliers.
    fn solve(&mut self) {
        let u = &mut self.displacement;
        u.fill(0.0);
        for _ in 0..MOST_SWEEPS {
            let mut change = 0.0_f64;
            for row in &mut self.rows {
                let opened: f64 = row.entries.iter().map(|e| e.gradient * u[e.freedom]).sum();
                let wanted = row.multiplier + (row.missing - opened) / row.weight;
                let step = wanted.max(0.0) - row.multiplier;
                row.multiplier += step;
                for e in &row.entries {
                    u[e.freedom] += step * e.response;
                }
                change = change.max((step * row.weight).abs());
            }
            if change <= 1e-3 * self.worst {
                break;
            }
        }
    }

    /// Moves everything by the displacement, or by as much of it as turns no body too far.
    fn displace(&mut self, state: &mut State) {
        let model = self.model;
        let mut part = 1.0;
        loop {
            for (j, joint) in model.joints().iter().enumerate() {
                let range = model.offsets[j]..model.offsets[j] + model.joint_freedom(j);
                let u: Vec<f64> = self.displacement[range].iter().map(|u| u * part).collect();
                let (increments, next) = (&mut self.increments, &mut self.next);
                let none = Vector3::zeros();
                retract_joint(model, &state.poses, increments, next, joint, &u, &none);
            }
            let turned = self.increments.iter().map(|i| i.turn.norm());
            if turned.fold(0.0, f64::max) <= FURTHEST_TURN {
                break;
            }
            part *= 0.5;
        }
        state.poses.copy_from_slice(&self.next);
        let coordinates = &self.displacement[model.tree_freedom..];
        for (q, u) in state.coordinates.iter_mut().zip(coordinates) {
            *q += u * part;
        }
    }
}
