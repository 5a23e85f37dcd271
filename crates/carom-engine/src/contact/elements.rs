//! Contact of elastic bodies: elements at their surfaces against each other, against convex parts of
//! rigid bodies and against half-spaces, by the contact potential V_A = ½ C min(0, gap)².
//!
//! How elements meet is in [`element_gap`](super::element_gap); against a half-space every node at the
//! surface has its own gap.

mod push;
mod sums;

use carom_gap::{Aabb, BroadPhase, Membership, Pose};

use super::cushion::{Answer, press};
use super::element_gap::{ElementGap, Row, Spot, Spots, Thing};
use super::exclusions::Exclusions;
use super::manifold::Faces;
use crate::model::{BodyKind, Law, Model, Party};
pub use sums::Pressing;

/// How much wider than the way of a step boxes are when pairs are looked for, in sizes of elements.
const SKIN: f64 = 0.15;

/// Two things that may overlap.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    things: [usize; 2],
    parties: [usize; 2],
    stiffness: f64,
    drag: f64,
}

/// Two things, or a node and a half-space, that overlap.
#[derive(Clone, Copy, Debug)]
struct Touch {
    parties: [usize; 2],
    drag: f64,
    gap: f64,
    /// Spots that carry it: first and number.
    spots: [usize; 2],
    answer: Answer,
}

/// Contact of all elastic bodies of a model.
pub struct ElementContact {
    parties: Vec<Party>,
    /// Laws of pairs of parties; `None` for pairs that never touch.
    laws: Vec<Option<(f64, f64)>>,
    things: Vec<Thing>,
    party_of: Vec<usize>,
    broad: BroadPhase,
    ids: Vec<u32>,
    /// Thing of each id.
    by_id: Vec<usize>,
    /// Nodes at the surface of every solid, as particles.
    nodes: Vec<Vec<u32>>,
    found: Vec<(u32, u32)>,
    /// Boxes around the things on their way in a step, the wider ones that candidates were found with,
    /// and how much wider.
    around: Vec<Aabb>,
    wide: Vec<Aabb>,
    skin: f64,
    /// Pairs of things whose wider boxes meet.
    candidates: Vec<Candidate>,
    /// Where gaps were evaluated last, boxes there, what overlapped, where, with which forces, and the sums
    /// by bodies.
    seen: Vec<Pose>,
    tight: Vec<Aabb>,
    /// Whether these boxes were in those of the step.
    covered: bool,
    touches: Vec<Touch>,
    spots: Spots,
    forces: Vec<f64>,
    sums: Vec<Pressing>,
    gap: ElementGap,
}

impl std::fmt::Debug for ElementContact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ElementContact({} things)", self.things.len())
    }
}

impl ElementContact {
    /// For a model and the law of a run; `None` if no elastic body touches anything by a potential.
    pub fn new(model: &Model, law: Law) -> Option<Self> {
        let solids = model.solids();
        if solids.is_empty() {
            return None;
        }
        let mut parties: Vec<Party> = (0..solids.len()).map(Party::Solid).collect();
        let mut things = Vec::new();
        let mut party_of = Vec::new();
        for (k, solid) in solids.iter().enumerate() {
            // The surface is sorted by elements.
            for faces in solid.surface.chunk_by(|a, b| a.1 == b.1) {
                let first = things.last().map_or(0, |t| match t {
                    Thing::Element { solid, faces, .. } if *solid == k => faces[1],
                    _ => 0,
                });
                things.push(Thing::Element {
                    solid: k,
                    element: faces[0].1,
                    faces: [first, first + faces.len()],
                });
                party_of.push(k);
            }
        }
        for (k, body) in model.bodies().iter().enumerate() {
            if let Some(shape) = &body.shape {
                for part in 0..shape.vertices().len() {
                    things.push(Thing::Part { body: k, part });
                    party_of.push(parties.len());
                }
                parties.push(Party::Body(crate::model::BodyId(k as u32)));
            }
        }
        let walls = 0..model.contact().walls.len();
        parties.extend(walls.map(Party::Wall));
        let laws = laws(model, law, &parties);
        if laws.iter().all(Option::is_none) {
            return None;
        }
        let nodes = solids.iter().map(|s| {
            let mut nodes: Vec<u32> = s.surface.iter().flat_map(|(face, _)| *face).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let own = |n: &u32| {
                let body = s.points[*n as usize].body;
                body.is_some_and(|b| s.particles.contains(&b.index()))
            };
            nodes.retain(own);
            nodes
        });
        let mut contact = Self {
            nodes: nodes.collect(),
            laws,
            parties,
            broad: BroadPhase::new(0.0),
            ids: Vec::new(),
            by_id: Vec::new(),
            found: Vec::new(),
            around: Vec::new(),
            wide: Vec::new(),
            skin: 0.0,
            candidates: Vec::new(),
            seen: Vec::new(),
            tight: Vec::new(),
            covered: false,
            touches: Vec::new(),
            spots: Spots::default(),
            forces: Vec::new(),
            sums: Vec::new(),
            gap: ElementGap::default(),
            things,
            party_of,
        };
        contact.enter(model);
        Some(contact)
    }

