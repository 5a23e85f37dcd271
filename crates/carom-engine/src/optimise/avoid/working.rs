//! The working set: which pairs have rows, and where.

use std::collections::{HashMap, HashSet};

use carom_gap::Pose;
use carom_gap::gap::Side;
use nalgebra::Vector3;

use super::check::{Between, Check, turn};
use super::crowd::Crowd;
use super::gaps::{PairNumbers, is_of_parts, largest_part, numbers};
use super::one_way::stays_apart;
use super::planes::{Kept, Plane, Span, SpanKey, WHOLE_STEP};
use crate::contact::{Collider, Detector, Pair};
use crate::model::{BodyId, Model};
use crate::optimise::problem::{GapRows, Problem};
use crate::optimise::warm::{StoredPlane, Warm};

/// Distance, in sizes of the largest part, below which a pair gets rows from the start.
pub(super) const NEAR: f64 = 0.5;

/// Places of a step that are this near count as one; for gaps, which have kinks, nearer ones are told
/// apart.
const SAME: f64 = 2e-3;
const SAME_GAP: f64 = 1e-5;

/// Places of a step from which on what is left overlapping, no deeper than this in sizes of the largest
/// part, is met by room instead of yet another place.
const MANY: usize = 6;
const MANY_IN_CROWD: usize = 3;
const SHALLOW: f64 = 1e-4;

/// How often places are added to a step before it gets a plane of its own: round a corner the deepest place
/// moves on as soon as it is kept clear.
const TRIES: usize = 3;

/// Turn of the bodies in a step, in rad, up to which a plane for the whole step costs nothing: where bodies only
/// shift, one plane keeps the whole way clear without any room.
const STRAIGHT: f64 = 1e-2;

/// Turn of the bodies in a step, in rad, from which on they hop past each other there: kept from it, they would hop in one
/// of so many steps before or after it.
const QUICK: f64 = 0.5;
const HOPS: usize = 2;

/// Places of a step that are kept clear together.
pub(super) const PLACES: [f64; 3] = [0.25, 0.5, 0.75];

/// Room, in sizes of the largest part, of a pair that touched in the replay, and by what it grows each time.
const PARTED: f64 = 1e-4;
const WIDER: f64 = 4.0;

/// Places of the straight ways of bodies that are looked at for meetings.
const LOOKS: usize = 16;

/// Rows for gaps.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkingSet {
    pub(super) at_nodes: HashSet<(Pair, usize)>,
    pub(super) on_the_way: Vec<(Pair, usize, f64)>,
    /// Room beyond the least gap, of pairs that overlapped again beside the places of a step.
    extra: HashMap<(Pair, usize), f64>,
    /// Room of pairs that touched in the replay although no contact of theirs was planned.
    parted: HashMap<Pair, f64>,
    /// Planes of the last round.
    pub(super) kept: HashMap<(Pair, SpanKey), Kept>,
    /// Radius of the largest part.
    size: f64,
    /// Planes of this round.
    pub(super) placed: Vec<Plane>,
    /// Their rows of heights: number of the row, and of its plane.
    pub(super) placed_rows: Vec<(usize, usize)>,
    /// Whether planes serve single places, not whole steps.
    pub(super) split: bool,
    /// Steps of pairs that planes of single places do not keep clear: one for the whole step does.
    pub(super) whole: HashSet<(Pair, usize)>,
    /// How often places of a step were added.
    tries: HashMap<(Pair, usize), usize>,
    /// Pairs of a crowd.
    pub(super) crowd: Crowd,
}

impl WorkingSet {
    /// Pairs near each other along a path.
    pub fn new(problem: &Problem, path: &[Vec<Pose>]) -> Self {
        let mut out = Self::default();
        let (Some(avoid), model) = (&problem.avoid, &*problem.model) else {
            return out;
        };
        out.size = largest_part(model);
        // Boxes are widened on both sides.
        let reach = avoid.near.map_or(NEAR * out.size, |near| 0.5 * near);
        let mut detector = Detector::new(model);
        let mut found = Vec::new();
        let mut apart: HashMap<Pair, bool> = HashMap::new();
        for (node, poses) in path.iter().enumerate() {
            detector.candidates(model, poses, poses, reach, &mut found);
            for (pair, _) in found.iter().filter(|f| f.0.colliders().is_some()) {
                let never = || stays_apart(model, pair, poses, avoid.margin);
                if !*apart.entry(*pair).or_insert_with(never) {
                    out.at_nodes.insert((*pair, node));
                }
            }
        }
        if avoid.rows == GapRows::Planes {
            out.expect_meetings(model, path);
        }
        out
    }

