//! Every command of README and docs runs, in the order of its page, as a reader would type it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::folder;

/// Commands that are not run here, by how they begin, and why.
const EXCEPTED: &[(&str, &str)] = &[
    (
        "cargo ",
        "builds, benches and examples are run by ./test on their own",
    ),
    ("./test", "runs this"),
    (
        "carom view ",
        "serves until it is stopped; view.rs beside this file asks it for pages",
    ),
    ("python3 ", "needs packages that a clean machine lacks"),
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
        for line in blocks(&text, "sh").iter().flat_map(|block| block.lines()) {
            let command = line.split(" #").next().unwrap_or_default().trim();
            let excepted = EXCEPTED.iter().any(|(start, _)| command.starts_with(start));
            if command.is_empty() || excepted {
                continue;
            }
            // The gallery's examples are run by contract.rs and in full by the library's tests.
            let command = match name.as_str() {
                "gallery" => command.replace("carom run", "carom check --quiet"),
                _ => command.to_string(),
            };
            if let Err(error) = run(&command, &place) {
                panic!("{}: `{command}` fails:\n{error}", page.display());
            }
            count += 1;
        }
    }
    assert!(count >= 12, "only {count} commands were found");
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
