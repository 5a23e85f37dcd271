//! `carom gap`: gap queries, JSON in and JSON out.

use clap::Args;

use super::{Failure, print};
use crate::{gap_json, input};

const DETAILS: &str = "\
Input: one query or a list of queries,
  {\"a\": [[x, y, z], ...], \"b\": [[x, y, z], ...], \"beta\": [x, y, z]}
Points with two coordinates make a planar query. `beta` is the direction the gap is
measured along, from b to a; left out or null it runs from the mean of b's points to the
mean of a's. A query may carry an `id` or a `name`, which its answer repeats.

Output: one answer or a list of answers, in the same order,
  status      \"bounded\", or \"unbounded\" when the line along beta misses (bodies apart)
  gap         along beta: positive apart, zero touching, negative overlapping
  alpha       normal of the separating planes, scaled so that its product with beta is 1
  weights_a   share of each vertex of a in the contact point; weights_b likewise
  point_a     contact point on a; point_b on b
  features    what touches on each side: vertex, edge or face
  distance    Euclidean distance, or minus the penetration depth
An unbounded answer has null for all but `status` and `distance`.

Examples:
  carom gap gallery/gap/stacked-cubes.json
  echo '{\"a\": [[0, 2], [1, 3], [-1, 3]], \"b\": [[0, 0], [1, 1], [-1, 1]]}' | carom gap -";

/// Signed gap, contact points and normals of convex bodies given by their vertices
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Gap {
    /// JSON file with queries, or - for standard input
    #[arg(value_name = "FILE|-")]
    pub file: String,
}

impl Gap {
    /// Reads the queries, solves them and prints the answers.
    pub fn run(&self) -> Result<(), Failure> {
        let source = input::Source::read(&self.file)?;
        print(&gap_json::answer(&source)?)
    }
}