    /// Bodies that would meet if all went straight get rows everywhere: the search pulls them there. Many of them are a
    /// [crowd](super::crowd).
    fn expect_meetings(&mut self, model: &Model, path: &[Vec<Pose>]) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else {
            return;
        };
        let mut detector = Detector::new(model);
        let mut found = Vec::new();
        let mut meeting = HashSet::new();
        for k in 1..LOOKS {
            let s = k as f64 / LOOKS as f64;
            let mix = |(a, b): (&Pose, &Pose)| Pose {
                position: a.position + (b.position - a.position) * s,
                directors: a.directors,
            };
            let here: Vec<Pose> = first.iter().zip(last).map(mix).collect();
            detector.candidates(model, &here, &here, 0.0, &mut found);
            for (pair, _) in &found {
                let moves = |body: Option<BodyId>| {
                    body.is_some_and(|b| lone(model, b) && first[b.index()] != last[b.index()])
                };
                if pair.bodies().into_iter().all(moves) {
                    meeting.insert(*pair);
                }
            }
        }
        self.crowd = Crowd::among(model, &meeting, path.len());
        let rows = meeting
            .iter()
            .flat_map(|pair| (0..path.len()).map(|k| (*pair, k)));
        self.at_nodes.extend(rows);
        self.at_nodes.retain(|(pair, _)| !self.crowd.contains(pair));
    }

    /// Keeps the planes of a round for the next, and notes which of them hold something back: those that rows press
    /// on with multipliers above `least`. There are none where nothing was solved.
    pub fn keep(&mut self, x: &[f64], multipliers: &[f64], least: f64) {
        for (row, plane) in &self.placed_rows {
            let plane = &self.placed[*plane];
            let presses = multipliers.get(*row).is_some_and(|m| m.abs() > least);
            if presses {
                self.crowd.hold(plane.pair, plane.span.key());
            }
        }
        self.kept.clear();
        for plane in &self.placed {
            self.kept
                .insert((plane.pair, plane.span.key()), plane.kept(x));
        }
    }

    /// Gives every node planes of its own from now on, but where bodies only shift and have to stay apart `between`
    /// nodes: there a plane for a whole step leaves no room. Says whether that changes anything.
    pub fn split(&mut self, path: &[Vec<Pose>], between: bool) -> bool {
        if self.split {
            return false;
        }
        self.split = true;
        let mut changes = false;
        for (pair, (kind, step, _)) in self.kept.keys() {
            let shifts = |step: usize| turn(pair, &path[step], &path[step + 1]) < STRAIGHT;
            match between && *kind == WHOLE_STEP && shifts(*step) {
                true => drop(self.whole.insert((*pair, *step))),
                false => changes = true,
            }
        }
        changes
    }

    /// Keeps everything for another search.
    pub fn store(&self, out: &mut Warm) {
        out.split = self.split;
        out.nodes = self
            .at_nodes
            .iter()
            .map(|(k, n)| (numbers(k), *n))
            .collect();
        out.nodes.sort_unstable();
        let ways = self.on_the_way.iter();
        out.ways = ways.map(|(k, n, s)| (numbers(k), *n, *s)).collect();
        let room = self.extra.iter();
        out.room = room.map(|((k, n), v)| (numbers(k), *n, *v)).collect();
        out.room.sort_by_key(|(k, n, _)| (*k, *n));
        out.whole = self.whole.iter().map(|(k, n)| (numbers(k), *n)).collect();
        out.whole.sort_unstable();
        let mut planes: Vec<StoredPlane> = (self.kept.iter())
            .map(|((k, (kind, node, s)), kept)| StoredPlane {
                pair: numbers(k),
                span: (*kind, *node, f64::from_bits(*s)),
                on_a: kept.holder == Side::A,
                normal: kept.normal.into(),
                offset: kept.offset,
            })
            .collect();
        planes.sort_by_key(|p| (p.pair, p.span.0, p.span.1, p.span.2.to_bits()));
        out.planes = planes;
        (out.crowd, out.holding) = self.crowd.store();
    }

    /// Goes on where another search ended, as far as the model has what it names.
    pub fn stored(model: &Model, warm: &Warm) -> Self {
        let pair = |n: &PairNumbers| collider_pair(model, n);
        Self {
            at_nodes: (warm.nodes.iter())
                .filter_map(|(k, n)| Some((pair(k)?, *n)))
                .collect(),
            on_the_way: (warm.ways.iter())
                .filter_map(|(k, n, s)| Some((pair(k)?, *n, *s)))
                .collect(),
            extra: (warm.room.iter())
                .filter_map(|(k, n, v)| Some(((pair(k)?, *n), *v)))
                .collect(),
            kept: (warm.planes.iter())
                .filter_map(|p| {
                    let span = (p.span.0, p.span.1, p.span.2.to_bits());
                    let kept = Kept {
                        holder: if p.on_a { Side::A } else { Side::B },
                        normal: Vector3::from(p.normal),
                        offset: p.offset,
                    };
                    Some(((pair(&p.pair)?, span), kept))
                })
                .collect(),
            parted: HashMap::new(),
            size: largest_part(model),
            placed: Vec::new(),
            placed_rows: Vec::new(),
            split: warm.split,
            whole: (warm.whole.iter())
                .filter_map(|(k, n)| Some((pair(k)?, *n)))
                .collect(),
            tries: HashMap::new(),
            crowd: Crowd::stored(warm, pair),
        }
    }

    /// Room that a pair needs beyond the least gap in a step.
    pub(super) fn room(&self, pair: Pair, step: usize) -> f64 {
        self.extra.get(&(pair, step)).copied().unwrap_or(0.0) + self.parted(pair)
    }

    /// Room that a pair keeps everywhere.
    pub(super) fn parted(&self, pair: Pair) -> f64 {
        self.parted.get(&pair).copied().unwrap_or(0.0)
    }

    /// Keeps a pair farther apart at all of its `nodes` and between them: on its own way between two nodes the
    /// simulator would touch.
    pub fn part(&mut self, pair: Pair, nodes: usize) {
        let turned = pair.exchanged();
        let pair = match self.at_nodes.iter().any(|(own, _)| *own == turned) {
            true => turned,
            false => pair,
        };
        let room = self
            .parted
            .entry(pair)
            .or_insert(PARTED * self.size / WIDER);
        *room *= WIDER;
        self.at_nodes.extend((0..nodes).map(|node| (pair, node)));
    }

    /// The plane of an earlier round for a span.
    pub(super) fn known(&self, pair: Pair, span: Span) -> Option<&Kept> {
        let own = self.kept.get(&(pair, span.key()));
        own.or_else(|| {
            let before = span.ancestors().into_iter();
            let mut found = before.filter_map(|s| self.kept.get(&(pair, s.key())));
            found.next()
        })
    }

    /// Whether nothing is near anything.
    pub fn is_empty(&self) -> bool {
        self.at_nodes.is_empty() && self.on_the_way.is_empty()
    }

    /// Forgets the planes: the next round begins somewhere else.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Adds what a check found; says whether there is anything new at the nodes, and between them.
    pub fn grow(&mut self, check: &Check, tolerance: f64, rows: GapRows) -> [bool; 2] {
        let same = if rows.has_planes() { SAME } else { SAME_GAP };
        let mut grown = false;
        let mut between = false;
        for (pair, node, below) in &check.at_nodes {
            if *below > tolerance && self.crowd.contains(pair) {
                between |= self.at_nodes.insert((*pair, *node));
            } else if *below > tolerance && !self.at_nodes.contains(&(*pair, *node)) {
                // Where a pair passed each other is not where it should be kept apart.
                let nodes = (0..check.nodes).map(|k| (*pair, k));
                self.at_nodes.extend(nodes);
                grown = true;
            }
        }
        for Between {
            pair,
            step,
            s,
            depth,
            turn,
        } in &check.on_the_way
        {
            if *depth <= tolerance {
                continue;
            }
            let listed = |node: usize| self.at_nodes.contains(&(*pair, node));
            // Balls at both ends left room between them.
            if self.crowd.contains(pair) && !(listed(*step) && listed(step + 1)) {
                (self.at_nodes).extend([(*pair, *step), (*pair, step + 1)]);
                between = true;
                continue;
            }
            if !listed(*step) && !listed(step + 1) {
                self.at_nodes.extend((0..check.nodes).map(|k| (*pair, k)));
                grown = true;
                continue;
            }
            let tries = self.tries.entry((*pair, *step)).or_insert(0);
            *tries += 1;
            let late = *turn < STRAIGHT || *tries > TRIES;
            let fine = rows == GapRows::Planes && self.split && is_of_parts(pair);
            if fine && late && self.whole.insert((*pair, *step)) {
                between = true;
                continue;
            }
            let own = |w: &&(Pair, usize, f64)| w.0 == *pair && w.1 == *step;
            let places = self.on_the_way.iter().filter(own).count();
            let near = |w: &(Pair, usize, f64)| (s - w.2).abs() < same;
            let known = self.on_the_way.iter().filter(own).any(near);
            let many = match self.crowd.contains(pair) {
                true => MANY_IN_CROWD,
                false => MANY,
            };
            if (known || places >= many) && *depth < SHALLOW * self.size {
                // The deepest place moves whenever it is kept clear: its neighbourhood gets some room.
                *self.extra.entry((*pair, *step)).or_insert(0.0) += 2.0 * depth;
                between = true;
            }
            if !known {
                self.on_the_way.push((*pair, *step, *s));
                between = true;
            }
            if places == 0 {
                let others = PLACES.into_iter().filter(|t| (s - t).abs() > 0.1);
                self.on_the_way.extend(others.map(|t| (*pair, *step, t)));
            }
            if places == 0 && *turn > QUICK && !self.crowd.contains(pair) {
                let last = (step + HOPS).min(check.nodes.saturating_sub(2));
                for beside in step.saturating_sub(HOPS)..=last {
                    if !self
                        .on_the_way
                        .iter()
                        .any(|w| w.0 == *pair && w.1 == beside)
                    {
                        (self.on_the_way).extend(PLACES.map(|t| (*pair, beside, t)));
                    }
                }
            }
        }
        [grown, between]
    }

    /// Planes of single places from the start.
    #[cfg(test)]
    pub fn split_all(&mut self) {
        self.split = true;
    }

    /// Adds pairs near each other half-way between the nodes of a guess.
    #[cfg(test)]
    pub fn look_between(&mut self, path: &[Vec<Pose>]) {
        let nodes: Vec<_> = self.at_nodes.iter().copied().collect();
        let last = path.len() - 1;
        for (pair, node) in nodes.into_iter().filter(|(_, node)| *node < last) {
            self.on_the_way.push((pair, node, 0.3 + 0.1 * node as f64));
        }
    }
}

/// Whether a body moves on its own.
fn lone(model: &Model, body: BodyId) -> bool {
    let own = |j: &crate::model::Joint| j.child == body && j.parent.is_none();
    let carries = |j: &crate::model::Joint| j.parent == Some(body);
    model.joints().iter().any(own) && !model.joints().iter().any(carries)
}

/// The way back, for what the model has.
fn collider_pair(model: &Model, n: &PairNumbers) -> Option<Pair> {
    let of = |kind: usize, index: usize, part: usize| {
        let body = BodyId(u32::try_from(index).ok()?);
        match kind {
            0 => {
                let shape = model.bodies().get(index)?.shape.as_ref()?;
                (part < shape.vertices().len()).then_some(Collider::Part { body, part })
            }
            1 => (index < model.bodies().len()).then_some(Collider::Bead { body }),
            _ => (index < model.contact().walls.len()).then_some(Collider::Wall { index }),
        }
    };
    Some(Pair::Bodies(of(n[0], n[1], n[2])?, of(n[3], n[4], n[5])?))
}
