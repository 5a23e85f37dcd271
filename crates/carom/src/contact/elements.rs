//! Contact of elastic bodies: elements at their surfaces against each other, against convex parts of
//! rigid bodies and against half-spaces, by the contact potential V_A = ½ C min(0, gap)².
//!
//! Elements meet by the SSH gap along the line of their means (thesis (2.69), (3.3.4)). Its gradient
//! is the plane's normal α shared out to the corners by the weights of the linear program, which are
//! the coordinates of the contact point in the element, and β turns with the means (3.50):
//!
//! ```text
//! ∂gap/∂x_i = w_i α + a/n on the first, −(v_j α + a/m) on the second,  a = gap/|Δ| (β ⟨α, β⟩ − α),
//! ```
//!
//! which sums to zero with and without arms: both momenta are kept to round-off. Against a half-space
//! every node at the surface has its own gap.

use std::collections::HashSet;

use carom_gap::gap::{Contact, Posed, Status, centre_direction, gap, symmetric_contact};
use carom_gap::{Aabb, BroadPhase, Membership, Pose, Vertices};
use nalgebra::{Matrix3, Vector3};

use super::pair_gap::{is_unique, turn_of_direction};
use crate::mechanics::{Covector, Increment, Twist, Wrench};
use crate::model::{BodyKind, Law, Model, Party, Point};

/// How much wider than the way of a step boxes are when pairs are looked for, in sizes of elements.
const SKIN: f64 = 0.15;

/// Something that meets elements, or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    /// An element of a solid.
    Element { solid: usize, element: usize },
    /// A convex part of a body.
    Part { body: usize, part: usize },
}

/// A pair that may overlap, or a node and a half-space.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// Indices into the things; the second of a node and a wall is the wall.
    ends: Ends,
    parties: [usize; 2],
    stiffness: f64,
    drag: f64,
    gap: f64,
    /// Rows of the gradient: first and number.
    rows: [usize; 2],
    point: Vector3<f64>,
    normal: Vector3<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ends {
    Things(usize, usize),
    NodeAndWall {
        solid: usize,
        node: u32,
        wall: usize,
    },
}

/// ∂gap/∂x at a point.
#[derive(Clone, Copy, Debug)]
struct Row {
    at: Point,
    slope: Vector3<f64>,
}

