//! Heights of vertices above planes that are unknown, with their derivatives.
//!
//! The height of a vertex v of the other part above the plane (ν, o) of its holder is
//!
//! ```text
//! n · (φ' + D' v − φ) − o,      n = D ν,
//! ```
//!
//! φ, D of the holder, φ', D' of the other body. It is affine in v: what all vertices of a part
//! share is computed once, and a row costs a few products. So is the sum of the second derivatives
//! of all rows of a plane at a place: that of one vertex, weighed with the multipliers.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, SVector, Vector3};

use super::between::{self, Ways};
use super::height::Heights;
use super::place::{Place, PlaceKey};
use super::planes::Plane;
use super::timed::Timed;
use crate::optimise::family::{Curvature, Sink};
use crate::optimise::path::Path;
use crate::optimise::way;

/// Multipliers of the rows of planes: Σ λ and Σ λ v of each plane and place.
pub(crate) type Weights = BTreeMap<(usize, PlaceKey), (f64, Vector3<f64>)>;

/// ∂(φ, D)/∂u of both bodies at one node: twelve rows each over the degrees of freedom listed.
struct Tangents {
    node: usize,
    holder: DMatrix<f64>,
    other: DMatrix<f64>,
}

/// First derivatives of the heights above a plane at a place.
pub(crate) struct Slopes {
    pub heights: Heights,
    /// Degrees of freedom of both bodies.
    list: Vec<usize>,
    /// Dᵀ(φ' − φ) and DᵀD': the derivative by ν is affine in the vertex.
    reach: Vector3<f64>,
    turn: Matrix3<f64>,
    /// At each node: the part without the vertex, and those its components stand for.
    sides: Vec<(usize, DMatrix<f64>)>,
    /// By time scales, where one of the bodies moves as it is given.
    timed: Option<Timed>,
}

impl Slopes {
    /// Lists the derivatives of the row of a vertex.
    pub fn list(&self, path: &Path, row: usize, v: &Vector3<f64>, sink: &mut Sink) {
        for (node, slope) in &self.sides {
            for (k, &f) in self.list.iter().enumerate() {
                let value = slope[(k, 0)]
                    + slope[(k, 1)] * v[0]
                    + slope[(k, 2)] * v[1]
                    + slope[(k, 3)] * v[2];
                sink(row, path.layout.u(*node, f), value);
            }
        }
        let first = self.heights.plane.first;
        for (k, value) in (self.reach + self.turn * v).iter().enumerate() {
            sink(row, first + k, *value);
        }
        sink(row, first + 3, -1.0);
        if let Some(timed) = &self.timed {
            timed.list(&self.heights, row, v, sink);
        }
    }
}

impl Path {
    /// The bodies of a plane at a place, at the unknowns x.
    pub fn heights(&self, plane: &Plane, place: Place) -> Heights {
        let plane = *plane;
        let [a, b] = plane.pair.bodies().map(|m| m.map_or(0, |b| b.index()));
        let bodies = if plane.on_a() { [a, b] } else { [b, a] };
        let poses = bodies.map(|b| match place {
            Place::Node(node) => self.nodes()[node].poses[b],
            Place::Way { step, s } => {
                let [from, to] = [step, step + 1].map(|k| &self.nodes()[k].poses[b]);
                way::pose(from, to, s)
            }
        });
        Heights {
            normal: plane.normal(self.x()),
            offset: plane.offset(self.x()),
            plane,
            place,
            bodies,
            poses,
        }
    }

