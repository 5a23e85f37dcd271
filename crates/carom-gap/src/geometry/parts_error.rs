//! How far convex parts are from the mesh that they stand for.

use super::Polytope;
use super::mesh::Mesh;
use nalgebra::Vector3;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

/// Points looked at on all parts, and on the mesh.
const MOST_ON_PARTS: usize = 6_000;
const MOST_ON_MESH: usize = 1_000;

/// The largest distance of looked-at points of the parts outside the mesh, and of the mesh outside the
/// parts unless they `hold` it; open meshes have no outside, there only the latter counts.
pub(super) fn distance_of_parts(mesh: &Mesh, parts: &[Polytope], hold: bool) -> f64 {
    let filled = filled(mesh, parts);
    if hold {
        return filled;
    }
    let missing = every(mesh.points().len(), MOST_ON_MESH)
        .map(|k| {
            let off = parts.iter().map(|part| part.excess(&mesh.points()[k]));
            off.fold(f64::INFINITY, f64::min).max(0.0)
        })
        .fold(0.0, f64::max);
    filled.max(missing)
}

/// How far corners and middles of faces and edges of the parts are outside the mesh.
fn filled(mesh: &Mesh, parts: &[Polytope]) -> f64 {
    let point = |p: &Vector3<f64>| ParryVector::new(p.x, p.y, p.z);
    let corners = mesh.points().iter().map(point).collect();
    let surface = TriMesh::with_flags(corners, mesh.triangles().to_vec(), TriMeshFlags::ORIENTED);
    let Ok(surface) = surface else { return 0.0 };
    let mut samples: Vec<Vector3<f64>> = Vec::new();
    for part in parts {
        let points = part.vertices().points();
        for face in part.faces() {
            let corners = face.iter().map(|&i| points[i as usize]);
            samples.push(corners.clone().sum::<Vector3<f64>>() / face.len() as f64);
            let next = corners.clone().cycle().skip(1);
            samples.extend(corners.zip(next).map(|(a, b)| (a + b) * 0.5));
        }
    }
    every(samples.len(), MOST_ON_PARTS)
        .map(|k| {
            let x = point(&samples[k]);
            let found = surface.project_local_point(x, false);
            match found.is_inside {
                true => 0.0,
                false => (found.point - x).length(),
            }
        })
        .fold(0.0, f64::max)
}

/// At most so many numbers below `count`, evenly spread.
fn every(count: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(most).max(1))
}
