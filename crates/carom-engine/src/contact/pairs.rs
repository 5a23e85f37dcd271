//! What collides, and pairs of it.

use std::hash::{Hash, Hasher};

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::exclusions::Exclusions;
use crate::mechanics::Parts;
use crate::model::{Belt, BodyId, Model, Party};

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

impl Collider {
    /// What it is a part of.
    pub fn side(&self) -> Side {
        match self {
            Collider::Part { body, .. } | Collider::Bead { body } => Side::Body(*body),
            Collider::Wall { index } => Side::Wall(*index),
        }
    }

    /// The pose of its body among those of all; that of walls is the origin.
    pub fn pose<'a>(&self, poses: &'a [Pose]) -> &'a Pose {
        body_of(self).map_or(&STILL, |body| &poses[body.index()])
    }
}

/// Where half-spaces are.
static STILL: Pose = Pose {
    position: Vector3::new(0.0, 0.0, 0.0),
    directors: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

/// The body a collider belongs to.
pub fn body_of(c: &Collider) -> Option<BodyId> {
    match c {
        Collider::Part { body, .. } | Collider::Bead { body } => Some(*body),
        Collider::Wall { .. } => None,
    }
}

/// Two things whose gap must not become negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pair {
    /// Two colliders; a wall is always second.
    Bodies(Collider, Collider),
    /// Two bodies of which one is elastic: all elements that touch.
    Elastic([Party; 2]),
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

/// Bounds are numbers, and keys of tables.
impl Eq for Pair {}

impl Hash for Pair {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Pair::Bodies(a, b) => (0, a, b).hash(state),
            Pair::Elastic(sides) => (1, sides).hash(state),
            Pair::JointLimit {
                joint, coordinate, ..
            } => (2, joint, coordinate).hash(state),
            Pair::CoordinateLimit { coordinate, .. } => (3, coordinate).hash(state),
        }
    }
}

impl Pair {
    /// Its two colliders; none of elastic bodies and limits.
    pub fn colliders(&self) -> Option<[Collider; 2]> {
        match self {
            Pair::Bodies(a, b) => Some([*a, *b]),
            _ => None,
        }
    }

    /// The bodies of its two colliders; none of walls.
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        self.colliders()
            .map_or([None; 2], |c| c.map(|c| body_of(&c)))
    }

    /// Poses of its two colliders among those of all bodies.
    pub fn poses<'a>(&self, poses: &'a [Pose]) -> [&'a Pose; 2] {
        self.colliders()
            .map_or([&STILL; 2], |c| c.map(|c| c.pose(poses)))
    }

    /// The same pair with its colliders exchanged.
    pub(crate) fn exchanged(&self) -> Self {
        match *self {
            Pair::Bodies(a, b) => Pair::Bodies(b, a),
            other => other,
        }
    }

    /// What the two sides are where no feature says more.
    pub fn sides(&self) -> [&'static str; 2] {
        let of = |c: &Collider| match c {
            Collider::Part { .. } => "part",
            Collider::Bead { .. } => "bead",
            Collider::Wall { .. } => "wall",
        };
        match self {
            Pair::Bodies(a, b) => [of(a), of(b)],
            Pair::Elastic(sides) => sides.map(|side| match side {
                Party::Solid(_) => "surface",
                Party::Body(_) => "part",
                Party::Wall(_) => "wall",
            }),
            Pair::JointLimit { .. } => ["joint", "limit"],
            Pair::CoordinateLimit { .. } => ["coordinate", "limit"],
        }
    }

    /// How fast the surface of the first moves over it less that of the second, at a place; `None` if
    /// neither does.
    pub fn belt(&self, model: &Model, place: &Vector3<f64>) -> Option<Vector3<f64>> {
        let Pair::Bodies(a, b) = self else {
            return None;
        };
        let of = |c: &Collider| match c {
            Collider::Wall { index } => model.contact().walls[*index].belt,
            _ => body_of(c).and_then(|b| model.body(b).belt),
        };
        match (of(a), of(b)) {
            (None, None) => None,
            (x, y) => {
                let speed = |belt: Option<Belt>| belt.map_or(Vector3::zeros(), |b| b.at(place));
                Some(speed(x) - speed(y))
            }
        }
    }

    /// Who the two sides are.
    pub fn who(&self) -> [Side; 2] {
        let limit = |sign: f64| match sign > 0.0 {
            true => Side::LowerLimit,
            false => Side::UpperLimit,
        };
        match self {
            Pair::Bodies(a, b) => [a.side(), b.side()],
            Pair::Elastic(sides) => sides.map(Side::from),
            Pair::JointLimit { joint, sign, .. } => [Side::Joint(*joint), limit(*sign)],
            Pair::CoordinateLimit {
                coordinate, sign, ..
            } => [Side::Coordinate(*coordinate), limit(*sign)],
        }
    }

    /// What its sides belong to, of some parts of the model; `usize::MAX` for what does not move.
    pub(crate) fn parts(&self, model: &Model, parts: &Parts) -> [usize; 2] {
        let of = |body: BodyId| parts.of_body(body.index());
        match self {
            Pair::Bodies(a, b) => [a, b].map(|c| body_of(c).map_or(usize::MAX, of)),
            // Potentials know no impulses, and no units.
            Pair::Elastic(_) => [usize::MAX; 2],
            Pair::JointLimit { joint, .. } => [of(model.joints()[*joint].child), usize::MAX],
            Pair::CoordinateLimit { coordinate, .. } => {
                [parts.of_coordinate(*coordinate), usize::MAX]
            }
        }
    }

    /// The names of the two sides of a pair, for the record.
    pub fn names(&self, model: &Model) -> [String; 2] {
        self.who().map(|side| side.name(model))
    }
}

