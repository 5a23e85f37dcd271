//! Benchmarks of carom against heavy peers: see `benches/`.
