//! The contact potential V_A = ½ C min(0, gap)² of overlapping pairs (thesis (3.38), (3.39), where gaps have
//! the other sign), with
//! optional drag on the normal velocity while they overlap (thesis 3.3.4).
//!
//! Overlaps of faces rest on several points, see [`cushion`](super::cushion). Limits of joints are
//! pairs like any other, with gap = ±(q − bound): C is in N/m along slides and in N m/rad about axes.
//! Limits of linkage coordinates are known here for energy and events; their forces are
//! [`SoftLimit`](super::SoftLimit)s.

mod pressed;
mod push;

use carom_gap::Pose;
use carom_gap::gap::Basis;

use super::apart::Apart;
use super::bases::Bases;
use super::cushion::{Answer, SHARE, press};
use super::detector::Detector;
use super::elements::ElementContact;
use super::manifold::Faces;
use super::pair_gap::{Bearing, Patch, Path, bearings, gap_between};
use super::pairs::{Key, Pair};
use super::resolution::Deed;
use crate::model::{BodyId, Law, Model};
pub use pressed::Pressed;
pub(super) use push::moved;

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
                bodies: pair.bodies().map(|b| b.map(|b| b.index())),
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
        let rigid = self.cushions.iter().map(|c| &c.pair);
        let rigid = rigid.filter(|p| p.colliders().is_some()).map(Pair::bodies);
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
