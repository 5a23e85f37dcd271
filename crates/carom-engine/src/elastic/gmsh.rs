//! Meshes from Gmsh's `.msh` files, version 4.1: tetrahedra, or triangles where there are none.

use std::collections::HashMap;

use mshio::mshfile::ElementType;
use nalgebra::Vector3;

use super::{Mesh, MeshError};

/// Reads a file. The outer error says why it is no mesh file; the inner one what is wrong with the mesh,
/// its elements numbered as in the file.
///
/// Triangles that lie in a plane of constant z make a body in plane strain of this thickness if there
/// are no tetrahedra.
pub fn read_gmsh(bytes: &[u8], thickness: f64) -> Result<Result<Mesh, MeshError>, String> {
    let head = &bytes[..bytes.len().min(64)];
    if !bytes.trim_ascii_start().starts_with(b"$MeshFormat") {
        return Err("it does not begin with $MeshFormat".into());
    }
    let version = String::from_utf8_lossy(head);
    let version = version.split_whitespace().nth(1).unwrap_or("").to_string();
    if version != "4.1" {
        return Err(format!("it is of version {version}"));
    }
    let file = mshio::parse_msh_bytes(bytes).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or("it is damaged").to_string()
    })?;
    let nodes = file.data.nodes.ok_or("it has no nodes")?;
    let elements = file.data.elements.ok_or("it has no elements")?;
    let mut points = Vec::new();
    let mut place: HashMap<u64, u32> = HashMap::new();
    let mut next = nodes.min_node_tag;
    for block in &nodes.node_blocks {
        let first = points.len();
        match &block.node_tags {
            Some(tags) => {
                for (tag, k) in tags {
                    place.insert(*tag, (first + k) as u32);
                }
            }
            // Tags without holes are not listed.
            None => {
                for k in 0..block.nodes.len() {
                    place.insert(next, (first + k) as u32);
                    next += 1;
                }
            }
        }
        points.extend(block.nodes.iter().map(|n| Vector3::new(n.x, n.y, n.z)));
    }
    let has = |kind: ElementType| {
        let mut blocks = elements.element_blocks.iter();
        blocks.any(|b| b.element_type == kind && !b.elements.is_empty())
    };
    let other = (elements.element_blocks.iter()).find(|b| {
        let known = matches!(
            b.element_type,
            ElementType::Tet4 | ElementType::Tri3 | ElementType::Lin2 | ElementType::Pnt
        );
        !known && !b.elements.is_empty()
    });
    if let Some(block) = other {
        return Err(format!(
            "it has elements of type {:?}: mesh it with linear tetrahedra",
            block.element_type
        ));
    }
    let kind = match has(ElementType::Tet4) {
        true => ElementType::Tet4,
        false => ElementType::Tri3,
    };
    let mut numbers = Vec::new();
    let mut cells: Vec<Vec<u32>> = Vec::new();
    for block in &elements.element_blocks {
        if block.element_type != kind {
            continue;
        }
        for e in &block.elements {
            let nodes = e.nodes.iter().map(|n| place.get(n).copied());
            let nodes: Option<Vec<u32>> = nodes.collect();
            let number = e.element_tag;
            cells.push(nodes.ok_or(format!("element {number} names a node that is not there"))?);
            numbers.push(number as usize);
        }
    }
    let made = if kind == ElementType::Tet4 {
        let cells = cells.iter().map(|c| [c[0], c[1], c[2], c[3]]);
        Mesh::tetrahedra(points, cells.collect())
    } else {
        // Gmsh orients triangles by their surface: either way round is meant.
        let side = |c: &[u32; 3]| {
            let [p, q, r] = c.map(|n| points[n as usize]);
            (q - p).cross(&(r - p)).z
        };
        let turned = |c: &Vec<u32>| {
            let c = [c[0], c[1], c[2]];
            if side(&c) < 0.0 {
                [c[0], c[2], c[1]]
            } else {
                c
            }
        };
        let cells = cells.iter().map(turned).collect();
        Mesh::triangles(points, cells, thickness)
    };
    Ok(made.map_err(|error| error.renumbered(|k| numbers[k - 1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n\
        $Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n\
        $Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 5 3 4\n$EndElements\n";

    #[test]
    fn tetrahedra_are_read_and_surfaces_left_out() {
        let mesh = read_gmsh(CUBE.as_bytes(), 1.0).unwrap().unwrap();
        assert_eq!((mesh.points().len(), mesh.elements().len()), (5, 2));
        assert!((mesh.volume() - 0.5).abs() < 1e-15, "{}", mesh.volume());
    }

    #[test]
    fn faults_name_the_element_of_the_file() {
        let inverted = CUBE.replace("3 2 5 3 4\n", "3 2 3 5 4\n");
        let error = read_gmsh(inverted.as_bytes(), 1.0).unwrap().unwrap_err();
        assert_eq!(error, MeshError::Inverted { number: 3 });
        let flat = CUBE.replace("2 1 2 3 4\n", "2 1 2 3 3\n");
        let error = read_gmsh(flat.as_bytes(), 1.0).unwrap().unwrap_err();
        assert_eq!(error, MeshError::Flat { number: 2 });
        let lost = CUBE.replace("3 2 5 3 4\n", "3 2 5 3 9\n");
        assert!(
            read_gmsh(lost.as_bytes(), 1.0)
                .unwrap_err()
                .contains("element 3")
        );
        let old = CUBE.replace("4.1 0 8", "2.2 0 8");
        assert!(read_gmsh(old.as_bytes(), 1.0).unwrap_err().contains("2.2"));
        assert!(read_gmsh(b"solid", 1.0).is_err());
        assert!(read_gmsh(&CUBE.as_bytes()[..150], 1.0).is_err());
    }

    #[test]
    fn triangles_alone_are_a_planar_body() {
        let flat = CUBE
            .replace("2 3 1 3\n", "1 1 1 1\n")
            .replace("3 1 4 2\n2 1 2 3 4\n3 2 5 3 4\n", "");
        let mesh = read_gmsh(flat.as_bytes(), 0.1).unwrap().unwrap();
        assert!(mesh.is_planar() && (mesh.volume() - 0.05).abs() < 1e-15);
    }
}
