//! Linkages: what makes no sense is an error.

use super::finite;
use crate::model::{LinkKind, LinkageSpec, ModelError};

/// Checks the plane, the coordinates and the links.
pub(super) fn check_linkage(spec: &LinkageSpec) -> Result<(), ModelError> {
    let fault = |reason: String, fix: &str| ModelError::linkage(&spec.name, reason, fix);
    if spec.coordinates.is_empty() || spec.links.is_empty() {
        let reason = "it has no coordinates or no links".into();
        return Err(fault(reason, "give at least one of each"));
    }
    let [e1, e2] = &spec.plane;
    let orthonormal =
        (e1.norm() - 1.0).abs() < 1e-9 && (e2.norm() - 1.0).abs() < 1e-9 && e1.dot(e2).abs() < 1e-9;
    if !(orthonormal && finite(&spec.origin)) {
        let reason = "its plane is not one".into();
        let fix = "the plane needs two perpendicular unit vectors and a finite origin";
        return Err(fault(reason, fix));
    }
    for c in &spec.coordinates {
        if !(c.start.is_finite() && c.rate.is_finite()) {
            let reason = format!("coordinate \"{}\" must start at finite values", c.name);
            return Err(fault(reason, "give finite numbers"));
        }
        if let Some([low, high]) = c
            .limits
            .filter(|l| l[0].is_nan() || l[1].is_nan() || l[0] >= l[1])
        {
            let reason = format!(
                "limits [{low}, {high}] of coordinate \"{}\" must rise",
                c.name
            );
            return Err(fault(reason, "give [least, largest]"));
        }
    }
    for (k, link) in spec.links.iter().enumerate() {
        if link.parent.is_some_and(|p| p >= k) {
            let reason = format!("link \"{}\" must come after its parent", link.name);
            return Err(fault(reason, "move it below its parent"));
        }
        if link.coordinate >= spec.coordinates.len() {
            let reason = format!(
                "link \"{}\" names a coordinate that does not exist",
                link.name
            );
            return Err(fault(reason, "name one of the linkage"));
        }
        if !(link.mass >= 0.0 && link.mass.is_finite()) {
            let reason = format!(
                "the mass of link \"{}\" must be finite and not negative",
                link.name
            );
            return Err(fault(reason, "give a mass in kg, or zero"));
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
            let reason = format!(
                "link \"{}\" needs a direction that is not zero, or a positive length",
                link.name
            );
            return Err(fault(
                reason,
                "give a slide its direction and an arm its length",
            ));
        }
    }
    Ok(())
}
