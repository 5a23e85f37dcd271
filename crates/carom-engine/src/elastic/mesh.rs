//! Nodes and cells of an elastic body at rest.

use std::collections::HashMap;

use nalgebra::Vector3;
use thiserror::Error;

use super::Element;

/// Why a mesh was refused. Elements are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeshError {
    /// No elements at all.
    #[error(
        "the mesh has no elements: it needs at least one tetrahedron (or triangle in the plane)"
    )]
    Empty,
    /// An element names a node that is not there.
    #[error("element {number} has node {node}, but there are {nodes} nodes: check the mesh")]
    Node {
        /// The element.
        number: usize,
        /// The node it names, from 1.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// No volume.
    #[error("element {number} is flat: its corners lie in one plane, or two are the same")]
    Flat {
        /// The element.
        number: usize,
    },
    /// Negative volume.
    #[error("element {number} is inverted: list its corners in the other order")]
    Inverted {
        /// The element.
        number: usize,
    },
    /// A coordinate that is no number.
    #[error("element {number} has a corner that is not finite: check the mesh")]
    NotFinite {
        /// The element.
        number: usize,
    },
    /// A planar mesh that leaves its plane.
    #[error("element {number} leaves the plane: all nodes of triangles need the same z")]
    NotPlanar {
        /// The element.
        number: usize,
    },
    /// A measure that makes no mesh.
    #[error("{what}: {fix}")]
    Measure {
        /// What is wrong.
        what: String,
        /// What to do.
        fix: String,
    },
}

impl MeshError {
    /// The same fault with another number for the element.
    pub(super) fn renumbered(mut self, name: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            MeshError::Node { number, .. }
            | MeshError::Flat { number }
            | MeshError::Inverted { number }
            | MeshError::NotFinite { number }
            | MeshError::NotPlanar { number } => *number = name(*number),
            MeshError::Empty | MeshError::Measure { .. } => {}
        }
        self
    }
}

/// Nodes, and tetrahedra (or triangles in a plane of constant z) between them.
///
/// ```
/// use carom::elastic::Mesh;
/// use nalgebra::Vector3;
/// let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let mesh = Mesh::tetrahedra(corners, vec![[0, 1, 2, 3]]).unwrap();
/// assert_eq!(mesh.surface().len(), 4);
/// assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    points: Vec<Vector3<f64>>,
    elements: Vec<Element>,
    /// Across the plane, of a mesh of triangles.
    thickness: Option<f64>,
}

impl Mesh {
    /// Tetrahedra of positive volume. Nodes that no cell has are left out.
    pub fn tetrahedra(points: Vec<Vector3<f64>>, cells: Vec<[u32; 4]>) -> Result<Self, MeshError> {
        let (points, cells) = compact(points, cells)?;
        let elements = cells.iter().enumerate().map(|(k, nodes)| {
            let at = nodes.map(|n| points[n as usize]);
            Element::tetrahedron(*nodes, &at, k + 1)
        });
        Ok(Self {
            elements: elements.collect::<Result<_, _>>()?,
            points,
            thickness: None,
        })
    }

    /// Triangles in plane strain, counter-clockwise, in a plane of constant z; `thickness` is the
    /// length across it.
    pub fn triangles(
        points: Vec<Vector3<f64>>,
        cells: Vec<[u32; 3]>,
        thickness: f64,
    ) -> Result<Self, MeshError> {
        if !(thickness > 0.0 && thickness.is_finite()) {
            return Err(MeshError::Measure {
                what: format!("the thickness is {thickness}"),
                fix: "it must be positive and finite".into(),
            });
        }
        let (points, cells) = compact(points, cells)?;
        let plane = cells.first().map_or(0.0, |c| points[c[0] as usize].z);
        let elements = cells.iter().enumerate().map(|(k, nodes)| {
            let at = nodes.map(|n| points[n as usize]);
            if at.iter().any(|x| x.z.is_finite() && x.z != plane) {
                return Err(MeshError::NotPlanar { number: k + 1 });
            }
            Element::triangle(*nodes, &at, thickness, k + 1)
        });
        Ok(Self {
            elements: elements.collect::<Result<_, _>>()?,
            points,
            thickness: Some(thickness),
        })
    }

    /// Nodes at rest.
    pub fn points(&self) -> &[Vector3<f64>] {
        &self.points
    }

    /// Elements at rest.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Whether it is made of triangles in a plane.
    pub fn is_planar(&self) -> bool {
        self.thickness.is_some()
    }

    /// Volume at rest.
    pub fn volume(&self) -> f64 {
        self.elements.iter().map(|e| e.volume).sum()
    }

    /// Mass of every node: each element shares its own among its corners.
    pub fn lumped_masses(&self, density: f64) -> Vec<f64> {
        let mut masses = vec![0.0; self.points.len()];
        for e in &self.elements {
            let share = density * e.volume / e.corners() as f64;
            for &n in &e.nodes[..e.corners()] {
                masses[n as usize] += share;
            }
        }
        masses
    }

