//! carom
pub use carom_gap as gap;
