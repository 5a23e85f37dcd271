//! The JSON front of `carom gap`: any bytes are answered or refused, and answers are JSON.
#![no_main]

use carom_cli::{gap_json, input::Source};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = Source::new("fuzz", bytes.to_vec())
        && let Ok(answer) = gap_json::answer(&source)
    {
        assert!(
            answer.starts_with(['{', '[']) && answer.ends_with("}\n") | answer.ends_with("]\n")
        );
        assert!(!answer.contains("NaN"));
    }
});