    /// First derivatives of the heights above a plane at a place.
    pub fn slopes(&self, plane: &Plane, place: Place) -> Slopes {
        let heights = self.heights(plane, place);
        let [holder, other] = &heights.poses;
        let n = holder.directors * heights.normal;
        let apart = other.position - holder.position;
        let list = self.layout.freedoms_of_bodies(&heights.plane.bodies());
        let sides = (self.tangents(&heights, &list).into_iter())
            .map(|t| {
                let turned = directed(&t.holder, &heights.normal);
                let mut slope = DMatrix::zeros(list.len(), 4);
                let shift = t.other.rows(0, 3) - t.holder.rows(0, 3);
                slope.set_column(0, &(shift.tr_mul(&n) + turned.tr_mul(&apart)));
                for k in 0..3 {
                    let own = t.other.rows(3 + 3 * k, 3).tr_mul(&n);
                    let column = own + turned.tr_mul(&other.directors.column(k));
                    slope.set_column(1 + k, &column);
                }
                (t.node, slope)
            })
            .collect();
        Slopes {
            reach: holder.directors.tr_mul(&apart),
            turn: holder.directors.tr_mul(&other.directors),
            list,
            sides,
            timed: self.timed(&heights),
            heights,
        }
    }

    fn tangents(&self, heights: &Heights, list: &[usize]) -> Vec<Tangents> {
        let first = heights.place.first();
        match heights.place {
            Place::Node(node) => {
                let of = |b: usize| self.body_tangent(heights.bodies[b], node, list);
                vec![Tangents {
                    node,
                    holder: of(0),
                    other: of(1),
                }]
            }
            Place::Way { s, .. } => {
                let [holder, other] = heights.bodies.map(|body| {
                    let ends = [first, first + 1].map(|k| self.body_tangent(body, k, list));
                    let way = self.way_tangent(first, body, s);
                    let mut side = 0;
                    ends.map(|mut end| {
                        let share = if side == 0 { 1.0 - s } else { s };
                        let turned = way.fixed_view::<9, 9>(0, 9 * side) * end.rows(3, 9);
                        end.rows_mut(3, 9).copy_from(&turned);
                        let mut shift = end.rows_mut(0, 3);
                        shift *= share;
                        side += 1;
                        end
                    })
                });
                let pairs = holder.into_iter().zip(other).enumerate();
                pairs
                    .map(|(side, (holder, other))| Tangents {
                        node: first + side,
                        holder,
                        other,
                    })
                    .collect()
            }
        }
    }

    /// ∂(φ, D)/∂u of a body at a node; zeros if it never moves.
    fn body_tangent(&self, body: usize, node: usize, list: &[usize]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(12, list.len());
        if let Some((home, at)) = self.layout.body_home[body] {
            let own = &self.layout.components[home].freedoms;
            let tangent = &self.nodes()[node].tangent[home];
            let start = list.iter().position(|f| own.first() == Some(f));
            if let Some(start) = start {
                let part = tangent.rows(at, 12);
                out.columns_mut(start, own.len()).copy_from(&part);
            }
        }
        out
    }

    /// Second derivatives of all rows of planes: each plane at each place with its weights.
    pub(crate) fn add_heights(&self, planes: &[Plane], weights: &Weights, out: &mut Curvature) {
        let mut ways = Ways::new();
        for ((plane, place), (sum, moment)) in weights {
            let heights = self.heights(&planes[*plane], Place::of_key(*place));
            self.add_weighed(&heights, *sum, moment, &mut ways, out);
        }
        between::add_ways(self, ways, out);
    }