/// What touches between two bodies, summed up.
#[derive(Clone, Copy, Debug)]
pub struct Pressing {
    /// The two bodies, by their place among the parties.
    pub key: [usize; 2],
    /// Least gap.
    pub gap: f64,
    /// Force on the first.
    pub force: Vector3<f64>,
    /// Where, weighted by force.
    pub point: Vector3<f64>,
    /// Sum of the forces' sizes.
    weight: f64,
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
    candidates: Vec<Touch>,
    /// Where gaps were evaluated last, boxes there, what overlapped, and the sums by bodies.
    seen: Vec<Pose>,
    tight: Vec<Aabb>,
    touches: Vec<Touch>,
    rows: Vec<Row>,
    sums: Vec<Pressing>,
    /// Vertex sets of the elements of a pair: tetrahedra, then triangles.
    simplices: [[Vertices; 2]; 2],
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
            let mut last = usize::MAX;
            for (_, element) in &solid.surface {
                // The surface is sorted by elements.
                if *element != last {
                    things.push(Thing::Element {
                        solid: k,
                        element: *element,
                    });
                    party_of.push(k);
                    last = *element;
                }
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
            touches: Vec::new(),
            rows: Vec::new(),
            sums: Vec::new(),
            simplices: {
                let four = Vertices::new(&[Vector3::zeros(); 4]);
                let three = Vertices::planar(&[Vector3::zeros(); 3]);
                [[four.clone(), four], [three.clone(), three]]
            },
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
            let around = bounds(model, thing, &start);
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
            let id = self.broad.insert(member, &bounds(model, thing, &start));
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
            let mut around = bounds(model, thing, from);
            if !std::ptr::eq(from, to) {
                around = around.merged(&bounds(model, thing, to));
            }
            self.around.push(around.expanded(reach));
        }
        // Pairs that were found with wider boxes serve as long as nothing leaves these.
        let known = self.wide.len() == self.around.len();
        if known && (self.wide.iter().zip(&self.around)).all(|(w, a)| w.contains(a)) {
            return;
        }
        self.seen.clear();
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
            if parties[0] == parties[1] && are_neighbours(model, &self.things[a], &self.things[b]) {
                continue;
            }
            self.candidates
                .push(Touch::new(Ends::Things(a, b), parties, stiffness, drag));
        }
        self.candidates.sort_unstable_by_key(|t| t.ends);
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
        let near = self.candidates.iter().filter(|t| match t.ends {
            Ends::Things(a, b) => self.around[a].overlaps(&self.around[b]),
            Ends::NodeAndWall { .. } => true,
        });
        near.map(move |t| t.parties.map(body))
    }

    /// Gaps and gradients at a configuration.
    pub fn evaluate(&mut self, model: &Model, poses: &[Pose]) {
        if self.seen == poses {
            return;
        }
        self.seen.clear();
        self.seen.extend_from_slice(poses);
        self.rows.clear();
        self.touches.clear();
        self.tight.clear();
        let boxes = self.things.iter().map(|thing| bounds(model, thing, poses));
        self.tight.extend(boxes);
        for t in &self.candidates {
            let Ends::Things(a, b) = t.ends else { continue };
            if !self.tight[a].overlaps(&self.tight[b]) {
                continue;
            }
            let (mut t, first) = (*t, self.rows.len());
            let things = [self.things[a], self.things[b]];
            evaluate_things(
                model,
                poses,
                things,
                &mut self.simplices,
                &mut t,
                &mut self.rows,
            );
            if t.gap < 0.0 {
                t.rows = [first, self.rows.len() - first];
                self.touches.push(t);
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
                    // Written so that what is not a number counts.
                    if gap >= 0.0 {
                        continue;
                    }
                    let ends = Ends::NodeAndWall {
                        solid: k,
                        node,
                        wall: index,
                    };
                    let parties = [k, first_wall + index];
                    let mut t = Touch::new(ends, parties, stiffness, drag);
                    (t.gap, t.point, t.normal) = (gap, x, *n);
                    t.rows = [self.rows.len(), 1];
                    self.rows.push(Row {
                        at: solid.points[node as usize],
                        slope: *n,
                    });
                    self.touches.push(t);
                }
            }
        }
    }

    /// V_A and the largest overlap.
    pub fn value(&self) -> (f64, f64) {
        let deep = self.touches.iter().filter(|t| t.gap < 0.0);
        deep.fold((0.0, 0.0), |(sum, most): (f64, f64), t| {
            (sum + 0.5 * t.stiffness * t.gap * t.gap, most.max(-t.gap))
        })
    }

    /// Overlapping pairs with their rows and the size of their force.
    fn active(&self) -> impl Iterator<Item = (&Touch, &[Row], f64)> {
        let deep = self.touches.iter().filter(|t| t.gap < 0.0);
        deep.map(|t| {
            (
                t,
                &self.rows[t.rows[0]..][..t.rows[1]],
                -t.stiffness * t.gap,
            )
        })
    }

    /// Adds −∂V_A/∂q.
    pub fn add_forces(&self, out: &mut [Covector]) {
        for (_, rows, force) in self.active() {
            for r in rows {
                if let Some(b) = r.at.body {
                    out[b.index()].add(&Covector::at_point(r.slope * force, &r.at.local), 1.0);
                }
            }
        }
    }

    /// Adds the drag of the overlapping at given velocities; returns its power.
    pub fn add_drag(&self, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) -> f64 {
        let mut power = 0.0;
        for (t, rows, _) in self.active().filter(|(t, ..)| t.drag > 0.0) {
            let rate = rate(rows, poses, twists);
            power -= t.drag * rate * rate;
            add_along(rows, poses, -t.drag * rate, out);
        }
        power
    }

    /// Power of the drag at given velocities.
    pub fn drag_power(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let dragged = self.active().filter(|(t, ..)| t.drag > 0.0);
        dragged
            .map(|(t, rows, _)| -t.drag * rate(rows, poses, twists).powi(2))
            .sum()
    }

    /// Adds half of the drag over a step as impulses on bodies at `poses`.
    pub fn add_drag_impulses(&self, poses: &[Pose], increments: &[Increment], out: &mut [Wrench]) {
        for (t, rows, _) in self.active().filter(|(t, ..)| t.drag > 0.0) {
            add_along(rows, poses, -0.5 * t.drag * moved(rows, increments), out);
        }
    }

    /// Work of the drag over a step.
    pub fn drag_work(&self, increments: &[Increment], h: f64) -> f64 {
        let dragged = self.active().filter(|(t, ..)| t.drag > 0.0);
        dragged
            .map(|(t, rows, _)| -t.drag * moved(rows, increments).powi(2) / h)
            .sum()
    }

    /// Calls `each` with two points and ∂/∂x⁺ of the impulse on the first, up to the curvature of the
    /// gap: −(h γ (1 − γ) C + ½ drag) g gᵀ.
    pub fn stiffnesses(
        &self,
        h: f64,
        gamma: f64,
        mut each: impl FnMut(&Point, &Point, &Matrix3<f64>),
    ) {
        for (t, rows, _) in self.active() {
            let k = -(h * gamma * (1.0 - gamma) * t.stiffness + 0.5 * t.drag);
            for a in rows {
                for b in rows {
                    each(&a.at, &b.at, &(a.slope * b.slope.transpose() * k));
                }
            }
        }
    }

    /// Sums up what overlaps, body by body, in the order of the bodies.
    pub fn sum_up(&mut self) {
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        for (t, rows, force) in self.active() {
            // Neighbours in the list mostly belong to the same bodies.
            let known = sums.iter().rposition(|p: &Pressing| p.key == t.parties);
            let at = known.unwrap_or_else(|| {
                sums.push(Pressing {
                    key: t.parties,
                    gap: 0.0,
                    force: Vector3::zeros(),
                    point: Vector3::zeros(),
                    weight: 0.0,
                });
                sums.len() - 1
            });
            let own = &mut sums[at];
            own.gap = own.gap.min(t.gap);
            own.force += t.normal * (slope(rows, t) * force);
            own.point += t.point * force;
            own.weight += force;
        }
        for p in &mut sums {
            p.point /= p.weight;
        }
        sums.sort_unstable_by_key(|p| p.key);
        self.sums = sums;
    }

    /// What overlaps, as it was summed up last.
    pub fn pressing(&self) -> &[Pressing] {
        &self.sums
    }

    /// The two bodies of a pair.
    pub fn parties(&self, key: [usize; 2]) -> Option<[Party; 2]> {
        Some([*self.parties.get(key[0])?, *self.parties.get(key[1])?])
    }
}

