//! Approximate convex decomposition of a mesh.
//!
//! The mesh is filled with voxels (by parry), which are cut by axis-aligned planes until each piece is nearly
//! convex (`cuts.rs`); a part is the hull of the mesh's surface within the box of a piece.

use super::Polytope;
use super::cuts::{Bounds, Cell, cut};
use super::error::{GeometryError, count};
use super::hull::checked_size;
use super::mesh::{COARSE, Mesh, in_mesh};
use nalgebra::Vector3;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pieces with more points than the first are thinned out to those furthest along so many directions.
const MOST_POINTS: usize = 1500;
const DIRECTIONS: usize = 700;
/// Directions that tell whether the whole mesh is flat.
const FEW_DIRECTIONS: usize = 60;

/// Settings of the convex decomposition: polyhedra that have an exact one of at most `max_parts` parts get
/// it, whatever the rest says.
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
            resolution: 40,
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

/// The box around the voxels of a piece. Cuts are planes across the axes, so that the boxes of two pieces
/// meet in a face at most.
fn box_of(voxels: &VoxelSet, [low, high]: Bounds) -> [Vector3<f64>; 2] {
    let origin = Vector3::new(voxels.origin.x, voxels.origin.y, voxels.origin.z);
    let corner = |at: [i32; 3], beyond: f64| {
        origin + Vector3::from(at.map(|x| f64::from(x) + beyond)) * voxels.scale
    };
    [corner(low, -0.5), corner(high, 0.5)]
}

/// Corners of the mesh's surface within a box, those at its sides included.
fn surface_within(mesh: &Mesh, low: &Vector3<f64>, high: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let inside = |x: &Vector3<f64>| (0..3).all(|k| low[k] <= x[k] && x[k] <= high[k]);
    let held: Vec<bool> = mesh.points().iter().map(inside).collect();
    let mut out: Vec<Vector3<f64>> = (mesh.points().iter().zip(&held))
        .filter(|(_, held)| **held)
        .map(|(x, _)| *x)
        .collect();
    for triangle in mesh.triangles() {
        if triangle.iter().all(|&i| held[i as usize]) {
            continue;
        }
        let corners = triangle.map(|i| mesh.points()[i as usize]);
        let apart = |k: usize| {
            corners.iter().all(|x| x[k] < low[k]) || corners.iter().all(|x| x[k] > high[k])
        };
        if (0..3).any(apart) {
            continue;
        }
        // Clipped by the six sides, one after the other.
        let mut polygon = corners.to_vec();
        for k in 0..3 {
            for (bound, sign) in [(low[k], 1.0), (high[k], -1.0)] {
                let height = |x: &Vector3<f64>| sign * (x[k] - bound);
                let mut kept = Vec::with_capacity(polygon.len() + 1);
                for (at, p) in polygon.iter().enumerate() {
                    let q = &polygon[(at + 1) % polygon.len()];
                    let (hp, hq) = (height(p), height(q));
                    if hp >= 0.0 {
                        kept.push(*p);
                    }
                    if (hp >= 0.0) != (hq >= 0.0) {
                        kept.push(p + (q - p) * (hp / (hp - hq)));
                    }
                }
                polygon = kept;
            }
        }
        out.extend(polygon);
    }
    out
}

/// Of very many points those furthest along directions all round: hulls of more are no better contact.
fn extreme(points: Vec<Vector3<f64>>, directions: usize) -> Vec<Vector3<f64>> {
    if points.len() <= MOST_POINTS {
        return points;
    }
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let coordinates = [0, 1, 2].map(|k| points.iter().map(|p| p[k]).collect::<Vec<f64>>());
    let mut kept: Vec<usize> = (0..directions)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / directions as f64;
            let (sin, cos) = (golden * k as f64).sin_cos();
            let across = (1.0 - z * z).sqrt();
            furthest(&coordinates, [across * cos, across * sin, z])
        })
        .collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|k| points[k]).collect()
}

/// The first of the points furthest along a direction, block by block: the largest height of a block needs no
/// branches.
fn furthest([x, y, z]: &[Vec<f64>; 3], [a, b, c]: [f64; 3]) -> usize {
    const BLOCK: usize = 256;
    const LANES: usize = 8;
    let height = |k: usize| a * x[k] + b * y[k] + c * z[k];
    let mut best = (f64::NEG_INFINITY, 0);
    for from in (0..x.len()).step_by(BLOCK) {
        let to = (from + BLOCK).min(x.len());
        let [x, y, z] = [x, y, z].map(|v| v[from..to].chunks_exact(LANES));
        let mut tops = [f64::NEG_INFINITY; LANES];
        for ((x, y), z) in x.zip(y).zip(z) {
            for lane in 0..LANES {
                let h = a * x[lane] + b * y[lane] + c * z[lane];
                tops[lane] = if h > tops[lane] { h } else { tops[lane] };
            }
        }
        let rest = to - (to - from) % LANES;
        let top = (rest..to).map(height).chain(tops).fold(best.0, f64::max);
        if top > best.0 {
            best = (top, from);
        }
    }
    let to = (best.1 + BLOCK).min(x.len());
    (best.1..to)
        .find(|&k| height(k) >= best.0)
        .unwrap_or(best.1)
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
    let extent = extreme(mesh.points().to_vec(), FEW_DIRECTIONS);
    Polytope::hull_within(&extent, COARSE).map_err(|e| in_mesh(mesh.name(), e))?;

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
    let fill = FillMode::FloodFill {
        detect_cavities: false,
    };
    // Its voxels check themselves by assertions.
    let voxels = catch_unwind(AssertUnwindSafe(|| {
        VoxelSet::voxelize(&points, mesh.triangles(), settings.resolution, fill, false)
    }))
    .map_err(|_| failed("it could not be filled with voxels"))?;
    let cells = voxels.voxels().iter().map(|v| Cell {
        at: [v.coords.x, v.coords.y, v.coords.z].map(|x| x as i32),
        surface: v.is_on_surface,
    });
    let pieces = cut(
        cells.collect(),
        settings.concavity,
        settings.max_parts.ilog2(),
    );

    let mut parts = Vec::new();
    let mut dropped = 0;
    for piece in pieces {
        let [low, high] = box_of(&voxels, piece);
        let of_mesh = |p: Vector3<f64>| center + p * size;
        let points = surface_within(mesh, &of_mesh(low), &of_mesh(high));
        match Polytope::hull_within(&extreme(points, DIRECTIONS), COARSE) {
            Ok(part) => parts.push(part),
            Err(_) => dropped += 1,
        }
    }
    if parts.is_empty() {
        return Err(failed("no piece has a volume"));
    }
    Ok((parts, dropped))
}
