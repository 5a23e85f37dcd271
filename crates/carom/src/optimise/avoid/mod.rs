//! Which gaps are rows: the working set.
//!
//! The broad phase chooses the pairs near each other along the guess; after solving, all pairs are
//! looked at, at the nodes and between them, and what is violated becomes a row, until the plan is
//! clean (thesis 4.3).

pub(crate) mod between;
pub(crate) mod check;
pub(crate) mod gaps;
pub(crate) mod heights;
pub(crate) mod hinge;
pub(crate) mod planes;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use carom_gap::gap::Side;
use nalgebra::Vector3;

use self::check::Check;
use self::gaps::{Key, Measure, key};
use self::heights::Place;
use self::hinge::Hinge;
use self::planes::{Kept, Span, SpanKey};
use crate::contact::{Collider, Detector, Pair};
use crate::model::{BodyId, Model};
use crate::optimise::evaluate::Transcription;
use crate::optimise::guess::Guess;
use crate::optimise::problem::{GapRows, Problem};
use crate::optimise::rows::{GapSlot, NEAR_TURN, Row, RowKind};
use crate::optimise::scale::Sizes;
use crate::optimise::warm::{PairNumbers, StoredPlane, Warm};

/// Distance, in sizes of the largest part, below which a pair gets rows from the start.
const NEAR: f64 = 0.5;

/// Least gap at places between the nodes, in sizes of the largest part: then nothing overlaps beside
/// them.
const CLEARANCE: f64 = 1e-5;

/// Places of a step that are this near count as one; for gaps, which have kinks, nearer ones are told
/// apart.
const SAME: f64 = 2e-3;
const SAME_GAP: f64 = 1e-5;

/// How far a plane may cut into bodies whose poses are given, in lengths of the problem.
const ROOM: f64 = 1e-6;

/// ½ δ² of the deepest overlap δ that the single row of a node lets pass, in lengths of the problem.
const BARRIER: f64 = 0.5e-16;

/// Rows for gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WorkingSet {
    at_nodes: HashSet<(Key, usize)>,
    on_the_way: Vec<(Key, usize, f64)>,
    /// Planes of the last round.
    kept: HashMap<(Key, SpanKey), Kept>,
    /// Whether planes serve single places, not whole steps.
    split: bool,
}

impl WorkingSet {
    /// Pairs near each other at the nodes of a guess.
    pub fn new(problem: &Problem, guess: &Guess) -> Self {
        let mut out = Self::default();
        let (Some(_), model) = (&problem.avoid, &*problem.model) else {
            return out;
        };
        let reach = NEAR * largest_part(model);
        let mut detector = Detector::new(model);
        let mut found = Vec::new();
        for (node, poses) in guess.poses.iter().enumerate() {
            detector.candidates(model, poses, poses, reach, &mut found);
            let keys = found.iter().filter_map(|(pair, _)| key(pair));
            out.at_nodes.extend(keys.map(|k| (k, node)));
        }
        out
    }

    /// Keeps the planes of a round for the next.
    pub fn keep(&mut self, t: &Transcription, x: &[f64]) {
        self.kept.clear();
        for plane in &t.layout.planes {
            if let Some(key) = key(&plane.pair) {
                self.kept.insert((key, plane.span.key()), plane.kept(x));
            }
        }
    }

