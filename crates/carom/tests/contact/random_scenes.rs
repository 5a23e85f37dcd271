//! Random scenes of all kinds: none may panic, hang, leave the numbers, overlap more than the ledger
//! says, or gain energy from nowhere.
//!
//! Some run always. `CAROM_SCENES=10000` runs more, `CAROM_SEED=17` starts at another seed (and with
//! `CAROM_SCENES=1` replays one). Scenes that fail are printed, and kept as files; so are those with unsettled contacts.

use std::path::PathBuf;
use std::time::Duration;

use crate::scenes::random::{Scene, scene};
use crate::scenes::{Run, Stopped, attempt, overlap};
use carom::mechanics::joint_coordinates;
use carom::scenario::Scenario;
use carom::simulate::{ContactKind, SimulateError};
use rayon::prelude::*;

const ALWAYS: u64 = 150;
/// Wall time after which a scene of a dozen bodies and 200 steps counts as stuck.
const PATIENCE: Duration = Duration::from_secs(20);
/// Failed scenes that are printed in full.
const SHOWN: usize = 3;

/// What came of a scene.
enum Verdict {
    /// All is well, but for so many contact problems that the ledger names.
    Sound(u64),
    /// A step that the scheme cannot bear, as its message says.
    Refused(String),
    Faulty(String),
}

fn judge(seed: u64, scene: &Scene) -> Verdict {
    let name = format!("seed-{seed}");
    let scenario = match Scenario::parse(&name, &scene.text) {
        Ok(scenario) => scenario,
        Err(error) => return Verdict::Faulty(format!("is not read: {error}")),
    };
    let limit = match std::env::var("CAROM_SCENE_SECONDS") {
        Ok(_) => crate::scenes::patience(),
        Err(_) => PATIENCE,
    };
    let (run, stopped) = attempt(&name, scenario, limit);
    if let Some(found) = run.as_ref().and_then(|run| fault(scene, run)) {
        return Verdict::Faulty(found);
    }
    if let Some(found) = run.as_ref().and_then(|run| gain(scene, run))
        && (scene.exact_energy || !vanishes(&name, &scene.finer(), limit))
    {
        return Verdict::Faulty(found);
    }
    match stopped {
        None => Verdict::Sound(run.map_or(0, |run| run.ledger.unsettled_count)),
        Some(Stopped::Panicked(message)) => Verdict::Faulty(format!("panics: {message}")),
        Some(Stopped::Stuck(step)) => Verdict::Faulty(format!("stuck in step {step}")),
        Some(Stopped::Failed(error)) => match error {
            // A body may be thrown into a quick spin, but not out of the world.
            SimulateError::TurnsTooFar { degrees, .. } if degrees < 360.0 => {
                Verdict::Refused(error.to_string())
            }
            SimulateError::NotConverged { residual, .. } if residual > 1e-9 => {
                Verdict::Refused(error.to_string())
            }
            _ => Verdict::Faulty(error.to_string()),
        },
    }
}

/// Whether a gain is gone in steps of half the size. Where springs, joints or loads act, the energy of the scheme swings
/// by the square of its step; what contacts gave would not care.
fn vanishes(name: &str, finer: &Scene, limit: Duration) -> bool {
    let Ok(scenario) = Scenario::parse(name, &finer.text) else {
        return false;
    };
    let (run, stopped) = attempt(name, scenario, 2 * limit);
    let sound = |run: Run| {
        let settled = run.ledger.unsettled_count == 0;
        settled && fault(finer, &run).is_none() && gain(finer, &run).is_none()
    };
    stopped.is_none() && run.is_some_and(sound)
}

/// What is wrong with a run, if anything but its energy.
fn fault(scene: &Scene, run: &Run) -> Option<String> {
    let ledger = &run.ledger;
    let finite = |f: &crate::scenes::Frame| {
        let numbers = f.poses.iter().flat_map(|p| p.to_q());
        let mut numbers = numbers.chain([f.totals.energy(), f.work]);
        numbers.all(f64::is_finite)
    };
    if !run.frames.iter().all(finite) {
        return Some("leaves the finite numbers".into());
    }
    // Bodies overlap by no more than the ledger says, and hard contacts do not let them.
    let round_off = 1e-9 * scene.length;
    let settled = ledger.unsettled_count == 0;
    if !scene.soft && settled && ledger.overlap_max > round_off {
        let part = ledger.overlap_max / scene.length;
        return Some(format!("overlaps by {part:.1e} of its length"));
    }
    let frames = run.frames.iter().skip(1).step_by(10).chain([run.end()]);
    for f in frames {
        if let Some((depth, who)) = overlap::deepest(&run.model, &f.poses)
            && depth > 1.001 * ledger.overlap_max + round_off
        {
            let (found, said) = (depth / scene.length, ledger.overlap_max / scene.length);
            return Some(format!(
                "{who} overlap by {found:.1e} of its length, {said:.1e} said"
            ));
        }
    }
    if let Some(found) = beyond_limits(scene, run).filter(|_| settled) {
        return Some(found);
    }
    if ledger.constraint_violation_max > 1e-7 * scene.length.max(1.0) {
        return Some(format!(
            "joints open by {:.1e}",
            ledger.constraint_violation_max
        ));
    }
    if scene.isolated {
        let mass: f64 = run.model.bodies().iter().map(|b| b.mass()).sum();
        let momentum = (2.0 * mass * run.kinetic_max()).sqrt();
        let change = ledger.linear_momentum.max_change;
        if change > 1e-9 * momentum {
            return Some(format!(
                "momentum changes by {:.1e} of it",
                change / momentum
            ));
        }
    }
    None
}

