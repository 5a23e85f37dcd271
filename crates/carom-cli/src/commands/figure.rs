//! `carom figure`: figures of a run for papers.

use std::path::PathBuf;

use carom::record::Folder;
use carom::report;
use clap::Args;

use super::{Failure, print};

const DETAILS: &str = "\
Writes SVG and PNG files: figure-motion (a time-lapse strip), figure-energy, figure-linear-momentum,
figure-angular-momentum and, where bodies can meet, figure-gaps.

With --movie it writes figure-motion.gif instead: the motion as an animated picture.

Examples:
  carom figure out/double-pendulum --panels 6
  carom figure out/falling-polyhedra --movie --seconds 4";

/// Draws figures of a run: time-lapse strip, energy, momentum
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Figure {
    /// Folder that `carom run` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Folder for the figures [default: DIR]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Moments in the strip
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=24))]
    pub panels: u8,
    /// Pixels per point of the PNG files
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub scale: u8,
    /// Writes the motion as an animated GIF instead
    #[arg(long)]
    pub movie: bool,
    /// Length of the movie in s; the motion is shown faster or slower
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    pub seconds: f64,
}

/// A positive length of time.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.1..=60.0).contains(&value) => Ok(value),
        _ => Err("write a number from 0.1 to 60".into()),
    }
}

impl Figure {
    /// Reads the report and writes its figures.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let report = report::read(&self.folder)?;
        let out = self.out.as_ref().unwrap_or(&self.folder);
        let mut folder = Folder::open(out, true)?;
        let mut written = String::new();
        if self.movie {
            let movie = report::figure::Movie {
                seconds: self.seconds,
                rate: 20.0,
                scale: self.scale.into(),
            };
            let motion = report.motions.first();
            if let Some(bytes) = motion.and_then(|m| report::figure::gif(m, &movie)) {
                folder.write("figure-motion.gif", &bytes)?;
                written = format!("{}\n", out.join("figure-motion.gif").display());
            }
            return match quiet {
                true => Ok(()),
                false => print(&written),
            };
        }
        for (name, drawing) in report::figure::figures(&report, self.panels.into()) {
            let mut write = |ending: &str, bytes: &[u8]| -> Result<(), Failure> {
                let name = format!("figure-{name}.{ending}");
                folder.write(&name, bytes)?;
                written += &format!("{}\n", out.join(&name).display());
                Ok(())
            };
            write("svg", report::figure::svg(&drawing).as_bytes())?;
            if let Some(png) = report::figure::png(&drawing, self.scale.into()) {
                write("png", &png)?;
            }
        }
        match quiet {
            true => Ok(()),
            false => print(&written),
        }
    }
}
