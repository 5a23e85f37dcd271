//! Surfaces of elastic bodies: moving triangles, and what colours them.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::arrays::Packed;
use super::document::{SURFACE_VALUES, SurfaceView};
use crate::elastic::von_mises;
use crate::model::{Model, Solid};

/// What a surface shows, frame by frame.
pub(super) struct Surface<'a> {
    solid: &'a Solid,
    /// Nodes at the surface, and the elements around each with their parts of it.
    nodes: Vec<u32>,
    around: Vec<Vec<usize>>,
    /// Values of all frames: displacement, strain energy density, von Mises stress of each vertex.
    values: Vec<[f32; SURFACE_VALUES]>,
}

impl<'a> Surface<'a> {
    /// The surface of every elastic body, with its triangles.
    pub fn all(model: &'a Model) -> Vec<(SurfaceView, Self)> {
        model.solids().iter().map(Self::new).collect()
    }

    fn new(solid: &'a Solid) -> (SurfaceView, Self) {
        let mut nodes: Vec<u32> = match solid.is_planar() {
            true => (0..solid.points.len() as u32).collect(),
            false => solid.surface.iter().flat_map(|(face, _)| *face).collect(),
        };
        nodes.sort_unstable();
        nodes.dedup();
        let place = |n: &u32| nodes.binary_search(n).unwrap_or(0) as u32;
        let triangles: Vec<u32> = match solid.is_planar() {
            // A planar body shows its elements.
            true => (solid.elements.iter())
                .flat_map(|e| [e.nodes[0], e.nodes[1], e.nodes[2]])
                .map(|n| place(&n))
                .collect(),
            false => (solid.surface.iter())
                .flat_map(|(face, _)| face.iter().map(place))
                .collect(),
        };
        let mut around = vec![Vec::new(); nodes.len()];
        for (k, e) in solid.elements.iter().enumerate() {
            for n in &e.nodes[..e.corners()] {
                if let Ok(at) = nodes.binary_search(n) {
                    around[at].push(k);
                }
            }
        }
        let view = SurfaceView {
            name: solid.name.clone(),
            vertices: nodes.len(),
            triangles: Packed(triangles),
            largest: [0.0; SURFACE_VALUES],
            mass: solid.masses.iter().sum(),
            color: None,
        };
        let surface = Self {
            solid,
            nodes,
            around,
            values: Vec::new(),
        };
        (view, surface)
    }

    /// Adds a frame: positions to `out`, values to be packed at the end.
    pub fn push(&mut self, poses: &[Pose], out: &mut Vec<f32>) {
        let solid = self.solid;
        let mut density = Vec::with_capacity(solid.elements.len());
        for e in &solid.elements {
            let f = e.deformation(&solid.corners(e, poses));
            let energy = solid.material.energy(&f);
            density.push((energy, von_mises(&solid.material, &f), e.volume));
        }
        let all: Vec<Vector3<f64>> = (0..solid.points.len() as u32)
            .map(|n| solid.place(n, poses))
            .collect();
        let (turn, from, to) = rigid(solid, &all);
        for (n, around) in self.nodes.iter().zip(&self.around) {
            let x = all[*n as usize];
            out.extend(x.iter().map(|c| *c as f32));
            let moved = x - to - turn * (solid.rest[*n as usize] - from);
            let (mut energy, mut stress, mut volume) = (0.0, 0.0, 0.0);
            for &k in around {
                let (w, s, v) = density[k];
                energy += w * v;
                stress += s * v;
                volume += v;
            }
            self.values.push([
                moved.norm() as f32,
                (energy / volume) as f32,
                (stress / volume) as f32,
            ]);
        }
    }

    /// Largest values, and all values as parts of them.
    pub fn largest(&self) -> [f64; SURFACE_VALUES] {
        let mut most = [0.0; SURFACE_VALUES];
        for value in &self.values {
            for (m, v) in most.iter_mut().zip(value) {
                *m = f64::max(*m, f64::from(*v));
            }
        }
        most
    }

    /// Values of a frame as parts of the largest, field by field.
    pub fn pack(&self, frame: usize, largest: &[f64; SURFACE_VALUES], out: &mut Vec<i16>) {
        let n = self.nodes.len();
        for (k, most) in largest.iter().enumerate() {
            for value in &self.values[frame * n..(frame + 1) * n] {
                let part = f64::from(value[k]) / most.max(f64::MIN_POSITIVE);
                out.push((part.clamp(0.0, 1.0) * 32767.0).round() as i16);
            }
        }
    }
}

/// The rigid motion that fits the nodes best, by mass: a turn, the centre at rest, the centre now.
fn rigid(solid: &Solid, now: &[Vector3<f64>]) -> (Matrix3<f64>, Vector3<f64>, Vector3<f64>) {
    let mass: f64 = solid.masses.iter().sum();
    let centre = |x: &[Vector3<f64>]| {
        let sum: Vector3<f64> = x.iter().zip(&solid.masses).map(|(x, m)| x * *m).sum();
        sum / mass
    };
    let (from, to) = (centre(&solid.rest), centre(now));
    let mut spread = Matrix3::zeros();
    for ((x, rest), m) in now.iter().zip(&solid.rest).zip(&solid.masses) {
        spread += (x - to) * (rest - from).transpose() * *m;
    }
    if solid.is_planar() {
        spread[(2, 2)] += spread.norm();
    }
    let svd = spread.svd(true, true);
    let turn = match (svd.u, svd.v_t) {
        (Some(u), Some(v_t)) => {
            let mut last = Matrix3::identity();
            last[(2, 2)] = (u * v_t).determinant().signum();
            u * last * v_t
        }
        _ => Matrix3::identity(),
    };
    (turn, from, to)
}
