//! Every command of README and docs runs, in the order of its page, as a reader would type it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::folder;

/// Commands that are not run here, by how they begin, and why.
const EXCEPTED: &[(&str, &str)] = &[
    ("cargo install ", "takes as long as the first build"),
    ("cargo bench ", "measures for minutes"),
    ("cargo test ", "is a part of ./test"),
    (
        "cargo run --release --example ",
        "the examples are modules of the library's tests, which run them",
    ),
    (
        "python3 benchmarks/peers/",
        "needs the programs that are compared with",
    ),
];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the project's folder")
}

/// README and all pages of docs.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/tasks"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().flatten();
        pages.extend(
            entries
                .map(|e| e.path())
                .filter(|p| p.extension().is_some_and(|e| e == "md")),
        );
    }
    pages.sort();
    pages
}

/// Lines of the blocks in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let rest = page.split(fence.as_str()).skip(1);
    rest.map(|block| block.split("```").next().unwrap_or_default())
        .collect()
}

/// Whether a command serves until it is stopped; view.rs beside this file asks such servers for pages.
fn serves(command: &str) -> bool {
    command.starts_with("carom view ") && !command.contains("--write")
}

/// Complete commands between single backticks: not the name of a command alone, nothing to be filled in.
fn inline(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .filter(|code| code.starts_with("carom ") && !code.contains(['|', '…', '\n']))
        .filter(|code| code.split(' ').count() > 2 || *code == "carom list")
        // FILE, DIR, NAME are to be filled in.
        .filter(|code| !code.contains(char::is_uppercase))
        .collect()
}

/// A folder with the project's examples and pages in it and room for results.
fn workplace(name: &str) -> PathBuf {
    let place = folder(name);
    for part in ["gallery", "docs"] {
        std::os::unix::fs::symlink(root().join(part), place.join(part)).unwrap();
    }
    place
}

fn run(command: &str, place: &Path) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_carom"));
    let mut path = std::ffi::OsString::from(program.parent().unwrap());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .env("PATH", path)
        .current_dir(place)
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn every_command_runs() {
    let mut count = 0;
    for page in pages() {
        let name = page.file_stem().unwrap().to_string_lossy().into_owned();
        let place = workplace(&format!("documentation-{name}"));
        let text = fs::read_to_string(&page).unwrap();
        let blocks = blocks(&text, "sh");
        let lines = blocks.iter().flat_map(|block| block.lines());
        let lines = lines.map(|line| (line, name == "gallery"));
        for (line, mentioned) in lines.chain(inline(&text).into_iter().map(|code| (code, true))) {
            let command = line.split(" #").next().unwrap_or_default().trim();
            let excepted = EXCEPTED.iter().any(|(start, _)| command.starts_with(start));
            if command.is_empty() || excepted || serves(command) {
                continue;
            }
            // Examples that are only mentioned are run by contract.rs and in full by the library's tests.
            let command = match mentioned {
                true => command.replace("carom run", "carom check --quiet"),
                false => command.to_string(),
            };
            if let Err(error) = run(&command, &place) {
                panic!("{}: `{command}` fails:\n{error}", page.display());
            }
            count += 1;
        }
    }
    assert!(count >= 60, "only {count} commands were found");
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let path = page.parent().unwrap().join(file);
            assert!(path.exists(), "{}: no {file}", page.display());
        }
    }
}

#[test]
fn every_example_has_a_line() {
    let page = fs::read_to_string(root().join("docs/examples.md")).unwrap();
    for (name, _) in carom_cli::gallery::GALLERY {
        assert!(
            page.contains(&format!("`{name}`")),
            "examples.md does not name {name}"
        );
    }
}

/// Scenarios in README and docs are sound: plans run whole, simulations a few steps.
#[test]
fn scenario_snippets_run() {
    let place = folder("documentation-scenarios");
    fs::copy(
        root().join("docs/tasks/bracket.obj"),
        place.join("bracket.obj"),
    )
    .unwrap();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for snippet in blocks(&text, "toml") {
            count += 1;
            let mut scenario = snippet.to_string();
            if !["[simulate]", "[optimise]"]
                .iter()
                .any(|section| snippet.contains(section))
            {
                scenario += "[simulate]\nduration = 1\nstep = 0.01\n";
            }
            fs::write(place.join(format!("{count}.toml")), &scenario).unwrap();
            let set = match snippet.contains("[optimise]") {
                true => "",
                false => " --set simulate.steps=3",
            };
            for command in [
                format!("carom check {count}.toml"),
                format!("carom run {count}.toml{set}"),
            ] {
                if let Err(error) = run(&command, &place) {
                    panic!("{}: `{command}` fails:\n{snippet}\n{error}", page.display());
                }
            }
        }
    }
    assert!(count >= 30, "only {count} scenarios were found");
}

/// Python snippets run after the commands of their page, where Python has what they import.
#[test]
fn python_snippets_run() {
    let place = workplace("documentation-snippets");
    if run(
        "python3 -c 'import numpy, pandas, pyarrow, matplotlib'",
        &place,
    )
    .is_err()
    {
        eprintln!("Python lacks numpy, pandas, pyarrow or matplotlib: snippets are not run");
        return;
    }
    let text = fs::read_to_string(root().join("docs/tasks/python.md")).unwrap();
    for command in blocks(&text, "sh").iter().flat_map(|block| block.lines()) {
        run(command, &place).unwrap();
    }
    for (k, snippet) in blocks(&text, "python").iter().enumerate() {
        let file = place.join(format!("{k}.py"));
        fs::write(&file, snippet).unwrap();
        run(&format!("python3 {k}.py"), &place).unwrap_or_else(|e| panic!("{snippet}\n{e}"));
    }
}
