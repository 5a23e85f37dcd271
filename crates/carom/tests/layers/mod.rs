//! Modules import one way: a module knows those below it in this list, never those above. Those up to `inner` are
//! the crate `carom-engine`, from which the compiler keeps the rest.

use std::fs;
use std::path::Path;

/// From the bottom to the top; those on one line do not know each other.
const LAYERS: &[&[&str]] = &[
    &["expression", "random", "sets", "words", "elastic"],
    &["model"],
    &["mechanics"],
    &["contact"],
    &["simulate"],
    &["control", "optimise"],
    &["inner"],
    &["scenario"],
    &["record"],
    &["report"],
    &["run", "sweep"],
    &["prelude"],
];

/// The modules of `carom-engine`; the others are those of this crate.
const ENGINE: &str = "../carom-engine/src";

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
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [here.join(ENGINE), here.join("src")];
    let mut wrong = Vec::new();
    for entry in crates.iter().flat_map(|root| fs::read_dir(root).unwrap()) {
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

/// `use` items of a file, each on one line.
fn imports(text: &str) -> Vec<String> {
    let code: Vec<&str> = code(text).collect();
    let items = code.join(" ");
    let item = |part: &str| {
        let at = part.rfind("use ")?;
        let before = part[..at].trim_end();
        let starts = before.is_empty() || before.ends_with(['}', ')', ']', 'b']);
        starts.then(|| part[at + 4..].trim().to_string())
    };
    items.split(';').filter_map(item).collect()
}

/// Files of `optimise`, by their paths without extension, that a file of it imports from.
fn known(root: &Path, file: &str, text: &str) -> Vec<String> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut out = Vec::new();
    for import in imports(text) {
        let (mut home, mut rest) = match import.strip_prefix("crate::optimise::") {
            Some(rest) => (String::new(), rest),
            None => (folder.to_string(), import.as_str()),
        };
        if !import.starts_with("crate::optimise::") {
            let Some(inner) = rest.strip_prefix("super::") else {
                continue;
            };
            rest = inner;
            while let Some(inner) = rest.strip_prefix("super::") {
                home = home
                    .rsplit_once('/')
                    .map_or(String::new(), |(up, _)| up.into());
                rest = inner;
            }
        }
        for name in rest.trim_matches(['{', '}']).split(',') {
            let mut words = name.trim().split("::");
            let [first, second] = [words.next(), words.next()].map(|w| w.unwrap_or(""));
            let near = format!("{home}/{first}");
            let inside = format!("{near}/{second}");
            let files = [near, inside].map(|f| f.trim_start_matches('/').to_string());
            let found = files
                .into_iter()
                .find(|f| root.join(format!("{f}.rs")).is_file());
            out.extend(found.filter(|f| f != file));
        }
    }
    out
}

fn list(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => list(&path, files),
            false => files.push(path),
        }
    }
}

/// Goes down from a file; says the way on which it comes back to one it has passed.
fn circle(
    from: &str,
    knows: &std::collections::BTreeMap<String, Vec<String>>,
    way: &mut Vec<String>,
    done: &mut std::collections::BTreeSet<String>,
) -> Option<String> {
    if let Some(at) = way.iter().position(|f| f == from) {
        return Some(format!("{} -> {from}", way[at..].join(" -> ")));
    }
    if done.contains(from) {
        return None;
    }
    way.push(from.into());
    let below = knows.get(from).into_iter().flatten();
    let found = below
        .map(|f| circle(f, knows, way, done))
        .find(Option::is_some);
    way.pop();
    done.insert(from.into());
    found.flatten()
}

#[test]
fn files_of_plans_know_each_other_in_no_circle() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join(ENGINE).join("optimise");
    let mut files = Vec::new();
    list(&root, &mut files);
    let mut knows = std::collections::BTreeMap::new();
    for path in files {
        let name = path.strip_prefix(&root).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        // What only gathers the others, and tests.
        if !(name.ends_with("mod") || name.ends_with("tests")) {
            let text = fs::read_to_string(&path).unwrap();
            knows.insert(name.clone(), known(&root, &name, &text));
        }
    }
    assert!(knows["solve"].contains(&"search".to_string()));
    assert!(knows["rows/jump"].contains(&"push".to_string()));
    let mut done = Default::default();
    let circles = knows
        .keys()
        .filter_map(|f| circle(f, &knows, &mut Vec::new(), &mut done));
    let circles: Vec<String> = circles.collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
