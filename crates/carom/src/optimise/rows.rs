//! What the rows of a problem ask for, in words too, and what tells them apart.

use nalgebra::Vector3;

use super::avoid::gaps::{Key, Measure, key};
use super::avoid::heights::{Place, PlaceKey};
use super::layout::Layout;
use super::poly::Poly;
use crate::contact::{Detector, Pair};
use crate::model::Model;

/// Largest rotation of a step in rad.
pub(crate) const MOST_TURN: f64 = 1.4;

/// The same where bodies must not overlap: what turns further sweeps too much between two nodes.
pub(crate) const NEAR_TURN: f64 = 0.5;

/// What a row asks for.
#[derive(Clone, Debug)]
pub(crate) enum RowKind {
    /// Pᵀ(q_k)[D₂L_d + D₁L_d + f⁺ + f⁻] = 0, one component.
    Balance { node: usize, freedom: usize },
    /// A polynomial of the configuration at a node.
    Poly {
        /// What tells it from all other conditions.
        number: usize,
        node: usize,
        poly: Poly,
        what: String,
    },
    /// Gap of a pair at a node.
    Gap { node: usize, gap: usize },
    /// Gap of a pair between two nodes, at a part s of the step.
    Between { step: usize, s: f64, gap: usize },
    /// Height of a vertex of the other part above a plane.
    Height {
        plane: usize,
        place: Place,
        index: usize,
        vertex: Vector3<f64>,
    },
    /// |ν|² of a plane.
    Unit { plane: usize },
    /// Depth of a vertex of the holder of a plane below it.
    Held {
        plane: usize,
        index: usize,
        vertex: Vector3<f64>,
    },
    /// ½ Σ min(0, gap − margin)² of some pairs at a node.
    Barrier { node: usize, gaps: Vec<usize> },
    /// Σ d_I · d_I⁺ = 1 + 2 cos Δθ of a body over a step.
    Turn { step: usize, body: usize },
    /// Total time.
    Time,
    /// objective − c · distance = 0.
    Ratio,
}

/// What tells a row from all others of a problem, whatever other rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Balance {
        node: usize,
        freedom: usize,
    },
    /// Number of the condition.
    Poly(usize),
    /// Vertex of a pair at a node.
    Gap {
        node: usize,
        pair: Option<Key>,
        vertex: usize,
    },
    /// Vertex of a pair in a step, at a part of it (as bits).
    Between {
        step: usize,
        s: u64,
        pair: Option<Key>,
        vertex: usize,
    },
    /// Vertex of a pair in a step, at a place.
    Height {
        step: usize,
        place: PlaceKey,
        pair: Option<Key>,
        vertex: (bool, usize),
    },
    Unit {
        step: usize,
        pair: Option<Key>,
    },
    Held {
        step: usize,
        pair: Option<Key>,
        vertex: (bool, usize),
    },
    Barrier {
        node: usize,
    },
    Turn {
        step: usize,
        body: usize,
    },
    Time,
    Ratio,
}

/// A row with its least and largest value.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub kind: RowKind,
    pub range: [f64; 2],
}

/// A pair of a gap row, and what the row measures of it.
#[derive(Clone, Debug)]
pub(crate) struct GapSlot {
    pub pair: Pair,
    pub measure: Measure,
}

impl Layout {
    /// See [`Identity`].
    pub fn identity(&self, row: usize) -> Identity {
        let slot = |gap: usize| {
            let GapSlot { pair, measure } = &self.gaps[gap];
            let vertex = match measure {
                Measure::Wall { vertex, .. } => *vertex,
                Measure::Program(_) => 0,
            };
            (key(pair), vertex)
        };
        match &self.rows[row].kind {
            RowKind::Balance { node, freedom } => Identity::Balance {
                node: *node,
                freedom: *freedom,
            },
            RowKind::Poly { number, .. } => Identity::Poly(*number),
            RowKind::Gap { node, gap } => {
                let (pair, vertex) = slot(*gap);
                let node = *node;
                Identity::Gap { node, pair, vertex }
            }
            RowKind::Between { step, s, gap } => {
                let (pair, vertex) = slot(*gap);
                let (step, s) = (*step, s.to_bits());
                Identity::Between {
                    step,
                    s,
                    pair,
                    vertex,
                }
            }
            RowKind::Height {
                plane,
                place,
                index,
                ..
            } => {
                let plane = &self.planes[*plane];
                Identity::Height {
                    step: plane.step,
                    place: place.key(),
                    pair: key(&plane.pair),
                    vertex: (plane.on_a(), *index),
                }
            }
            RowKind::Unit { plane } => {
                let plane = &self.planes[*plane];
                let pair = key(&plane.pair);
                let step = plane.step;
                Identity::Unit { step, pair }
            }
            RowKind::Held { plane, index, .. } => {
                let plane = &self.planes[*plane];
                Identity::Held {
                    step: plane.step,
                    pair: key(&plane.pair),
                    vertex: (plane.on_a(), *index),
                }
            }
            RowKind::Barrier { node, .. } => Identity::Barrier { node: *node },
            RowKind::Turn { step, body } => Identity::Turn {
                step: *step,
                body: *body,
            },
            RowKind::Time => Identity::Time,
            RowKind::Ratio => Identity::Ratio,
        }
    }

