//! Meshes of common bodies, centred at the origin unless said otherwise.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use super::subdivide::{places, subdivide};
use super::{Mesh, MeshError};

/// More elements than this are surely a slip.
const MOST_ELEMENTS: f64 = 2e7;

fn fault(what: String, fix: &str) -> MeshError {
    MeshError::Measure {
        what,
        fix: fix.into(),
    }
}

fn lengths(name: &str, all: &[f64]) -> Result<(), MeshError> {
    match all.iter().find(|l| !(**l > 0.0 && l.is_finite())) {
        Some(l) => Err(fault(
            format!("{name} is {l}"),
            "it must be positive and finite",
        )),
        None => Ok(()),
    }
}

fn counts(name: &str, all: &[usize], each: f64) -> Result<(), MeshError> {
    if all.contains(&0) {
        return Err(fault(format!("{name} is 0"), "take at least one"));
    }
    let product: f64 = all.iter().map(|n| *n as f64).product::<f64>() * each;
    if product > MOST_ELEMENTS {
        return Err(fault(
            format!("{name} makes {product:.1e} elements"),
            "take a coarser mesh",
        ));
    }
    Ok(())
}

/// A box of `cells` cells along each axis, five tetrahedra each, mirrored from cell to cell: with even
/// numbers of cells it is its own mirror image.
///
/// ```
/// let mesh = carom::elastic::cuboid([1.0, 0.2, 0.1], [10, 2, 1]).unwrap();
/// assert_eq!(mesh.elements().len(), 100);
/// assert!((mesh.volume() - 0.02).abs() < 1e-15);
/// ```
pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Result<Mesh, MeshError> {
    lengths("a side of the box", &size)?;
    counts("the number of cells", &cells, 5.0)?;
    let [nx, ny, nz] = cells;
    let at = |i: usize, n: usize, l: f64| l * (i as f64 / n as f64 - 0.5);
    let mut points = Vec::with_capacity((nx + 1) * (ny + 1) * (nz + 1));
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                points.push(Vector3::new(
                    at(i, nx, size[0]),
                    at(j, ny, size[1]),
                    at(k, nz, size[2]),
                ));
            }
        }
    }
    let node = |i: usize, j: usize, k: usize| ((k * (ny + 1) + j) * (nx + 1) + i) as u32;
    let mut tets = Vec::with_capacity(5 * nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                // Corners by the bits of x, y, z; odd cells are mirrored in x.
                let odd = (i + j + k) % 2;
                let c = |b: usize| {
                    let x = (b & 1) ^ odd;
                    node(i + x, j + (b >> 1 & 1), k + (b >> 2 & 1))
                };
                let cut = [
                    [0, 1, 2, 4],
                    [3, 2, 1, 7],
                    [5, 4, 7, 1],
                    [6, 7, 4, 2],
                    [1, 2, 4, 7],
                ];
                for t in cut {
                    let mut t = t.map(c);
                    let [p, q, r, s] = t.map(|n: u32| points[n as usize]);
                    if (q - p).cross(&(r - p)).dot(&(s - p)) < 0.0 {
                        t.swap(0, 1);
                    }
                    tets.push(t);
                }
            }
        }
    }
    Mesh::tetrahedra(points, tets)
}

