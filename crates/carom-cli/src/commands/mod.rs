//! One file per command, and what they share: failures and writing to standard output.

pub mod gap;

use std::io::{self, ErrorKind, Write};

use crate::input::InputError;

/// Why a command did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user's input is at fault.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Results could not be written.
    #[error("cannot write the results: {0}")]
    Output(#[source] io::Error),
}

impl Failure {
    /// The status the process ends with.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::Output(_) => 1,
        }
    }
}

/// Writes `text` to standard output. A reader that went away (`carom … | head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}