    /// Triangles at the surface (of a planar mesh: edges, the last corner twice), counter-clockwise
    /// from outside, each with its element.
    pub fn surface(&self) -> Vec<([u32; 3], usize)> {
        let mut once: HashMap<[u32; 3], Option<([u32; 3], usize)>> = HashMap::new();
        for (k, e) in self.elements.iter().enumerate() {
            let [a, b, c, d] = e.nodes;
            let tetrahedron = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
            let triangle = [[a, b, b], [b, c, c], [c, a, a]];
            let faces: &[[u32; 3]] = if self.is_planar() {
                &triangle
            } else {
                &tetrahedron
            };
            for face in faces {
                let mut key = *face;
                key.sort_unstable();
                if self.is_planar() {
                    // An edge a-b is [a, b, b] or [b, a, a].
                    key = [key[0], key[2], key[2]];
                }
                once.entry(key)
                    .and_modify(|f| *f = None)
                    .or_insert(Some((*face, k)));
            }
        }
        let mut out: Vec<_> = once.into_values().flatten().collect();
        // The order of the elements, whatever the map's.
        out.sort_unstable_by_key(|(face, k)| (*k, *face));
        out
    }

    /// Numbers of the nodes that `chosen` picks by their place at rest.
    pub fn nodes_where(&self, chosen: impl Fn(&Vector3<f64>) -> bool) -> Vec<usize> {
        let points = self.points.iter().enumerate();
        points.filter(|(_, x)| chosen(x)).map(|(k, _)| k).collect()
    }

    /// The same mesh with its nodes moved by a map that keeps volumes positive.
    pub fn mapped(&self, map: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Result<Self, MeshError> {
        let points: Vec<_> = self.points.iter().map(map).collect();
        let elements = self.elements.iter();
        if let Some(thickness) = self.thickness {
            let cells = elements.map(|e| [e.nodes[0], e.nodes[1], e.nodes[2]]);
            Self::triangles(points, cells.collect(), thickness)
        } else {
            Self::tetrahedra(points, elements.map(|e| e.nodes).collect())
        }
    }

    /// Length of the longest side of the box around it.
    pub fn size(&self) -> f64 {
        let first = self.points[0];
        let (low, high) = self
            .points
            .iter()
            .fold((first, first), |(l, h), x| (l.inf(x), h.sup(x)));
        (high - low).amax()
    }
}

/// Leaves out nodes that no cell has.
#[allow(clippy::type_complexity)]
fn compact<const N: usize>(
    points: Vec<Vector3<f64>>,
    mut cells: Vec<[u32; N]>,
) -> Result<(Vec<Vector3<f64>>, Vec<[u32; N]>), MeshError> {
    if cells.is_empty() {
        return Err(MeshError::Empty);
    }
    let mut place = vec![u32::MAX; points.len()];
    for (k, cell) in cells.iter().enumerate() {
        for &n in cell {
            let Some(used) = place.get_mut(n as usize) else {
                return Err(MeshError::Node {
                    number: k + 1,
                    node: n as usize + 1,
                    nodes: points.len(),
                });
            };
            *used = 0;
        }
    }
    let mut kept = Vec::with_capacity(points.len());
    for (at, x) in place.iter_mut().zip(&points).filter(|(at, _)| **at == 0) {
        *at = kept.len() as u32;
        kept.push(*x);
    }
    for cell in &mut cells {
        for n in cell {
            *n = place[*n as usize];
        }
    }
    Ok((kept, cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_nothing_uses_are_left_out_and_faults_have_numbers() {
        let points = vec![
            Vector3::repeat(9.0),
            Vector3::zeros(),
            Vector3::x(),
            Vector3::y(),
            Vector3::z(),
        ];
        let mesh = Mesh::tetrahedra(points.clone(), vec![[1, 2, 3, 4]]).unwrap();
        assert_eq!(mesh.points().len(), 4);
        assert_eq!(mesh.lumped_masses(6.0), vec![0.25; 4]);
        let bad = Mesh::tetrahedra(points.clone(), vec![[1, 2, 3, 4], [1, 2, 4, 3]]);
        assert_eq!(bad, Err(MeshError::Inverted { number: 2 }));
        let bad = Mesh::tetrahedra(points.clone(), vec![[1, 2, 3, 9]]);
        assert!(bad.unwrap_err().to_string().contains("node 10"));
        assert_eq!(
            Mesh::tetrahedra(points.clone(), vec![]),
            Err(MeshError::Empty)
        );
        let bad = Mesh::triangles(points, vec![[1, 2, 4]], 1.0);
        assert_eq!(bad, Err(MeshError::NotPlanar { number: 1 }));
    }
}
