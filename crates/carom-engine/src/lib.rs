//! The mathematics of `carom`, from arithmetic in text to optimal control, without files and screens.
//!
//! Programs use it through the crate `carom`, which re-exports these modules.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod contact;
pub mod control;
pub mod elastic;
pub mod expression;
#[doc(hidden)]
pub mod inner;
pub mod mechanics;
pub mod model;
pub mod optimise;
#[doc(hidden)]
pub mod random;
mod sets;
pub mod simulate;
pub mod words;
