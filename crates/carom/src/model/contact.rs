//! What bodies collide with and how: half-spaces, materials, pairs that never meet.

use carom_gap::gap::HalfSpace;

use super::BodyId;

/// Surface properties. Two materials combine to those of their contact by [`Combine`].
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// Restitution e ∈ [0, 1].
    pub restitution: f64,
    /// Coulomb friction μ ≥ 0.
    pub friction: f64,
}

impl Material {
    /// Elastic and frictionless.
    pub fn elastic(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            restitution: 1.0,
            friction: 0.0,
        }
    }
}

/// How the properties of two materials become those of their contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// √(a b).
    #[default]
    Geometric,
    /// (a + b)/2.
    Mean,
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
    /// How two materials combine.
    pub combine: Combine,
    /// Pairs of bodies that never collide, besides jointed neighbours.
    pub excluded: Vec<[BodyId; 2]>,
}

impl Default for ContactRules {
    fn default() -> Self {
        Self {
            walls: Vec::new(),
            materials: Vec::new(),
            default: Material::elastic("default"),
            combine: Combine::Geometric,
            excluded: Vec::new(),
        }
    }
}

impl ContactRules {
    /// The material of that name, or the default.
    pub fn material(&self, name: Option<&str>) -> &Material {
        name.and_then(|n| self.materials.iter().find(|m| m.name == n))
            .unwrap_or(&self.default)
    }

    /// Restitution and friction between two materials.
    pub fn between(&self, a: Option<&str>, b: Option<&str>) -> (f64, f64) {
        let (a, b) = (self.material(a), self.material(b));
        (
            self.combine.of(a.restitution, b.restitution),
            self.combine.of(a.friction, b.friction),
        )
    }
}
