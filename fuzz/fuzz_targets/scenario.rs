//! The scenario reader: any text is read or refused with a message, and what is read is written
//! back so that it reads the same.
#![no_main]

use carom::scenario::Scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Scenario::parse("fuzz.toml", text) {
        Err(error) => assert!(error.to_string().starts_with("fuzz.toml")),
        Ok(scenario) => {
            let written = scenario.to_toml(&|name| name.into());
            match Scenario::parse("again.toml", &written) {
                Ok(again) => assert_eq!(again.settings, scenario.settings),
                Err(error) => panic!("{error}\n{written}"),
            }
            let _ = scenario.build();
        }
    }
});
