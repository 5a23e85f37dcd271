//! Bodies: checked, and made from what the user asked for.

use carom_gap::geometry::MassProperties;
use nalgebra::{Matrix3, Vector3};

use super::finite;
use crate::model::body::{Role, kind_of};
use crate::model::{Body, BodyKind, BodySpec, ModelError};

/// A body with its frame at the centre of mass.
pub(super) fn make_body(spec: &BodySpec) -> Result<Body, ModelError> {
    let fault = |reason: &str, fix: &str| ModelError::body(&spec.name, reason, fix);
    let q = spec.pose.to_q();
    if !(q.iter().all(|c| c.is_finite())
        && finite(&spec.velocity)
        && finite(&spec.angular_velocity))
    {
        let reason = "position, rotation and velocities must be finite";
        return Err(fault(reason, "give finite numbers"));
    }
    let drift = spec.pose.directors.tr_mul(&spec.pose.directors) - Matrix3::identity();
    if drift.norm() > 1e-6 || spec.pose.directors.determinant() < 0.0 {
        let fix = "they must be orthonormal and right-handed";
        return Err(fault("its directors are not a rotation", fix));
    }
    if let Some(mass) = spec.mass.filter(|m| !(*m > 0.0 && m.is_finite())) {
        let reason = format!("mass {mass} must be positive and finite");
        return Err(fault(&reason, "give a mass in kg"));
    }
    if !(spec.radius >= 0.0 && spec.radius.is_finite()) {
        let reason = format!("radius {} must be finite and not negative", spec.radius);
        return Err(fault(&reason, "give a radius in m, or none"));
    }
    if spec.belt.is_some() && spec.role != Role::Static {
        let reason = "only static bodies have a surface that moves";
        return Err(fault(reason, "make it static, or leave its belt out"));
    }
    // The body frame has its origin at the centre of mass.
    if spec.sensor && spec.shape.is_none() {
        return Err(fault(
            "a sensor needs a shape",
            "give the region it looks at",
        ));
    }
    if let Some(motion) = &spec.motion {
        if spec.role != Role::Static {
            let fix = "make it static, or leave its motion out";
            return Err(fault("its motion is given, but forces move it", fix));
        }
        if !motion.is_sound(&spec.pose) {
            let reason = "its motion is not finite at the start, or its axis is zero";
            return Err(fault(reason, "correct the expressions"));
        }
    }
    let parts = spec.shape.as_ref().map_or(0, |s| s.parts().len());
    if !spec.part_materials.is_empty() && spec.part_materials.len() != parts {
        let named = spec.part_materials.len();
        let reason = format!("it has {parts} parts and materials for {named}");
        return Err(fault(&reason, "name one for each, or none"));
    }
    let drawn_center = match spec.shape.as_ref().and_then(|s| s.mass_properties()) {
        Some(m) if spec.role == Role::Rigid => m.center,
        _ => Vector3::zeros(),
    };
    let shape = match &spec.shape {
        Some(shape) if drawn_center != Vector3::zeros() => {
            let moved = shape.recentred();
            Some(moved.map_err(|e| ModelError::shape(&spec.name, &e))?)
        }
        other => other.clone(),
    };
    let kind = match spec.role {
        Role::Static => BodyKind::Static,
        Role::Particle => BodyKind::Particle {
            mass: spec
                .mass
                .ok_or_else(|| fault("a particle needs a mass", "give a mass in kg"))?,
        },
        Role::Rigid => {
            let of_shape = shape.as_ref().and_then(|s| s.mass_properties());
            let given = match (spec.mass, spec.inertia, of_shape) {
                (Some(m), Some(j), _) => MassProperties::given(m, Vector3::zeros(), j)
                    .map_err(|e| ModelError::shape(&spec.name, &e))?,
                (Some(m), None, Some(s)) => s.scaled(m / s.mass),
                (None, None, Some(s)) => *s,
                (None, Some(_), _) => {
                    return Err(fault("inertia is given without mass", "give both"));
                }
                (_, None, None) => {
                    let reason = "a rigid body needs a shape with density, or mass and inertia";
                    return Err(fault(reason, "give one of the two"));
                }
            };
            if !(given.mass > 0.0
                && given.mass.is_finite()
                && given.inertia.iter().all(|c| c.is_finite()))
            {
                let reason = format!(
                    "mass {} and inertia must be positive and finite",
                    given.mass
                );
                return Err(fault(&reason, "check the density"));
            }
            if given.inertia.symmetric_eigenvalues().min() <= 0.0 {
                let reason = "its inertia must be positive about every axis";
                return Err(fault(reason, "for a point mass use a particle"));
            }
            kind_of(&given)
        }
    };
    Ok(Body {
        name: spec.name.clone(),
        kind,
        shape,
        radius: spec.radius,
        start: spec.pose,
        velocity: spec.velocity,
        angular_velocity: spec.angular_velocity,
        material: spec.material.clone(),
        part_materials: spec.part_materials.clone(),
        planar: spec.planar,
        belt: spec.belt,
        motion: spec.motion.clone(),
        sensor: spec.sensor,
        drawn_center,
    })
}