/// |∂gap/∂x| of one side.
fn slope(rows: &[Row], t: &Touch) -> f64 {
    match t.ends {
        Ends::NodeAndWall { .. } => 1.0,
        Ends::Things(..) => {
            let along = rows.iter().map(|r| r.slope.dot(&t.normal).max(0.0));
            along.sum()
        }
    }
}

impl Touch {
    fn new(ends: Ends, parties: [usize; 2], stiffness: f64, drag: f64) -> Self {
        Self {
            ends,
            parties,
            stiffness,
            drag,
            gap: f64::INFINITY,
            rows: [0; 2],
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
        }
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
    let mut apart: HashSet<[Party; 2]> = rules.excluded_solids.iter().copied().collect();
    for (k, solid) in model.solids().iter().enumerate() {
        // What is glued to a body does not collide with it.
        for body in solid.points.iter().filter_map(|p| p.body) {
            apart.insert([Party::Solid(k), Party::Body(body)]);
        }
    }
    let mut out = vec![None; parties.len() * parties.len()];
    for (i, a) in parties.iter().enumerate() {
        for (j, b) in parties.iter().enumerate().skip(i) {
            let solid = |p: &Party| matches!(p, Party::Solid(_));
            let itself = match a {
                Party::Solid(s) => i == j && model.solids()[*s].meets_itself,
                _ => false,
            };
            let meet = solid(a) && (i != j || itself);
            if !meet || apart.contains(&[*a, *b]) || apart.contains(&[*b, *a]) {
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

/// Box around a thing.
fn bounds(model: &Model, thing: &Thing, poses: &[Pose]) -> Aabb {
    match thing {
        Thing::Part { body, part } => {
            let shape = model.bodies()[*body].shape.as_ref();
            let shape = shape.expect("a part has a shape");
            Aabb::of(&shape.vertices()[*part], &poses[*body])
        }
        Thing::Element { solid, element } => {
            let solid = &model.solids()[*solid];
            let x = solid.corners(&solid.elements[*element], poses);
            Aabb {
                min: x[0].inf(&x[1]).inf(&x[2]).inf(&x[3]),
                max: x[0].sup(&x[1]).sup(&x[2]).sup(&x[3]),
            }
        }
    }
}

/// Whether two elements of one solid have a node in common.
fn are_neighbours(model: &Model, a: &Thing, b: &Thing) -> bool {
    match (a, b) {
        (
            Thing::Element { solid, element },
            Thing::Element {
                solid: other,
                element: second,
            },
        ) if solid == other => {
            let elements = &model.solids()[*solid].elements;
            let (x, y) = (&elements[*element], &elements[*second]);
            x.nodes.iter().any(|n| y.nodes.contains(n))
        }
        _ => false,
    }
}

/// Gap of two things; where it is negative, the rows of its gradient.
fn evaluate_things(
    model: &Model,
    poses: &[Pose],
    things: [Thing; 2],
    simplices: &mut [[Vertices; 2]; 2],
    t: &mut Touch,
    rows: &mut Vec<Row>,
) {
    let flat = things.iter().any(|thing| match thing {
        Thing::Element { solid, .. } => model.solids()[*solid].is_planar(),
        Thing::Part { .. } => false,
    });
    let mut places = [Pose::identity(), Pose::identity()];
    let sets = &mut simplices[usize::from(flat)];
    for ((thing, place), set) in things.iter().zip(&mut places).zip(sets.iter_mut()) {
        match thing {
            Thing::Part { body, .. } => *place = poses[*body],
            Thing::Element { solid, element } => {
                let solid = &model.solids()[*solid];
                let e = &solid.elements[*element];
                let mut x = solid.corners(e, poses);
                let n = e.corners();
                let centre = x[..n].iter().sum::<Vector3<f64>>() / n as f64;
                place.position = centre;
                x.iter_mut().for_each(|x| *x -= centre);
                set.move_points(&x[..n]);
            }
        }
    }
    let sets = &simplices[usize::from(flat)];
    let vertices = |k: usize| match &things[k] {
        Thing::Part { body, part } => {
            let shape = model.bodies()[*body].shape.as_ref();
            &shape.expect("a part has a shape").vertices()[*part]
        }
        Thing::Element { .. } => &sets[k],
    };
    let (va, vb) = (vertices(0), vertices(1));
    let means = [places[0].point(va.mean()), places[1].point(vb.mean())];
    let beta = centre_direction(&means[0], &means[1], flat);
    let (a, b) = (Posed::new(va, &places[0]), Posed::new(vb, &places[1]));
    let g = gap(a, b, beta, &mut None);
    t.gap = g.contact.gap;
    if g.status == Status::Unbounded || t.gap >= 0.0 {
        t.gap = t.gap.max(0.0);
        return;
    }
    let contact = match is_unique(&g, a, b) {
        true => g.contact,
        false => symmetric_contact(&g, a, b).map_or(g.contact, |(c, _)| c),
    };
    t.point = (contact.point_a + contact.point_b) * 0.5;
    t.normal = contact.normal();
    let spread = (means[0] - means[1]).norm();
    let along = turn_of_direction(&beta, &contact.alpha, contact.gap, spread);
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        add_rows(
            model,
            &things[k],
            &sets[k],
            &contact,
            k,
            &(along * sign),
            sign,
            rows,
        );
    }
}

/// Shares ∂gap/∂x of one side out to the points it is made of.
#[allow(clippy::too_many_arguments)]
fn add_rows(
    model: &Model,
    thing: &Thing,
    set: &Vertices,
    contact: &Contact,
    side: usize,
    along: &Vector3<f64>,
    sign: f64,
    rows: &mut Vec<Row>,
) {
    let local = [&contact.local_a, &contact.local_b][side];
    match thing {
        Thing::Part { body, part } => {
            let body_ref = &model.bodies()[*body];
            if !body_ref.moves() {
                return;
            }
            let body = Some(crate::model::BodyId(*body as u32));
            let shape = body_ref.shape.as_ref().expect("a part has a shape");
            let mean = *shape.vertices()[*part].mean();
            rows.push(Row {
                at: Point {
                    body,
                    local: *local,
                },
                slope: contact.alpha * sign,
            });
            rows.push(Row {
                at: Point { body, local: mean },
                slope: *along,
            });
        }
        Thing::Element { solid, element } => {
            let solid = &model.solids()[*solid];
            let e = &solid.elements[*element];
            let n = e.corners();
            let weights = weights(set.points(), local);
            for (k, w) in weights.iter().enumerate().take(n) {
                rows.push(Row {
                    at: solid.points[e.nodes[k] as usize],
                    slope: contact.alpha * (sign * w) + along / n as f64,
                });
            }
        }
    }
}

/// Coordinates of a point in a simplex: they sum to one, and give the point.
fn weights(x: &[Vector3<f64>], point: &Vector3<f64>) -> [f64; 4] {
    let rest = point - x[0];
    let edges = match x.len() {
        4 => Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]),
        _ => Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], Vector3::z()]),
    };
    let w = edges
        .try_inverse()
        .map_or(Vector3::repeat(0.25), |m| m * rest);
    [
        1.0 - w.x - w.y - if x.len() == 4 { w.z } else { 0.0 },
        w.x,
        w.y,
        w.z,
    ]
}

/// Rate of a gap.
fn rate(rows: &[Row], poses: &[Pose], twists: &[Twist]) -> f64 {
    let each = rows.iter().filter_map(|r| Some((r, r.at.body?)));
    each.map(|(r, b)| {
        let (pose, t) = (&poses[b.index()], &twists[b.index()]);
        let v = t.v + t.w.cross(&(pose.directors * r.at.local));
        r.slope.dot(&v)
    })
    .sum()
}

/// ⟨∇gap, q⁺ − q⟩.
fn moved(rows: &[Row], increments: &[Increment]) -> f64 {
    let each = rows.iter().filter_map(|r| Some((r, r.at.body?)));
    each.map(|(r, b)| {
        let i = &increments[b.index()];
        r.slope.dot(&(i.shift + i.directors * r.at.local))
    })
    .sum()
}

/// Adds a multiple of a gap's gradient as wrenches on bodies at `poses`.
fn add_along(rows: &[Row], poses: &[Pose], factor: f64, out: &mut [Wrench]) {
    for r in rows {
        if let Some(b) = r.at.body {
            let f = r.slope * factor;
            out[b.index()].force += f;
            out[b.index()].torque += (poses[b.index()].directors * r.at.local).cross(&f);
        }
    }
}
