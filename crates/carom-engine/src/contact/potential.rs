//! The contact potential V_A = ½ C min(0, gap)² of overlapping pairs (thesis (3.38), (3.39)), with
//! optional drag on the normal velocity while they overlap (thesis 3.3.4).
//!
//! Overlaps of faces rest on several points, see [`cushion`](super::cushion). Limits of joints are
//! pairs like any other, with gap = ±(q − bound): C is in N/m along slides and in N m/rad about axes.
//! Limits of linkage coordinates are known here for energy and events; their forces are
//! [`SoftLimit`](super::SoftLimit)s.

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::{Matrix6, Vector3, Vector6};

use super::apart::Apart;
use super::bases::Bases;
use super::cushion::{Answer, SHARE, press};
use super::detector::Detector;
use super::elements::{ElementContact, Pressing};
use super::manifold::Faces;
use super::pair_gap::{Bearing, Patch, Path, bearings, gap_between};
use super::pairs::{Key, Pair};
use super::resolution::Deed;
use crate::mechanics::{
    Block, Covector, Increment, StepFrame, Twist, Wrench, hat, point_block, wrench_vector,
};
use crate::model::{BodyId, BodyKind, Law, Model};

/// A pair that a potential holds apart.
#[derive(Clone, Copy, Debug)]
struct Cushion {
    pair: Pair,
    key: Key,
    stiffness: f64,
    drag: f64,
    warm: Option<Basis>,
    gap: f64,
    /// Its bodies, and how far they will have gone together when it may meet at the earliest.
    bodies: [Option<usize>; 2],
    apart_until: f64,
    /// The points that carry it where it was evaluated last: first and number.
    points: [usize; 2],
    answer: Answer,
}

/// What a cushion did.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    /// The pair.
    pub pair: Pair,
    /// Its key.
    pub key: Key,
    /// Its gap.
    pub gap: f64,
    /// Force on the first; zero for limits.
    pub force: Vector3<f64>,
    /// Its size (on the limited coordinate for limits).
    pub along: f64,
    /// Where.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first.
    pub normal: Vector3<f64>,
}

/// Contact by potentials.
#[derive(Debug)]
pub struct ContactPotential {
    detector: Detector,
    bases: Bases,
    /// Elastic bodies.
    elements: Option<ElementContact>,
    faces: Faces,
    law: Law,
    /// Laws of pairs of materials.
    own: Vec<Law>,
    candidates: Vec<(Pair, Key)>,
    cushions: Vec<Cushion>,
    /// Points that carry, cushion by cushion, and their forces.
    points: Vec<Bearing>,
    forces: Vec<f64>,
    patch: Patch,
    /// Whether drag acts only on what overlaps at the start of a step.
    gated: bool,
    /// Leaves out pairs that are certainly apart.
    apart: Option<Apart>,
    /// Storage for [`misfit`](Self::misfit).
    pub(super) deeds: Vec<Deed>,
}

impl ContactPotential {
    /// For a model and the law of a run; `None` if no pair has such a potential.
    pub fn new(model: &Model, law: Law) -> Option<Self> {
        let own = model.contact().surfaces.iter().filter_map(|s| s.law);
        let soft = |l: Law| matches!(l, Law::Potential { .. });
        let own: Vec<Law> = own.collect();
        (soft(law) || own.iter().copied().any(soft)).then(|| Self {
            own: own.clone(),
            elements: ElementContact::new(model, law),
            detector: Detector::new(model),
            bases: Bases::default(),
            faces: Faces::new(model),
            law,
            candidates: Vec::new(),
            cushions: Vec::new(),
            points: Vec::new(),
            forces: Vec::new(),
            patch: Patch::default(),
            gated: false,
            apart: None,
            deeds: Vec::new(),
        })
    }

    /// Leaves out pairs that are certainly apart from now on: their gaps are only known to be positive. For schemes
    /// that ask for nothing but forces.
    pub fn leave_out_apart(&mut self, model: &Model) {
        self.apart = Some(Apart::new(model));
    }

    /// Whether any pair is dragged.
    pub fn is_damped(&self) -> bool {
        let dragged = |law: &Law| matches!(law, Law::Potential { drag, .. } if *drag > 0.0);
        let elastic = self.elements.as_ref().is_some_and(|e| e.is_damped());
        dragged(&self.law) || self.own.iter().any(dragged) || elastic
    }

