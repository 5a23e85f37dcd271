//! Candidate pairs of a motion.

use std::sync::Arc;

use carom_gap::{Aabb, BroadPhase, Membership, Pose};
use nalgebra::Vector3;

use super::exclusions::Exclusions;
use super::pairs::{Collider, Key, Pair, body_of, colliders_of, collides, limits};
use super::room::{Way, reach_of};
use super::surfaces::Surfaces;
use crate::model::{BodyId, BodyKind, Model, Touching};

/// Finds candidate pairs.
pub struct Detector {
    colliders: Vec<Collider>,
    broad: BroadPhase,
    ids: Vec<u32>,
    /// Collider of each id.
    by_id: Vec<usize>,
    surfaces: Arc<Surfaces>,
    limits: Vec<Pair>,
    exclusions: Exclusions,
    found: Vec<(u32, u32)>,
    /// Ids of boxes that were widened.
    wider: Vec<u32>,
    /// Boxes the candidates were looked for in, and the colliders of each body.
    boxes: Vec<Aabb>,
    /// Boxes around each collider where it began and ended its way last.
    ends: Vec<[(Pose, Aabb); 2]>,
    of_body: Vec<std::ops::Range<usize>>,
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Detector({} colliders, {} limits)",
            self.colliders.len(),
            self.limits.len()
        )
    }
}

impl Detector {
    /// Colliders of a model at its start.
    pub fn new(model: &Model) -> Self {
        let mut colliders = Vec::new();
        for k in 0..model.bodies().len() {
            let body = BodyId(k as u32);
            if collides(model, body) {
                colliders.extend(colliders_of(model, body));
            }
        }
        colliders.extend((0..model.contact().walls.len()).map(|index| Collider::Wall { index }));

        let mut of_body = vec![0..0; model.bodies().len()];
        for (k, c) in colliders.iter().enumerate() {
            if let Some(b) = body_of(c) {
                let range = &mut of_body[b.index()];
                let from = if range.end == 0 { k } else { range.start };
                *range = from..k + 1;
            }
        }
        let mut broad = BroadPhase::new(0.0);
        let world = model.bodies().len() as u32;
        let mut ids = Vec::new();
        let mut by_id = Vec::new();
        let start: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        for (k, c) in colliders.iter().enumerate() {
            let id = match c {
                Collider::Wall { index } => {
                    let half_space = &model.contact().walls[*index].half_space;
                    broad.insert_half_space(
                        Membership::of_body(world),
                        *half_space.normal(),
                        half_space.offset(),
                    )
                }
                Collider::Part { body, .. } | Collider::Bead { body } => {
                    let still = model.body(*body).kind == BodyKind::Static;
                    // All static bodies count as one: they never meet each other or a wall.
                    let owner = if still { world } else { body.0 };
                    broad.insert(
                        Membership::of_body(owner),
                        &bounds(model, c, &start[body.index()]),
                    )
                }
            };
            ids.push(id);
            if by_id.len() <= id as usize {
                by_id.resize(id as usize + 1, 0);
            }
            by_id[id as usize] = k;
        }
        let exclusions = Exclusions::new(model);
        for [a, b] in exclusions.bodies() {
            broad.exclude(a.0, b.0);
        }
        Self {
            colliders,
            broad,
            ids,
            by_id,
            surfaces: Arc::new(Surfaces::new(model)),
            limits: limits(model),
            exclusions,
            found: Vec::new(),
            wider: Vec::new(),
            boxes: Vec::new(),
            ends: Vec::new(),
            of_body,
        }
    }

    /// Whether anything can collide at all.
    pub fn is_empty(&self) -> bool {
        self.colliders.len() < 2 && self.limits.is_empty()
    }

    /// Pairs that may meet on the way between two configurations, in a fixed order; `margin` widens
    /// all boxes.
    pub fn candidates(
        &mut self,
        model: &Model,
        from: &[Pose],
        to: &[Pose],
        margin: f64,
        out: &mut Vec<(Pair, Key)>,
    ) {
        self.candidates_around(model, from, to, margin, 0.0, out);
    }

    /// The same, where the box of a body is widened by `spread` times its way too.
    pub fn candidates_around(
        &mut self,
        model: &Model,
        from: &[Pose],
        to: &[Pose],
        margin: f64,
        spread: f64,
        out: &mut Vec<(Pair, Key)>,
    ) {
        let nowhere = Aabb {
            min: Vector3::zeros(),
            max: Vector3::zeros(),
        };
        self.boxes.resize(self.colliders.len(), nowhere);
        let unknown = Pose {
            position: Vector3::repeat(f64::NAN),
            ..Pose::identity()
        };
        let ends = [(unknown, nowhere); 2];
        self.ends.resize(self.colliders.len(), ends);
        for k in 0..self.colliders.len() {
            let Some(body) = body_of(&self.colliders[k]) else {
                continue;
            };
            let (start, end) = (&from[body.index()], &to[body.index()]);
            let (swept, way) = self.swept(model, k, start, end, margin);
            self.boxes[k] = swept.expanded(spread * way);
            self.broad.update(self.ids[k], &self.boxes[k]);
        }
        self.list(out);
    }

