//! Embeds the gallery: writes a list of names and texts that `src/gallery.rs` includes.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    facts();
    let folder =
        Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../gallery");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut list = String::from("&[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("gallery files are UTF-8 text");
        writeln!(list, "    ({name:?}, {text:?}),").expect("writing to a string");
    }
    list.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("gallery.rs");
    fs::write(out, list).expect("cargo's folder can be written");
}

/// What `carom --version --verbose` tells of the build.
fn facts() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = std::process::Command::new(compiler)
        .arg("--version")
        .output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    let fact = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".into());
    println!(
        "cargo::rustc-env=CAROM_RUSTC={}",
        version.unwrap_or_else(|_| "unknown".into())
    );
    println!("cargo::rustc-env=CAROM_TARGET={}", fact("TARGET"));
    println!(
        "cargo::rustc-env=CAROM_PROFILE={} (opt-level {})",
        fact("PROFILE"),
        fact("OPT_LEVEL")
    );
}
