//! 500 gallery files changed at random: no panic, no hang, and faults that name file and place.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Random, carom, folder, text};
use carom::scenario::{Scenario, ScenarioError};
use carom::simulate::Simulation;
use carom_cli::gallery::GALLERY;

const COUNT: usize = 500;
/// Steps that a sound mutant is run for.
const STEPS: usize = 5;

fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            // A byte flips.
            0 => bytes[at] ^= 1 << random.below(7),
            // A line goes, or comes twice.
            kind @ (1 | 2) => {
                let start = bytes[..at]
                    .iter()
                    .rposition(|b| *b == b'\n')
                    .map_or(0, |p| p + 1);
                let end = bytes[at..]
                    .iter()
                    .position(|b| *b == b'\n')
                    .map_or(bytes.len(), |p| at + p + 1);
                if kind == 1 {
                    bytes.drain(start..end);
                } else {
                    let line = bytes[start..end].to_vec();
                    bytes.splice(start..start, line);
                }
            }
            // A number changes.
            3 | 4 => {
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    let other: &[u8] = match random.below(9) {
                        0 => b"-1",
                        1 => b"1e300",
                        2 => b"0",
                        3 => b"nan",
                        4 => b"99999999999999999999",
                        5 => b"\"x\"",
                        6 => b"1e-300",
                        7 => b"[]",
                        _ => b"7",
                    };
                    bytes.splice(at + digit..at + digit + 1, other.iter().copied());
                }
            }
            // A key is renamed.
            _ => {
                if let Some(letter) = bytes[at..].iter().position(u8::is_ascii_lowercase) {
                    bytes[at + letter] = b'a' + random.below(26) as u8;
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads, builds and takes a few steps; `Ok` where the scenario is sound.
fn attempt(name: &str, text: &str) -> Result<(), ScenarioError> {
    let scenario = Scenario::parse(name, text)?;
    let model = scenario.build()?;
    let settings = scenario.settings.simulator();
    if scenario.optimise.is_some() {
        Simulation::new(model.clone(), settings).map_err(|e| scenario.place(&e))?;
        return scenario.plan(&Arc::new(model)).map(|_| ());
    }
    // What overlaps can be moved apart, or cannot.
    let mut apart = scenario.clone();
    apart.settings.separate = true;
    let _ = apart.start(&model);
    let start = scenario.start(&model)?.state;
    let mut simulation =
        Simulation::from_state(model, settings, start).map_err(|e| scenario.place(&e))?;
    for _ in 0..STEPS {
        // A step may fail: that is exit status 1, not a fault of the file.
        if simulation.step().is_err() {
            break;
        }
    }
    Ok(())
}

#[test]
fn mutants_never_panic_or_hang() {
    let place = folder("mutants");
    let mut random = Random(2024);
    let (mut sound, mut refused) = (0, 0);
    for k in 0..COUNT {
        let (name, original) = GALLERY[k % GALLERY.len()];
        let mutant = mutate(original, &mut random);
        let file = format!("{name}-{k}.toml");
        let begin = Instant::now();
        let result = attempt(&file, &mutant);
        let took = begin.elapsed();
        assert!(
            took < Duration::from_secs(20),
            "{file} took {took:?}:\n{mutant}"
        );
        match &result {
            Ok(()) => sound += 1,
            Err(error) => {
                refused += 1;
                let message = error.to_string();
                assert!(message.starts_with(&file), "{message}");
                assert!(message.contains("help: "), "{message}");
                // Only what is missing altogether has no place.
                let placed = error.line_column().is_some_and(|(line, _)| line >= 1);
                let missing = message.contains("nothing") || message.contains("[simulate]");
                assert!(placed || missing, "{message}");
            }
        }
        // The binary agrees.
        if k % 12 == 0 {
            let path = place.join(&file);
            std::fs::write(&path, &mutant).unwrap();
            let check = carom(&["check", text(&path)]);
            let wanted = if result.is_ok() { 0 } else { 2 };
            let message = String::from_utf8_lossy(&check.stderr);
            // `check` looks at all variants; the plain scenario may be sound while one is not.
            let variants = mutant.contains("[variant");
            assert!(
                check.status.code() == Some(wanted) || variants && check.status.code() == Some(2),
                "{mutant}\n{message}"
            );
            assert!(
                check.status.success() || message.contains(&file),
                "{message}"
            );
        }
    }
    assert!(
        sound > 30 && refused > 200,
        "{sound} sound, {refused} refused"
    );
}