    /// Gives every node planes of its own from now on; says whether that changes anything.
    pub fn split(&mut self) -> bool {
        let changes = !self.split && !self.kept.is_empty();
        self.split = true;
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
            kept: (warm.planes.iter())
                .filter_map(|p| {
                    let key = (p.span.0, p.span.1, p.span.2.to_bits());
                    let kept = Kept {
                        holder: if p.on_a { Side::A } else { Side::B },
                        normal: Vector3::from(p.normal),
                        offset: p.offset,
                    };
                    Some(((pair(&p.pair)?, key), kept))
                })
                .collect(),
            split: warm.split,
        }
    }

    /// The plane of an earlier round for a span.
    fn known(&self, key: Key, span: Span) -> Option<&Kept> {
        let own = self.kept.get(&(key, span.key()));
        own.or_else(|| {
            let before = span.ancestors().into_iter();
            let mut found = before.filter_map(|s| self.kept.get(&(key, s.key())));
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
        for (key, node, below) in &check.at_nodes {
            if *below > tolerance && !self.at_nodes.contains(&(*key, *node)) {
                // Where a pair passed each other is not where it should be kept apart.
                let nodes = (0..check.nodes).map(|k| (*key, k));
                self.at_nodes.extend(nodes);
                grown = true;
            }
        }
        for (key, step, s, depth) in &check.on_the_way {
            if *depth <= tolerance {
                continue;
            }
            let listed = |node: usize| self.at_nodes.contains(&(*key, node));
            if !listed(*step) && !listed(step + 1) {
                self.at_nodes.extend((0..check.nodes).map(|k| (*key, k)));
                grown = true;
                continue;
            }
            let known =
                |(k, at, t): &(Key, usize, f64)| k == key && at == step && (s - t).abs() < same;
            if !self.on_the_way.iter().any(known) {
                self.on_the_way.push((*key, *step, *s));
                between = true;
                // The deepest place moves once it is kept clear: its neighbours come along.
                let first =
                    (self.on_the_way.iter()).all(|w| w.0 != *key || w.1 != *step || w.2 == *s);
                if first {
                    let others = [0.25, 0.5, 0.75]
                        .into_iter()
                        .filter(|t| (s - t).abs() > 0.1);
                    self.on_the_way.extend(others.map(|t| (*key, *step, t)));
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
    pub fn look_between(&mut self, guess: &Guess) {
        let nodes: Vec<_> = self.at_nodes.iter().copied().collect();
        let last = guess.poses.len() - 1;
        for (key, node) in nodes.into_iter().filter(|(_, node)| *node < last) {
            self.on_the_way.push((key, node, 0.3 + 0.1 * node as f64));
        }
    }

    /// Adds the rows to a transcription, and the planes they need to its unknowns.
    pub fn add_rows(
        &self,
        problem: &Problem,
        t: &mut Transcription,
        x: &mut Vec<f64>,
        sizes: &Sizes,
    ) {
        let Some(avoid) = &problem.avoid else {
            return;
        };
        let last = t.layout.grid.len();
        let mut list: Vec<_> = (self.at_nodes.iter().copied())
            .filter(|(_, node)| *node <= last)
            .collect();
        list.sort_by_key(|(key, node)| (*node, order(key)));
        match avoid.rows {
            GapRows::Steps => self.limit_all_turns(t, &list),
            _ => self.limit_turns(t, &list),
        }
        let mut spans = BTreeMap::new();
        if avoid.rows.has_planes() {
            list.retain(|(key, node)| {
                let parts = is_parts(key);
                if parts && self.split {
                    let span = Span::At(Place::Node(*node));
                    spans.insert((*node, span.key(), order(key)), (*key, span));
                } else if parts {
                    let around = [node.checked_sub(1), (*node < last).then_some(*node)];
                    for step in around.into_iter().flatten() {
                        let span = Span::Step(step);
                        spans.insert((step, span.key(), order(key)), (*key, span));
                    }
                }
                !parts
            });
            for (key, step, s) in self.on_the_way.iter().filter(|w| is_parts(&w.0)) {
                let span = match self.split {
                    true => Span::At(Place::Way { step: *step, s: *s }),
                    false => Span::Step(*step),
                };
                spans.insert((*step, span.key(), order(key)), (*key, span));
            }
        }
        let mut barriers: Vec<Vec<usize>> = vec![Vec::new(); t.layout.nodes()];
        for ((a, b), node) in list {
            let pair = Pair::Bodies(a, b);
            if !moves(t, &pair, node) {
                continue;
            }
            let slots = add_slots(t, &pair, avoid.rows);
            match avoid.rows {
                GapRows::Single => barriers[node].extend(slots),
                _ => add_gap_rows(t, node, slots, avoid.margin),
            }
        }
        for (node, gaps) in barriers.into_iter().enumerate() {
            if !gaps.is_empty() {
                t.layout.wide_nodes = true;
                t.layout.rows.push(Row {
                    kind: RowKind::Barrier { node, gaps },
                    range: [f64::NEG_INFINITY, BARRIER * sizes.length * sizes.length],
                });
            }
        }
        let clearance = CLEARANCE * largest_part(&t.model);
        let room = ROOM * sizes.length;
        let mut planes = HashMap::new();
        for (key, span) in spans.into_values() {
            let pair = Pair::Bodies(key.0, key.1);
            let known = self.known(key, span);
            if let Span::At(Place::Way { .. }) = span {
                t.layout.wide_steps = true;
                t.layout.wide_nodes = true;
            }
            let least = [avoid.margin, clearance, room];
            if let Some(plane) = add_plane(t, x, &pair, span, least, known) {
                planes.insert((key, span.key()), plane);
            }
        }
        for &(key, step, s) in &self.on_the_way {
            let pair = Pair::Bodies(key.0, key.1);
            let still = !moves(t, &pair, step) && !moves(t, &pair, step + 1);
            if still || (self.split && is_parts(&key) && avoid.rows.has_planes()) {
                continue;
            }
            t.layout.wide_steps = true;
            t.layout.wide_nodes = true;
            if let Some(found) = planes.get(&(key, Span::Step(step).key())) {
                add_heights(t, found, Place::Way { step, s }, clearance);
            } else {
                let slots = add_slots(t, &pair, avoid.rows);
                t.layout.rows.extend(slots.map(|gap| Row {
                    kind: RowKind::Between { step, s, gap },
                    range: [clearance, f64::INFINITY],
                }));
            }
        }
    }

    /// Bodies with rows must not turn far within any step: a plane for both of its ends could not follow.
    fn limit_all_turns(&self, t: &mut Transcription, list: &[(Key, usize)]) {
        let bodies: HashSet<usize> = (list.iter())
            .flat_map(|(key, _)| gaps::members(&Pair::Bodies(key.0, key.1)))
            .flatten()
            .map(|b| b.index())
            .collect();
        for step in 0..t.layout.grid.len() {
            for i in 0..t.layout.inertias.len() {
                let body = t.layout.inertias[i].body;
                if bodies.contains(&body) {
                    t.layout.guard_turn(step, body, NEAR_TURN);
                }
            }
        }
    }

    /// Bodies that are near each other must not turn far within a step: what lies between the nodes is
    /// then close to what lies at them.
    fn limit_turns(&self, t: &mut Transcription, list: &[(Key, usize)]) {
        let model = std::sync::Arc::clone(&t.model);
        let near = NEAR * largest_part(&model);
        for (key, node) in list {
            let pair = Pair::Bodies(key.0, key.1);
            let gap = gaps::evaluate(&model, &pair, &t.centres[*node], &mut None).value;
            if gap > near {
                continue;
            }
            for body in gaps::members(&pair).into_iter().flatten() {
                for step in [node.checked_sub(1), Some(*node)].into_iter().flatten() {
                    if step < t.layout.grid.len() {
                        t.layout.guard_turn(step, body.index(), NEAR_TURN);
                    }
                }
            }
        }
    }
}

/// Two colliders as numbers.
pub(crate) fn numbers(key: &Key) -> PairNumbers {
    let of = |c: &Collider| match c {
        Collider::Part { body, part } => [0, body.index(), *part],
        Collider::Bead { body } => [1, body.index(), 0],
        Collider::Wall { index } => [2, *index, 0],
    };
    let ([a, b, c], [d, e, f]) = (of(&key.0), of(&key.1));
    [a, b, c, d, e, f]
}

/// The way back, for what the model has.
fn collider_pair(model: &Model, n: &PairNumbers) -> Option<Key> {
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
    Some((of(n[0], n[1], n[2])?, of(n[3], n[4], n[5])?))
}

/// Radius of the largest part.
pub(crate) fn largest_part(model: &Model) -> f64 {
    let shapes = model.bodies().iter().filter_map(|b| b.shape.as_ref());
    let parts = shapes.flat_map(|s| s.vertices());
    parts.map(|v| v.reach()).fold(0.0, f64::max)
}

/// Whether a pair is one of two parts.
fn is_parts((a, b): &Key) -> bool {
    matches!((a, b), (Collider::Part { .. }, Collider::Part { .. }))
}

/// A fixed order of pairs: the rows of a problem are always the same.
fn order(key: &Key) -> [usize; 4] {
    let of = |c: &Collider| match c {
        Collider::Part { body, part } => [body.index(), *part],
        Collider::Bead { body } => [body.index(), 0],
        Collider::Wall { index } => [usize::MAX, *index],
    };
    let ([a, b], [c, d]) = (of(&key.0), of(&key.1));
    [a, b, c, d]
}

/// Slots of a pair: one for its gap, or one for each vertex over a half-space.
fn add_slots(t: &mut Transcription, pair: &Pair, rows: GapRows) -> Range<usize> {
    couple(t, pair);
    let first = t.layout.gaps.len();
    let slot = |measure: Measure| GapSlot {
        pair: *pair,
        measure,
    };
    if rows.has_planes() {
        let walls = planes::above_wall(&t.model, pair).into_iter();
        let measures = walls
            .enumerate()
            .map(|(vertex, across)| Measure::Wall { across, vertex });
        t.layout.gaps.extend(measures.map(slot));
    }
    if t.layout.gaps.len() == first {
        t.layout.gaps.push(slot(Measure::Program(None)));
    }
    first..t.layout.gaps.len()
}

/// Second derivatives couple the bodies of a pair.
fn couple(t: &mut Transcription, pair: &Pair) {
    let homes = gaps::members(pair).map(|b| b.and_then(|b| t.layout.body_home[b.index()]));
    if let [Some((a, _)), Some((b, _))] = homes {
        t.layout.wide_nodes |= a != b;
    }
}

fn add_gap_rows(t: &mut Transcription, node: usize, slots: Range<usize>, least: f64) {
    t.layout.rows.extend(slots.map(|gap| Row {
        kind: RowKind::Gap { node, gap },
        range: [least, f64::INFINITY],
    }));
}

/// The vertices of the other part, above a plane.
struct Above {
    plane: usize,
    vertices: Vec<(usize, Vector3<f64>)>,
}

/// Rows for the heights above a plane at a place.
fn add_heights(t: &mut Transcription, above: &Above, place: Place, least: f64) {
    let rows = above.vertices.iter().map(|&(index, vertex)| Row {
        kind: RowKind::Height {
            plane: above.plane,
            place,
            index,
            vertex,
        },
        range: [least, f64::INFINITY],
    });
    t.layout.rows.extend(rows);
}

/// A plane between two parts, with rows at the nodes it serves. `least` are the margin at nodes, the
/// clearance on the way, and the room where poses are given.
fn add_plane(
    t: &mut Transcription,
    x: &mut Vec<f64>,
    pair: &Pair,
    span: Span,
    [margin, clearance, room]: [f64; 3],
    kept: Option<&Kept>,
) -> Option<Above> {
    if !span.nodes().any(|node| moves(t, pair, node)) {
        return None;
    }
    let hinge = Hinge::of(&t.model, pair);
    let hinge = hinge.as_ref();
    let first = span.nodes().start;
    let found = match (kept, span) {
        (Some(kept), _) => planes::again(&t.model, pair, kept, hinge)?,
        (None, Span::Step(step)) => {
            let ends = [&*t.centres[step], &*t.centres[step + 1]];
            planes::find(&t.model, pair, ends, hinge)?
        }
        (None, Span::At(Place::Node(node))) => {
            planes::find_at(&t.model, pair, &t.centres[node], hinge)?
        }
        (None, Span::At(Place::Way { s, .. })) => {
            let way = between::poses(pair, &t.centres[first], &t.centres[first + 1], s);
            planes::find_at(&t.model, pair, &way, hinge)?
        }
    };
    couple(t, pair);
    let plane = t.layout.planes.len();
    let unknowns = [(); 4].map(|()| t.layout.unknown());
    t.bounds.extend([[f64::NEG_INFINITY, f64::INFINITY]; 4]);
    x.extend(found.normal.iter().chain([&found.offset]));
    t.layout
        .planes
        .push(found.plane([plane, unknowns[0]], *pair, span));
    t.layout.rows.push(Row {
        kind: RowKind::Unit { plane },
        range: [1.0; 2],
    });
    for (list, most) in [(&found.shared, 0.0), (&found.below, f64::INFINITY)] {
        t.layout
            .rows
            .extend(list.iter().map(|&(index, vertex)| Row {
                kind: RowKind::Held {
                    plane,
                    index,
                    vertex,
                },
                range: [0.0, most],
            }));
    }
    let above = Above {
        plane,
        vertices: found.above,
    };
    match span {
        Span::At(place @ Place::Way { .. }) => add_heights(t, &above, place, clearance),
        _ => {
            for node in span.nodes() {
                // Bodies may touch where their poses are given: the plane gets some room there.
                let least = match moves(t, pair, node) {
                    true => Hinge::margin(hinge, margin),
                    false => -room,
                };
                add_heights(t, &above, Place::Node(node), least);
            }
        }
    }
    Some(above)
}

/// Whether a pose of the pair is not fixed at a node: a row there would have no gradient.
fn moves(t: &Transcription, pair: &Pair, node: usize) -> bool {
    let list = t.layout.pair_freedoms(pair);
    list.iter().any(|&f| {
        let [low, high] = t.bounds[t.layout.u(node, f)];
        low != high
    })
}
