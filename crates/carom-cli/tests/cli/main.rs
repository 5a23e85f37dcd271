//! The command line as a user meets it.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod contract;
mod documentation;
mod gap;
mod mutations;
mod resume;
mod sweep;
mod titles;
mod track;
mod view;
