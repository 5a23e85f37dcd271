//! The `carom` binary: arguments in, exit status out. The work is in the library `carom_cli`.

use std::io::Write;
use std::process::ExitCode;

use carom_cli::Arguments;
use clap::Parser;
use clap::builder::styling::{AnsiColor, Style};

fn main() -> ExitCode {
    match Arguments::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The colours are those of errors in arguments, left out where no terminal shows them.
            let red = AnsiColor::Red.on_default().bold();
            let text = failure
                .to_string()
                .replacen("\n  help:", &paint("\n  help:"), 1);
            // There may be no reader of standard error; that is no reason to panic.
            let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {text}");
            ExitCode::from(failure.exit_status())
        }
    }
}

/// The word that introduces advice.
fn paint(word: &str) -> String {
    let green: Style = AnsiColor::Green.on_default();
    format!("{green}{word}{green:#}")
}
