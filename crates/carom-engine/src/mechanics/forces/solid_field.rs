//! Energy and forces of elements worked out together, on all cores where they are many.
//!
//! Elements are worked out in any order, and every node then adds up its own in the order of their
//! numbers: results do not depend on the number of threads.

use carom_gap::Pose;
use nalgebra::Vector3;
use rayon::prelude::*;

use crate::elastic::Corners;
use crate::mechanics::share::Share;
use crate::mechanics::vectors::Covector;
use crate::model::{Model, Solid};

/// Elements from which on several cores are worth their trouble.
const MANY: usize = 4096;
/// Elements, and nodes, that are handed out together.
const CHUNK: usize = 512;

/// Storage for the elements of a model.
///
/// ```
/// use carom::elastic::{NeoHookean, cuboid};
/// use carom::mechanics::{Share, SolidField, potential, potential_forces_by};
/// use carom::model::{ModelBuilder, SolidSpec};
/// let rubber = NeoHookean::from_young(1e6, 0.45);
/// let mut builder = ModelBuilder::new();
/// builder.solid(SolidSpec::new("cube", cuboid([1.0; 3], [2; 3]).unwrap(), 1e3, rubber));
/// let model = builder.build().unwrap();
/// let share = Share::all(&model);
/// // Pressed to 9/10 of its height.
/// let mut poses: Vec<_> = model.bodies().iter().map(|b| b.start).collect();
/// poses.iter_mut().for_each(|pose| pose.position.z *= 0.9);
/// let mut forces = vec![Default::default(); poses.len()];
/// let mut field = SolidField::new(&model);
/// let energy = potential_forces_by(&mut field, &model, &share, &poses, &mut forces);
/// assert_eq!(energy, potential(&model, &share, &poses));
/// ```
#[derive(Debug)]
pub struct SolidField {
    solids: Vec<Gather>,
}

/// Storage for one solid of many elements; empty for others.
#[derive(Debug, Default)]
struct Gather {
    forces: Vec<Corners>,
    energies: Vec<f64>,
    /// Corners that meet in a node, as 4 · element + corner, one node after the other.
    corners: Vec<u32>,
    /// Where each node begins among them.
    firsts: Vec<u32>,
    /// Nodes of the particles, in their order, and of all other points that move.
    free: Vec<u32>,
    other: Vec<u32>,
}

impl SolidField {
    /// For a model.
    pub fn new(model: &Model) -> Self {
        let each = model
            .solids()
            .iter()
            .map(|s| match s.elements.len() < MANY {
                true => Gather::default(),
                false => Gather::new(s),
            });
        Self {
            solids: each.collect(),
        }
    }

    /// Adds the forces of the elements of a share; returns their energy.
    pub(super) fn add_forces(
        &mut self,
        model: &Model,
        share: &Share,
        poses: &[Pose],
        out: &mut [Covector],
    ) -> f64 {
        let each = share.solids.iter().map(|&k| {
            let (solid, gather) = (&model.solids()[k], &mut self.solids[k]);
            match gather.firsts.is_empty() {
                true => one_by_one(solid, poses, out),
                false => gather.add_forces(solid, poses, out),
            }
        });
        each.sum()
    }
}

/// Adds the forces of the elements in their order.
fn one_by_one(solid: &Solid, poses: &[Pose], out: &mut [Covector]) -> f64 {
    let each = solid.elements.iter().map(|e| {
        let (energy, forces) = e.energy_and_forces(&solid.material, &solid.corners(e, poses));
        for (n, f) in e.nodes[..e.corners()].iter().zip(&forces) {
            add(solid, *n, f, out);
        }
        energy
    });
    each.sum()
}

/// Adds a force on a node to the body that it is fixed in.
#[inline]
fn add(solid: &Solid, node: u32, f: &Vector3<f64>, out: &mut [Covector]) {
    let p = &solid.points[node as usize];
    let Some(b) = p.body else { return };
    let y = &mut out[b.index()];
    y.force += f;
    if p.local != Vector3::zeros() {
        y.directors += f * p.local.transpose();
    }
}

impl Gather {
    fn new(solid: &Solid) -> Self {
        let nodes = solid.points.len();
        let mut firsts = vec![0u32; nodes + 1];
        for e in &solid.elements {
            for n in &e.nodes[..e.corners()] {
                firsts[*n as usize + 1] += 1;
            }
        }
        for n in 0..nodes {
            firsts[n + 1] += firsts[n];
        }
        let mut corners = vec![0; firsts[nodes] as usize];
        let mut at = firsts.clone();
        for (k, e) in solid.elements.iter().enumerate() {
            for (c, n) in e.nodes[..e.corners()].iter().enumerate() {
                let place = &mut at[*n as usize];
                corners[*place as usize] = (4 * k + c) as u32;
                *place += 1;
            }
        }
        let moves = |n: &u32| solid.points[*n as usize].body.is_some();
        let own = |n: &u32| {
            let body = solid.points[*n as usize].body;
            body.is_some_and(|b| solid.particles.contains(&b.index()))
        };
        let (free, other) = (0..nodes as u32).filter(moves).partition(own);
        Self {
            forces: vec![[Vector3::zeros(); 4]; solid.elements.len()],
            energies: vec![0.0; solid.elements.len()],
            corners,
            firsts,
            free,
            other,
        }
    }

    /// Sum of the forces on a node.
    #[inline]
    fn sum(&self, node: u32) -> Vector3<f64> {
        let [first, last] = [node, node + 1].map(|n| self.firsts[n as usize] as usize);
        let each = self.corners[first..last].iter();
        each.fold(Vector3::zeros(), |sum, c| {
            sum + self.forces[*c as usize / 4][*c as usize % 4]
        })
    }

    fn add_forces(&mut self, solid: &Solid, poses: &[Pose], out: &mut [Covector]) -> f64 {
        let elements = solid.elements.par_chunks(CHUNK);
        let forces = self.forces.par_chunks_mut(CHUNK);
        let energies = self.energies.par_chunks_mut(CHUNK);
        elements
            .zip(forces)
            .zip(energies)
            .for_each(|((elements, forces), energies)| {
                for ((e, f), energy) in elements.iter().zip(forces).zip(energies) {
                    let x = solid.corners(e, poses);
                    (*energy, *f) = e.energy_and_forces(&solid.material, &x);
                }
            });
        let particles = out[solid.particles.clone()].par_chunks_mut(CHUNK);
        let nodes = self.free.par_chunks(CHUNK);
        particles.zip(nodes).for_each(|(out, nodes)| {
            for (y, n) in out.iter_mut().zip(nodes) {
                y.force += self.sum(*n);
            }
        });
        for n in &self.other {
            add(solid, *n, &self.sum(*n), out);
        }
        self.energies.iter().sum()
    }
}
