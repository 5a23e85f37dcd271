//! What tests of the command line share.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output};

/// The binary.
pub fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .output()
        .expect("the binary runs")
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder for the test");
    path
}

/// A path as an argument.
pub fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// Seeded random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}
