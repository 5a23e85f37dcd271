//! From the triangles of a convex surface to its faces: coplanar triangles become one polygon, and
//! points that are no corners disappear.
//!
//! Rounding makes the hull of a box out of many slivers. Starting from the largest triangles, each
//! face takes in the connected triangles whose corners all lie within a tolerance of its plane;
//! what remains of a vertex with fewer than three faces was the inside of an edge or of a face.

use super::error::GeometryError;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Corners (indices into the given points, ascending) and outward loops over these corners.
pub(crate) struct Faces {
    pub(crate) corners: Vec<u32>,
    pub(crate) loops: Vec<Vec<u32>>,
}

/// Area vector of a loop (Newell): normal times area.
pub(crate) fn area_vector(points: &[Vector3<f64>], face: &[u32]) -> Vector3<f64> {
    let origin = points[face[0] as usize];
    let at = |k: usize| points[face[k % face.len()] as usize] - origin;
    (1..face.len())
        .map(|k| at(k).cross(&at(k + 1)))
        .sum::<Vector3<f64>>()
        * 0.5
}

/// The triangles of the loops, fanned from their first corners.
pub(crate) fn fan(loops: &[Vec<u32>]) -> impl Iterator<Item = [u32; 3]> + '_ {
    loops
        .iter()
        .flat_map(|f| (1..f.len() - 1).map(move |k| [f[0], f[k], f[k + 1]]))
}

/// Directed edges with the face they belong to, sorted by their first corners.
pub(crate) struct Edges {
    /// Where the edges of each corner begin.
    starts: Vec<usize>,
    /// Second corner and face, sorted among those of one corner.
    ends: Vec<(u32, usize)>,
}

