//! Round bodies: rolling, rims, spinning, and surfaces that move or rub by direction.

mod fine;
mod known;
mod rims;
mod rolling;
mod shared;
mod surfaces;
