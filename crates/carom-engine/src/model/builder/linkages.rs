//! Linkages: what makes no sense is an error.

use super::finite;
use crate::model::{LinkKind, LinkageSpec, ModelError};

/// Checks the plane, the coordinates and the links.
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
