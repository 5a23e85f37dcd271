//! Writes `docs/gallery.md` and its pictures from real runs of every example:
//!
//! ```sh
//! cargo run --release --example gallery_page
//! ```
//!
//! What the papers claim stands in `docs/gallery.toml`; everything else is measured. Runs are kept
//! in `out/gallery` and used again as long as their scenario is the same; with names as arguments
//! those examples are run anew, and what the page says of the others stays as it is.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use carom::record::Folder;
use carom::report::{self, Report, figure};
use carom::run::{self, Observer};
use carom::scenario::Scenario;
use carom_cli::gallery::{GALLERY, Target};
use serde_json::Value;

/// Pictures are not larger than this, in bytes.
const LARGEST_PICTURE: usize = 60_000;

/// What is known of an example besides its scenario.
#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Note {
    /// What the paper says.
    claim: String,
    /// Variants to run; all if left out. The scenario as it stands is `""`.
    variants: Option<Vec<String>>,
    /// Figure to show: motion, energy, gaps.
    picture: Option<String>,
    /// Variant to draw; the first if left out.
    of: Option<String>,
    /// What to tell besides the table: contacts, velocities, angular momentum.
    show: Vec<String>,
    /// Moments in the strip.
    panels: Option<usize>,
    /// What to know of the result.
    remark: String,
}

/// A finished run.
struct Done {
    argument: String,
    summary: Value,
    report: Report,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()?;
    let docs = root.join("docs");
    let text = fs::read_to_string(docs.join("gallery.toml"))?;
    let table: toml::Table = text.parse()?;
    let notes: Vec<(String, Note)> = (table.into_iter())
        .map(|(name, note)| Ok((name, note.try_into()?)))
        .collect::<Result<_, toml::de::Error>>()?;
    let note_of = |name: &str| notes.iter().find(|(known, _)| known == name);
    let again: Vec<String> = env::args().skip(1).collect();
    for name in &again {
        Target::find(name)?;
    }
    let before = fs::read_to_string(docs.join("gallery.md")).unwrap_or_default();
    fs::create_dir_all(docs.join("gallery"))?;
    // In the order of the notes, then what they do not know.
    let mut names: Vec<&str> = notes.iter().map(|(name, _)| name.as_str()).collect();
    names.retain(|name| GALLERY.iter().any(|(known, _)| known == name));
    names.extend((GALLERY.iter().map(|(name, _)| *name)).filter(|name| note_of(name).is_none()));
    let mut page = String::from(HEAD);
    let nothing = Note::default();
    for name in names {
        let note = note_of(name).map_or(&nothing, |(_, note)| note);
        let anew = again.iter().any(|a| a == name);
        if let Some(known) = section_of(&before, name).filter(|_| !again.is_empty() && !anew) {
            page += known;
            continue;
        }
        let runs = runs(name, note, &root.join("out/gallery"), anew)?;
        let drawn = format!("{name}:{}", note.of.as_deref().unwrap_or_default());
        let drawn = runs.iter().find(|run| run.argument == drawn);
        if let Some(drawn) = drawn.or(runs.first()) {
            let picture = note.picture.as_deref().unwrap_or("motion");
            let file = format!("gallery/{name}.png");
            let panels = note.panels.unwrap_or(4);
            draw(&drawn.report, picture, panels, &docs.join(&file))?;
            section(&mut page, name, note, &file, drawn, &runs);
        }
    }
    fs::write(docs.join("gallery.md"), page)?;
    Ok(())
}

const HEAD: &str = "\
# Gallery

Every example that comes with carom: a picture, the command, what its source claims, what carom
measured. This page is written by `cargo run --release --example gallery_page` from real runs; claims
come from [gallery.toml](gallery.toml). Times are wall times of the simulation or the solve on two
cores of a shared virtual machine. `carom view out/NAME` shows the motion and all curves;
[examples.md](examples.md) lists all examples and variants in short, and the [sources](examples.md#sources).

";

/// What a page says of an example, with its heading.
fn section_of<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let start = page.find(&format!("\n## {name}\n"))? + 1;
    let rest = &page[start..];
    let end = rest[2..].find("\n## ").map_or(rest.len(), |k| k + 3);
    Some(&rest[..end])
}

