//! What the rows of a problem ask for, in words too, and what tells them apart.

use nalgebra::Vector3;

use super::avoid::gaps::{Measure, key};
use super::avoid::heights::Place;
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

impl RowKind {
    /// The families of rows there are: a test walks this list.
    #[cfg(test)]
    pub const FAMILIES: [&'static str; 11] = [
        "balance",
        "condition",
        "gap",
        "between",
        "height",
        "unit",
        "held",
        "barrier",
        "turn",
        "time",
        "ratio",
    ];

    /// The family of a row: the first word of its identity.
    pub fn family(&self) -> &'static str {
        match self {
            RowKind::Balance { .. } => "balance",
            RowKind::Poly { .. } => "condition",
            RowKind::Gap { .. } => "gap",
            RowKind::Between { .. } => "between",
            RowKind::Height { .. } => "height",
            RowKind::Unit { .. } => "unit",
            RowKind::Held { .. } => "held",
            RowKind::Barrier { .. } => "barrier",
            RowKind::Turn { .. } => "turn",
            RowKind::Time => "time",
            RowKind::Ratio => "ratio",
        }
    }
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
    /// What tells a row from all others of a problem, whatever other rows there are.
    pub fn identity(&self, row: usize) -> String {
        let slot = |gap: usize| {
            let GapSlot { pair, measure } = &self.gaps[gap];
            let vertex = match measure {
                Measure::Wall { vertex, .. } => *vertex,
                Measure::Program(_) => 0,
            };
            format!("{} {vertex}", name(pair))
        };
        let on = |plane: usize| {
            let plane = &self.planes[plane];
            format!("{} {}", plane.span.name(), name(&plane.pair))
        };
        let side = |plane: usize| u8::from(self.planes[plane].on_a());
        let family = self.rows[row].kind.family();
        match &self.rows[row].kind {
            RowKind::Balance { node, freedom } => format!("{family} {node} {freedom}"),
            RowKind::Poly { number, .. } => format!("{family} {number}"),
            RowKind::Gap { node, gap } => format!("{family} {node} {}", slot(*gap)),
            RowKind::Between { step, s, gap } => {
                format!("{family} {step} {:x} {}", s.to_bits(), slot(*gap))
            }
            RowKind::Height {
                plane,
                place,
                index,
                ..
            } => {
                let (node, s) = place.key();
                let s = s.unwrap_or(0);
                format!(
                    "{family} {} {node} {s:x} {} {index}",
                    on(*plane),
                    side(*plane)
                )
            }
            RowKind::Unit { plane } => format!("{family} {}", on(*plane)),
            RowKind::Held { plane, index, .. } => {
                format!("{family} {} {} {index}", on(*plane), side(*plane))
            }
            RowKind::Barrier { node, .. } => format!("{family} {node}"),
            RowKind::Turn { step, body } => format!("{family} {step} {body}"),
            RowKind::Time | RowKind::Ratio => family.into(),
        }
    }

    /// Rows of earlier rounds that a row stands in for: those of planes that served whole steps.
    pub fn ancestors(&self, row: usize) -> Vec<String> {
        let (RowKind::Height { plane, .. } | RowKind::Held { plane, .. } | RowKind::Unit { plane }) =
            &self.rows[row].kind
        else {
            return Vec::new();
        };
        let own = self.identity(row);
        let span = self.planes[*plane].span;
        let before = span.ancestors().into_iter();
        before
            .map(|s| own.replacen(&span.name(), &s.name(), 1))
            .collect()
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
                let node = plane.span.nodes().start;
                format!("plane between {a} and {b} at node {node}")
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
            for &body in &rigid {
                self.guard_turn(step, body, most);
            }
        }
    }

    /// The same for one body in one step; a row that is there already becomes tighter.
    pub fn guard_turn(&mut self, step: usize, body: usize, most: f64) {
        let rigid = self.inertias.iter().any(|i| i.body == body && i.rigid);
        if !rigid {
            return;
        }
        let least = 1.0 + 2.0 * most.cos();
        let known = self.turns.get(&(step, body)).copied();
        match known {
            Some(row) => self.rows[row].range[0] = self.rows[row].range[0].max(least),
            None => {
                self.turns.insert((step, body), self.rows.len());
                self.rows.push(Row {
                    kind: RowKind::Turn { step, body },
                    range: [least, f64::INFINITY],
                });
            }
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

/// A pair of colliders as text.
fn name(pair: &Pair) -> String {
    key(pair).map_or(String::new(), |k| {
        let numbers = super::avoid::numbers(&k);
        numbers.map(|n| n.to_string()).join(".")
    })
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
