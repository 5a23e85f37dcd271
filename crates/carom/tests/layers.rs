//! Modules import one way: a module knows those below it in this list, never those above.

use std::fs;
use std::path::Path;

/// From the bottom to the top; those on one line do not know each other.
const LAYERS: &[&[&str]] = &[
    &["expression", "random", "words", "elastic"],
    &["model"],
    &["mechanics"],
    &["contact"],
    &["simulate"],
    &["control", "optimise"],
    &["scenario"],
    &["record"],
    &["report"],
    &["run", "sweep"],
    &["prelude"],
];

/// The layer of a module; `None` for what `lib.rs` itself holds.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// Lines that are compiled into the library: neither comments nor the tests at the end of a file.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.trim_start().starts_with("//"))
}

fn check(module: &str, path: &Path, wrong: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            check(module, &entry.unwrap().path(), wrong);
        }
        return;
    }
    if path.extension().is_none_or(|e| e != "rs") {
        return;
    }
    let own = layer(module).unwrap_or_else(|| panic!("no layer is named for `{module}`"));
    for line in code(&fs::read_to_string(path).unwrap()) {
        for (_, after) in line
            .match_indices("crate::")
            .map(|(i, s)| (i, &line[i + s.len()..]))
        {
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let known = &after[..end.unwrap_or(after.len())];
            if known != module && layer(known).is_some_and(|other| other >= own) {
                wrong.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
    }
}

#[test]
fn modules_know_only_what_is_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_string();
        if module != "lib" {
            check(&module, &path, &mut wrong);
        }
    }
    assert!(
        wrong.is_empty(),
        "imports from above:\n{}",
        wrong.join("\n")
    );
}
