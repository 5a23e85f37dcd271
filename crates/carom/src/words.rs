//! Counts in words.

/// A count with its thing: one step, two steps, no bodies.
///
/// ```
/// use carom::words::counted;
/// assert_eq!(counted(1, "step"), "1 step");
/// assert_eq!(counted(2, "body"), "2 bodies");
/// assert_eq!(counted(0, "vertex"), "0 vertices");
/// ```
pub fn counted(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let many = match thing {
        _ if count == 1 => thing.to_string(),
        "vertex" => "vertices".into(),
        _ => match thing.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{thing}s"),
        },
    };
    format!("{count} {many}")
}