    /// Widens the boxes of some bodies that go other ways than was thought, and lists the pairs of these. False,
    /// and `out` left alone, if they were wide enough.
    pub fn widen(
        &mut self,
        model: &Model,
        bodies: impl Iterator<Item = usize>,
        from: &[Pose],
        to: &[Pose],
        margin: f64,
        out: &mut Vec<(Pair, Key)>,
    ) -> bool {
        self.wider.clear();
        for b in bodies {
            for k in self.of_body[b].clone() {
                let (swept, way) = self.swept(model, k, &from[b], &to[b], margin);
                if !self.boxes[k].contains(&swept) {
                    self.boxes[k] = self.boxes[k].merged(&swept.expanded(way));
                    self.broad.update(self.ids[k], &self.boxes[k]);
                    self.wider.push(self.ids[k]);
                }
            }
        }
        if self.wider.is_empty() {
            return false;
        }
        self.broad.pairs_of(&self.wider, &mut self.found);
        self.list_found(out);
        true
    }

    /// All pairs of boxes that meet, and all limits.
    fn list(&mut self, out: &mut Vec<(Pair, Key)>) {
        self.broad.pairs(&mut self.found);
        self.list_found(out);
        for (k, limit) in self.limits.iter().enumerate() {
            out.push((*limit, (u32::MAX, k as u32)));
        }
    }

    /// The pairs the broad phase found.
    fn list_found(&self, out: &mut Vec<(Pair, Key)>) {
        out.clear();
        for &(a, b) in &self.found {
            let (mut x, mut y) = (
                self.colliders[self.by_id[a as usize]],
                self.colliders[self.by_id[b as usize]],
            );
            if matches!(x, Collider::Wall { .. }) {
                std::mem::swap(&mut x, &mut y);
            }
            // What stands still is one body to the broad phase, which cannot tell pairs with a particular one.
            let sides = [x.side(), y.side()];
            if sides.iter().any(|s| self.exclusions.stands_still(*s))
                && self.exclusions.keep_apart(sides[0], sides[1])
            {
                continue;
            }
            out.push((Pair::Bodies(x, y), (a, b)));
        }
    }

    /// Box around a collider on its way, and the length of that way.
    fn swept(
        &mut self,
        model: &Model,
        k: usize,
        start: &Pose,
        end: &Pose,
        margin: f64,
    ) -> (Aabb, f64) {
        let c = &self.colliders[k];
        // Where one way ends the next begins, mostly.
        let ends = &mut self.ends[k];
        if ends[0].0 != *start {
            ends[0] = match ends[1].0 == *start {
                true => ends[1],
                false => (*start, bounds(model, c, start)),
            };
        }
        if start == end {
            return (ends[0].1.expanded(margin), 0.0);
        }
        if ends[1].0 != *end {
            ends[1] = (*end, bounds(model, c, end));
        }
        let swept = ends[0].1.merged(&ends[1].1);
        let reach = reach_of(model, c);
        // A turning body bulges out of the boxes at its ends by less than its reach times θ²/8, and
        // |ΔD|² ≈ 2 θ².
        let turned = (end.directors - start.directors).norm_squared();
        let way = Way::between(start, end, reach).length();
        (swept.expanded(margin + reach * turned * 0.08), way)
    }

    /// The pair a key names.
    pub fn pair(&self, key: Key) -> Option<Pair> {
        if key.0 == u32::MAX {
            return self.limits.get(key.1 as usize).copied();
        }
        let of = |id: u32| {
            let at = self.by_id.get(id as usize)?;
            self.colliders.get(*at).copied()
        };
        let (a, b) = (of(key.0)?, of(key.1)?);
        Some(match a {
            Collider::Wall { .. } => Pair::Bodies(b, a),
            _ => Pair::Bodies(a, b),
        })
    }

    /// The names of the two sides of a pair, for the record.
    pub fn names(model: &Model, pair: &Pair) -> [String; 2] {
        pair.names(model)
    }

    /// What happens between materials.
    pub fn surfaces(&self) -> &Arc<Surfaces> {
        &self.surfaces
    }

    /// Restitution, friction and law of a pair; limits are of the default material.
    pub fn surface(&self, pair: &Pair) -> Touching {
        self.surfaces.of(pair)
    }
}

/// Box around a collider.
fn bounds(model: &Model, c: &Collider, pose: &Pose) -> Aabb {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            let shape = shape.expect("a part collider has a shape");
            shape.aabb(*part, pose)
        }
        Collider::Bead { body } => {
            let r = Vector3::repeat(model.body(*body).radius);
            let x = pose.position;
            Aabb {
                min: x - r,
                max: x + r,
            }
        }
        Collider::Wall { .. } => Aabb {
            min: Vector3::zeros(),
            max: Vector3::zeros(),
        },
    }
}
