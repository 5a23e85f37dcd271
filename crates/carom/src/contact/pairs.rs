//! What collides, and pairs of it.

use nalgebra::Vector3;

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

    /// The names of the two sides of a pair, for the record.
    pub fn names(&self, model: &Model) -> [String; 2] {
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
        match self {
            Pair::Bodies(a, b) => [of(a), of(b)],
            Pair::Elastic(sides) => sides.map(|side| match side {
                Party::Solid(s) => model.solids()[s].name.clone(),
                Party::Body(b) => model.body(b).name.clone(),
                Party::Wall(w) => model.contact().walls[w].name.clone(),
            }),
            Pair::JointLimit { joint, sign, .. } => {
                [model.joints()[*joint].name.clone(), side(*sign)]
            }
            Pair::CoordinateLimit {
                coordinate, sign, ..
            } => {
                let l = &model.linkages()[model.linkage_of(*coordinate)];
                let name = &l.spec.coordinates[coordinate - l.first].name;
                [format!("{}.{name}", l.spec.name), side(*sign)]
            }
        }
    }
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