/// A rectangle in the plane z = 0 in plane strain, its cells cut crosswise in turn.
pub fn rectangle(size: [f64; 2], cells: [usize; 2], thickness: f64) -> Result<Mesh, MeshError> {
    lengths("a side of the rectangle", &size)?;
    counts("the number of cells", &cells, 2.0)?;
    let [nx, ny] = cells;
    let mut points = Vec::new();
    for j in 0..=ny {
        for i in 0..=nx {
            let x = size[0] * (i as f64 / nx as f64 - 0.5);
            let y = size[1] * (j as f64 / ny as f64 - 0.5);
            points.push(Vector3::new(x, y, 0.0));
        }
    }
    let node = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
    let mut cells = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let [a, b, c, d] = [
                node(i, j),
                node(i + 1, j),
                node(i + 1, j + 1),
                node(i, j + 1),
            ];
            match (i + j) % 2 {
                0 => cells.extend([[a, b, c], [a, c, d]]),
                _ => cells.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    Mesh::triangles(points, cells, thickness)
}

/// Nodes and triangles of a flat cross-section.
type Flat = (Vec<Vector3<f64>>, Vec<[u32; 3]>);

/// A disc of so many rings, six triangles around its centre.
fn disc_cells(radius: f64, rings: usize) -> Flat {
    let corners: Vec<_> = std::iter::once(Vector3::zeros())
        .chain((0..6).map(|k| {
            let (y, x) = (TAU * k as f64 / 6.0).sin_cos();
            Vector3::new(x, y, 0.0)
        }))
        .collect();
    let fan: Vec<[u32; 3]> = (0..6).map(|k| [0, 1 + k, 1 + (k + 1) % 6]).collect();
    let (nodes, cells) = subdivide(&fan, rings);
    let mut points = places(&nodes, &corners, rings);
    for (x, weights) in points.iter_mut().zip(&nodes) {
        let centre = weights.iter().find(|w| w.0 == 0).map_or(0, |w| w.1);
        let ring = (rings as u32 - centre) as f64 / rings as f64;
        // Equal angles along a ring.
        let angle = match weights.iter().filter(|w| w.0 > 0).collect::<Vec<_>>()[..] {
            [] => 0.0,
            [a] => f64::from(a.0 - 1),
            [a, b, ..] => {
                let (i, j) = (f64::from(a.0 - 1), f64::from(b.0 - 1));
                let j = if j - i > 1.5 { j - 6.0 } else { j };
                (i * f64::from(a.1) + j * f64::from(b.1)) / f64::from(a.1 + b.1)
            }
        };
        let (s, c) = (angle * TAU / 6.0).sin_cos();
        *x = Vector3::new(c, s, 0.0) * (radius * ring);
    }
    (points, cells)
}

/// A convex polygon cut into triangles around its centre, `rings` parts along every edge.
fn polygon_cells(corners: &[[f64; 2]], rings: usize) -> Result<Flat, MeshError> {
    let n = corners.len();
    let points: Vec<Vector3<f64>> = corners
        .iter()
        .map(|c| Vector3::new(c[0], c[1], 0.0))
        .collect();
    let turn = |k: usize| {
        let (a, b, c) = (points[k], points[(k + 1) % n], points[(k + 2) % n]);
        (b - a).cross(&(c - b)).z
    };
    if n < 3 || !(0..n).all(|k| turn(k) > 0.0) {
        return Err(fault(
            "the polygon is not convex with its corners counter-clockwise".into(),
            "list at least three corners counter-clockwise; put other outlines in a Gmsh file",
        ));
    }
    let centre = points.iter().sum::<Vector3<f64>>() / n as f64;
    let all: Vec<_> = std::iter::once(centre).chain(points).collect();
    let n = n as u32;
    let fan: Vec<[u32; 3]> = (0..n).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect();
    let (nodes, cells) = subdivide(&fan, rings);
    Ok((places(&nodes, &all, rings), cells))
}

/// A disc in plane strain.
pub fn disc(radius: f64, rings: usize, thickness: f64) -> Result<Mesh, MeshError> {
    lengths("the radius", &[radius])?;
    counts("the number of rings", &[rings, rings], 6.0)?;
    let (points, cells) = disc_cells(radius, rings);
    Mesh::triangles(points, cells, thickness)
}

/// A convex polygon in plane strain, corners counter-clockwise.
pub fn polygon(corners: &[[f64; 2]], rings: usize, thickness: f64) -> Result<Mesh, MeshError> {
    counts("the number of rings", &[rings, rings], 8.0)?;
    let (points, cells) = polygon_cells(corners, rings)?;
    Mesh::triangles(points, cells, thickness)
}

/// A cylinder along z, its cross-section of so many rings.
pub fn cylinder(radius: f64, height: f64, rings: usize, layers: usize) -> Result<Mesh, MeshError> {
    lengths("radius and height", &[radius, height])?;
    counts("rings and layers", &[rings, rings, layers], 18.0)?;
    extruded(disc_cells(radius, rings), height, layers)
}

/// A prism along z over a convex polygon, corners counter-clockwise.
pub fn prism(
    corners: &[[f64; 2]],
    height: f64,
    rings: usize,
    layers: usize,
) -> Result<Mesh, MeshError> {
    lengths("the height", &[height])?;
    counts("rings and layers", &[rings, rings, layers], 24.0)?;
    extruded(polygon_cells(corners, rings)?, height, layers)
}

/// Layers of a cross-section on top of each other.
fn extruded((flat, cells): Flat, height: f64, layers: usize) -> Result<Mesh, MeshError> {
    let n = flat.len() as u32;
    let mut points = Vec::new();
    for k in 0..=layers {
        let z = height * (k as f64 / layers as f64 - 0.5);
        points.extend(flat.iter().map(|x| Vector3::new(x.x, x.y, z)));
    }
    let mut tets = Vec::new();
    for k in 0..layers as u32 {
        for cell in &cells {
            tets.extend(wedge(cell, |v| v + k * n, |v| v + (k + 1) * n));
        }
    }
    oriented(points, tets)
}

/// A wedge over a triangle as three tetrahedra; neighbours agree, as diagonals start at the lower
/// number.
fn wedge(cell: &[u32; 3], low: impl Fn(u32) -> u32, high: impl Fn(u32) -> u32) -> [[u32; 4]; 3] {
    let mut sorted = *cell;
    sorted.sort_unstable();
    let [a, b, c] = sorted;
    [
        [low(a), low(b), low(c), high(c)],
        [low(a), low(b), high(b), high(c)],
        [low(a), high(a), high(b), high(c)],
    ]
}

/// Drops cells that have a node twice and turns the others to positive volumes.
fn oriented(points: Vec<Vector3<f64>>, cells: Vec<[u32; 4]>) -> Result<Mesh, MeshError> {
    let whole = |t: &[u32; 4]| (0..4).all(|i| (0..i).all(|j| t[i] != t[j]));
    let mut cells: Vec<_> = cells.into_iter().filter(whole).collect();
    for t in &mut cells {
        let [p, q, r, s] = t.map(|n| points[n as usize]);
        if (q - p).cross(&(r - p)).dot(&(s - p)) < 0.0 {
            t.swap(0, 1);
        }
    }
    Mesh::tetrahedra(points, cells)
}

/// A ball of so many layers of 20 triangles each, refined from layer to layer.
pub fn ball(radius: f64, layers: usize) -> Result<Mesh, MeshError> {
    lengths("the radius", &[radius])?;
    counts("the number of layers", &[layers, layers, layers], 20.0)?;
    let phi = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = vec![Vector3::zeros()];
    for (a, b) in [(1.0, phi), (-1.0, phi), (1.0, -phi), (-1.0, -phi)] {
        corners.push(Vector3::new(0.0, a, b).normalize());
        corners.push(Vector3::new(a, b, 0.0).normalize());
        corners.push(Vector3::new(b, 0.0, a).normalize());
    }
    // Faces are triples of corners an edge apart.
    let near = |a: usize, b: usize| (corners[a] - corners[b]).norm() < 1.1;
    let mut fan = Vec::new();
    for a in 1..13 {
        for b in a + 1..13 {
            for c in b + 1..13 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let out = corners[a].cross(&corners[b]).dot(&corners[c]) > 0.0;
                    let [a, b, c] = [a as u32, b as u32, c as u32];
                    fan.push(if out { [0, a, b, c] } else { [0, a, c, b] });
                }
            }
        }
    }
    let (nodes, cells) = subdivide(&fan, layers);
    let mut points = places(&nodes, &corners, layers);
    for (x, weights) in points.iter_mut().zip(&nodes) {
        let centre = weights.iter().find(|w| w.0 == 0).map_or(0, |w| w.1);
        let part = (layers as u32 - centre) as f64 / layers as f64;
        *x = x.try_normalize(0.0).unwrap_or_default() * (radius * part);
    }
    oriented(points, cells)
}

