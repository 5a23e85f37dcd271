//! `carom track`: simulates a plan's model with a controller that follows the plan.

use std::path::PathBuf;

use carom::scenario::Scenario;
use clap::Args;

use super::Failure;

const DETAILS: &str = "\
The scenario is that of DIR/scenario.toml with [controller.track] in place of [optimise]: a time-varying linear
quadratic regulator around DIR/plan.json (kind = \"lqr\"), through the controls of the plan. It begins as the plan does
and lasts as long; --set disturbs it. Without disturbance it repeats the plan. The deviation from the plan is
controller.track.deviation in trajectory.csv and a curve of report.html.

Examples:
  carom run sphere --out plan
  carom track plan --set body.sphere.position=[0.1,0,0] --out followed
  carom track plan --set simulate.duration=8 --set controller.track.weights.control=1e-4";

/// Simulates a model that follows a plan, disturbed if you like
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Track {
    /// Folder of a plan, as `carom run` wrote it
    #[arg(value_name = "DIR")]
    pub plan: PathBuf,
    /// Folder for the results [default: DIR-track]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Overrides a parameter or any key, such as --set body.cube.velocity=[0.1,0,0]
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Continues from the last checkpoint; from the start if there is none
    #[arg(long)]
    pub resume: bool,
    /// Prints the summary as JSON, with the ledger in words and the folder
    #[arg(long)]
    pub json: bool,
}

impl Track {
    /// Makes the scenario, runs it, writes the results and prints a summary.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let scenario = Scenario::track(&self.plan, &self.set)?;
        let path = self.out.clone().unwrap_or_else(|| {
            let mut name = self.plan.clone().into_os_string();
            name.push("-track");
            name.into()
        });
        super::run::simulate(&scenario, &path, self.resume, quiet, self.json)
    }
}
