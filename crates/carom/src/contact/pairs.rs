//! Colliders of a model and the pairs that may meet during a motion.

use std::collections::HashMap;

use carom_gap::gap::Basis;
use carom_gap::{Aabb, BroadPhase, Membership, Pose};
use nalgebra::Vector3;

use crate::model::{BodyId, BodyKind, Model, Touching};

/// Something that collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collider {
    /// A convex part of a body's shape.
    Part {
        /// The body.
        body: BodyId,
        /// Index of the part.
        part: usize,
    },
    /// A particle with its radius.
    Bead {
        /// The particle.
        body: BodyId,
    },
    /// A half-space of the model.
    Wall {
        /// Its index.
        index: usize,
    },
}

/// Two things whose gap must not become negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pair {
    /// Two colliders; a wall is always second.
    Bodies(Collider, Collider),
    /// A joint coordinate and its limit.
    JointLimit {
        /// Index of the joint in the tree.
        joint: usize,
        /// Index of its coordinate.
        coordinate: usize,
        /// Value of the limit.
        bound: f64,
        /// 1 for a lower limit, −1 for an upper one.
        sign: f64,
    },
    /// A linkage coordinate and its limit.
    CoordinateLimit {
        /// Index among the coordinates of all linkages.
        coordinate: usize,
        /// Value of the limit.
        bound: f64,
        /// 1 for a lower limit, −1 for an upper one.
        sign: f64,
    },
}

impl Pair {
    /// What the two sides are where no feature says more.
    pub fn sides(&self) -> [&'static str; 2] {
        let of = |c: &Collider| match c {
            Collider::Part { .. } => "part",
            Collider::Bead { .. } => "bead",
            Collider::Wall { .. } => "wall",
        };
        match self {
            Pair::Bodies(a, b) => [of(a), of(b)],
            Pair::JointLimit { .. } => ["joint", "limit"],
            Pair::CoordinateLimit { .. } => ["coordinate", "limit"],
        }
    }
}

/// Finds candidate pairs; remembers the last basis of each.
pub struct Detector {
    colliders: Vec<Collider>,
    broad: BroadPhase,
    ids: Vec<u32>,
    by_id: HashMap<u32, usize>,
    limits: Vec<Pair>,
    found: Vec<(u32, u32)>,
    bases: HashMap<(u32, u32), Basis>,
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
        for (k, body) in model.bodies().iter().enumerate() {
            let id = BodyId(k as u32);
            if let BodyKind::Particle { .. } = body.kind {
                colliders.push(Collider::Bead { body: id });
            } else if let Some(shape) = &body.shape {
                colliders.extend(
                    (0..shape.vertices().len()).map(|part| Collider::Part { body: id, part }),
                );
            }
        }
        colliders.extend((0..model.contact().walls.len()).map(|index| Collider::Wall { index }));

