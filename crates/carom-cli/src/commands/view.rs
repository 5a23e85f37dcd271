//! `carom view`: shows reports in a browser.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use carom::report;
use clap::Args;

use super::{Failure, print};
use crate::input::InputError;
use crate::serve::Server;

const DETAILS: &str = "\
Several folders are shown side by side: one clock and one camera for all motions, curves on common
axes. The page is served on this machine only (127.0.0.1) and holds nothing from outside the folders;
loading it again shows newer results. A single report can as well be opened as a file.

Examples:
  carom view out/tumbling
  carom view out/cradle-1-exact out/cradle-1-potential     two contact laws compared
  carom view out/a out/b --write both.html                 the same as one file";

/// Shows the reports of runs in a browser, several side by side
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct View {
    /// Folders that `carom run` wrote
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Writes one page with all reports to a file instead of serving it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "no_open"])]
    pub write: Option<PathBuf>,
    /// Prints the address without opening a browser
    #[arg(long)]
    pub no_open: bool,
}

impl View {
    /// Checks the folders, then serves until the process is ended.
    pub fn run(&self) -> Result<(), Failure> {
        let reports = report::read_all(&self.folders)?;
        if let Some(file) = &self.write {
            return std::fs::write(file, report::page(&reports)).map_err(|source| {
                Failure::Input(InputError {
                    file: file.display().to_string(),
                    line_column: None,
                    field: String::new(),
                    message: format!("cannot be written: {source}"),
                    help: "check the path and its permissions".into(),
                })
            });
        }
        let listening = Server::bind(self.port, self.folders.clone());
        let server = listening.map_err(|source| Failure::Listen {
            port: self.port,
            source,
        })?;
        let address = format!("http://{}/", server.address());
        print(&format!("{address}\n"))?;
        let _ = writeln!(std::io::stderr(), "Ctrl-C ends");
        if !self.no_open {
            open(&address);
        }
        server.run().map_err(Failure::Output)
    }
}

/// Opens a browser if there is a usual way to; the address is printed in any case.
fn open(address: &str) {
    let Some(program) = opener() else { return };
    let mut command = Command::new(program);
    command.arg(address);
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}

/// The program that opens pages on this machine, if there is a usual one.
pub(crate) fn opener() -> Option<&'static str> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].map(|name| std::env::var_os(name).is_some());
    let missing = program == "xdg-open" && (!screen.contains(&true) || !in_path(program));
    (!missing).then_some(program)
}

fn in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}