    /// Looks for pairs that may overlap on the way between two configurations, if no body leaves it
    /// further than `reach`.
    pub fn prepare(&mut self, model: &Model, from: &[Pose], to: &[Pose], reach: f64) {
        if let Some(elements) = &mut self.elements {
            elements.prepare(model, from, to, reach);
        }
        let mut margin = reach;
        if let Some(apart) = &mut self.apart {
            if apart.holds(from, to, reach) {
                return;
            }
            margin = apart.list(to, reach);
        } else {
            for c in &self.cushions {
                self.bases.remember(c.key, c.warm);
            }
        }
        let known = std::mem::take(&mut self.cushions);
        self.points.clear();
        self.forces.clear();
        self.detector
            .candidates(model, from, to, margin, &mut self.candidates);
        for (pair, key) in &self.candidates {
            let law = self.detector.surface(pair).law.unwrap_or(self.law);
            let Law::Potential { stiffness, drag } = law else {
                continue;
            };
            let warm = match &self.apart {
                None => self.bases.of(*key),
                Some(apart) => {
                    if let Ok(at) = known.binary_search_by_key(key, |c| c.key) {
                        self.cushions.push(Cushion {
                            points: [0; 2],
                            ..known[at]
                        });
                        continue;
                    }
                    let handed = apart.handed.iter().find(|(k, _)| k == key);
                    handed.map(|(_, basis)| *basis)
                }
            };
            self.cushions.push(Cushion {
                pair: *pair,
                key: *key,
                stiffness,
                drag,
                warm,
                gap: f64::INFINITY,
                bodies: match pair {
                    Pair::Bodies(a, b) => [a, b].map(|c| super::body_of(c).map(|b| b.index())),
                    _ => [None; 2],
                },
                apart_until: f64::NEG_INFINITY,
                points: [0; 2],
                answer: Answer::default(),
            });
        }
        if let Some(apart) = &mut self.apart {
            apart.handed.clear();
        }
        if self.gated && self.is_damped() {
            let at = Path {
                poses: from,
                coordinates: &[],
            };
            self.evaluate(model, &at);
            let apart = |c: &&mut Cushion| c.gap >= 0.0;
            self.cushions
                .iter_mut()
                .filter(apart)
                .for_each(|c| c.drag = 0.0);
        }
    }

    /// Lets drag act only on what overlaps at the start of a step, or on all that overlaps. Drag that
    /// sets in within a step jumps from nothing to c v: there may be no motion that fits it.
    pub fn gate_drag(&mut self, gated: bool) {
        self.gated = gated;
    }