    fn add_weighed(
        &self,
        heights: &Heights,
        sum: f64,
        moment: &Vector3<f64>,
        ways: &mut Ways,
        out: &mut Curvature,
    ) {
        let [holder, other] = &heights.poses;
        let n = holder.directors * heights.normal;
        // Σ λ (φ' + D' v − φ)
        let arm = (other.position - holder.position) * sum + other.directors * moment;
        let mut pulls = [SVector::<f64, 12>::zeros(), SVector::<f64, 12>::zeros()];
        for k in 0..3 {
            pulls[0][k] = -sum * n[k];
            pulls[1][k] = sum * n[k];
            for i in 0..3 {
                pulls[0][3 + 3 * i + k] = heights.normal[i] * arm[k];
                pulls[1][3 + 3 * i + k] = moment[i] * n[k];
            }
        }
        self.add_pulls(heights, &pulls, ways, out);
        let list = self.layout.freedoms_of_bodies(&heights.plane.bodies());
        let sides: Vec<_> = (self.tangents(heights, &list).into_iter())
            .map(|t| {
                let turned = directed(&t.holder, &heights.normal);
                let shift = t.other.rows(0, 3) - t.holder.rows(0, 3);
                let moved = shift * sum + directed(&t.other, moment);
                (t, turned, moved)
            })
            .collect();
        if let Some(timed) = self.timed(heights) {
            let own: Vec<_> = (sides.iter())
                .map(|(t, turned, moved)| (t.node, turned.clone(), moved.clone()))
                .collect();
            timed.add_weighed(
                self,
                heights,
                (sum, moment),
                &arm,
                &pulls,
                (&list, &own),
                out,
            );
        }
        for (side, (t, turned, moved)) in sides.iter().enumerate() {
            for k in 0..3 {
                let value = t.holder.rows(3 + 3 * k, 3).tr_mul(&arm)
                    + moved.tr_mul(&holder.directors.column(k));
                let by_normal = heights.plane.first + k;
                let entries = list.iter().zip(value.iter());
                (out.entries)
                    .extend(entries.map(|(&f, v)| (by_normal, self.layout.u(t.node, f), *v)));
            }
            let cross = turned.tr_mul(moved);
            scatter(&mut out.node[t.node], &list, &(&cross + cross.transpose()));
            if let (1, (_, turned_before, moved_before)) = (side, &sides[0]) {
                let cross = turned.tr_mul(moved_before) + moved.tr_mul(turned_before);
                scatter(&mut out.next[t.node - 1], &list, &cross);
            }
        }
    }

    /// Covectors over (φ, D) of both bodies, added to those of the nodes.
    fn add_pulls(
        &self,
        heights: &Heights,
        pulls: &[SVector<f64, 12>; 2],
        ways: &mut Ways,
        out: &mut Curvature,
    ) {
        for (&body, pull) in heights.bodies.iter().zip(pulls) {
            if self.layout.body_home[body].is_none() {
                continue;
            }
            let start = self.layout.starts[body];
            let mut add = |node: usize, at: usize, values: &mut dyn Iterator<Item = f64>| {
                let to = out.pulls[node][start + at..].iter_mut();
                to.zip(values).for_each(|(c, v)| *c += v);
            };
            match heights.place {
                Place::Node(node) => add(node, 0, &mut pull.iter().copied()),
                Place::Way { step, s } => {
                    let turning = SVector::<f64, 9>::from_column_slice(&pull.as_slice()[3..]);
                    let back = self.way_tangent(step, body, s).tr_mul(&turning);
                    for (side, share) in [(0, 1.0 - s), (1, s)] {
                        add(step + side, 0, &mut pull.iter().take(3).map(|v| share * v));
                        let part = back.iter().skip(9 * side).take(9);
                        add(step + side, 3, &mut part.copied());
                    }
                    // Linear in the weights: planes at the same place share the way's curvature.
                    let key = (step, body, s.to_bits());
                    *ways.entry(key).or_insert_with(SVector::zeros) += turning;
                }
            }
        }
    }
}

/// Adds the multiplier of a vertex to the weights of its plane at a place.
pub(crate) fn weigh(weights: &mut Weights, plane: usize, place: Place, v: &Vector3<f64>, mu: f64) {
    let entry = weights.entry((plane, place.key()));
    let (sum, moment) = entry.or_insert((0.0, Vector3::zeros()));
    *sum += mu;
    *moment += v * mu;
}

/// ∂(D l)/∂u.
fn directed(tangent: &DMatrix<f64>, l: &Vector3<f64>) -> DMatrix<f64> {
    tangent.rows(3, 3) * l[0] + tangent.rows(6, 3) * l[1] + tangent.rows(9, 3) * l[2]
}

fn scatter(to: &mut DMatrix<f64>, list: &[usize], block: &DMatrix<f64>) {
    for (j, &g) in list.iter().enumerate() {
        for (i, &f) in list.iter().enumerate() {
            to[(f, g)] += block[(i, j)];
        }
    }
}
