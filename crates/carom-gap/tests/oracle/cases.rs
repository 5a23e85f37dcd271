//! The cases of `tests/data/gap_cases.json`; its `notes` explain the fields.

use serde::{Deserialize, Deserializer};

/// One reference case. Planar points and vectors are padded with z = 0.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    pub id: u32,
    pub category: String,
    #[serde(default)]
    pub contact: String,
    pub dim: usize,
    #[serde(deserialize_with = "points")]
    pub a: Vec<[f64; 3]>,
    #[serde(deserialize_with = "points")]
    pub b: Vec<[f64; 3]>,
    /// "means" or "given".
    pub beta_source: String,
    #[serde(deserialize_with = "point")]
    pub beta: [f64; 3],
    /// "bounded" or "unbounded".
    pub status: String,
    pub gap: Option<f64>,
    pub distance: f64,
    #[serde(default, deserialize_with = "some_point")]
    pub alpha: Option<[f64; 3]>,
    #[serde(default)]
    pub alpha_unique: bool,
    #[serde(default)]
    pub weights_unique: bool,
    #[serde(default)]
    pub weights_a: Option<Vec<f64>>,
    #[serde(default)]
    pub weights_b: Option<Vec<f64>>,
    /// Least and largest weight of every vertex, given where the weights are not unique.
    #[serde(default)]
    pub weights_a_range: Option<Vec<[f64; 2]>>,
    #[serde(default)]
    pub weights_b_range: Option<Vec<[f64; 2]>>,
    #[serde(default)]
    pub active_a: Vec<u32>,
    #[serde(default)]
    pub active_b: Vec<u32>,
    #[serde(default, deserialize_with = "some_points")]
    pub gradient_a_fixed_beta: Option<Vec<[f64; 3]>>,
    #[serde(default, deserialize_with = "some_points")]
    pub gradient_b_fixed_beta: Option<Vec<[f64; 3]>>,
    #[serde(default, deserialize_with = "some_points")]
    pub gradient_a: Option<Vec<[f64; 3]>>,
    #[serde(default, deserialize_with = "some_points")]
    pub gradient_b: Option<Vec<[f64; 3]>>,
    #[serde(default)]
    pub margin_slack: Option<f64>,
    #[serde(default)]
    pub margin_weights: Option<f64>,
}

impl Case {
    /// How messages name it.
    pub fn label(&self) -> String {
        format!("case {} ({} {})", self.id, self.category, self.contact)
    }

    /// Whether α and the weights are worth comparing, not only the gap: in the exactly degenerate
    /// cases, and where no basis change is near.
    pub fn well_conditioned(&self) -> bool {
        let degenerate = !self.alpha_unique || !self.weights_unique;
        let margins = [self.margin_slack, self.margin_weights];
        let clear = margins.iter().all(|m| m.is_some_and(|m| m >= 1e-4));
        !self.category.starts_with("near-degenerate") && (degenerate || clear)
    }

    /// Largest coordinate of both bodies: the `size` of the tolerances.
    pub fn size(&self) -> f64 {
        let coordinates = self.a.iter().chain(&self.b).flatten();
        coordinates.fold(0.0, |m: f64, c| m.max(c.abs()))
    }

    /// The tolerance of `gap` stated in the file: 1e-12 max(1, |α| size).
    pub fn gap_tolerance(&self) -> f64 {
        let alpha = self.alpha.iter().flatten().map(|c| c * c).sum::<f64>();
        1e-12 * (alpha.sqrt() * self.size()).max(1.0)
    }
}

/// All cases.
pub fn cases() -> Vec<Case> {
    #[derive(Deserialize)]
    struct File {
        cases: Vec<Case>,
    }
    let file: File = serde_json::from_str(include_str!("../data/gap_cases.json")).unwrap();
    file.cases
}

fn pad(v: Vec<f64>) -> [f64; 3] {
    [v[0], v[1], v.get(2).copied().unwrap_or(0.0)]
}

fn point<'de, D: Deserializer<'de>>(d: D) -> Result<[f64; 3], D::Error> {
    Vec::deserialize(d).map(pad)
}

fn some_point<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[f64; 3]>, D::Error> {
    Option::deserialize(d).map(|v| v.map(pad))
}

fn points<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<[f64; 3]>, D::Error> {
    let list: Vec<Vec<f64>> = Vec::deserialize(d)?;
    Ok(list.into_iter().map(pad).collect())
}

fn some_points<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<[f64; 3]>>, D::Error> {
    points(d).map(Some)
}