/// Runs an example and its variants, or takes what is there.
fn runs(name: &str, note: &Note, out: &Path, anew: bool) -> Result<Vec<Done>, Box<dyn Error>> {
    let plain = Target::find(name)?.read(&[])?;
    let variants = match (&note.variants, plain.meta.variants.is_empty()) {
        (Some(chosen), _) => chosen.clone(),
        (None, true) => vec![String::new()],
        (None, false) => plain.meta.variants,
    };
    let mut done = Vec::new();
    for variant in variants {
        let argument = match variant.is_empty() {
            true => name.to_string(),
            false => format!("{name}:{variant}"),
        };
        eprintln!("{argument}");
        let scenario = Target::find(&argument)?.read(&[])?;
        let path = out.join(argument.replace(':', "-"));
        if anew || !is_there(&scenario, &path)? {
            run(&scenario, &path)?;
        }
        done.push(Done {
            argument,
            summary: serde_json::from_str(&fs::read_to_string(path.join("summary.json"))?)?,
            report: report::read(&path)?,
        });
    }
    Ok(done)
}

/// Whether a folder holds the finished run of a scenario.
fn is_there(scenario: &Scenario, path: &Path) -> Result<bool, Box<dyn Error>> {
    if scenario.optimise.is_none() {
        return Ok(run::is_complete(scenario, &Folder::open(path, true)?));
    }
    let planned = fs::read_to_string(path.join("scenario.toml")).unwrap_or_default();
    let finished = path.join("summary.json").exists();
    Ok(finished && planned == scenario.to_toml(&str::to_string))
}

/// Simulates or plans.
fn run(scenario: &Scenario, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut folder = Folder::open(path, false)?;
    if scenario.optimise.is_some() {
        let stop = Arc::new(AtomicBool::new(false));
        run::run_plan(scenario, &mut folder, |_| {}, &stop)?;
        return Ok(());
    }
    let mut observer = Observer {
        progress: &mut |_| {},
        stop: &AtomicBool::new(false),
    };
    run::run(scenario, &mut folder, false, &mut observer)?;
    Ok(())
}

/// Draws a figure of a run, as large as allowed.
fn draw(report: &Report, name: &str, panels: usize, file: &PathBuf) -> Result<(), Box<dyn Error>> {
    let figures = figure::figures(report, panels);
    let chosen = figures.iter().find(|(known, _)| *known == name);
    let (_, drawing) = chosen.ok_or_else(|| format!("there is no figure {name}"))?;
    for scale in [1.5, 1.25, 1.0, 0.8, 0.6, 0.45] {
        let png = figure::png(drawing, scale).ok_or("nothing to draw")?;
        if png.len() <= LARGEST_PICTURE {
            fs::write(file, png)?;
            return Ok(());
        }
    }
    Err(format!("{}: too large", file.display()).into())
}

fn section(page: &mut String, name: &str, note: &Note, file: &str, drawn: &Done, runs: &[Done]) {
    let first = &drawn.report;
    let _ = writeln!(page, "## {name}\n\n{}", first.title);
    if !first.source.is_empty() {
        let _ = writeln!(page, "({})", first.source);
    }
    let _ = writeln!(page, "\n![{name}]({file})\n");
    let _ = writeln!(page, "```sh\ncarom run {}\n```\n", drawn.argument);
    if !note.claim.is_empty() {
        let _ = writeln!(page, "**Claim.** {}\n", note.claim.trim());
    }
    let _ = writeln!(page, "**Measured.**\n");
    let (planned, simulated): (Vec<&Done>, Vec<&Done>) =
        (runs.iter()).partition(|run| run.summary.get("objective").is_some());
    if !simulated.is_empty() {
        let _ = simulations(page, &simulated);
    }
    if !planned.is_empty() {
        if !simulated.is_empty() {
            page.push('\n');
        }
        let _ = plans(page, &planned);
    }
    let walls = (first.motions.iter()).any(|motion| !motion.scene.walls.is_empty());
    if walls && runs.iter().all(|run| run.summary["law"] == "none") {
        let _ = writeln!(
            page,
            "\nThe scenario names no contact law: bodies pass through walls and each other."
        );
    }
    for what in &note.show {
        let told: Vec<String> = (runs.iter())
            .filter_map(|run| Some(format!("`{}`: {}", run.argument, told(&run.summary, what)?)))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(page, "\n{}.", told.join("; "));
        }
    }
    if !note.remark.is_empty() {
        let _ = writeln!(page, "\n{}", note.remark.trim());
    }
    page.push('\n');
}