/// One side of a pair as a whole, whichever part of it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// A rigid body, a static one or a particle.
    Body(BodyId),
    /// An elastic body, by its place among [`Model::solids`].
    Solid(usize),
    /// A half-space, by its place among the walls.
    Wall(usize),
    /// A joint of the tree, against one of its limits.
    Joint(usize),
    /// A coordinate of a linkage, against one of its limits.
    Coordinate(usize),
    /// Its lower limit.
    LowerLimit,
    /// Its upper limit.
    UpperLimit,
}

impl From<Party> for Side {
    fn from(party: Party) -> Self {
        match party {
            Party::Solid(s) => Side::Solid(s),
            Party::Body(b) => Side::Body(b),
            Party::Wall(w) => Side::Wall(w),
        }
    }
}

impl Side {
    /// Its name, for the record.
    pub fn name(&self, model: &Model) -> String {
        match *self {
            Side::Body(b) => model.body(b).name.clone(),
            Side::Solid(s) => model.solids()[s].name.clone(),
            Side::Wall(w) => model.contact().walls[w].name.clone(),
            Side::Joint(j) => model.joints()[j].name.clone(),
            Side::Coordinate(coordinate) => {
                let l = &model.linkages()[model.linkage_of(coordinate)];
                let name = &l.spec.coordinates[coordinate - l.first].name;
                format!("{}.{name}", l.spec.name)
            }
            Side::LowerLimit => "lower limit".into(),
            Side::UpperLimit => "upper limit".into(),
        }
    }
}

/// Whether a body has colliders: it is a particle or has a shape, is no sensor, and no node of an elastic body, which
/// touches with its elements.
pub fn collides(model: &Model, body: BodyId) -> bool {
    let (k, own) = (body.index(), model.body(body));
    model.solid_of(k).is_none() && !own.sensor && (model.is_particle(body) || own.shape.is_some())
}

/// The colliders that a body is made of, if it collides.
pub fn colliders_of(model: &Model, body: BodyId) -> impl Iterator<Item = Collider> + use<> {
    let bead = model.is_particle(body);
    let shape = model.body(body).shape.as_ref().filter(|_| !bead);
    let parts = 0..shape.map_or(0, |s| s.vertices().len());
    let parts = parts.map(move |part| Collider::Part { body, part });
    parts.chain(bead.then_some(Collider::Bead { body }))
}

/// Everything that can collide, as sides: bodies (no nodes of elastic ones), elastic bodies, walls.
pub fn colliding_sides(model: &Model) -> Vec<Side> {
    let bodies = (0..model.bodies().len()).map(|k| BodyId(k as u32));
    let bodies = bodies.filter(|b| collides(model, *b)).map(Side::Body);
    let solids = (0..model.solids().len()).map(Side::Solid);
    let walls = (0..model.contact().walls.len()).map(Side::Wall);
    bodies.chain(solids).chain(walls).collect()
}

/// Pairs of sides that may meet, in their order; `None` if there are more than `most`.
pub fn possible_pairs(model: &Model, most: usize) -> Option<Vec<[Side; 2]>> {
    let sides = colliding_sides(model);
    let exclusions = Exclusions::new(model);
    let mut out = Vec::new();
    for (k, a) in sides.iter().enumerate() {
        for b in sides[k + 1..]
            .iter()
            .filter(|b| exclusions.may_meet(*a, **b))
        {
            if out.len() == most {
                return None;
            }
            out.push([*a, *b]);
        }
    }
    Some(out)
}

/// Names a pair for good.
pub type Key = (u32, u32);

/// All limits of a model.
pub(super) fn limits(model: &Model) -> Vec<Pair> {
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
