//! All tests of the library, in one program: it builds sooner than one for each folder, and the slow tests of one
//! folder run beside those of the next. `cargo test --test all plans::` runs one folder.

mod common;
mod contact;
mod controllers;
mod elastic;
mod examples;
mod files;
mod gallery;
mod layers;
mod mechanics;
mod plans;
mod round;
mod scenes;
