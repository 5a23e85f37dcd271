//! Families of rows, one file each, behind [`Family`](super::family::Family): those that every round has.
//! Rows that keep bodies apart come and go, and live in [`avoid`](super::avoid).

mod anchor;
mod balance;
mod balance_curvature;
mod balance_forces;
mod balance_laws;
mod balance_slopes;
mod condition;
mod cone;
mod formula;
pub(crate) mod jump;
mod rates;
mod ratio;
mod recurrence;
pub(crate) mod slide;
mod total_time;
pub(crate) mod turn;

pub(crate) use anchor::{AnchorRow, Anchors};
pub(crate) use balance::{Balance, freedom_name};
pub(crate) use condition::{Asked, Conditions};
pub(crate) use cone::{ConeRow, Cones};
pub(crate) use formula::{FormulaRow, Formulas};
pub(crate) use jump::Jumps;
pub(crate) use rates::Rates;
pub(crate) use ratio::Ratio;
pub(crate) use recurrence::{RecurrenceRow, Recurrences, Sum};
pub(crate) use slide::Slides;
pub(crate) use total_time::TotalTime;
