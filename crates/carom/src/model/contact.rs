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
        let combined = (
            self.combine_restitution.of(a.restitution, b.restitution),
            self.combine_friction.of(a.friction, b.friction),
        );
        let sticks = |m: &Material| m.static_friction.unwrap_or(m.friction);
        let friction = said.and_then(|s| s.friction).unwrap_or(combined.1);
        let sticking = match said.and_then(|s| s.friction) {
            Some(friction) => friction,
            None => self.combine_friction.of(sticks(a), sticks(b)),
        };
        Touching {
            static_friction: sticking.max(friction),
            restitution: said.and_then(|s| s.restitution).unwrap_or(combined.0),
            friction,
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

/// What happens where two materials touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Restitution e.
    pub restitution: f64,
    /// Friction μ of what slides.
    pub friction: f64,
    /// Friction of what sticks.
    pub static_friction: f64,
    /// Rolling friction in m.
    pub rolling: f64,
    /// Torsional friction in m.
    pub torsional: f64,
    /// A law of their own; otherwise that of the run.
    pub law: Option<Law>,
}
