//! Counts in words, and words that are near to others.

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

/// The known word that a misspelt one is most likely meant to be, if one is near.
///
/// ```
/// use carom::words::nearest;
/// assert_eq!(nearest("frictoin", ["density", "friction"]), Some("friction"));
/// assert_eq!(nearest("colour", ["density", "friction"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = (known.into_iter()).map(|k| (strsim::damerau_levenshtein(word, k), k));
    let (distance, best) = scored.min()?;
    (distance <= 1 + word.chars().count() / 3).then_some(best)
}

/// A number as it is told: without the round-off of sums.
pub(crate) fn told(x: f64) -> f64 {
    let digits = 9_i32.saturating_sub(x.abs().log10().floor() as i32);
    let scale = 10f64.powi(digits.clamp(-300, 300));
    let rounded = (x * scale).round() / scale;
    if rounded.is_finite() { rounded } else { x }
}
