//! All tests of the library, in one program. `cargo test --test all gap::` runs one folder.

mod common;
mod distance;
mod gap;
mod geometry;
mod oracle;
mod round;
