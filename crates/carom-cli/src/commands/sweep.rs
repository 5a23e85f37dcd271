//! `carom sweep`: runs a scenario many times with other values and writes the table.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use carom::record::{self, Folder, Status};
use carom::run::{self, Observer};
use carom::scenario::Axis;
use carom::sweep::{self, Journal, JournalError, Table};
use carom::words::counted;
use clap::{Args, ValueEnum};

use super::progress::Shown;
use super::run::stop_signal;
use super::{Failure, print};
use crate::gallery::Target;

const DETAILS: &str = "\
The scenario says what is varied ([sweep]), what is measured ([measure]) and what a success is
([success]); a file of its own may name the scenario it is about: scenario = \"NAME:VARIANT\". The table
goes to DIR/sweep.csv and DIR/sweep.parquet, a page with success rates and histograms to DIR/sweep.html.
A run that fails is a row with its reason.

A sweep that was stopped or killed goes on where it was when the same command is given again; the table is
the same as if it had never stopped. For job arrays, give every job its share with --shard i/n (all with
the same DIR), then put the table together with --merge.

Examples:
  carom sweep docking-plane:ports
  carom sweep mine.toml --shard 3/16
  carom sweep mine.toml --merge
  carom sweep mine.toml --run 17        makes run 17 again and keeps its motion in DIR/runs/17";

const ROWS: &str = "rows.csv";

/// Runs a scenario many times with other values and writes a table of what was measured
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Sweep {
    /// Sweep or scenario file, example with its variant after a colon, or folder of an earlier sweep
    #[arg(value_name = "FILE|NAME[:VARIANT]|DIR")]
    pub scenario: String,
    /// Folder for the results [default: out/NAME-sweep]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Overrides a parameter or any key in all runs, such as --set simulate.step=0.001
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Runs only share i of n, for job arrays
    #[arg(long, value_name = "i/n", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// Merges the results of all shards into one table
    #[arg(long, conflicts_with_all = ["shard", "run", "fresh"])]
    pub merge: bool,
    /// Repeats one run and keeps its frames and report
    #[arg(long, value_name = "NUMBER", conflicts_with = "shard")]
    pub run: Option<u64>,
    /// Which runs keep their frames and reports
    #[arg(long, value_enum, conflicts_with = "shard")]
    pub keep: Option<Keep>,
    /// Discards the results of an earlier sweep in DIR
    #[arg(long)]
    pub fresh: bool,
    /// Continues the sweep in DIR; an error if it belongs to another scenario
    #[arg(long, conflicts_with = "fresh")]
    pub resume: bool,
    /// Prints the counts as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs whose motion is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keep {
    /// All of them
    All,
    /// Runs that succeeded
    Successes,
    /// Runs that did not
    Failures,
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parsed = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parsed {
        Some((i, n)) if i >= 1 && i <= n => Ok((i, n)),
        _ => Err("write share and number of shares, such as 1/4 … 4/4".into()),
    }
}

