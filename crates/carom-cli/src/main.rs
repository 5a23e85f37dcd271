//! The `carom` binary: arguments in, exit status out. The work is in the library `carom_cli`.

use std::io::Write;
use std::process::ExitCode;

use carom_cli::Arguments;
use clap::Parser;

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody may be reading standard error; that is no reason to panic.
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::from(failure.exit_status())
        }
    }
}
