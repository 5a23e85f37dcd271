//! Colliders of a model and the pairs that may meet during a motion.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use carom_gap::gap::Basis;
use carom_gap::{Aabb, BroadPhase, Membership, Pose};
use nalgebra::Vector3;

use super::manifold::body_of;
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

/// Names a pair for good.
pub type Key = (u32, u32);

/// Mixes the two numbers of a key; keys are no secret.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u32(u32::from(*b)));
    }

    fn write_u32(&mut self, n: u32) {
        let mixed = (self.0.rotate_left(26) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// What happens between any two materials, looked up once.
#[derive(Debug)]
struct Surfaces {
    /// Material of each body and wall; 0 is the default.
    bodies: Vec<usize>,
    walls: Vec<usize>,
    table: Vec<Touching>,
    count: usize,
}

impl Surfaces {
    fn new(model: &Model) -> Self {
        let rules = model.contact();
        let index = |name: Option<&str>| {
            let known = name.and_then(|n| rules.materials.iter().position(|m| m.name == n));
            known.map_or(0, |k| k + 1)
        };
        let count = rules.materials.len() + 1;
        let name = |k: usize| (k > 0).then(|| rules.materials[k - 1].name.as_str());
        let table = (0..count * count)
            .map(|k| rules.between(name(k / count), name(k % count)))
            .collect();
        let bodies = model.bodies().iter();
        let walls = rules.walls.iter();
        Self {
            bodies: bodies.map(|b| index(b.material.as_deref())).collect(),
            walls: walls.map(|w| index(w.material.as_deref())).collect(),
            table,
            count,
        }
    }

    fn of(&self, pair: &Pair) -> Touching {
        let material = |c: &Collider| match c {
            Collider::Part { body, .. } | Collider::Bead { body } => self.bodies[body.index()],
            Collider::Wall { index } => self.walls[*index],
        };
        let [a, b] = match pair {
            Pair::Bodies(a, b) => [material(a), material(b)],
            _ => [0, 0],
        };
        self.table[a * self.count + b]
    }
}

/// Finds candidate pairs; remembers the last basis of each.
pub struct Detector {
    colliders: Vec<Collider>,
    broad: BroadPhase,
    ids: Vec<u32>,
    /// Collider of each id.
    by_id: Vec<usize>,
    surfaces: Surfaces,
    limits: Vec<Pair>,
    excluded_walls: HashSet<(BodyId, usize)>,
    found: Vec<(u32, u32)>,
    bases: HashMap<Key, Basis, BuildHasherDefault<KeyHasher>>,
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
            surfaces: Surfaces::new(model),
            limits: limits(model),
            excluded_walls: model.contact().excluded_walls.iter().copied().collect(),
            found: Vec::new(),
            bases: HashMap::default(),
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
        for (k, c) in self.colliders.iter().enumerate() {
            let Some(body) = body_of(c) else { continue };
            let (start, end) = (&from[body.index()], &to[body.index()]);
            let mut swept = bounds(model, c, start);
            if start != end {
                swept = swept.merged(&bounds(model, c, end));
            }
            // A turning body bulges out of the boxes at its ends by less than its reach times θ²/8,
            // and |ΔD|² ≈ 2 θ².
            let reach = match c {
                Collider::Part { part, .. } => {
                    let shape = model.body(body).shape.as_ref();
                    shape.map_or(0.0, |s| s.vertices()[*part].reach())
                }
                _ => 0.0,
            };
            let turned = (end.directors - start.directors).norm_squared();
            let bulge = margin + reach * turned * 0.08;
            self.broad.update(self.ids[k], &swept.expanded(bulge));
        }
        self.broad.pairs(&mut self.found);
        out.clear();
        for &(a, b) in &self.found {
            let (mut x, mut y) = (
                self.colliders[self.by_id[a as usize]],
                self.colliders[self.by_id[b as usize]],
            );
            if matches!(x, Collider::Wall { .. }) {
                std::mem::swap(&mut x, &mut y);
            }
            if let (Collider::Part { body, .. } | Collider::Bead { body }, Collider::Wall { index }) =
                (&x, &y)
                && self.excluded_walls.contains(&(*body, *index))
            {
                continue;
            }
            out.push((Pair::Bodies(x, y), (a, b)));
        }
        for (k, limit) in self.limits.iter().enumerate() {
            out.push((*limit, (u32::MAX, k as u32)));
        }
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
    pub fn surface(&self, pair: &Pair) -> Touching {
        self.surfaces.of(pair)
    }

    /// The last basis of a pair.
    pub fn basis(&self, key: Key) -> Option<Basis> {
        self.bases.get(&key).copied()
    }

    /// The bases of all pairs, in the order of their keys.
    pub fn bases(&self) -> Vec<(Key, Basis)> {
        let mut out: Vec<(Key, Basis)> = self.bases.iter().map(|(k, b)| (*k, *b)).collect();
        out.sort_unstable_by_key(|(key, _)| *key);
        out
    }

    /// Remembers the basis of a pair.
    pub fn remember(&mut self, key: Key, basis: Option<Basis>) {
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
fn bounds(model: &Model, c: &Collider, pose: &Pose) -> Aabb {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            Aabb::of(
                &shape.expect("a part collider has a shape").vertices()[*part],
                pose,
            )
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
