//! Curves of what a scenario measures, where it is known what should come out.

use std::io;

use super::curves::plot;
use super::document::Plot;
use crate::record::Frames;
use crate::scenario::{Kind, Measures};

/// A plot for each measure of a value that is known, with a line at that; every `every`-th frame is looked at.
pub(super) fn plots(measures: &Measures, frames: &mut Frames, every: u64) -> io::Result<Vec<Plot>> {
    let value = |kind: Kind| {
        matches!(
            kind,
            Kind::End | Kind::Start | Kind::Least | Kind::Largest | Kind::Mean
        )
    };
    let list = measures.list.iter();
    let list: Vec<_> = (list.filter(|m| value(m.kind)))
        .filter_map(|m| Some((m, m.known?)))
        .collect();
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let (mut time, mut values) = (Vec::new(), Vec::new());
    let mut curves = vec![Vec::new(); list.len()];
    let mut k = 0u64;
    frames.read(&mut |frame| {
        if k.is_multiple_of(every) {
            time.push(frame[0]);
            measures.quantities(frame, &mut values);
            for ((m, _), curve) in list.iter().zip(&mut curves) {
                curve.push(m.expression.eval(&values));
            }
        }
        k += 1;
        Ok(())
    })?;
    let each = list.iter().zip(curves);
    Ok(each
        .map(|((m, known), curve)| {
            let line = vec![*known; time.len()];
            let series = vec![(m.name.clone(), curve), ("known".into(), line)];
            Plot {
                note: "Measured over time, and the value that is known.".into(),
                ..plot(&format!("Measured: {}", m.name), "", &time, series)
            }
        })
        .collect())
}
