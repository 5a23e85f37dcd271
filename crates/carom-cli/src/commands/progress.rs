//! How far a run is, on standard error: a bar on terminals, elsewhere a line now and then.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The first line comes after this time, the next after twice as long, and so on.
const FIRST: Duration = Duration::from_secs(5);
/// The longest time between two lines.
const LONGEST: Duration = Duration::from_secs(60);

/// Shows progress until it is dropped.
pub(super) enum Shown {
    /// On a terminal.
    Bar(ProgressBar),
    /// Lines, at intervals that grow.
    Lines(Lines),
    /// Not at all.
    Nothing,
}

/// Lines now and then.
pub(super) struct Lines {
    begin: Instant,
    last: Instant,
    wait: Duration,
}

impl Shown {
    /// Of a run whose number of steps is known.
    pub fn steps(steps: u64, quiet: bool) -> Self {
        let bar = "{bar:40} {percent:>3} % {human_pos} steps, {msg} ({eta} left)";
        Self::new(quiet, || styled(ProgressBar::new(steps), bar))
    }

    /// Of a sweep whose number of runs is known, some of which were made before.
    pub fn runs(runs: u64, before: u64, quiet: bool) -> Self {
        let bar = "{bar:40} {percent:>3} % {human_pos} of {human_len} runs, {per_sec}, {msg} ({eta} left)";
        Self::new(quiet, || {
            let bar = styled(ProgressBar::new(runs), bar).with_position(before);
            bar.reset_eta();
            bar
        })
    }

    /// Of a search whose end nothing foretells.
    pub fn search(quiet: bool) -> Self {
        Self::new(quiet, || {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(100));
            styled(bar, "{spinner} {elapsed} {msg}")
        })
    }

    fn new(quiet: bool, bar: impl FnOnce() -> ProgressBar) -> Self {
        let now = Instant::now();
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Bar(bar()),
            (false, false) => Shown::Lines(Lines {
                begin: now,
                last: now,
                wait: FIRST,
            }),
        }
    }

    /// Shows where it is; `done` is the part that is done, where that is known.
    pub fn show(&mut self, position: u64, done: Option<f64>, message: impl FnOnce() -> String) {
        match self {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_position(position);
                bar.set_message(message());
            }
            Shown::Lines(lines) => {
                if let Some(elapsed) = lines.due() {
                    let mut text = format!("{:.0} s: {}", elapsed.as_secs_f64(), message());
                    if let Some(done) = done.filter(|d| *d > 0.0) {
                        let left = elapsed.as_secs_f64() * (1.0 - done) / done;
                        text += &format!(", {:.0} % done, about {left:.0} s left", 100.0 * done);
                    }
                    let _ = writeln!(std::io::stderr(), "{text}");
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Lines {
    /// The time since the beginning, if it is time for another line.
    fn due(&mut self) -> Option<Duration> {
        let now = Instant::now();
        if now - self.last < self.wait {
            return None;
        }
        self.last = now;
        self.wait = (2 * self.wait).min(LONGEST);
        Some(now - self.begin)
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_less_and_less_often() {
        let begin = Instant::now();
        let mut lines = Lines {
            begin,
            last: begin,
            wait: Duration::ZERO,
        };
        assert!(lines.due().is_some());
        lines.wait = Duration::from_secs(3600);
        assert!(lines.due().is_none());
        lines.wait = Duration::ZERO;
        lines.last = begin;
        assert!(lines.due().is_some());
        assert_eq!(lines.wait, Duration::ZERO);
    }
}
