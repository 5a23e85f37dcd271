//! The rows of the working set: gaps, planes with the vertices on both sides, limits of rotations.

use std::collections::{BTreeMap, HashMap, HashSet};

use nalgebra::Vector3;

use super::between;
use super::check;
use super::gap_rows::{Barriers, GapRow, Gaps};
use super::gaps::{self, GapSlot, Measure, has_planes, largest_part};
use super::hinge::Hinge;
use super::place::Place;
use super::plane_rows::Planes;
use super::planes::{self, Kept, Span};
use super::working::{NEAR, WorkingSet};
use crate::contact::{Collider, Pair};
use crate::model::{BodyId, Model};
use crate::optimise::path::Path;
use crate::optimise::problem::{GapRows, Problem};
use crate::optimise::rows::turn::{NEAR_TURN, Turns};
use crate::optimise::scale::Sizes;
use crate::optimise::transcription::Transcription;

/// Least gap at places between the nodes, in sizes of the largest part: then nothing overlaps beside
/// them.
const CLEARANCE: f64 = 1e-5;

/// How far a plane may cut into bodies whose poses are given, in lengths of the problem.
const ROOM: f64 = 1e-6;

/// ½ δ² of the deepest overlap δ that the single row of a node lets pass, in lengths of the problem.
const BARRIER: f64 = 0.5e-16;

impl WorkingSet {
    /// Adds the rows to a transcription, and the planes they need to its unknowns. Bodies that have no
    /// rows turn within `turns`.
    pub fn add_rows(
        &mut self,
        problem: &Problem,
        t: &mut Transcription,
        x: &mut Vec<f64>,
        sizes: &Sizes,
        mut turns: Turns,
    ) {
        self.placed.clear();
        self.placed_rows.clear();
        let Some(avoid) = &problem.avoid else {
            if !turns.is_empty() {
                t.add(turns);
            }
            return;
        };
        let last = t.path.layout.grid.len();
        let mut list: Vec<_> = (self.at_nodes.iter().copied())
            .filter(|(_, node)| *node <= last)
            .filter(|row| !t.path.layout.met.contains(row))
            .collect();
        list.sort_by_key(|(pair, node)| (*node, order(pair)));
        match avoid.rows {
            GapRows::Steps => limit_all_turns(&t.path, &list, &mut turns),
            _ => limit_turns(&t.path, &list, &mut turns),
        }
        if !turns.is_empty() {
            t.add(turns);
        }
        let met = t.path.layout.met.clone();
        let model = std::sync::Arc::clone(&t.path.model);
        let mut gaps = Gaps::default();
        let mut balls = self.crowd.rows(&t.path, avoid.margin);
        balls.retain(|(pair, row)| row.place.nodes().any(|node| moves(t, pair, node)));
        balls.sort_by_key(|(pair, row)| (row.place.key(), order(pair)));
        gaps.rows.extend(balls.into_iter().map(|(_, row)| row));
        let spans = self.spans(&model, (avoid.rows, last), &mut list, &met);
        let mut barriers: BTreeMap<usize, Vec<GapSlot>> = BTreeMap::new();
        for (pair, node) in list {
            if !moves(t, &pair, node) {
                continue;
            }
            let slots = slots(&t.path, &pair, avoid.rows);
            let parted = self.parted(pair);
            match avoid.rows {
                GapRows::Single => {
                    let own = slots.into_iter().map(|(slot, _)| slot);
                    barriers.entry(node).or_default().extend(own);
                }
                _ => gaps
                    .rows
                    .extend(slots.into_iter().map(|(slot, radius)| GapRow {
                        slot,
                        place: Place::Node(node),
                        least: avoid.margin + parted + radius,
                    })),
            }
        }
        let clearance = CLEARANCE * largest_part(&t.path.model);
        let room = ROOM * sizes.length;
        let mut all = Planes::default();
        let mut found = HashMap::new();
        for (pair, span) in spans {
            let start = match self.known(pair, span) {
                _ if self.crowd.gives(&pair) => Start::Given,
                Some(kept) => Start::Kept(kept),
                None if self.crowd.contains(&pair) => Start::Swept,
                None => Start::Anew,
            };
            let clearance = match span {
                Span::At(Place::Way { step, .. }) => clearance + self.room(pair, step),
                _ => clearance,
            };
            let least = [avoid.margin + self.parted(pair), clearance, room];
            if let Some(above) = add_plane(t, x, &mut all, (&pair, span), least, start) {
                found.insert((pair, span.key()), (all.planes.len() - 1, above));
            }
        }
        for &(pair, step, s) in &self.on_the_way {
            // Beside a planned contact what touches there is left out; with a half-space the others are known.
            let beside = (step..=step + 1).filter(|n| met.contains(&(pair, *n)));
            let beside: Vec<usize> = beside.collect();
            let touching: Vec<usize> = (beside.iter())
                .flat_map(|n| check::lowest(&model, &pair, &t.path.centres[*n]))
                .collect();
            if !beside.is_empty() && touching.is_empty() {
                continue;
            }
            let still = !moves(t, &pair, step) && !moves(t, &pair, step + 1);
            let own = self.split && !self.whole.contains(&(pair, step));
            if still || (own && has_planes(&model, &pair) && avoid.rows.has_planes()) {
                continue;
            }
            let place = Place::Way { step, s };
            let clearance = clearance + self.room(pair, step);
            if let Some((plane, (above, radius))) = found.get(&(pair, Span::Step(step).key())) {
                all.add_heights(*plane, place, above, clearance + radius);
            } else {
                let slots = slots(&t.path, &pair, avoid.rows).into_iter();
                let told = |slot: &GapSlot| match slot.measure {
                    Measure::Wall { vertex, .. } => !touching.contains(&vertex),
                    _ => touching.is_empty(),
                };
                let rows = slots.filter(|(slot, _)| told(slot));
                gaps.rows.extend(rows.map(|(slot, radius)| GapRow {
                    slot,
                    place,
                    least: clearance + radius,
                }));
            }
        }
        self.placed.clone_from(&all.planes);
        if !gaps.rows.is_empty() {
            t.add(gaps);
        }
        if !barriers.is_empty() {
            t.add(Barriers {
                rows: barriers.into_iter().collect(),
                margin: avoid.margin,
                most: BARRIER * sizes.length * sizes.length,
            });
        }
        if !all.is_empty() {
            let first = t.rows();
            self.placed_rows = all
                .heights()
                .map(|(row, plane)| (first + row, plane))
                .collect();
            t.add(all);
        }
    }

