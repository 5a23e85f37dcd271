//! Contacts: impacts, rest, friction, piles, moving bodies, and what the ledger says of them.

mod balances;
mod crowded_box;
mod decomposition;
mod event_derivatives;
mod forces;
mod given_motion;
mod holds;
mod impacts;
mod known;
mod piles;
mod potential;
mod random_scenes;
mod reference_events;
mod rest;
mod resting;
mod rules;
mod standing;
mod start_overlap;
mod sweeps;
