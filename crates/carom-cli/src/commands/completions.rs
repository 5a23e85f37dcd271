//! `carom completions`: lets a shell complete carom's arguments.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Failure, print};
use crate::Arguments;

const DETAILS: &str = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish";

/// Prints a script that completes carom's arguments in a shell
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "carom", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