impl Edges {
    fn new<F: AsRef<[u32]>>(faces: &[F]) -> Self {
        let directed = || {
            faces.iter().enumerate().flat_map(|(face, corners)| {
                let corners = corners.as_ref();
                let next = corners.iter().cycle().skip(1);
                corners.iter().zip(next).map(move |(&i, &j)| (i, j, face))
            })
        };
        let count = directed().map(|(i, ..)| i as usize + 1).max().unwrap_or(0);
        let mut starts = vec![0; count + 1];
        for (i, ..) in directed() {
            starts[i as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        let mut free = starts.clone();
        let mut ends = vec![(0, 0); starts[count]];
        for (i, j, face) in directed() {
            let at = &mut free[i as usize];
            ends[*at] = (j, face);
            *at += 1;
        }
        for k in 0..count {
            ends[starts[k]..starts[k + 1]].sort_unstable();
        }
        Self { starts, ends }
    }

    /// The face on the left of an edge.
    pub fn face(&self, [i, j]: [u32; 2]) -> Option<usize> {
        let i = i as usize;
        let own = self
            .ends
            .get(*self.starts.get(i)?..*self.starts.get(i + 1)?)?;
        let at = own.partition_point(|(end, _)| *end < j);
        own.get(at).filter(|(end, _)| *end == j).map(|e| e.1)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn iter(&self) -> impl Iterator<Item = ([u32; 2], usize)> + '_ {
        (0..self.starts.len() - 1).flat_map(move |i| {
            let own = &self.ends[self.starts[i]..self.starts[i + 1]];
            own.iter().map(move |&(j, face)| ([i as u32, j], face))
        })
    }
}

/// The directed edges of the loops with the face they belong to. Fails where an edge is there
/// twice in one direction or lacks its opposite.
pub(crate) fn closed_edges<F: AsRef<[u32]>>(faces: &[F]) -> Result<Edges, GeometryError> {
    let edges = Edges::new(faces);
    // Of edges that are there twice, the one whose second face comes first.
    let pairs = edges.iter().zip(edges.iter().skip(1));
    let twice = pairs
        .filter(|((e, _), (f, _))| e == f)
        .min_by_key(|p| p.1.1);
    if let Some(((edge, other), (_, face))) = twice {
        return Err(GeometryError::FlippedFace { face, other, edge });
    }
    for ([i, j], face) in edges.iter() {
        if edges.face([j, i]).is_none() {
            return Err(GeometryError::OpenEdge { face, edge: [i, j] });
        }
    }
    Ok(edges)
}

/// Merges triangles of a closed convex surface into its faces.
pub(crate) fn merge(points: &[Vector3<f64>], triangles: &[[u32; 3]], tolerance: f64) -> Faces {
    let merged = group(points, triangles, tolerance)
        .and_then(|groups| loops_of(triangles, &groups))
        .and_then(keep_corners);
    // Never needed for a body much thicker than the tolerance, but a valid answer in any case.
    merged.unwrap_or_else(|| relabel(triangles.iter().map(|t| t.to_vec()).collect()))
}

/// The face each triangle belongs to, numbered in the order of their first triangles.
fn group(points: &[Vector3<f64>], triangles: &[[u32; 3]], tolerance: f64) -> Option<Vec<usize>> {
    let edges = closed_edges(triangles).ok()?;
    let areas: Vec<_> = triangles.iter().map(|t| area_vector(points, t)).collect();
    let mut by_area: Vec<usize> = (0..triangles.len()).collect();
    by_area.sort_by(|&a, &b| areas[b].norm().total_cmp(&areas[a].norm()));

    let mut seeds = vec![usize::MAX; triangles.len()];
    for seed in by_area {
        if seeds[seed] != usize::MAX {
            continue;
        }
        let origin = points[triangles[seed][0] as usize];
        let normal = areas[seed].try_normalize(0.0).unwrap_or_default();
        let on_plane = |t: usize| {
            triangles[t]
                .iter()
                .all(|&i| (points[i as usize] - origin).dot(&normal).abs() <= tolerance)
        };
        let mut stack = vec![seed];
        seeds[seed] = seed;
        while let Some(at) = stack.pop() {
            let [a, b, c] = triangles[at];
            for opposite in [[b, a], [c, b], [a, c]] {
                let next = edges.face(opposite)?;
                if seeds[next] == usize::MAX && on_plane(next) {
                    seeds[next] = seed;
                    stack.push(next);
                }
            }
        }
    }

    let mut numbers = BTreeMap::new();
    let groups = seeds.iter().map(|seed| {
        let count = numbers.len();
        *numbers.entry(*seed).or_insert(count)
    });
    Some(groups.collect())
}

/// The border of each group as one loop; `None` where it is not a simple loop.
fn loops_of(triangles: &[[u32; 3]], groups: &[usize]) -> Option<Vec<Vec<u32>>> {
    let edges = closed_edges(triangles).ok()?;
    let count = groups.iter().max()? + 1;
    let mut next: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); count];
    let mut starts = vec![None; count];
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            if groups[edges.face([j, i])?] != groups[t] {
                starts[groups[t]].get_or_insert(i);
                if next[groups[t]].insert(i, j).is_some() {
                    return None;
                }
            }
        }
    }
    starts
        .iter()
        .zip(&next)
        .map(|(start, next)| {
            let start = (*start)?;
            let mut face = vec![start];
            let mut at = *next.get(&start)?;
            while at != start && face.len() <= next.len() {
                face.push(at);
                at = *next.get(&at)?;
            }
            (face.len() == next.len()).then_some(face)
        })
        .collect()
}

/// Drops vertices with fewer than three faces; `None` where the rest is no closed surface.
fn keep_corners(mut loops: Vec<Vec<u32>>) -> Option<Faces> {
    let mut faces_at = BTreeMap::new();
    for &i in loops.iter().flatten() {
        *faces_at.entry(i).or_insert(0) += 1;
    }
    for face in &mut loops {
        face.retain(|i| faces_at[i] >= 3);
    }
    if loops.iter().any(|face| face.len() < 3) {
        return None;
    }
    let edges = closed_edges(&loops).ok()?.len() / 2;
    let faces = relabel(loops);
    (faces.corners.len() + faces.loops.len() == edges + 2).then_some(faces)
}

/// Numbers the used points from zero.
fn relabel(mut loops: Vec<Vec<u32>>) -> Faces {
    let mut corners: Vec<u32> = loops.iter().flatten().copied().collect();
    corners.sort_unstable();
    corners.dedup();
    for i in loops.iter_mut().flatten() {
        *i = corners.binary_search(i).expect("a used point") as u32;
    }
    Faces { corners, loops }
}
