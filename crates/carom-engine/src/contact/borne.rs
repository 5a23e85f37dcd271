//! Rows that others bear already.
//!
//! Where contacts hold on several sides, more rows are held than there is freedom. The impulses of rows that depend on
//! each other are then arbitrary along what does nothing, and round-off or the curvature of ways, which lets such rows
//! contradict each other by a little, makes them grow without bounds. A row that the held ones before it span says
//! nothing new: it pushes nothing.

use super::rows::Rows;

/// Rows of which no more than this part is left beside the others, by their length in M⁻¹, depend on them.
const LEFT: f64 = 1e-5;
/// Freedoms up to which it is looked: the work grows by their third power.
const MOST_FREEDOMS: usize = 120;

/// The span of some rows, orthonormal in M⁻¹.
#[derive(Clone, Debug, Default)]
pub struct Borne {
    /// Place of each degree of freedom in the vectors below.
    places: Vec<usize>,
    width: usize,
    /// Directions g and their responses M⁻¹g, one after the other.
    gradients: Vec<f64>,
    responses: Vec<f64>,
    /// What is left of the row that is looked at.
    gradient: Vec<f64>,
    response: Vec<f64>,
}

impl Borne {
    /// Spans nothing, among some degrees of freedom.
    pub fn reset(&mut self, freedoms: impl Iterator<Item = usize>) {
        self.places.clear();
        self.gradients.clear();
        self.responses.clear();
        self.width = 0;
        for f in freedoms {
            if self.places.len() <= f {
                self.places.resize(f + 1, usize::MAX);
            }
            self.places[f] = self.width;
            self.width += 1;
        }
    }

    /// Whether there is anything to look at.
    pub fn is_small(&self) -> bool {
        self.width <= MOST_FREEDOMS
    }

    /// Takes a row in; whether it says something new.
    pub fn take(&mut self, rows: &Rows, row: usize) -> bool {
        let Some(left) = self.left(rows, row) else {
            return false;
        };
        let scale = 1.0 / left.sqrt();
        self.gradients
            .extend(self.gradient.iter().map(|g| g * scale));
        self.responses
            .extend(self.response.iter().map(|r| r * scale));
        true
    }

    /// Whether the rows taken in bear a row.
    pub fn bears(&mut self, rows: &Rows, row: usize) -> bool {
        !self.gradients.is_empty() && self.left(rows, row).is_none()
    }

    /// ⟨g, M⁻¹g⟩ of what is left of a row beside the others; `None` if that is nothing.
    fn left(&mut self, rows: &Rows, row: usize) -> Option<f64> {
        let n = self.width;
        for list in [&mut self.gradient, &mut self.response] {
            list.clear();
            list.resize(n, 0.0);
        }
        for e in rows.entries(row) {
            if let Some(&place) = self.places.get(e.freedom).filter(|p| **p < n) {
                self.gradient[place] += e.gradient;
                self.response[place] += e.response;
            }
        }
        // g ← g − Σ ⟨g, M⁻¹qₖ⟩ qₖ, twice against round-off.
        for _ in 0..2 {
            let known = self.gradients.chunks_exact(n.max(1));
            for (q, s) in known.zip(self.responses.chunks_exact(n.max(1))) {
                let part: f64 = self.gradient.iter().zip(s).map(|(g, s)| g * s).sum();
                for k in 0..n {
                    self.gradient[k] -= part * q[k];
                    self.response[k] -= part * s[k];
                }
            }
        }
        let left: f64 = self
            .gradient
            .iter()
            .zip(&self.response)
            .map(|(g, r)| g * r)
            .sum();
        (left > LEFT * LEFT * rows.weight(row)).then_some(left)
    }
}
