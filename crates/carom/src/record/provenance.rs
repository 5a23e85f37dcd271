//! What made a result, from what, when and where.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;

/// What made a result, from what, when and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of carom.
    pub version: String,
    /// When it was written, in UTC: 2026-01-31T12:00:00Z.
    pub date: String,
    /// Operating system, processor architecture and number of cores.
    pub machine: String,
    /// FNV-1a hash (64 bits, hexadecimal) of the complete scenario, `scenario.toml`: equal for runs of
    /// the same model and settings. Empty where there is no scenario.
    pub scenario_hash: String,
}

impl Provenance {
    /// Now and here, for a complete scenario.
    pub fn of(scenario: &str) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            date: utc(now.map_or(0, |d| d.as_secs())),
            machine: format!(
                "{} {}, {cores} {}",
                std::env::consts::OS,
                std::env::consts::ARCH,
                if cores == 1 { "core" } else { "cores" }
            ),
            scenario_hash: format!("{:016x}", Checkpoint::fingerprint(scenario)),
        }
    }
}

/// Seconds since 1970 as a date of the Gregorian calendar.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0, in eras of 400 years.
    let since = days + 719_468;
    let (era, day_of_era) = (since / 146_097, since % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