    /// Where planes are needed; pairs that get them are taken from the list.
    fn spans(
        &self,
        model: &Model,
        (rows, last): (GapRows, usize),
        list: &mut Vec<(Pair, usize)>,
        met: &[(Pair, usize)],
    ) -> Vec<(Pair, Span)> {
        let mut spans = BTreeMap::new();
        if rows.has_planes() {
            list.retain(|(pair, node)| {
                let parts = has_planes(model, pair);
                // Beside a planned contact a plane for a whole step would have no room.
                let meets = |node: usize| met.contains(&(*pair, node));
                let beside = meets(node + 1) || (*node > 0 && meets(node - 1));
                // A plane for a whole step serves its nodes as well.
                let whole = |step: usize| self.whole.contains(&(*pair, step));
                let served = self.split && (whole(*node) || (*node > 0 && whole(node - 1)));
                if parts && served && !beside {
                    return false;
                }
                if parts && (self.split || beside) {
                    let span = Span::At(Place::Node(*node));
                    spans.insert((*node, span.key(), order(pair)), (*pair, span));
                } else if parts {
                    let around = [node.checked_sub(1), (*node < last).then_some(*node)];
                    for step in around.into_iter().flatten() {
                        let span = Span::Step(step);
                        spans.insert((step, span.key(), order(pair)), (*pair, span));
                    }
                }
                !parts
            });
            for (pair, step, s) in self.on_the_way.iter().filter(|w| has_planes(model, &w.0)) {
                let meets = |node: usize| met.contains(&(*pair, node));
                if meets(*step) || meets(step + 1) {
                    continue;
                }
                let span = match self.split && !self.whole.contains(&(*pair, *step)) {
                    true => Span::At(Place::Way { step: *step, s: *s }),
                    false => Span::Step(*step),
                };
                spans.insert((*step, span.key(), order(pair)), (*pair, span));
            }
            for (pair, step) in self.whole.iter().filter(|_| self.split) {
                let meets = |node: usize| met.contains(&(*pair, node));
                if *step < last && !meets(*step) && !meets(step + 1) {
                    let span = Span::Step(*step);
                    spans.insert((*step, span.key(), order(pair)), (*pair, span));
                }
            }
        }
        spans.into_values().collect()
    }
}

/// Bodies with rows must not turn far within any step: a plane for both of its ends could not follow.
fn limit_all_turns(path: &Path, list: &[(Pair, usize)], turns: &mut Turns) {
    let bodies: HashSet<usize> = (list.iter())
        .flat_map(|(pair, _)| swept_by_turns(&path.model, pair))
        .map(|b| b.index())
        .collect();
    for step in 0..path.layout.grid.len() {
        for &body in &bodies {
            turns.limit(&path.layout, step, body, NEAR_TURN);
        }
    }
}

/// Bodies of a pair that sweep something as they turn: all but balls about their own centres.
fn swept_by_turns(model: &Model, pair: &Pair) -> impl Iterator<Item = BodyId> {
    let turns = |collider: Collider| match collider {
        Collider::Part { body, .. } => {
            let (points, radius) = gaps::hull(model, &collider);
            let own = matches!(points.points(), [p] if p.norm() <= 1e-9 * radius);
            (!own).then_some(body)
        }
        _ => None,
    };
    pair.colliders().into_iter().flatten().filter_map(turns)
}

/// Bodies that are near each other must not turn far within a step: what lies between the nodes is
/// then close to what lies at them.
fn limit_turns(path: &Path, list: &[(Pair, usize)], turns: &mut Turns) {
    let near = NEAR * largest_part(&path.model);
    for (pair, node) in list {
        let gap = gaps::value(&path.model, pair, &path.centres[*node], &mut None);
        if gap > near {
            continue;
        }
        for body in swept_by_turns(&path.model, pair) {
            for step in path.steps_at(*node).into_iter().flatten() {
                turns.limit(&path.layout, step, body.index(), NEAR_TURN);
            }
        }
    }
}

