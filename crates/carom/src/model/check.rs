//! Bodies, linkages and signals: checked, and made from what the user asked for.

use carom_gap::geometry::MassProperties;
use nalgebra::{Matrix3, Vector3};

use super::body::{Role, kind_of};
use super::{Body, BodyKind, BodySpec, LinkKind, LinkageSpec, ModelError, Signal};

pub(super) fn finite(v: &Vector3<f64>) -> bool {
    v.iter().all(|c| c.is_finite())
}

pub(super) fn check_signal(signal: &Signal) -> Result<(), String> {
    match signal {
        Signal::Constant(v) if !v.is_finite() => Err("a value is not finite".into()),
        Signal::Table(rows) if rows.is_empty() => Err("a table needs at least one row".into()),
        Signal::Table(rows) if rows.iter().flatten().any(|v| !v.is_finite()) => {
            Err("a table holds a number that is not finite".into())
        }
        Signal::Table(rows) if rows.windows(2).any(|w| w[0][0] >= w[1][0]) => {
            Err("the times of a table must rise".into())
        }
        _ => Ok(()),
    }
}

pub(super) fn make_body(spec: &BodySpec) -> Result<Body, ModelError> {
    let fault = |reason: String| ModelError::Body {
        body: spec.name.clone(),
        reason,
    };
    let q = spec.pose.to_q();
    if !(q.iter().all(|c| c.is_finite())
        && finite(&spec.velocity)
        && finite(&spec.angular_velocity))
    {
        return Err(fault(
            "position, rotation and velocities must be finite".into(),
        ));
    }
    let drift = spec.pose.directors.tr_mul(&spec.pose.directors) - Matrix3::identity();
    if drift.norm() > 1e-6 || spec.pose.directors.determinant() < 0.0 {
        return Err(fault(
            "its directors are not a rotation: they must be orthonormal and right-handed".into(),
        ));
    }
    if let Some(mass) = spec.mass.filter(|m| !(*m > 0.0 && m.is_finite())) {
        return Err(fault(format!("mass {mass} must be positive and finite")));
    }
    if !(spec.radius >= 0.0 && spec.radius.is_finite()) {
        return Err(fault(format!(
            "radius {} must be finite and not negative",
            spec.radius
        )));
    }
    // The body frame has its origin at the centre of mass.
    let drawn_center = match spec.shape.as_ref().and_then(|s| s.mass_properties()) {
        Some(m) if spec.role == Role::Rigid => m.center,
        _ => Vector3::zeros(),
    };
    let shape = match &spec.shape {
        Some(shape) if drawn_center != Vector3::zeros() => {
            Some(shape.recentred().map_err(|e| fault(e.to_string()))?)
        }
        other => other.clone(),
    };
    let kind = match spec.role {
        Role::Static => BodyKind::Static,
        Role::Particle => BodyKind::Particle {
            mass: spec
                .mass
                .ok_or_else(|| fault("a particle needs a mass".into()))?,
        },
        Role::Rigid => {
            let of_shape = shape.as_ref().and_then(|s| s.mass_properties());
            let given = match (spec.mass, spec.inertia, of_shape) {
                (Some(m), Some(j), _) => MassProperties::given(m, Vector3::zeros(), j)
                    .map_err(|e| fault(e.to_string()))?,
                (Some(m), None, Some(s)) => s.scaled(m / s.mass),
                (None, None, Some(s)) => *s,
                (None, Some(_), _) => {
                    return Err(fault("inertia is given without mass: give both".into()));
                }
                (_, None, None) => {
                    return Err(fault(
                        "a rigid body needs a shape with density, or mass and inertia".into(),
                    ));
                }
            };
            if !(given.mass > 0.0
                && given.mass.is_finite()
                && given.inertia.iter().all(|c| c.is_finite()))
            {
                return Err(fault(format!(
                    "mass {} and inertia must be positive and finite: check the density",
                    given.mass
                )));
            }
            if given.inertia.symmetric_eigenvalues().min() <= 0.0 {
                return Err(fault("its inertia must be positive about every axis; for a point mass use a particle".into()));
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
        drawn_center,
    })
}

pub(super) fn check_linkage(spec: &LinkageSpec) -> Result<(), ModelError> {
    let fault = |reason: String| ModelError::Linkage {
        linkage: spec.name.clone(),
        reason,
    };
    if spec.coordinates.is_empty() || spec.links.is_empty() {
        return Err(fault("needs at least one coordinate and one link".into()));
    }
    let [e1, e2] = &spec.plane;
    let orthonormal =
        (e1.norm() - 1.0).abs() < 1e-9 && (e2.norm() - 1.0).abs() < 1e-9 && e1.dot(e2).abs() < 1e-9;
    if !(orthonormal && finite(&spec.origin)) {
        return Err(fault(
            "the plane needs two perpendicular unit vectors and a finite origin".into(),
        ));
    }
    for c in &spec.coordinates {
        if !(c.start.is_finite() && c.rate.is_finite()) {
            return Err(fault(format!(
                "coordinate \"{}\" must start at finite values",
                c.name
            )));
        }
        if let Some([low, high]) = c
            .limits
            .filter(|l| l[0].is_nan() || l[1].is_nan() || l[0] >= l[1])
        {
            return Err(fault(format!(
                "limits [{low}, {high}] of coordinate \"{}\" must rise",
                c.name
            )));
        }
    }
    for (k, link) in spec.links.iter().enumerate() {
        if link.parent.is_some_and(|p| p >= k) {
            return Err(fault(format!(
                "link \"{}\" must come after its parent",
                link.name
            )));
        }
        if link.coordinate >= spec.coordinates.len() {
            return Err(fault(format!(
                "link \"{}\" names a coordinate that does not exist",
                link.name
            )));
        }
        if !(link.mass >= 0.0 && link.mass.is_finite()) {
            return Err(fault(format!(
                "the mass of link \"{}\" must be finite and not negative",
                link.name
            )));
        }
        let sound = match &link.kind {
            LinkKind::Slide { direction: [x, y] } => {
                x.is_finite() && y.is_finite() && (*x != 0.0 || *y != 0.0)
            }
            LinkKind::Arm { length, offset, .. } => {
                *length > 0.0 && length.is_finite() && offset.is_finite()
            }
        };
        if !sound {
            return Err(fault(format!(
                "link \"{}\" needs a direction that is not zero, or a positive length",
                link.name
            )));
        }
    }
    Ok(())
}
