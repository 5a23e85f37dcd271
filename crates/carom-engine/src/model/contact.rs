//! What bodies collide with and how: half-spaces, materials, pairs that never meet.

use carom_gap::gap::HalfSpace;
use nalgebra::Vector3;

use super::{BodyId, Law};

/// Surface properties. Two materials combine to those of their contact by [`Combine`].
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// Restitution e ∈ [0, 1].
    pub restitution: f64,
    /// Coulomb friction μ ≥ 0.
    pub friction: f64,
    /// Friction of what sticks, at least μ; μ if not given.
    pub static_friction: Option<f64>,
    /// Rolling friction, a length in m: the torque against rolling is at most this times the force.
    pub rolling: f64,
    /// Torsional friction, a length in m: the same about the normal.
    pub torsional: f64,
    /// A direction along which it rubs otherwise.
    pub grain: Option<Grain>,
}

/// A direction of a surface along which friction is another than across it: wood, a skate, a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Unit vector in the frame of the body, of the world for half-spaces.
    pub direction: Vector3<f64>,
    /// Friction along it; [`Material::friction`] is what acts across.
    pub along: f64,
    /// Friction along it of what sticks; `along` if not given.
    pub static_along: Option<f64>,
}

impl Material {
    /// Elastic and frictionless.
    pub fn elastic(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            restitution: 1.0,
            friction: 0.0,
            static_friction: None,
            rolling: 0.0,
            torsional: 0.0,
            grain: None,
        }
    }
}

/// How the properties of two materials become those of their contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// (a + b)/2.
    #[default]
    Mean,
    /// √(a b).
    Geometric,
    /// min(a, b).
    Least,
    /// max(a, b).
    Largest,
    /// a b.
    Product,
}

impl Combine {
    /// The combined value.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Combine::Geometric => (a * b).sqrt(),
            Combine::Mean => 0.5 * (a + b),
            Combine::Least => a.min(b),
            Combine::Largest => a.max(b),
            Combine::Product => a * b,
        }
    }
}

/// A half-space that bodies collide with: a floor or a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Unique name.
    pub name: String,
    /// The solid half-space.
    pub half_space: HalfSpace,
    /// Name of its material.
    pub material: Option<String>,
    /// How its surface moves.
    pub belt: Option<Belt>,
}

/// The motion of a surface that stays where it is: a conveyor belt, a turntable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Belt {
    /// Velocity in m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity in rad/s about `center`.
    pub angular_velocity: Vector3<f64>,
    /// A point that does not move with it.
    pub center: Vector3<f64>,
}

impl Belt {
    /// Velocity of the surface at a place.
    pub fn at(&self, place: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.angular_velocity.cross(&(place - self.center))
    }
}

/// A side of a contact of which one is elastic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// An elastic body, by its place among [`Model::solids`](super::Model::solids).
    Solid(usize),
    /// A rigid or static body.
    Body(BodyId),
    /// A half-space, by its place among the walls.
    Wall(usize),
}

/// Contact rules of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRules {
    /// Floors and walls.
    pub walls: Vec<Wall>,
    /// Named materials.
    pub materials: Vec<Material>,
    /// Material of everything that names none.
    pub default: Material,
    /// How two restitutions combine.
    pub combine_restitution: Combine,
    /// How two coefficients of friction combine.
    pub combine_friction: Combine,
    /// What is said of particular pairs of materials.
    pub surfaces: Vec<Surface>,
    /// Pairs of bodies that never collide, besides jointed neighbours.
    pub excluded: Vec<[BodyId; 2]>,
    /// Bodies and walls (by index) that never collide.
    pub excluded_walls: Vec<(BodyId, usize)>,
    /// Pairs with an elastic body that never collide.
    pub excluded_solids: Vec<[Party; 2]>,
    /// Bodies and the static bodies that joints fasten them to: neighbours, too.
    pub fastened: Vec<[BodyId; 2]>,
}

impl Default for ContactRules {
    fn default() -> Self {
        Self {
            walls: Vec::new(),
            materials: Vec::new(),
            default: Material::elastic("default"),
            combine_restitution: Combine::default(),
            combine_friction: Combine::default(),
            surfaces: Vec::new(),
            excluded: Vec::new(),
            excluded_walls: Vec::new(),
            excluded_solids: Vec::new(),
            fastened: Vec::new(),
        }
    }
}

impl ContactRules {
    /// The material of that name, or the default.
    pub fn material(&self, name: Option<&str>) -> &Material {
        name.and_then(|n| self.materials.iter().find(|m| m.name == n))
            .unwrap_or(&self.default)
    }