        let mut broad = BroadPhase::new(0.0);
        let world = model.bodies().len() as u32;
        let mut ids = Vec::new();
        let mut by_id = HashMap::new();
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
                    broad.insert(Membership::of_body(owner), &bounds(model, c, &start))
                }
            };
            ids.push(id);
            by_id.insert(id, k);
        }
        for joint in model.joints().iter().chain(model.closures()) {
            if let Some(p) = joint.parent.filter(|_| !joint.collide) {
                broad.exclude(p.0, joint.child.0);
            }
        }
        for [a, b] in &model.contact().excluded {
            broad.exclude(a.0, b.0);
        }
        Self {
            colliders,
            broad,
            ids,
            by_id,
            limits: limits(model),
            found: Vec::new(),
            bases: HashMap::new(),
        }
    }

    /// Whether anything can collide at all.
    pub fn is_empty(&self) -> bool {
        self.colliders.len() < 2 && self.limits.is_empty()
    }

    /// Pairs that may meet on the way between two configurations, in a fixed order. `reach` widens
    /// the boxes for what the path between them bulges out.
    pub fn candidates(
        &mut self,
        model: &Model,
        from: &[Pose],
        to: &[Pose],
        reach: f64,
        out: &mut Vec<(Pair, (u32, u32))>,
    ) {
        for (k, c) in self.colliders.iter().enumerate() {
            if !matches!(c, Collider::Wall { .. }) {
                let swept = bounds(model, c, from)
                    .merged(&bounds(model, c, to))
                    .expanded(reach);
                self.broad.update(self.ids[k], &swept);
            }
        }
        self.broad.pairs(&mut self.found);
        out.clear();
        for &(a, b) in &self.found {
            let (mut x, mut y) = (
                self.colliders[self.by_id[&a]],
                self.colliders[self.by_id[&b]],
            );
            if matches!(x, Collider::Wall { .. }) {
                std::mem::swap(&mut x, &mut y);
            }
            if let (Collider::Part { body, .. } | Collider::Bead { body }, Collider::Wall { index }) =
                (&x, &y)
                && model.contact().excluded_walls.contains(&(*body, *index))
            {
                continue;
            }
            out.push((Pair::Bodies(x, y), (a, b)));
        }
        for (k, limit) in self.limits.iter().enumerate() {
            out.push((*limit, (u32::MAX, k as u32)));
        }
    }

    /// The names of the two sides of a pair, for the record.
    pub fn names(model: &Model, pair: &Pair) -> [String; 2] {
        let of = |c: &Collider| match c {
            Collider::Part { body, .. } | Collider::Bead { body } => model.body(*body).name.clone(),
            Collider::Wall { index } => model.contact().walls[*index].name.clone(),
        };
        let side = |sign: f64| {
            if sign > 0.0 {
                "lower limit"
            } else {
                "upper limit"
            }
            .to_string()
        };
        match pair {
            Pair::Bodies(a, b) => [of(a), of(b)],
            Pair::JointLimit { joint, sign, .. } => {
                [model.joints()[*joint].name.clone(), side(*sign)]
            }
            Pair::CoordinateLimit {
                coordinate, sign, ..
            } => {
                let l = model
                    .linkages()
                    .iter()
                    .rev()
                    .find(|l| l.first <= *coordinate);
                let name = l.map_or(String::new(), |l| {
                    format!(
                        "{}.{}",
                        l.spec.name,
                        l.spec.coordinates[coordinate - l.first].name
                    )
                });
                [name, side(*sign)]
            }
        }
    }

    /// Restitution, friction and law of a pair; limits are of the default material.
    pub fn surface(model: &Model, pair: &Pair) -> Touching {
        let material = |c: &Collider| match c {
            Collider::Part { body, .. } | Collider::Bead { body } => {
                model.body(*body).material.as_deref()
            }
            Collider::Wall { index } => model.contact().walls[*index].material.as_deref(),
        };
        match pair {
            Pair::Bodies(a, b) => model.contact().between(material(a), material(b)),
            _ => model.contact().between(None, None),
        }
    }

    /// The last basis of a pair.
    pub fn basis(&self, key: (u32, u32)) -> Option<Basis> {
        self.bases.get(&key).copied()
    }

    /// Remembers the basis of a pair.
    pub fn remember(&mut self, key: (u32, u32), basis: Option<Basis>) {
        if let Some(b) = basis {
            self.bases.insert(key, b);
        }
    }
}

fn limits(model: &Model) -> Vec<Pair> {
    let mut out = Vec::new();
    for (j, joint) in model.joints().iter().enumerate() {
        for (coordinate, limit) in joint.limits.iter().enumerate() {
            if let Some([low, high]) = *limit {
                for (bound, sign) in [(low, 1.0), (high, -1.0)] {
                    if f64::is_finite(bound) {
                        out.push(Pair::JointLimit {
                            joint: j,
                            coordinate,
                            bound,
                            sign,
                        });
                    }
                }
            }
        }
    }
    for l in model.linkages() {
        for (k, c) in l.spec.coordinates.iter().enumerate() {
            if let Some([low, high]) = c.limits {
                for (bound, sign) in [(low, 1.0), (high, -1.0)] {
                    if f64::is_finite(bound) {
                        out.push(Pair::CoordinateLimit {
                            coordinate: l.first + k,
                            bound,
                            sign,
                        });
                    }
                }
            }
        }
    }
    out
}

/// Box around a collider.
fn bounds(model: &Model, c: &Collider, poses: &[Pose]) -> Aabb {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            Aabb::of(
                &shape.expect("a part collider has a shape").vertices()[*part],
                &poses[body.index()],
            )
        }
        Collider::Bead { body } => {
            let r = Vector3::repeat(model.body(*body).radius);
            let x = poses[body.index()].position;
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
