//! Files in and out: defaults, reports of all kinds.

mod defaults;
mod report;
mod report_kinds;
