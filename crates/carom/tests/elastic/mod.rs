//! Elastic bodies: elements, motion and contact.

mod contact;
mod elements;
mod motion;
mod sets;