    /// Puts all boxes into the broad phase.
    fn enter(&mut self, model: &Model) {
        let start: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        // A part of the size of elements.
        let elements = self
            .things
            .iter()
            .filter(|t| matches!(t, Thing::Element { .. }));
        let (mut sum, mut count) = (0.0, 0.0);
        for thing in elements {
            let around = thing.bounds(model, &start);
            sum += (around.max - around.min).amax();
            count += 1.0;
        }
        self.skin = SKIN * sum / f64::max(count, 1.0);
        let solids = model.solids().len();
        for (k, thing) in self.things.iter().enumerate() {
            let member = match thing {
                // Elements of a body that meets itself count as bodies of their own.
                Thing::Element { solid, .. } if model.solids()[*solid].meets_itself => Membership {
                    body: (solids + 1 + k) as u32,
                    groups: 1,
                    mask: 3,
                },
                Thing::Element { solid, .. } => Membership {
                    body: *solid as u32,
                    groups: 1,
                    mask: 3,
                },
                // Parts of rigid bodies meet elements only.
                Thing::Part { .. } => Membership {
                    body: solids as u32,
                    groups: 2,
                    mask: 1,
                },
            };
            let id = self.broad.insert(member, &thing.bounds(model, &start));
            if self.by_id.len() <= id as usize {
                self.by_id.resize(id as usize + 1, 0);
            }
            self.by_id[id as usize] = k;
            self.ids.push(id);
        }
    }

    /// Whether any pair is dragged.
    pub fn is_damped(&self) -> bool {
        self.laws.iter().flatten().any(|(_, drag)| *drag > 0.0)
    }

    fn law(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        self.laws[a * self.parties.len() + b]
    }

    /// Looks for pairs that may overlap on the way between two configurations, if no point leaves it
    /// further than `reach`.
    pub fn prepare(&mut self, model: &Model, from: &[Pose], to: &[Pose], reach: f64) {
        self.around.clear();
        for thing in &self.things {
            let mut around = thing.bounds(model, from);
            if !std::ptr::eq(from, to) {
                around = around.merged(&thing.bounds(model, to));
            }
            self.around.push(around.expanded(reach));
        }
        // What was found where things had left their boxes may lack some.
        if !self.covered {
            self.seen.clear();
        }
        // Pairs that were found with wider boxes serve as long as nothing leaves these.
        let known = self.wide.len() == self.around.len();
        if known && (self.wide.iter().zip(&self.around)).all(|(w, a)| w.contains(a)) {
            return;
        }
        self.wide.clear();
        let skin = self.skin;
        self.wide
            .extend(self.around.iter().map(|a| a.expanded(skin)));
        for (wide, id) in self.wide.iter().zip(&self.ids) {
            self.broad.update(*id, wide);
        }
        self.broad.pairs(&mut self.found);
        self.candidates.clear();
        for &(a, b) in &self.found {
            let (a, b) = (self.by_id[a as usize], self.by_id[b as usize]);
            // Elements come first, then parts.
            let (a, b) = (a.min(b), a.max(b));
            let parties = [self.party_of[a], self.party_of[b]];
            let Some((stiffness, drag)) = self.law(parties[0], parties[1]) else {
                continue;
            };
            if parties[0] == parties[1] && self.things[a].is_beside(model, &self.things[b]) {
                continue;
            }
            self.candidates.push(Candidate {
                things: [a, b],
                parties,
                stiffness,
                drag,
            });
        }
    }

