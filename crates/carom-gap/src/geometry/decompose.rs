//! Approximate convex decomposition of a mesh (V-HACD, by parry).
//!
//! The mesh is filled with voxels, which are cut by axis-aligned planes until each piece is nearly
//! convex; a part is the hull of the mesh's surface within a piece. This file is the border to
//! parry's types.

use super::Polytope;
use super::error::{GeometryError, count};
use super::hull::checked_size;
use super::mesh::{COARSE, Mesh, in_mesh};
use nalgebra::Vector3;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Settings of the approximate convex decomposition.
///
/// ```
/// use carom_gap::geometry::Decompose;
/// let fine = Decompose { resolution: 128, ..Decompose::default() };
/// assert!(fine.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decompose {
    /// Voxels along the longest side, 8 to 400. Time and memory grow with its cube.
    pub resolution: u32,
    /// Volume of the hollows a part may have, as a fraction of the whole hull, 0 to 1.
    pub concavity: f64,
    /// At most this many parts, 4 to 1024 (rounded down to a power of two).
    pub max_parts: u32,
}

impl Default for Decompose {
    fn default() -> Self {
        Self {
            resolution: 64,
            concavity: 0.01,
            max_parts: 32,
        }
    }
}

impl Decompose {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), GeometryError> {
        count("resolution", self.resolution as usize, 8, 400)?;
        count("max_parts", self.max_parts as usize, 4, 1024)?;
        if (0.0..=1.0).contains(&self.concavity) {
            Ok(())
        } else {
            Err(GeometryError::NotPositive {
                what: "concavity (a fraction)",
                value: self.concavity,
            })
        }
    }
}

/// The convex parts, and how many pieces had no volume.
pub(super) fn decompose(
    mesh: &Mesh,
    settings: &Decompose,
) -> Result<(Vec<Polytope>, usize), GeometryError> {
    settings.validate()?;
    let failed = |reason: &str| GeometryError::Decomposition {
        name: mesh.name().to_owned(),
        reason: reason.to_owned(),
    };
    let size = checked_size(mesh.points()).map_err(|e| in_mesh(mesh.name(), e))?;
    // A flat mesh has no part with volume: say so before filling it.
    Polytope::hull_within(mesh.points(), COARSE).map_err(|e| in_mesh(mesh.name(), e))?;

    // Unit size around the origin.
    let center = mesh.points().iter().sum::<Vector3<f64>>() / mesh.points().len() as f64;
    let points: Vec<_> = mesh
        .points()
        .iter()
        .map(|p| {
            let p = (p - center) / size;
            ParryVector::new(p.x, p.y, p.z)
        })
        .collect();
    let parameters = VHACDParameters {
        resolution: settings.resolution,
        concavity: settings.concavity,
        // It cuts log2(max) + 1 times and never merges, so ask for half.
        max_convex_hulls: (1 << settings.max_parts.ilog2()) / 2,
        fill_mode: FillMode::FloodFill {
            detect_cavities: false,
        },
        // The approximation panics where one of its hulls fails.
        convex_hull_approximation: false,
        ..VHACDParameters::default()
    };
    // Its hulls of voxels check themselves by assertions.
    let pieces = catch_unwind(AssertUnwindSafe(|| {
        VHACD::decompose(&parameters, &points, mesh.triangles(), true)
            .compute_primitive_intersections(&points, mesh.triangles())
    }))
    .map_err(|_| failed("the voxels could not be cut"))?;

    let mut parts = Vec::new();
    let mut dropped = 0;
    for piece in &pieces {
        let points: Vec<_> = piece
            .iter()
            .map(|p| center + Vector3::new(p.x, p.y, p.z) * size)
            .collect();
        match Polytope::hull_within(&points, COARSE) {
            Ok(part) => parts.push(part),
            Err(_) => dropped += 1,
        }
    }
    if parts.is_empty() {
        return Err(failed("no piece has a volume"));
    }
    Ok((parts, dropped))
}