fn simulations(page: &mut String, runs: &[&Done]) -> std::fmt::Result {
    writeln!(
        page,
        "| run | law | simulated | contacts | energy | angular momentum | largest overlap | wall time |"
    )?;
    writeln!(page, "| --- | --- | --- | ---: | --- | --- | ---: | ---: |")?;
    for run in runs {
        let s = &run.summary;
        let contacts = s["contact_count"].as_u64().unwrap_or(0);
        writeln!(
            page,
            "| `{}` | {} | {} s, {} steps | {} | {} | {} | {} | {} |",
            run.argument,
            s["law"].as_str().unwrap_or("none"),
            short(&s["time_end"]),
            s["steps"],
            contacts,
            remark(&run.report, "energy"),
            remark(&run.report, "angular momentum"),
            match s["law"] == "none" {
                true => "–".into(),
                false => format!("{} m", short(&s["overlap_max"])),
            },
            seconds(&s["wall_seconds"]),
        )?;
    }
    Ok(())
}

fn plans(page: &mut String, runs: &[&Done]) -> std::fmt::Result {
    writeln!(
        page,
        "| run | status | objective | of the guess | iterations | violation | largest overlap | replay error | wall time |"
    )?;
    writeln!(
        page,
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    )?;
    for run in runs {
        let s = &run.summary;
        writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} | {} m | {} | {} |",
            run.argument,
            s["status"].as_str().unwrap_or(""),
            digits(&s["objective"]),
            short(&s["objective_guess"]),
            s["iterations"],
            short(&s["constraint_violation_max"]),
            short(&s["overlap_between_nodes_max"]),
            short(&s["replay_error_max"]),
            seconds(&s["wall_seconds"]),
        )?;
    }
    Ok(())
}

/// What a summary tells of contacts, velocities at the end or the angular momentum.
fn told(summary: &Value, what: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    match what {
        "contacts" => {
            for contact in summary["contacts"].as_array()?.iter().take(8) {
                let kind = contact["kind"].as_str()?;
                parts.push(format!("{kind} at {:.5} s", contact["time"].as_f64()?));
            }
        }
        "velocities" => {
            for (name, body) in summary["bodies"].as_object()? {
                let v = body["velocity"].as_array()?;
                let v: Vec<String> = v.iter().map(rounded).collect();
                parts.push(format!("{name} ({})", v.join(", ")));
            }
            return Some(format!(
                "velocities at the end in m/s: {}",
                parts.join(", ")
            ));
        }
        _ => {
            let change = short(&summary["angular_momentum"]["max_change"]);
            parts.push(format!(
                "angular momentum changes by {change} N m s at most"
            ));
        }
    }
    Some(parts.join(", "))
}

/// What the ledger says of a quantity.
fn remark(report: &Report, what: &str) -> String {
    let line = report.ledger.iter().find(|line| line.what == what);
    line.map_or("–".into(), |line| line.remark.replace('|', "\\|"))
}

/// A number of three digits.
fn short(value: &Value) -> String {
    match value.as_f64() {
        None => "–".into(),
        Some(0.0) => "0".into(),
        Some(v) if (1e-3..1e5).contains(&v.abs()) => {
            let rounded = format!("{v:.2e}").parse::<f64>().unwrap_or(v);
            rounded.to_string()
        }
        Some(v) => format!("{v:.1e}"),
    }
}

/// A number of three digits; round-off as zero.
fn rounded(value: &Value) -> String {
    match value.as_f64() {
        Some(v) if v.abs() < 1e-12 => "0".into(),
        Some(v) if v != 0.0 => format!("{v:.6e}"),
        _ => short(value),
    }
}

/// A number of nine digits, or of seven with an exponent.
fn digits(value: &Value) -> String {
    match value.as_f64() {
        Some(v) if v != 0.0 && v.abs() < 1e-3 => format!("{v:.6e}"),
        Some(v) if (1e-3..1e5).contains(&v.abs()) => {
            let rounded = format!("{v:.8e}").parse::<f64>().unwrap_or(v);
            rounded.to_string()
        }
        _ => short(value),
    }
}

fn seconds(value: &Value) -> String {
    let v = value.as_f64().unwrap_or(f64::NAN);
    match v < 0.01 {
        true => "< 0.01 s".into(),
        false => format!("{v:.2} s"),
    }
}