    /// A body of each side of each pair of things that may overlap.
    pub fn pairs<'a>(
        &'a self,
        model: &'a Model,
    ) -> impl Iterator<Item = [Option<crate::model::BodyId>; 2]> + 'a {
        let body = move |party: usize| match self.parties[party] {
            Party::Solid(s) => Some(crate::model::BodyId(
                model.solids()[s].particles.start as u32,
            )),
            Party::Body(b) => (model.body(b).kind != BodyKind::Static).then_some(b),
            Party::Wall(_) => None,
        };
        let near = self.candidates.iter().filter(|c| {
            let [a, b] = c.things;
            self.around[a].overlaps(&self.around[b])
        });
        near.map(move |c| c.parties.map(body))
    }

    /// Gaps and gradients at a configuration; faces of rigid bodies are given.
    pub fn evaluate(&mut self, model: &Model, faces: &Faces, poses: &[Pose]) {
        if self.seen == poses {
            return;
        }
        self.seen.clear();
        self.seen.extend_from_slice(poses);
        self.spots.clear();
        self.forces.clear();
        self.touches.clear();
        self.tight.clear();
        let boxes = self.things.iter().map(|thing| thing.bounds(model, poses));
        self.tight.extend(boxes);
        let mut both = self.around.iter().zip(&self.tight);
        let known = self.around.len() == self.tight.len();
        self.covered = known && both.all(|(around, tight)| around.contains(tight));
        for c in &self.candidates {
            let [a, b] = c.things;
            // Also where things have left their boxes, the same pairs whatever came before.
            let near = self.around[a].overlaps(&self.around[b]);
            if !near || !self.tight[a].overlaps(&self.tight[b]) {
                continue;
            }
            let things = [self.things[a], self.things[b]];
            let first = self.spots.list.len();
            let gap = (self.gap).evaluate(model, faces, poses, things, &mut self.spots);
            if gap < 0.0 {
                let answer = press(c.stiffness, &mut self.spots.list, first, &mut self.forces);
                self.touches.push(Touch {
                    parties: c.parties,
                    drag: c.drag,
                    gap,
                    spots: [first, self.spots.list.len() - first],
                    answer,
                });
            }
        }
        self.evaluate_walls(model, poses);
    }

    /// Nodes below half-spaces.
    fn evaluate_walls(&mut self, model: &Model, poses: &[Pose]) {
        let first_wall = self.parties.len() - model.contact().walls.len();
        for (index, wall) in model.contact().walls.iter().enumerate() {
            let (n, offset) = (wall.half_space.normal(), wall.half_space.offset());
            for (k, solid) in model.solids().iter().enumerate() {
                let Some((stiffness, drag)) = self.law(k, first_wall + index) else {
                    continue;
                };
                for &node in &self.nodes[k] {
                    let x = solid.place(node, poses);
                    let gap = x.dot(n) - offset;
                    if gap >= 0.0 {
                        continue;
                    }
                    let first = self.spots.list.len();
                    let row = Row {
                        at: solid.points[node as usize],
                        slope: *n,
                    };
                    self.spots.push(gap, x, *n, [row]);
                    self.forces.push(-stiffness * gap);
                    self.touches.push(Touch {
                        parties: [k, first_wall + index],
                        drag,
                        gap,
                        spots: [first, 1],
                        answer: Answer {
                            value: 0.5 * stiffness * gap * gap,
                            force: -stiffness * gap,
                            own: stiffness,
                            shared: 0.0,
                        },
                    });
                }
            }
        }
    }

    /// V_A and the largest overlap.
    pub fn value(&self) -> (f64, f64) {
        let each = self.touches.iter();
        each.fold((0.0, 0.0), |(sum, most): (f64, f64), t| {
            (sum + t.answer.value, most.max(-t.gap))
        })
    }

    /// Spots of a touch with their rows and the size of their force.
    fn carriers(&self, t: &Touch) -> impl Iterator<Item = (&Spot, &[Row], f64)> {
        let [first, count] = t.spots;
        let spots = self.spots.list[first..first + count].iter();
        let forces = self.forces[first..first + count].iter();
        spots
            .zip(forces)
            .map(|(spot, force)| (spot, self.spots.rows_of(spot), *force))
    }
}

/// Stiffness and drag of every pair of parties that touch by a potential.
fn laws(model: &Model, law: Law, parties: &[Party]) -> Vec<Option<(f64, f64)>> {
    let rules = model.contact();
    let material = |party: &Party| match party {
        Party::Solid(s) => model.solids()[*s].contact_material.as_deref(),
        Party::Body(b) => model.body(*b).material.as_deref(),
        Party::Wall(w) => rules.walls[*w].material.as_deref(),
    };
    let exclusions = Exclusions::new(model);
    let mut out = vec![None; parties.len() * parties.len()];
    for (i, a) in parties.iter().enumerate() {
        for (j, b) in parties.iter().enumerate().skip(i) {
            let solid = |p: &Party| matches!(p, Party::Solid(_));
            let itself = match a {
                Party::Solid(s) => i == j && model.solids()[*s].meets_itself,
                _ => false,
            };
            let meet = solid(a) && (i != j || itself);
            if !meet || exclusions.keep_apart((*a).into(), (*b).into()) {
                continue;
            }
            let own = rules.between(material(a), material(b)).law.unwrap_or(law);
            if let Law::Potential { stiffness, drag } = own {
                out[i * parties.len() + j] = Some((stiffness, drag));
                out[j * parties.len() + i] = Some((stiffness, drag));
            }
        }
    }
    out
}