/// Energy that a run gained from nowhere, if it did: it grows by what loads do, and by what the ledger owns up to.
fn gain(scene: &Scene, run: &Run) -> Option<String> {
    let settled = run.ledger.unsettled_count == 0;
    // Where more than gravity acts the scheme lets it swing, most where contacts are soft.
    let rests = run.events.iter().any(|e| e.kind != ContactKind::Impact);
    let tolerance = match (scene.soft, scene.exact_energy) {
        (true, _) => 0.25,
        (false, true) if rests => crate::scenes::ROLLING,
        (false, true) => 1e-6,
        (false, false) => 0.05,
    };
    let scale = run.energy_scale();
    let mut least = f64::INFINITY;
    for f in &run.frames {
        let own = f.totals.energy() - f.work - f.projection;
        least = least.min(own);
        if settled && own - least > tolerance * scale + run.energy_round_off() {
            let gain = (own - least) / scale;
            return Some(format!(
                "gains {gain:.1e} of {scale:.1e} J by t = {:.3e}",
                f.time
            ));
        }
    }
    None
}

/// A joint coordinate past its limit.
fn beyond_limits(scene: &Scene, run: &Run) -> Option<String> {
    if scene.soft {
        return None;
    }
    let mut values = Vec::new();
    for joint in run.model.joints() {
        for f in &run.frames {
            joint_coordinates(joint, &f.poses, &mut values);
            for (limit, x) in joint.limits.iter().zip(&values) {
                let Some([low, high]) = limit else { continue };
                let past = (low - x).max(x - high);
                if past > 1e-6 * (high - low) {
                    return Some(format!("{} is {past:.1e} past its limit", joint.name));
                }
            }
        }
    }
    None
}

/// A number from the environment.
fn wanted(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(otherwise, |v| v.parse().expect(name))
}

#[test]
fn random_scenes_are_sound() {
    let first = wanted("CAROM_SEED", 0);
    let count = wanted("CAROM_SCENES", ALWAYS);
    let verdicts: Vec<(u64, Scene, Verdict)> = (first..first + count)
        .into_par_iter()
        .map(|seed| {
            let scene = scene(seed);
            let verdict = judge(seed, &scene);
            (seed, scene, verdict)
        })
        .collect();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random_scenes");
    let open = folder.join("unsettled");
    std::fs::create_dir_all(&open).unwrap();
    let (mut faulty, mut refused, mut unsettled) = (Vec::new(), 0, 0);
    println!("| seed | scene | what |\n| ---: | --- | --- |");
    for (seed, scene, verdict) in &verdicts {
        let what = match verdict {
            Verdict::Sound(0) => continue,
            Verdict::Sound(_) => {
                unsettled += 1;
                std::fs::write(open.join(format!("{seed}.toml")), &scene.text).unwrap();
                continue;
            }
            Verdict::Refused(what) => {
                refused += 1;
                format!("refused: {what}")
            }
            Verdict::Faulty(what) => {
                faulty.push((seed, scene));
                what.clone()
            }
        };
        println!("| {seed} | {} | {} |", scene.label, what.replace('\n', " "));
        std::fs::write(folder.join(format!("{seed}.toml")), &scene.text).unwrap();
    }
    for (seed, scene) in faulty.iter().take(SHOWN) {
        println!("\n# seed {seed}: {}\n{}", scene.label, scene.text);
    }
    println!(
        "\n{} of {count} scenes are faulty, {refused} refused; they are in {}\n{unsettled} of the others have \
         contact problems that the ledger names as unsettled",
        faulty.len(),
        folder.display()
    );
    assert!(faulty.is_empty(), "{} faulty scenes", faulty.len());
    assert!(
        refused <= verdicts.len().div_ceil(10),
        "{refused} of {count} scenes refused"
    );
}