/// What lies between two profiles (r, z) with as many points each, turned about the z axis: `inner`
/// and `outer` are run through in the same direction, `layers` lead from one to the other.
///
/// ```
/// // A pin with a bulge, and a washer with a conical hole.
/// let pin = carom::elastic::revolved(
///     &[[0.0, 0.0], [0.0, 0.5], [0.0, 1.0]], &[[0.1, 0.0], [0.15, 0.5], [0.05, 1.0]], 2, 12);
/// let washer = carom::elastic::revolved(&[[0.1, 0.0], [0.2, 0.1]], &[[0.5, 0.0], [0.5, 0.1]], 3, 16);
/// assert!(pin.is_ok() && washer.is_ok());
/// ```
pub fn revolved(
    inner: &[[f64; 2]],
    outer: &[[f64; 2]],
    layers: usize,
    sectors: usize,
) -> Result<Mesh, MeshError> {
    let rows = inner.len();
    if rows < 2 || outer.len() != rows {
        return Err(fault(
            format!("the profiles have {rows} and {} points", outer.len()),
            "give both the same number of points (r, z), at least two",
        ));
    }
    let bad = inner.iter().chain(outer).find(|p| {
        let finite = p[0].is_finite() && p[1].is_finite();
        !(p[0] >= 0.0 && finite)
    });
    if let Some([r, z]) = bad {
        return Err(fault(
            format!("the profile has a point ({r}, {z})"),
            "points are (r, z) with r not negative",
        ));
    }
    if sectors < 3 {
        return Err(fault(
            format!("{sectors} sectors do not close"),
            "take at least 3",
        ));
    }
    counts("points, layers and sectors", &[rows, layers, sectors], 6.0)?;
    let mut flat = Vec::new();
    for k in 0..=layers {
        let w = k as f64 / layers as f64;
        for (a, b) in inner.iter().zip(outer) {
            flat.push([a[0] + (b[0] - a[0]) * w, a[1] + (b[1] - a[1]) * w]);
        }
    }
    let mut cells = Vec::new();
    for k in 0..layers {
        for i in 0..rows - 1 {
            let at = |k: usize, i: usize| (k * rows + i) as u32;
            let [a, b, c, d] = [at(k, i), at(k + 1, i), at(k + 1, i + 1), at(k, i + 1)];
            match (i + k) % 2 {
                0 => cells.extend([[a, b, c], [a, c, d]]),
                _ => cells.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    // Points on the axis are one node for all sectors.
    let n = flat.len();
    let axis = |v: u32| flat[v as usize][0] == 0.0;
    let node = |v: u32, s: usize| {
        let s = if axis(v) { 0 } else { s % sectors };
        (s * n) as u32 + v
    };
    let mut points = Vec::with_capacity(n * sectors);
    for s in 0..sectors {
        let (sin, cos) = (TAU * s as f64 / sectors as f64).sin_cos();
        points.extend(flat.iter().map(|[r, z]| Vector3::new(r * cos, r * sin, *z)));
    }
    let mut tets = Vec::new();
    for s in 0..sectors {
        for cell in &cells {
            tets.extend(wedge(cell, |v| node(v, s), |v| node(v, s + 1)));
        }
    }
    oriented(points, tets)
}

/// A shell of revolution: a profile (r, z) of the middle surface with a thickness, turned about the z
/// axis.
pub fn revolved_shell(
    profile: &[[f64; 2]],
    thickness: f64,
    layers: usize,
    sectors: usize,
) -> Result<Mesh, MeshError> {
    lengths("the thickness", &[thickness])?;
    if profile.len() < 2 {
        return Err(fault(
            "the profile has fewer than two points".into(),
            "give at least two points (r, z)",
        ));
    }
    let last = profile.len() - 1;
    let offset = |k: usize, by: f64| -> [f64; 2] {
        // Normals of the edges before and after, joined so that both keep their thickness.
        let normal = |i: usize| {
            let (a, b) = (profile[i], profile[i + 1]);
            let edge = nalgebra::Vector2::new(b[0] - a[0], b[1] - a[1]);
            let n = edge.try_normalize(0.0).unwrap_or_default();
            nalgebra::Vector2::new(n.y, -n.x)
        };
        let (before, after) = (normal(k.max(1) - 1), normal(k.min(last - 1)));
        let sum = before + after;
        let n = sum * (2.0 / sum.norm_squared());
        let r = profile[k][0] + by * n.x;
        // What begins on the axis stays there.
        let r = if profile[k][0] == 0.0 { 0.0 } else { r };
        [r, profile[k][1] + by * n.y]
    };
    let half = 0.5 * thickness;
    let inner: Vec<_> = (0..=last).map(|k| offset(k, -half)).collect();
    let outer: Vec<_> = (0..=last).map(|k| offset(k, half)).collect();
    revolved(&inner, &outer, layers, sectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastic::Mesh;

    /// Every inner face has two elements, and the surface is closed.
    fn sound(mesh: &Mesh) {
        let surface = mesh.surface();
        let mut edges = std::collections::HashMap::new();
        for (f, _) in &surface {
            for k in 0..3 {
                let (a, b) = (f[k], f[(k + 1) % 3]);
                *edges.entry((a, b)).or_insert(0) += 1;
                *edges.entry((b, a)).or_insert(0) -= 1;
            }
        }
        assert!(edges.values().all(|n| *n == 0));
        // Volume by the surface, after Gauss.
        let v: f64 = (surface.iter())
            .map(|(f, _)| {
                let [a, b, c] = f.map(|n| mesh.points()[n as usize]);
                a.cross(&b).dot(&c) / 6.0
            })
            .sum();
        assert!(
            (v - mesh.volume()).abs() < 1e-12 * mesh.volume().max(1e-3),
            "{v}"
        );
    }

    #[test]
    fn solids_close_and_have_their_volumes() {
        let boxed = cuboid([1.0, 0.5, 0.2], [3, 2, 4]).unwrap();
        sound(&boxed);
        assert!((boxed.volume() - 0.1).abs() < 1e-14);
        let hexagon: Vec<[f64; 2]> = (0..6)
            .map(|k| {
                let (s, c) = (TAU * f64::from(k) / 6.0).sin_cos();
                [c, s]
            })
            .collect();
        for rings in 1..4 {
            let p = prism(&hexagon, 2.0, rings, 3).unwrap();
            sound(&p);
            assert!((p.volume() - 3.0 * 3.0_f64.sqrt()).abs() < 1e-12);
        }
        let round = cylinder(0.5, 2.0, 8, 3).unwrap();
        sound(&round);
        let exact = 0.5 * std::f64::consts::PI;
        assert!((round.volume() / exact - 1.0).abs() < 0.01);
        let sphere = ball(0.5, 5).unwrap();
        sound(&sphere);
        let exact = std::f64::consts::PI / 6.0;
        assert!((sphere.volume() / exact - 1.0).abs() < 0.05);
        let reach = sphere.points().iter().map(|x| x.norm()).fold(0.0, f64::max);
        assert!((reach - 0.5).abs() < 1e-14);
    }

    #[test]
    fn bodies_of_revolution_close_on_the_axis_too() {
        let pin = revolved(
            &[[0.0, 0.0], [0.0, 0.5], [0.0, 1.0]],
            &[[0.1, 0.0], [0.15, 0.5], [0.05, 1.0]],
            2,
            12,
        );
        sound(&pin.unwrap());
        let tube = revolved_shell(&[[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], 0.1, 2, 64).unwrap();
        sound(&tube);
        let exact = std::f64::consts::PI * (1.05_f64.powi(2) - 0.95_f64.powi(2)) * 2.0;
        assert!((tube.volume() / exact - 1.0).abs() < 0.01);
        let dome: Vec<[f64; 2]> = (0..=6)
            .map(|k| {
                let (s, c) = (TAU / 24.0 * f64::from(k)).sin_cos();
                [s, c]
            })
            .map(|[r, z]| [if r < 1e-12 { 0.0 } else { r }, z])
            .collect();
        sound(&revolved_shell(&dome, 0.05, 1, 12).unwrap());
    }

    #[test]
    fn flat_meshes_have_their_areas() {
        assert!((rectangle([2.0, 1.0], [4, 3], 0.5).unwrap().volume() - 1.0).abs() < 1e-14);
        let round = disc(1.0, 12, 1.0).unwrap();
        assert!((round.volume() / std::f64::consts::PI - 1.0).abs() < 0.01);
        let surface = round.surface();
        assert_eq!(surface.len(), 72);
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert!((polygon(&square, 3, 1.0).unwrap().volume() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn an_even_box_is_its_own_mirror_image() {
        let mesh = cuboid([1.0, 1.0, 1.0], [2, 2, 2]).unwrap();
        let key = |flip: [f64; 3]| {
            let mut all: Vec<Vec<[i64; 3]>> = (mesh.elements().iter())
                .map(|e| {
                    let mut c: Vec<[i64; 3]> = (e.nodes.iter())
                        .map(|n| {
                            let x = mesh.points()[*n as usize];
                            [0, 1, 2].map(|k| (x[k] * flip[k] * 100.0).round() as i64)
                        })
                        .collect();
                    c.sort_unstable();
                    c
                })
                .collect();
            all.sort_unstable();
            all
        };
        let own = key([1.0; 3]);
        for flip in [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0]] {
            assert_eq!(own, key(flip));
        }
    }

    #[test]
    fn measures_that_make_no_mesh_are_refused() {
        for bad in [
            cuboid([1.0, 0.0, 1.0], [1; 3]),
            cuboid([1.0; 3], [0, 1, 1]),
            cuboid([1.0; 3], [1000; 3]),
            ball(f64::NAN, 2),
            revolved(&[[-1.0, 0.0], [0.0, 1.0]], &[[1.0, 0.0], [1.0, 1.0]], 1, 8),
            polygon(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], 2, 1.0),
        ] {
            assert!(matches!(bad, Err(MeshError::Measure { .. })), "{bad:?}");
        }
        // Profiles that cross make inverted or flat elements, which are refused too.
        let crossed = revolved(&[[0.1, 0.0], [0.3, 1.0]], &[[0.1, 0.0], [0.2, 1.0]], 1, 8);
        assert!(crossed.is_err());
    }
}
