//! Rows of planes between parts: unit normals, vertices of the holder below, of the other part above.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::gaps::name;
use super::height::Heights;
use super::heights::{Slopes, Weights, weigh};
use super::place::{Place, gap_name};
use super::planes::{Plane, Span};
use crate::contact::Detector;
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::nlp::Leaf;
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// What a row of a plane asks for.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// |ν|².
    Unit,
    /// Depth of a vertex of the holder below the plane.
    Held { index: usize, vertex: Vector3<f64> },
    /// Height of a vertex of the other part above it, at a place.
    Height {
        place: Place,
        index: usize,
        vertex: Vector3<f64>,
    },
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    pub planes: Vec<Plane>,
    rows: Vec<(usize, Kind, [f64; 2])>,
}

impl Planes {
    /// Adds a plane with the rows of its normal and of the holder's vertices, which lie `radius` below it
    /// at least; those in `shared` lie on it.
    pub fn add(
        &mut self,
        plane: Plane,
        shared: &[(usize, Vector3<f64>)],
        below: &[(usize, Vector3<f64>)],
        radius: f64,
    ) {
        let number = self.planes.len();
        self.planes.push(plane);
        self.rows.push((number, Kind::Unit, [1.0; 2]));
        for (list, range) in [(shared, [0.0; 2]), (below, [radius, f64::INFINITY])] {
            self.rows.extend(
                list.iter()
                    .map(|&(index, vertex)| (number, Kind::Held { index, vertex }, range)),
            );
        }
    }

    /// Adds rows for vertices above a plane at a place.
    pub fn add_heights(
        &mut self,
        plane: usize,
        place: Place,
        above: &[(usize, Vector3<f64>)],
        least: f64,
    ) {
        self.rows.extend(above.iter().map(|&(index, vertex)| {
            let kind = Kind::Height {
                place,
                index,
                vertex,
            };
            (plane, kind, [least, f64::INFINITY])
        }));
    }

    /// Rows of heights with their planes.
    pub fn heights(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(r, (plane, kind, _))| {
            matches!(kind, Kind::Height { .. }).then_some((r, *plane))
        })
    }

    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// The planes and places that rows of heights follow each other for.
    fn places(&self) -> Vec<(usize, Place)> {
        let mut out: Vec<(usize, Place)> = Vec::new();
        for (plane, kind, _) in &self.rows {
            if let Kind::Height { place, .. } = kind
                && out.last() != Some(&(*plane, *place))
            {
                out.push((*plane, *place));
            }
        }
        out
    }

    /// A row as it would be called if its plane served another span.
    fn called(&self, row: usize, span: Span) -> String {
        let (plane, kind, _) = &self.rows[row];
        let plane = &self.planes[*plane];
        let on = format!("{} {}", span.name(), name(&plane.pair));
        let side = u8::from(plane.on_a());
        match kind {
            Kind::Unit => format!("unit {on}"),
            Kind::Held { index, .. } => format!("held {on} {side} {index}"),
            Kind::Height { place, index, .. } => {
                let (node, s) = place.key();
                format!("height {on} {node} {:x} {side} {index}", s.unwrap_or(0))
            }
        }
    }
}

impl Family for Planes {
    fn name(&self) -> &'static str {
        "plane"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| r.2).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        for (plane, place) in self.places() {
            let homes = layout.homes_of(&self.planes[plane].bodies());
            match place {
                Place::Node(node) => layout.couplings.at(node, &homes),
                Place::Way { step, s } => {
                    layout.couplings.over(step, &homes);
                    layout.look_between(step, &self.planes[plane].bodies(), s);
                }
            }
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let x = path.x();
        let mut heights = None::<Heights>;
        for ((plane, kind, _), value) in self.rows.iter().zip(g) {
            let plane = &self.planes[*plane];
            *value = match kind {
                Kind::Unit => plane.normal(x).norm_squared(),
                Kind::Held { vertex, .. } => plane.depth(vertex, x),
                Kind::Height { place, vertex, .. } => {
                    let here = heights.take().filter(|h| h.is_at(plane.index, *place));
                    let here = here.unwrap_or_else(|| path.heights(plane, *place));
                    heights.insert(here).value(vertex)
                }
            };
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        let x = path.x();
        let slopes: Vec<Slopes> = (self.places().into_par_iter())
            .map(|(plane, place)| path.slopes(&self.planes[plane], place))
            .collect();
        let mut at = 0;
        for (r, (plane, kind, _)) in self.rows.iter().enumerate() {
            let plane = &self.planes[*plane];
            match kind {
                Kind::Unit => {
                    for (k, v) in plane.normal(x).iter().enumerate() {
                        sink(r, plane.first + k, 2.0 * v);
                    }
                }
                Kind::Held { vertex, .. } => {
                    for k in 0..3 {
                        sink(r, plane.first + k, -vertex[k]);
                    }
                    sink(r, plane.first + 3, 1.0);
                }
                Kind::Height { place, vertex, .. } => {
                    while !slopes[at].heights.is_at(plane.index, *place) {
                        at += 1;
                    }
                    slopes[at].list(path, r, vertex, sink);
                }
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let mut weights = Weights::new();
        for ((plane, kind, _), &mu) in self.rows.iter().zip(lambda) {
            match kind {
                Kind::Unit => {
                    let first = self.planes[*plane].first;
                    out.entries
                        .extend((first..first + 3).map(|k| (k, k, 2.0 * mu)));
                }
                Kind::Held { .. } => {}
                Kind::Height { place, vertex, .. } => {
                    weigh(&mut weights, *plane, *place, vertex, mu);
                }
            }
        }
        path.add_heights(&self.planes, &weights, out);
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let (plane, kind, _) = &self.rows[row];
        let plane = &self.planes[*plane];
        if let Kind::Height { place, .. } = kind {
            return gap_name(path, &plane.pair, *place);
        }
        let [a, b] = Detector::names(&path.model, &plane.pair);
        let node = plane.span.nodes().start;
        format!("plane between {a} and {b} at node {node}")
    }

    fn identity(&self, row: usize) -> String {
        self.called(row, self.planes[self.rows[row].0].span)
    }

    fn ancestors(&self, row: usize) -> Vec<String> {
        let before = self.planes[self.rows[row].0].span.ancestors();
        before.into_iter().map(|s| self.called(row, s)).collect()
    }

    fn size(&self, _: &Path, sizes: &Sizes, row: usize, _: f64) -> f64 {
        match self.rows[row].1 {
            Kind::Unit => sizes.angle,
            _ => sizes.length,
        }
    }

    fn unknown_sizes(&self, _: &Path, sizes: &Sizes, out: &mut [f64]) {
        let tilt = sizes.near_one((sizes.length / sizes.reach).min(1.0));
        for plane in &self.planes {
            out[plane.first..plane.first + 3].fill(tilt);
            out[plane.first + 3] = sizes.length;
        }
    }

    fn is_told(&self, row: usize) -> bool {
        matches!(self.rows[row].1, Kind::Height { .. })
    }

    fn leaves(&self) -> Vec<Leaf> {
        let own = |p: &Plane| Leaf {
            unknowns: (p.first..p.first + 4).collect(),
            equalities: Vec::new(),
        };
        let mut leaves: Vec<Leaf> = self.planes.iter().map(own).collect();
        for (r, (plane, _, range)) in self.rows.iter().enumerate() {
            if range[0] == range[1] {
                leaves[*plane].equalities.push(r);
            }
        }
        leaves
    }
}