    /// Bodies of each pair that may overlap; limits tie none that joints do not tie already.
    pub fn pairs<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = [Option<BodyId>; 2]> + 'a {
        let rigid = self.cushions.iter().filter_map(|c| match &c.pair {
            Pair::Bodies(a, b) => Some([super::body_of(a), super::body_of(b)]),
            _ => None,
        });
        let elastic = self.elements.iter().flat_map(|e| e.pairs(model));
        rigid.chain(elastic)
    }

    /// Gaps and gradients at a configuration.
    pub fn evaluate(&mut self, model: &Model, at: &Path) {
        if let Some(elements) = &mut self.elements {
            elements.evaluate(model, &self.faces, at.poses);
        }
        self.points.clear();
        self.forces.clear();
        if let Some(apart) = &mut self.apart {
            apart.go_to(at.poses);
        }
        for c in &mut self.cushions {
            if let (Some(apart), Pair::Bodies(a, b)) = (&self.apart, &c.pair) {
                let way = apart.way(&c.bodies);
                if way < c.apart_until {
                    continue;
                }
                let [pa, pb] = [a, b].map(|c| c.pose(at.poses));
                let (gap, steepness) = gap_between(model, a, b, pa, pb, &mut c.warm);
                let distance = gap / steepness;
                if gap > 0.0 && distance.is_finite() {
                    (c.gap, c.warm, c.answer) = (gap, None, Answer::default());
                    (c.apart_until, c.points) = (way + distance, [0; 2]);
                    continue;
                }
                c.apart_until = f64::NEG_INFINITY;
            }
            let first = self.points.len();
            c.gap = bearings(
                model,
                &self.faces,
                &c.pair,
                at,
                SHARE,
                &mut c.warm,
                &mut self.patch,
                &mut self.points,
            );
            c.answer = press(c.stiffness, &mut self.points, first, &mut self.forces);
            if let Pair::CoordinateLimit { .. } = c.pair {
                let depth = (-c.gap).max(0.0);
                c.answer.value = 0.5 * c.stiffness * depth * depth;
                c.answer.force = c.stiffness * depth;
            }
            c.points = [first, self.points.len() - first];
        }
    }

    /// V_A and the largest overlap where it was evaluated last.
    pub fn value(&self) -> (f64, f64) {
        let elastic = self.elements.as_ref().map(|e| e.value());
        let (mut sum, mut overlap) = elastic.unwrap_or((0.0, 0.0_f64));
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            sum += c.answer.value;
            overlap = overlap.max(-c.gap);
        }
        (sum, overlap)
    }

    /// The points of a cushion with their forces.
    fn carriers(&self, c: &Cushion) -> impl Iterator<Item = (&Bearing, f64)> {
        let [first, count] = c.points;
        let range = first..first + count;
        let forces = self.forces[range.clone()].iter().copied();
        self.points[range].iter().zip(forces)
    }

    /// How many pairs are looked at.
    pub(super) fn count(&self) -> usize {
        self.cushions.len()
    }

    /// The points of the k-th pair with their forces.
    pub(super) fn loads(&self, k: usize) -> impl Iterator<Item = (&Bearing, f64)> {
        self.carriers(&self.cushions[k])
    }

    /// Potential and gap of the k-th pair.
    pub(super) fn level(&self, k: usize) -> (f64, f64) {
        (self.cushions[k].answer.value, self.cushions[k].gap)
    }

    /// Adds −∂V_A/∂q.
    pub fn add_forces(&self, out: &mut [Covector]) {
        if let Some(elements) = &self.elements {
            elements.add_forces(out);
        }
        for (p, force) in self.points.iter().zip(&self.forces) {
            for (body, g) in p.gradient.iter().flatten() {
                out[body.index()].add(g, *force);
            }
        }
    }

    /// Points that drag, each with its part of the coefficient: that of its force.
    fn dragging(&self) -> impl Iterator<Item = (&Bearing, f64)> {
        let dragged = |c: &&Cushion| c.drag > 0.0 && c.answer.force > 0.0;
        self.cushions.iter().filter(dragged).flat_map(|c| {
            let part = c.drag / c.answer.force;
            self.carriers(c).map(move |(p, force)| (p, force * part))
        })
    }

    /// Adds the drag of the overlapping at given velocities.
    pub fn add_drag(&self, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) {
        if let Some(elements) = &self.elements {
            elements.add_drag(poses, twists, out);
        }
        for (p, drag) in self.dragging() {
            add_along(p, poses, -drag * rate(p, poses, twists), out);
        }
    }

    /// Power of the drag at given velocities.
    pub fn drag_power(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let elastic = self.elements.as_ref();
        let elastic = elastic.map_or(0.0, |e| e.drag_power(poses, twists));
        let dragging = self.dragging();
        let rigid = dragging.map(|(p, drag)| -drag * rate(p, poses, twists).powi(2));
        elastic + rigid.sum::<f64>()
    }

    /// Adds half of the drag over a step as impulses on bodies at `poses`; it acts on (q⁺ − q)/h.
    pub fn add_drag_impulses(&self, poses: &[Pose], increments: &[Increment], out: &mut [Wrench]) {
        if let Some(elements) = &self.elements {
            elements.add_drag_impulses(poses, increments, out);
        }
        for (p, drag) in self.dragging() {
            add_along(p, poses, -0.5 * drag * moved(p, increments), out);
        }
    }

    /// Work of the drag over a step.
    pub fn drag_work(&self, increments: &[Increment], h: f64) -> f64 {
        let elastic = self.elements.as_ref();
        let elastic = elastic.map_or(0.0, |e| e.drag_work(increments, h));
        let dragging = self.dragging();
        let rigid = dragging.map(|(p, drag)| -drag * moved(p, increments).powi(2) / h);
        elastic + rigid.sum::<f64>()
    }

    /// Adds ∂/∂q⁺ of the forces that enter the balance at q, up to the curvature of the gaps; those
    /// of joint limits only if asked for.
    pub fn add_blocks(
        &self,
        model: &Model,
        frame: &StepFrame,
        with_limits: bool,
        out: &mut Vec<Block>,
    ) {
        if let Some(elements) = &self.elements {
            let unknown = |b: &BodyId| model.body(*b).kind != BodyKind::Static;
            elements.stiffnesses(frame.h, frame.gamma, |a, b, k| {
                let ends = (a.body.filter(unknown), b.body.filter(unknown));
                if let (Some(row), Some(column)) = ends {
                    let r = frame.poses[row.index()].directors * a.local;
                    let r_next = frame.next[column.index()].directors * b.local;
                    out.push(Block {
                        row,
                        column,
                        matrix: point_block(&r, k, &r_next),
                    });
                }
            });
        }
        let factor = frame.h * frame.gamma * (1.0 - frame.gamma);
        for c in self.cushions.iter().filter(|c| c.points[1] > 0) {
            if !with_limits && matches!(c.pair, Pair::JointLimit { .. }) {
                continue;
            }
            // Σ_k g_k (∂λ_k/∂g_l g_l)ᵀ, and half of the drag.
            let dragged = c.drag / c.answer.force.max(f64::MIN_POSITIVE);
            let side =
                |p: &Bearing, side: usize, poses: &[Pose]| -> Option<(BodyId, Vector6<f64>)> {
                    let (body, g) = p.gradient[side]?;
                    let moves = model.body(body).kind != BodyKind::Static;
                    let w = g.wrench(&poses[body.index()].directors);
                    moves.then(|| (body, wrench_vector(&w)))
                };
            for [r, s] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let mut sums = [Vector6::zeros(); 2];
                let mut matrix = Matrix6::zeros();
                let mut ends = None;
                for (p, force) in self.carriers(c) {
                    let (Some((row, left)), Some((column, right))) =
                        (side(p, r, frame.poses), side(p, s, frame.next))
                    else {
                        continue;
                    };
                    let own = factor * c.answer.own + 0.5 * dragged * force;
                    matrix -= left * (right * own).transpose();
                    sums[0] += left;
                    sums[1] += right;
                    ends = Some((row, column));
                }
                matrix += sums[0] * (sums[1] * (factor * c.answer.shared)).transpose();
                if let Some((row, column)) = ends {
                    out.push(Block {
                        row,
                        column,
                        matrix,
                    });
                }
            }
        }
    }

    /// What joint limits that act add to the row of their own freedom, as in
    /// [`add_blocks`](Self::add_blocks): the gap follows the joint's velocity.
    pub fn add_joint_stiffness(&self, model: &Model, h: f64, gamma: f64, out: &mut [f64]) {
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            if let Pair::JointLimit {
                joint, coordinate, ..
            } = c.pair
            {
                let stiff = h * gamma * (1.0 - gamma) * c.stiffness + 0.5 * c.drag;
                out[model.offsets[joint] + coordinate] -= stiff;
            }
        }
    }

    /// What overlaps, with the force of the potential.
    pub fn pressed(&mut self) -> impl Iterator<Item = Pressed> + '_ {
        if let Some(elements) = &mut self.elements {
            elements.sum_up();
        }
        let soft = self.cushions.iter().filter(|c| c.gap < 0.0);
        let elastic = self.elements.iter();
        let elastic = elastic.flat_map(|e| e.pressing().iter().filter_map(|p| told_of(e, p)));
        soft.map(|c| self.told(c)).chain(elastic)
    }

    /// A pair where it was evaluated last; without a place if it is far.
    pub fn pair(&self, key: Key) -> Option<Pressed> {
        if let (Some(e), Some([a, b])) = (&self.elements, elastic_key(key)) {
            let sides = e.parties([a, b])?;
            return Some(Pressed::nothing(Pair::Elastic(sides), key, f64::INFINITY));
        }
        if let Some(c) = self.cushions.iter().find(|c| c.key == key) {
            return Some(self.told(c));
        }
        Some(Pressed::nothing(
            self.detector.pair(key)?,
            key,
            f64::INFINITY,
        ))
    }

    fn told(&self, c: &Cushion) -> Pressed {
        let mut out = Pressed::nothing(c.pair, c.key, c.gap);
        out.along = c.answer.force;
        if let Pair::Bodies(..) = c.pair {
            for (p, force) in self.carriers(c) {
                out.force += p.gradient[0].map_or(Vector3::zeros(), |(_, g)| g.force * force);
                out.point += p.point * (force / c.answer.force);
                out.normal += p.normal * force;
            }
            out.along = out.force.norm();
            out.normal = out.normal.try_normalize(0.0).unwrap_or_default();
        }
        out
    }

    /// Pairs looked at, with their gaps where they were evaluated last, but for those that were certainly apart on the
    /// way there.
    pub(super) fn gaps(
        &self,
        before: &[Pose],
        after: &[Pose],
    ) -> impl Iterator<Item = (&Pair, f64)> {
        let far = move |c: &&Cushion| {
            let Some(apart) = &self.apart else {
                return true;
            };
            let shift = |k: &usize| apart.shift(*k, &before[*k], &after[*k]);
            let way: f64 = c.bodies.iter().flatten().map(shift).sum();
            // Written so that what is not a number is looked at.
            let certainly = apart.way(&c.bodies) + way < c.apart_until;
            !certainly
        };
        self.cushions.iter().filter(far).map(|c| (&c.pair, c.gap))
    }

    /// Where the gap solver starts for each pair.
    pub fn warm(&mut self) -> Vec<(Key, Basis)> {
        if self.apart.is_some() {
            let warm = self.cushions.iter();
            return warm.filter_map(|c| Some((c.key, c.warm?))).collect();
        }
        for c in &self.cushions {
            self.bases.remember(c.key, c.warm);
        }
        self.bases.all()
    }

    /// Takes over where the gap solver starts.
    pub fn set_warm(&mut self, warm: &[(Key, Basis)]) {
        if let Some(apart) = &mut self.apart {
            self.cushions.clear();
            apart.handed = warm.to_vec();
            apart.forget();
        }
        for (key, basis) in warm {
            self.bases.remember(*key, Some(*basis));
        }
    }
}

