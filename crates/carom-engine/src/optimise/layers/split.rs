//! Which unknowns and rows belong to the outer layer, and which to which smooth segment.

use std::collections::{BTreeMap, HashMap};

use crate::optimise::layout::{Layout, Scale, Side};
use crate::optimise::nlp::Nlp;
use crate::optimise::program::Program;
use crate::optimise::transcription::Transcription;
use crate::sets::Sets;

/// Unknowns and rows of a segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub unknowns: Vec<usize>,
    pub rows: Vec<usize>,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub outer: Part,
    pub segments: Vec<Part>,
    /// Rows that are added to rows of the outer layer, with factors: the balance at a collision,
    /// p⁻ − p⁺ + λ∇g = 0, becomes M P (ν⁻ − ν⁺) + λ∇g = 0 with the rows of the velocities on both sides, and
    /// knows nothing of the segments any more.
    pub sums: HashMap<usize, Vec<(usize, f64)>>,
}

impl Split {
    pub fn new(program: &Program) -> Self {
        let t = &program.transcription;
        let layout = &t.path.layout;
        let count = program.bounds().len();
        let mut is_outer = vec![false; count];
        states(layout).into_iter().for_each(|k| is_outer[k] = true);
        let sums = balances(t, &program.row_scales);
        // What stands in one row or product belongs together.
        let mut groups = Sets::new(count);
        let jacobian = program.jacobian_pattern();
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut in_row = vec![false; count];
        for (&r, &c) in jacobian.rows.iter().zip(&jacobian.columns) {
            if is_outer[c] || sums.contains_key(&r) {
                continue;
            }
            in_row[c] = true;
            if let Some(before) = last.insert(r, c) {
                groups.merge(before, c);
            }
        }
        let hessian = program.hessian_pattern();
        for (&a, &b) in hessian.rows.iter().zip(&hessian.columns) {
            if !is_outer[a] && !is_outer[b] {
                groups.merge(a, b);
            }
        }
        let nodes = layout.node_unknowns();
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        for k in (0..count).filter(|k| !is_outer[*k]) {
            parts.entry(groups.root(k)).or_default().unknowns.push(k);
        }
        let mut outer = Part::default();
        outer.unknowns.extend((0..count).filter(|k| is_outer[*k]));
        let mut owner = vec![None; count];
        let (mut segments, mut loose) = (Vec::new(), Vec::new());
        for part in parts.into_values() {
            let moves = part.unknowns.iter().any(|k| *k < nodes);
            let bound = part.unknowns.iter().any(|k| in_row[*k]);
            match (moves, bound) {
                // Planes at a collision, say.
                (false, _) => outer.unknowns.extend(part.unknowns),
                // In no row.
                (true, false) => loose.extend(part.unknowns),
                (true, true) => segments.push(part),
            }
        }
        match segments.first_mut() {
            Some(first) => first.unknowns.extend(loose),
            None => outer.unknowns.extend(loose),
        }
        outer.unknowns.sort_unstable();
        for (s, segment) in segments.iter_mut().enumerate() {
            segment.unknowns.sort_unstable();
            segment.unknowns.iter().for_each(|k| owner[*k] = Some(s));
        }
        let mut home = vec![None; program.ranges().len()];
        for (&r, &c) in jacobian.rows.iter().zip(&jacobian.columns) {
            home[r] = home[r].or(owner[c].filter(|_| !sums.contains_key(&r)));
        }
        for (row, home) in home.into_iter().enumerate() {
            match home {
                Some(s) => segments[s].rows.push(row),
                None => outer.rows.push(row),
            }
        }
        Self {
            outer,
            segments,
            sums,
        }
    }

    /// Why a segment cannot lead from state to state, if one cannot.
    pub fn too_stiff(&self, program: &dyn Nlp) -> Option<String> {
        let (bounds, ranges) = (program.bounds(), program.ranges());
        self.segments.iter().enumerate().find_map(|(s, part)| {
            let free = part.unknowns.iter().filter(|k| bounds[**k][0] < bounds[**k][1]);
            let asked = part.rows.iter().filter(|r| ranges[**r][0] == ranges[**r][1]);
            let (free, asked) = (free.count(), asked.count());
            (asked > free).then(|| {
                format!(
                    "in two layers, segment {} has {asked} equations for {free} unknowns: it needs more controls or \
                     steps to lead from one state to the next; search in one layer",
                    s + 1
                )
            })
        })
    }
}

/// Unknowns of the outer layer: states at collisions, times, and what all segments share.
fn states(layout: &Layout) -> Vec<usize> {
    let mut out: Vec<usize> = layout.parameters.clone();
    out.extend(layout.scales.iter().filter_map(|s| match s {
        Scale::Unknown(index) => Some(*index),
        Scale::Fixed(_) => None,
    }));
    out.extend(layout.places.iter().map(|p| p.1));
    let nodes = collisions(layout);
    for side in layout.sides.iter().filter(|s| nodes.contains(&s.node)) {
        out.extend(side.first..side.first + side.freedoms.len());
        out.extend(side.pushes.iter().map(|p| p.1));
    }
    let reactions = layout.reactions.iter();
    out.extend(
        reactions
            .filter(|r| nodes.contains(&r.node))
            .map(|r| r.unknown),
    );
    for &node in &nodes {
        out.extend((0..layout.n).map(|f| layout.u(node, f)));
    }
    out
}

/// Nodes with velocities on both sides.
fn collisions(layout: &Layout) -> Vec<usize> {
    let before = layout.sides.iter().filter(|s| s.before).map(|s| s.node);
    let both = |node: &usize| layout.sides.iter().any(|s| !s.before && s.node == *node);
    before.filter(both).collect()
}

/// What is added to the balances at collisions, as rows are scaled.
fn balances(t: &Transcription, scales: &[f64]) -> HashMap<usize, Vec<(usize, f64)>> {
    let rows: HashMap<String, usize> = (0..t.rows()).map(|r| (t.identity(r), r)).collect();
    let layout = &t.path.layout;
    let (mut out, mut cut) = (HashMap::new(), HashMap::<usize, Vec<(usize, f64)>>::new());
    let nodes = collisions(layout);
    let of = |s: usize, f: usize| rows.get(&format!("rates {s} {f}")).copied();
    for (s, side) in layout.sides.iter().enumerate() {
        if !nodes.contains(&side.node) {
            continue;
        }
        let alike = |o: &Side| o.node == side.node && o.before == side.before;
        let first = layout.sides.iter().position(alike).unwrap_or(s);
        for &f in &side.freedoms {
            let Some(rate) = of(s, f) else { continue };
            if first != s {
                // Velocities in between: M P (ν° − ν⁻) is what was pushed.
                if let Some(base) = of(first, f) {
                    out.insert(rate, vec![(base, -scales[rate] / scales[base])]);
                }
                continue;
            }
            if let Some(&b) = rows.get(&format!("balance {} {f}", side.node)) {
                // Rows of velocities are M P ν⁻ − p⁻ and M P ν⁺ − p⁺.
                let factor = -side.sign() * scales[b] / scales[rate];
                cut.entry(b).or_default().push((rate, factor));
            }
        }
    }
    // Momentum that is not cut on both sides goes on within a segment.
    cut.retain(|_, list| list.len() == 2);
    out.extend(cut);
    out
}
