//! Runs per second of a sweep over planar docking, on one and on two threads, and what memory it takes.
//!
//! ```sh
//! cargo bench -p carom --bench sweep                # 200 runs on one thread, 200 on two: minutes
//! cargo bench -p carom --bench sweep -- 10000       # the whole yardstick: hours
//! ```
//!
//! Memory is the most that the process has taken so far: it must not grow with the runs.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom::scenario::{Document, Options};
use carom::sweep::{Journal, Sweep, advance};

/// Runs if no number is given.
const RUNS: u64 = 200;

/// A figure of the kernel about this process in MiB, where there is such a thing.
fn memory(what: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with(what));
    let number = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<f64>().ok());
    number.map_or(f64::NAN, |kib| kib / 1024.0)
}

fn docking(runs: u64) -> Sweep {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let text = std::fs::read_to_string(folder.join("docking-plane.toml")).unwrap();
    let text = format!(
        "{text}\n[sweep]\nsamples = {runs}\nspread = \"sobol\"\nseed = 1\n\
         vary.spacing = {{ from = 0.02, to = 0.08 }}\nvary.bearing = {{ from = -40, to = 40 }}\n"
    );
    let document = Document::parse("docking-plane.toml", &text, &Options::default(), None);
    Sweep::new(document.unwrap()).unwrap()
}

fn main() {
    let asked = std::env::args().find_map(|a| a.parse::<u64>().ok());
    let runs = asked.unwrap_or(RUNS);
    let folder = std::env::temp_dir().join(format!("carom-bench-sweep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!(
        "| threads | runs | s | runs/s | times one thread | most MiB after a tenth | and at the end |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut one = f64::NAN;
    for threads in [1, 2] {
        let sweep = docking(runs);
        let heading = Journal::heading(&sweep, (1, 1));
        let place = folder.join(format!("{threads}.csv"));
        let mut journal = Journal::create(&place, &heading).unwrap();
        let early = std::sync::Mutex::new(f64::NAN);
        let begin = Instant::now();
        let done = advance(
            &sweep,
            (1, 1),
            &mut journal,
            threads,
            &AtomicBool::new(false),
            &mut |p| {
                if p.done == p.of.div_ceil(10)
                    && let Ok(mut early) = early.lock()
                {
                    *early = memory("VmHWM");
                }
            },
        );
        assert!(done.unwrap());
        let seconds = begin.elapsed().as_secs_f64();
        let rate = runs as f64 / seconds;
        if threads == 1 {
            one = rate;
        }
        let early = early.into_inner().unwrap_or(f64::NAN);
        println!(
            "| {threads} | {runs} | {seconds:.1} | {rate:.2} | {:.2} | {early:.1} | {:.1} |",
            rate / one,
            memory("VmHWM"),
        );
    }
    std::fs::remove_dir_all(&folder).ok();
}
