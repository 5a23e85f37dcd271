//! What `carom --version --verbose` says: facts that help to find out why something differs between
//! two machines.

use std::fmt::Write;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One line; with `verbose`, what the program was built from and what it finds on this machine.
pub fn text(verbose: bool) -> String {
    let mut text = format!("carom {VERSION}\n");
    if !verbose {
        return text;
    }
    let mut line = |what: &str, value: String| {
        let _ = writeln!(text, "  {what:<18}{value}");
    };
    line("compiler", env!("CAROM_RUSTC").into());
    line(
        "target, profile",
        format!("{}, {}", env!("CAROM_TARGET"), env!("CAROM_PROFILE")),
    );
    line(
        "formats",
        format!(
            "scenario {}, report {}",
            carom::scenario::FORMAT,
            carom::report::REPORT_FORMAT
        ),
    );
    line("examples", crate::gallery::GALLERY.len().to_string());
    line(
        "system",
        format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    );
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    line("cores", cores.to_string());
    let program = std::env::current_exe();
    line(
        "program",
        program.map_or("unknown".into(), |p| p.display().to_string()),
    );
    let folder = std::env::current_dir();
    line(
        "results go to",
        folder.map_or("out".into(), |p| p.join("out").display().to_string()),
    );
    line("browser", browser());
    text
}

/// How `carom view` opens a page here.
fn browser() -> String {
    match crate::commands::view::opener() {
        Some(program) => format!("opened by {program}"),
        None => {
            "not opened by itself: open report.html or the address that `carom view` prints".into()
        }
    }
}