impl Sweep {
    /// Makes the runs, or the part of them that is asked for, and writes the results.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let (target, usual) = self.target()?;
        let sweep = sweep::Sweep::new(target.document(&self.set)?)?;
        let path = self.out.clone().unwrap_or(usual);
        if let Some(run) = self.run {
            return self.one(&sweep, run, &path, quiet);
        }
        if self.merge {
            let mut folder = Folder::open(&path, true)?;
            let mut journal = self.merged(&sweep, &mut folder)?;
            return self.finish(&sweep, &mut folder, &mut journal, quiet);
        }
        let (share, place) = match self.shard {
            None => ((1, 1), path.clone()),
            Some((i, n)) => ((i, n), path.join(format!("shard-{i}-of-{n}"))),
        };
        let mut folder = Folder::open(&place, true)?;
        let mut journal = self.journal(&sweep, share, &mut folder)?;
        for (from, name) in sweep.meshes() {
            folder.copy(&from, &name)?;
        }
        folder.write("sweep.toml", sweep.to_toml().as_bytes())?;
        let before = journal.len();
        let runs = (share.0 - 1..sweep.runs())
            .step_by(share.1 as usize)
            .count() as u64;
        let mut shown = Shown::runs(runs, before, quiet);
        let mut last = Instant::now();
        let mut show = |p: sweep::Progress| {
            // Runs may be shorter than it takes to show them.
            if last.elapsed() > Duration::from_millis(100) {
                last = Instant::now();
                let made = (p.done - before) as f64 / (p.of - before).max(1) as f64;
                shown.show(p.done, Some(made), || {
                    format!(
                        "{} of {}, {} failed",
                        p.done,
                        counted(p.of, "run"),
                        p.failed
                    )
                });
            }
        };
        let threads = self.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        let begin = Instant::now();
        let stop = stop_signal();
        let all = sweep::advance(&sweep, share, &mut journal, threads, &stop, &mut show);
        shown.finish();
        if !all.map_err(|error| io(&place, error))? {
            return Err(Failure::SweepInterrupted {
                runs: journal.len(),
                of: runs,
            });
        }
        let made = journal.len() - before;
        if !quiet && !self.json {
            let seconds = begin.elapsed().as_secs_f64();
            print(&format!(
                "{}: {} in {seconds:.1} s on {}, {:.1} a second{}\n",
                sweep.base().meta.name,
                counted(made, "run"),
                counted(threads, "thread"),
                made as f64 / seconds.max(1e-9),
                if before > 0 {
                    format!("; {before} were already done")
                } else {
                    String::new()
                }
            ))?;
        }
        if self.shard.is_some() {
            return match quiet {
                true => Ok(()),
                false => print(&format!("  rows in {}\n", place.display())),
            };
        }
        self.finish(&sweep, &mut folder, &mut journal, quiet)
    }

    /// The scenario, and where results go if the user does not say.
    fn target(&self) -> Result<(Target, PathBuf), Failure> {
        let folder = Path::new(&self.scenario);
        let inside = folder.join("sweep.toml");
        if inside.is_file() {
            let target = Target::find(&inside.display().to_string())?;
            return Ok((target, folder.to_path_buf()));
        }
        // A folder that holds shards only.
        if folder.is_dir()
            && let Some(inside) = shards(folder).first().map(|s| s.join("sweep.toml"))
        {
            let target = Target::find(&inside.display().to_string())?;
            return Ok((target, folder.to_path_buf()));
        }
        let target = Target::find(&self.scenario)?;
        let mut usual = target.folder().into_os_string();
        usual.push("-sweep");
        Ok((target, usual.into()))
    }

    /// The rows that are there, or none.
    fn journal(
        &self,
        sweep: &sweep::Sweep,
        share: (u64, u64),
        folder: &mut Folder,
    ) -> Result<Journal, Failure> {
        let heading = Journal::heading(sweep, share);
        let there = folder.has(ROWS);
        let path = folder.claim(ROWS)?;
        if there && !self.fresh {
            match Journal::reopen(&path, &heading) {
                Ok(journal) => return Ok(journal),
                Err(JournalError::Io(error)) => return Err(io(&path, error)),
                Err(JournalError::Other) if self.resume => {
                    return Err(Failure::Sweep {
                        path: path.display().to_string(),
                        reason: JournalError::Other.to_string(),
                        help: "give --fresh to make all runs anew, or another --out",
                    });
                }
                Err(JournalError::Other) => {}
            }
        }
        Journal::create(&path, &heading).map_err(|error| match error {
            JournalError::Io(error) => io(&path, error),
            JournalError::Other => io(&path, std::io::ErrorKind::InvalidData.into()),
        })
    }

    /// One journal of the rows of all shards.
    fn merged(&self, sweep: &sweep::Sweep, folder: &mut Folder) -> Result<Journal, Failure> {
        let help = "run every share with --shard i/n and the same --out first";
        let wrong = |path: &Path, reason: String| Failure::Sweep {
            path: path.display().to_string(),
            reason,
            help,
        };
        let found = shards(folder.path());
        if found.is_empty() {
            return Err(wrong(folder.path(), "holds no shards".into()));
        }
        let target = folder.claim(ROWS)?;
        let heading = Journal::heading(sweep, (1, 1));
        let mut text = heading.clone();
        let mut rows = 0;
        for shard in &found {
            let name = shard
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let numbers = name
                .strip_prefix("shard-")
                .and_then(|n| n.split_once("-of-"));
            let share = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
            let path = shard.join(ROWS);
            let heading = Journal::heading(sweep, share.unwrap_or((0, 0)));
            let mut journal = Journal::reopen(&path, &heading)
                .map_err(|error| wrong(&path, error.to_string()))?;
            rows += journal.len();
            let read = journal.in_order(&mut |line| {
                text.push_str(line);
                Ok(())
            });
            read.map_err(|error| io(&path, error))?;
        }
        folder.write(ROWS, text.as_bytes())?;
        let journal = Journal::reopen(&target, &heading)
            .map_err(|error| wrong(&target, error.to_string()))?;
        if journal.len() < sweep.runs() {
            let missing = sweep.runs() - journal.len();
            folder.remove(ROWS)?;
            return Err(wrong(
                folder.path(),
                format!(
                    "{missing} of {} are missing from its {} ({})",
                    counted(sweep.runs(), "run"),
                    counted(found.len(), "shard"),
                    counted(rows, "row")
                ),
            ));
        }
        folder.write("sweep.toml", sweep.to_toml().as_bytes())?;
        for (from, name) in sweep.meshes() {
            folder.copy(&from, &name)?;
        }
        Ok(journal)
    }

    /// Writes table and page, and says what came out.
    fn finish(
        &self,
        sweep: &sweep::Sweep,
        folder: &mut Folder,
        journal: &mut Journal,
        quiet: bool,
    ) -> Result<(), Failure> {
        let path = folder.path().to_path_buf();
        let mut csv = Vec::new();
        let written = sweep.csv(journal, &mut csv);
        written.map_err(|error| io(&path, error))?;
        folder.write("sweep.csv", &csv)?;
        drop(csv);
        let table = sweep.table(journal).map_err(|error| io(&path, error))?;
        folder.write("sweep.parquet", &table.to_parquet())?;
        if let Some(keep) = self.keep {
            let success = table.column("success").unwrap_or(0);
            for (run, row) in (0..).zip(&table.rows) {
                let wanted = match keep {
                    Keep::All => true,
                    Keep::Successes => row[success] == "1",
                    Keep::Failures => row[success] != "1",
                };
                if wanted {
                    self.record(sweep, run, &path)?;
                }
            }
        }
        write_page(sweep, folder, &table)?;
        if self.json {
            let counts = table.successes(|_| true);
            let value = serde_json::json!({
                "runs": table.rows.len(),
                "done": table.count("done"),
                "failed": table.count("failed"),
                "refused": table.count("refused"),
                "successes": counts.map(|c| c.0),
                "interval": counts.map(|c| sweep::interval(c.0, c.1)),
                "folder": path.display().to_string(),
            });
            return print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
        }
        match quiet {
            true => Ok(()),
            false => print(&describe(sweep, &table, &path)),
        }
    }

    /// Makes one run with its frames and report.
    fn one(&self, sweep: &sweep::Sweep, run: u64, path: &Path, quiet: bool) -> Result<(), Failure> {
        if run >= sweep.runs() {
            return Err(Failure::Sweep {
                path: path.display().to_string(),
                reason: format!(
                    "there is no run {run}: they are numbered 0 to {}",
                    sweep.runs() - 1
                ),
                help: "the first column of sweep.csv is the number",
            });
        }
        let kept = self.record(sweep, run, path)?;
        // The page of a finished sweep links to it from now on.
        let rows = path.join(ROWS);
        if let Ok(mut journal) = Journal::reopen(&rows, &Journal::heading(sweep, (1, 1)))
            && journal.len() == sweep.runs()
        {
            let mut folder = Folder::open(path, true)?;
            let table = sweep
                .table(&mut journal)
                .map_err(|error| io(&rows, error))?;
            write_page(sweep, &mut folder, &table)?;
        }
        match quiet {
            true => Ok(()),
            false => print(&format!(
                "run {run} is in {}; carom view shows it\n",
                kept.display()
            )),
        }
    }

    fn record(&self, sweep: &sweep::Sweep, run: u64, path: &Path) -> Result<PathBuf, Failure> {
        let scenario = sweep.scenario(run)?;
        let place = path.join("runs").join(run.to_string());
        let mut folder = Folder::open(&place, false)?;
        let never = AtomicBool::new(false);
        let mut observer = Observer {
            progress: &mut |_| {},
            stop: &never,
        };
        let outcome = run::run(&scenario, &mut folder, false, &mut observer)?;
        match outcome.status {
            Status::Failed(error) if self.run.is_some() => Err(Failure::Run(error)),
            _ => Ok(place),
        }
    }
}