    /// What a row is about, in words.
    pub fn describe(&self, model: &Model, row: usize) -> String {
        match &self.rows[row].kind {
            RowKind::Balance { node, freedom } => {
                let what = freedom_name(model, *freedom);
                let last = self.grid.len();
                match *node {
                    0 => format!("start momentum of {what}"),
                    k if k == last => format!("final momentum of {what}"),
                    k => format!("balance of momentum of {what} at node {k}"),
                }
            }
            RowKind::Poly { node, what, .. } => self.at_node(*node, what),
            RowKind::Gap { node, gap } => {
                self.gap_name(model, &self.gaps[*gap].pair, Place::Node(*node))
            }
            RowKind::Between { step, gap, s } => {
                let place = Place::Way { step: *step, s: *s };
                self.gap_name(model, &self.gaps[*gap].pair, place)
            }
            RowKind::Height { plane, place, .. } => {
                self.gap_name(model, &self.planes[*plane].pair, *place)
            }
            RowKind::Unit { plane } | RowKind::Held { plane, .. } => {
                let plane = &self.planes[*plane];
                let [a, b] = Detector::names(model, &plane.pair);
                format!("plane between {a} and {b} in step {}", plane.step)
            }
            RowKind::Barrier { node, .. } => self.at_node(*node, "overlap of bodies"),
            RowKind::Turn { step, body } => {
                let name = &model.bodies()[*body].name;
                let most = (0.5 * (self.rows[row].range[0] - 1.0))
                    .clamp(-1.0, 1.0)
                    .acos();
                format!("rotation of body {name} in step {step}, at most {most:.1} rad")
            }
            RowKind::Time => "total time".into(),
            RowKind::Ratio => "ratio of the objective".into(),
        }
    }

    /// Keeps every rotation of a step small enough: beyond a right angle the discrete momentum
    /// J sin Δθ/h falls again, and half turns would cost nothing.
    pub fn guard_turns(&mut self, most: f64) {
        let rigid: Vec<usize> = (self.inertias.iter())
            .filter(|i| i.rigid)
            .map(|i| i.body)
            .collect();
        for step in 0..self.grid.len() {
            self.rows.extend(rigid.iter().map(|&body| Row {
                kind: RowKind::Turn { step, body },
                range: [1.0 + 2.0 * most.cos(), f64::INFINITY],
            }));
        }
    }

    fn gap_name(&self, model: &Model, pair: &Pair, place: Place) -> String {
        let [a, b] = Detector::names(model, pair);
        match place {
            Place::Node(node) => self.at_node(node, &format!("gap between {a} and {b}")),
            Place::Way { step, .. } => {
                let next = step + 1;
                format!("gap between {a} and {b} between nodes {step} and {next}")
            }
        }
    }

    fn at_node(&self, node: usize, what: &str) -> String {
        match node {
            0 => format!("start {what}"),
            k if k == self.grid.len() => format!("final {what}"),
            k => format!("{what} at node {k}"),
        }
    }
}

/// A degree of freedom in words.
fn freedom_name(model: &Model, freedom: usize) -> String {
    let j = model.offsets.partition_point(|&o| o <= freedom) - 1;
    // Joints without freedom share their offset with the next one.
    let joint = &model.joints()[j];
    let name = &model.body(joint.child).name;
    let k = freedom - model.offsets[j];
    let axis = ["x", "y", "z"];
    match joint.kind {
        crate::model::JointKind::Free if k < 3 => format!("body {name} along {}", axis[k]),
        crate::model::JointKind::Free => format!("body {name} about {}", axis[k - 3]),
        _ => format!("joint {} (body {name})", joint.name),
    }
}