/// Keys of pairs with elastic bodies have this bit.
const ELASTIC: u32 = 1 << 31;

/// The two sides of a key of a pair with an elastic body.
fn elastic_key(key: Key) -> Option<[usize; 2]> {
    let is = key.0 & ELASTIC != 0 && key.0 != u32::MAX;
    is.then_some([(key.0 & !ELASTIC) as usize, key.1 as usize])
}

/// What elements of two bodies did, as one.
fn told_of(elements: &ElementContact, p: &Pressing) -> Option<Pressed> {
    let sides = elements.parties(p.key)?;
    let key = (p.key[0] as u32 | ELASTIC, p.key[1] as u32);
    Some(Pressed {
        force: p.force,
        along: p.force.norm(),
        point: p.point,
        normal: p.force.try_normalize(0.0).unwrap_or_default(),
        ..Pressed::nothing(Pair::Elastic(sides), key, p.gap)
    })
}

impl Pressed {
    fn nothing(pair: Pair, key: Key, gap: f64) -> Self {
        let zero = Vector3::zeros();
        Self {
            pair,
            key,
            gap,
            force: zero,
            along: 0.0,
            point: zero,
            normal: zero,
        }
    }
}

/// Adds a multiple of a gap's gradient as wrenches on bodies at `poses`.
fn add_along(p: &Bearing, poses: &[Pose], factor: f64, out: &mut [Wrench]) {
    for (b, g) in p.gradient.iter().flatten() {
        let w = g.wrench(&poses[b.index()].directors);
        out[b.index()].force += w.force * factor;
        out[b.index()].torque += w.torque * factor;
    }
}

/// Rate of a gap.
fn rate(p: &Bearing, poses: &[Pose], twists: &[Twist]) -> f64 {
    let sides = p.gradient.iter().flatten();
    sides
        .map(|(b, g)| {
            let (t, d) = (&twists[b.index()], &poses[b.index()].directors);
            g.dot(&t.v, &(hat(&t.w) * d))
        })
        .sum()
}

/// ⟨∇gap, q⁺ − q⟩.
pub(super) fn moved(p: &Bearing, increments: &[Increment]) -> f64 {
    let sides = p.gradient.iter().flatten();
    sides
        .map(|(b, g)| {
            let i = &increments[b.index()];
            g.dot(&i.shift, &i.directors)
        })
        .sum()
}