/// A fixed order of pairs: the rows of a problem are always the same.
fn order(pair: &Pair) -> [usize; 4] {
    let of = |c: Collider| match c {
        Collider::Part { body, part } => [body.index(), part],
        Collider::Bead { body } => [body.index(), 0],
        Collider::Wall { index } => [usize::MAX, index],
    };
    let [[a, b], [c, d]] = pair.colliders().map_or([[usize::MAX; 2]; 2], |s| s.map(of));
    [a, b, c, d]
}

/// What is measured of a pair: its gap, or the height of each point over a half-space with the radius of the
/// ball around it.
fn slots(path: &Path, pair: &Pair, rows: GapRows) -> Vec<(GapSlot, f64)> {
    let slot = |measure: Measure| GapSlot {
        pair: *pair,
        measure,
    };
    if rows.has_planes()
        && let Some((across, radii)) = gaps::balls(&path.model, pair)
    {
        return vec![(slot(Measure::Balls { across }), radii)];
    }
    let (walls, radius) = match rows.has_planes() {
        true => gaps::above_wall(&path.model, pair),
        false => (Vec::new(), 0.0),
    };
    if walls.is_empty() {
        return vec![(slot(Measure::Program(None)), 0.0)];
    }
    let measures = walls.into_iter().enumerate();
    measures
        .map(|(vertex, across)| (slot(Measure::Wall { across, vertex }), radius))
        .collect()
}

/// Points of a part with their numbers, and the radius of the ball around them.
type Above = (Vec<(usize, Vector3<f64>)>, f64);

/// Where a plane begins.
enum Start<'a> {
    /// Where the linear program of the gap has it.
    Anew,
    /// The same, or where that of the hull of both ends of a step has it.
    Swept,
    /// Where an earlier round left it.
    Kept(&'a Kept),
    /// As [`Start::Swept`], and it stays there.
    Given,
}

/// A plane between two parts, with rows at the nodes it serves; the vertices above it. `least` are the
/// margin at nodes, the clearance on the way, and the room where poses are given.
fn add_plane(
    t: &mut Transcription,
    x: &mut Vec<f64>,
    all: &mut Planes,
    (pair, span): (&Pair, Span),
    [margin, clearance, room]: [f64; 3],
    start: Start,
) -> Option<Above> {
    if !span.nodes().any(|node| moves(t, pair, node)) {
        return None;
    }
    let (model, centres) = (&t.path.model, &t.path.centres);
    let hinge = Hinge::of(model, pair);
    let hinge = hinge.as_ref();
    let first = span.nodes().start;
    let mut found = match (&start, span) {
        (Start::Kept(kept), _) => planes::again(model, pair, kept, hinge)?,
        (_, Span::Step(step)) => {
            let ends = [&*centres[step], &*centres[step + 1]];
            let swept = matches!(start, Start::Swept | Start::Given);
            planes::find(model, pair, ends, hinge, swept)?
        }
        (_, Span::At(Place::Node(node))) => planes::find_at(model, pair, &centres[node], hinge)?,
        (_, Span::At(Place::Way { s, .. })) => {
            let way = between::poses(pair, &centres[first], &centres[first + 1], s);
            planes::find_at(model, pair, &way, hinge)?
        }
    };
    let plane = all.planes.len();
    let given = matches!(start, Start::Given);
    if given {
        found.lie_on_holder();
    }
    let unknowns = [(); 4].map(|()| t.path.layout.unknown());
    for &value in found.normal.iter().chain([&found.offset]) {
        x.push(value);
        t.bounds.push(match given {
            true => [value; 2],
            false => [f64::NEG_INFINITY, f64::INFINITY],
        });
    }
    let own = found.plane([plane, unknowns[0]], *pair, span);
    let [own_radius, radius] = found.radii;
    match given {
        true => all.planes.push(own),
        false => all.add(own, &found.shared, &found.below, own_radius),
    }
    match span {
        Span::At(place @ Place::Way { .. }) => {
            all.add_heights(plane, place, &found.above, clearance + radius);
        }
        _ => {
            let nodes = span.nodes().filter(|node| !given || moves(t, pair, *node));
            for node in nodes {
                // Bodies may touch where their poses are given: the plane gets some room there.
                let least = match moves(t, pair, node) {
                    true => Hinge::margin(hinge, margin),
                    false => -room,
                };
                all.add_heights(plane, Place::Node(node), &found.above, least + radius);
            }
        }
    }
    Some((found.above, radius))
}

/// Whether a pose of the pair is not fixed at a node: a row there would have no gradient.
fn moves(t: &Transcription, pair: &Pair, node: usize) -> bool {
    let bodies: Vec<_> = pair.bodies().into_iter().flatten().collect();
    let list = t.path.layout.freedoms_of_bodies(&bodies);
    list.iter().any(|&f| {
        let [low, high] = t.bounds[t.path.layout.u(node, f)];
        low != high
    })
}