    /// What happens between two materials: what is said of the pair, else what they combine to.
    pub fn between(&self, a: Option<&str>, b: Option<&str>) -> Touching {
        let (a, b) = (self.material(a), self.material(b));
        let said = self.surfaces.iter().find(|s| {
            let [x, y] = &s.materials;
            (*x == a.name && *y == b.name) || (*x == b.name && *y == a.name)
        });
        let combined = self.combine_restitution.of(a.restitution, b.restitution);
        let slides = |m: &Material| (m.friction, m.grain.map(|g| (g.direction, g.along)));
        let sticks = |m: &Material| {
            let along = |g: Grain| (g.direction, g.static_along.unwrap_or(g.along));
            (m.static_friction.unwrap_or(m.friction), m.grain.map(along))
        };
        let rule = self.combine_friction;
        let said_friction = said.and_then(|s| s.friction);
        let even = |friction: f64| (friction, Grains::default());
        let (friction, grains) =
            said_friction.map_or_else(|| rub(rule, [slides(a), slides(b)]), even);
        let (sticking, static_grains) =
            said_friction.map_or_else(|| rub(rule, [sticks(a), sticks(b)]), even);
        Touching {
            static_friction: match grains == Grains::default() {
                true => sticking.max(friction),
                false => sticking,
            },
            restitution: said.and_then(|s| s.restitution).unwrap_or(combined),
            friction,
            grains,
            static_grains,
            rolling: self.combine_friction.of(a.rolling, b.rolling),
            torsional: self.combine_friction.of(a.torsional, b.torsional),
            law: said.and_then(|s| s.law),
        }
    }
}

/// What is said of one pair of materials; the rest follows from the materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Names of the two materials.
    pub materials: [String; 2],
    /// Restitution between them.
    pub restitution: Option<f64>,
    /// Friction between them.
    pub friction: Option<f64>,
    /// Contact law between them.
    pub law: Option<Law>,
}

/// A direction and what is along it, if there is one.
type Along = Option<(Vector3<f64>, f64)>;

/// What two surfaces make of their friction across the grain and along it: the largest coefficient, and
/// how it depends on the direction. One of the two may have any rule; of two tensors the mean is taken.
fn rub(rule: Combine, sides: [(f64, Along); 2]) -> (f64, Grains) {
    let [(a, grain_a), (b, grain_b)] = sides;
    let across = rule.of(a, b);
    // How much more it is along each grain.
    let more = match (grain_a, grain_b) {
        (None, None) => return (across, Grains::default()),
        (Some((d, along)), None) => [Some((d, rule.of(along, b) - across)), None],
        (None, Some((d, along))) => [None, Some((d, rule.of(a, along) - across))],
        (Some((d, x)), Some((e, y))) => [Some((d, 0.5 * (x - a))), Some((e, 0.5 * (y - b)))],
    };
    let largest = across
        + (more.iter().flatten())
            .map(|(_, k)| k.max(0.0))
            .sum::<f64>();
    if largest == 0.0 {
        return (0.0, Grains::default());
    }
    let grains = Grains {
        even: across / largest,
        sides: more.map(|side| side.map(|(d, k)| (d, k / largest))),
    };
    (largest, grains)
}

/// How friction depends on the direction of sliding: as the ellipse of the tensor
/// even · 1 + Σ k d dᵀ, restricted to the plane of contact, times [`Touching::friction`]. On surfaces along a
/// grain d its coefficients are those along and across it; on one across, it is the same all round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grains {
    /// The part that acts in all directions.
    pub even: f64,
    /// Direction d of each side, in its frame, and its part k.
    pub sides: [Option<(Vector3<f64>, f64)>; 2],
}

impl Default for Grains {
    fn default() -> Self {
        Self {
            even: 1.0,
            sides: [None; 2],
        }
    }
}

impl Touching {
    /// The least friction of what slides, of all directions.
    pub fn least_friction(&self) -> f64 {
        let less = self.grains.sides.iter().flatten();
        let even = self.grains.even + less.map(|(_, k)| k.min(0.0)).sum::<f64>();
        self.friction * even.max(0.0)
    }
}

/// What happens where two materials touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Restitution e.
    pub restitution: f64,
    /// Friction μ of what slides; the largest where it depends on the direction.
    pub friction: f64,
    /// Friction of what sticks.
    pub static_friction: f64,
    /// How friction depends on the direction, of what slides.
    pub grains: Grains,
    /// The same of what sticks.
    pub static_grains: Grains,
    /// Rolling friction in m.
    pub rolling: f64,
    /// Torsional friction in m.
    pub torsional: f64,
    /// A law of their own; otherwise that of the run.
    pub law: Option<Law>,
}
