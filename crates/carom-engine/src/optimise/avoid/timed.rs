//! Derivatives of heights by time scales, where one of the two bodies moves as it is given: its pose at a
//! place is a function of the times of the nodes there, and these are linear in the time scales.

use nalgebra::{DMatrix, Matrix3, SVector, Vector3};

use super::height::Heights;
use super::place::Place;
use crate::optimise::family::{Curvature, Sink};
use crate::optimise::given::Vector12;
use crate::optimise::path::Path;
use crate::optimise::way;

/// Time scales, and how much a time depends on each.
type TimeSlopes = Vec<(usize, f64)>;

/// Of a node: ∂n/∂u and ∂(Σ λ (φ' + D' v − φ))/∂u.
type NodeFactors = (usize, DMatrix<f64>, DMatrix<f64>);

/// How the pose of the given body of a plane changes with the time scales, at a place.
pub(crate) struct Timed {
    /// Whether it holds the plane.
    holds: bool,
    /// Time scales, with ∂(φ, D)/∂σ on the way.
    pub columns: Vec<(usize, Vector12)>,
    /// Nodes of the place: ∂t/∂σ, then (φ̇, Ḋ) and (φ̈, D̈) there.
    nodes: Vec<(TimeSlopes, [Vector12; 2])>,
}

/// Parts of a vector of position and directors.
fn split(v: &Vector12) -> (Vector3<f64>, Matrix3<f64>) {
    let directors = Matrix3::from_column_slice(&v.as_slice()[3..]);
    (v.fixed_rows::<3>(0).into_owned(), directors)
}

impl Path {
    /// `None` where neither body moves as it is given, or no time is free.
    pub(crate) fn timed(&self, heights: &Heights) -> Option<Timed> {
        let given = |b: usize| self.model.bodies()[b].motion.is_some();
        let side = heights.bodies.iter().position(|b| given(*b))?;
        let body = heights.bodies[side];
        let at: Vec<usize> = match heights.place {
            Place::Node(node) => vec![node],
            Place::Way { step, .. } => vec![step, step + 1],
        };
        let mut nodes = Vec::new();
        for node in at {
            nodes.push((self.layout.time_slopes(node), self.given_rates(body, node)?));
        }
        let mut columns: Vec<(usize, Vector12)> = Vec::new();
        for (side, (slopes, [rate, _])) in nodes.iter().enumerate() {
            let rate = self.on_the_way(heights, body, side, rate);
            for (unknown, slope) in slopes {
                match columns.iter_mut().find(|(k, _)| k == unknown) {
                    Some((_, column)) => *column += rate * *slope,
                    None => columns.push((*unknown, rate * *slope)),
                }
            }
        }
        (!columns.is_empty()).then_some(Timed {
            holds: side == 0,
            columns,
            nodes,
        })
    }

    /// A change of the pose at one of the nodes of a place as one of the pose at the place.
    fn on_the_way(
        &self,
        heights: &Heights,
        body: usize,
        side: usize,
        change: &Vector12,
    ) -> Vector12 {
        let Place::Way { step, s } = heights.place else {
            return *change;
        };
        let share = if side == 0 { 1.0 - s } else { s };
        let mut out = change * share;
        let turned = self
            .way_tangent(step, body, s)
            .fixed_view::<9, 9>(0, 9 * side)
            * change.fixed_rows::<9>(3);
        out.fixed_rows_mut::<9>(3).copy_from(&turned);
        out
    }
}

impl Timed {
    /// ∂n/∂σ and ∂(Σ λ (φ' + D' v − φ))/∂σ with Σ λ and Σ λ v: the two factors of a height.
    fn factors(
        &self,
        heights: &Heights,
        change: &Vector12,
        sum: f64,
        moment: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        let (shift, turn) = split(change);
        match self.holds {
            true => [turn * heights.normal, -shift * sum],
            false => [Vector3::zeros(), shift * sum + turn * moment],
        }
    }

    /// Lists the derivatives of the row of a vertex.
    pub fn list(&self, heights: &Heights, row: usize, v: &Vector3<f64>, sink: &mut Sink) {
        let [holder, _] = &heights.poses;
        let n = holder.directors * heights.normal;
        let across = heights.across(v);
        for (unknown, change) in &self.columns {
            let [turned, moved] = self.factors(heights, change, 1.0, v);
            sink(row, *unknown, turned.dot(&across) + n.dot(&moved));
        }
    }

    /// Second derivatives by time scales and whatever else there is, of all rows of a plane at a place.
    #[allow(clippy::too_many_arguments)]
    pub fn add_weighed(
        &self,
        path: &Path,
        heights: &Heights,
        (sum, moment): (f64, &Vector3<f64>),
        arm: &Vector3<f64>,
        pull: &[SVector<f64, 12>; 2],
        (list, sides): (&[usize], &[NodeFactors]),
        out: &mut Curvature,
    ) {
        let holder = &heights.poses[0];
        let factors: Vec<(usize, [Vector3<f64>; 2], &Vector12)> = (self.columns.iter())
            .map(|(k, change)| (*k, self.factors(heights, change, sum, moment), change))
            .collect();
        for (at, (k, [turned, moved], change)) in factors.iter().enumerate() {
            // By the normal of the plane.
            let (_, turn) = split(change);
            for i in 0..3 {
                let held = match self.holds {
                    true => turn.column(i).dot(arm),
                    false => 0.0,
                };
                let value = held + moved.dot(&holder.directors.column(i));
                out.entries.push((heights.plane.first + i, *k, value));
            }
            // By the other body.
            for (node, other_turned, other_moved) in sides {
                let value = other_turned.tr_mul(moved) + other_moved.tr_mul(turned);
                let entries = list.iter().zip(value.iter());
                (out.entries).extend(entries.map(|(&f, v)| (*k, path.layout.u(*node, f), *v)));
            }
            // By time scales twice: both factors.
            for (l, [other_turned, other_moved], _) in &factors[..=at] {
                let value = turned.dot(other_moved) + other_turned.dot(moved);
                out.entries.push((*k, *l, value));
            }
        }
        self.add_curvature(path, heights, &pull[usize::from(!self.holds)], out);
    }

    /// The curvature of the given motion itself, and of the way between two nodes of it.
    fn add_curvature(
        &self,
        path: &Path,
        heights: &Heights,
        pull: &SVector<f64, 12>,
        out: &mut Curvature,
    ) {
        let body = heights.bodies[usize::from(!self.holds)];
        let mut add = |a: &[(usize, f64)], b: &[(usize, f64)], factor: f64| {
            for &(i, v) in a {
                for &(j, w) in b.iter().filter(|(j, _)| *j <= i) {
                    out.entries.push((i, j, factor * v * w));
                }
            }
        };
        for (side, (slopes, [_, bend])) in self.nodes.iter().enumerate() {
            let bend = path.on_the_way(heights, body, side, bend);
            add(slopes, slopes, pull.dot(&bend));
        }
        if let Place::Way { step, s } = heights.place {
            let [from, to] = [step, step + 1].map(|k| &path.nodes()[k].poses[body]);
            let turning = SVector::<f64, 9>::from_column_slice(&pull.as_slice()[3..]);
            let bend = way::curvature(from, to, s, &turning);
            for (i, (a, [x, _])) in self.nodes.iter().enumerate() {
                for (j, (b, [y, _])) in self.nodes.iter().enumerate() {
                    let block = bend.fixed_view::<9, 9>(9 * i, 9 * j);
                    let value =
                        (x.fixed_rows::<9>(3).transpose() * block * y.fixed_rows::<9>(3))[0];
                    add(a, b, value);
                }
            }
        }
    }
}