fn write_page(sweep: &sweep::Sweep, folder: &mut Folder, table: &Table) -> Result<(), Failure> {
    let path = folder.path().to_path_buf();
    let kept: Vec<u64> = (0..sweep.runs())
        .filter(|run| path.join(format!("runs/{run}/report.html")).is_file())
        .collect();
    let meta = &sweep.base().meta;
    let title = match meta.title.is_empty() {
        true => &meta.name,
        false => &meta.title,
    };
    let shown = path.display();
    let again = format!("carom sweep {shown} --run RUN && carom view {shown}/runs/RUN");
    let page = sweep::page(title, table, &kept, &again);
    Ok(folder.write("sweep.html", page.as_bytes())?)
}

/// Folders of shards, in the order of their names.
fn shards(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|p| {
            let name = p
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.starts_with("shard-") && p.join(ROWS).is_file()
        })
        .collect();
    found.sort();
    found
}

fn io(path: &Path, source: std::io::Error) -> Failure {
    Failure::from(record::FolderError::Io {
        path: path.into(),
        source,
    })
}

/// Counts, and rates of success over the values of every axis that is not sampled.
fn describe(sweep: &sweep::Sweep, table: &Table, path: &Path) -> String {
    let rate = |(good, of): (u64, u64)| {
        let [low, high] = sweep::interval(good, of).map(|p| 100.0 * p);
        let percent = 100.0 * good as f64 / of.max(1) as f64;
        format!("{good} of {of} ({percent:.1} %, 95 % between {low:.1} and {high:.1} %)")
    };
    let mut text = format!("  runs         {}\n", table.rows.len());
    for status in ["failed", "refused"] {
        if table.count(status) > 0 {
            text += &format!("  {status:<13}{}\n", table.count(status));
        }
    }
    if let Some(all) = table.successes(|_| true) {
        text += &format!("  success      {}\n", rate(all));
        for (axis, (_, kind)) in (1..).zip(&sweep.spec().axes) {
            if !matches!(kind, Axis::Values(_)) {
                continue;
            }
            let values = table.values(axis, 30).filter(|v| v.len() > 1);
            for value in values.into_iter().flatten() {
                if let Some(counts) = table.successes(|row| row[axis] == value) {
                    text += &format!("    {} = {value}: {}\n", table.names[axis], rate(counts));
                }
            }
        }
    }
    text + &format!("  table, Parquet and page in {}\n", path.display())
}
