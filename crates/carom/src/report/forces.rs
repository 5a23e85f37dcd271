//! Curves of joints and forces: where joints stand, what contacts and joints transmit, from the columns
//! that hold it.

use std::io;

use super::curves::plot;
use super::document::Plot;
use crate::record::Frames;

/// Most curves of one plot.
const MOST: usize = 24;

/// Titles of what limits bound.
pub(super) const ANGLES: &str = "Joint angles";
pub(super) const SLIDES: &str = "Joint displacements";

/// Titles of what joints carry.
const JOINT_FORCES: &str = "Forces in joints";
const JOINT_TORQUES: &str = "Torques in joints";

/// A group of curves: those columns whose names end like this, three by three as one size.
struct Group {
    title: &'static str,
    unit: &'static str,
    note: &'static str,
    prefix: &'static str,
    suffix: &'static str,
    /// Whether x, y and z follow: the size is drawn.
    vector: bool,
}

const MEAN: &str = "Mean between frames, impacts included.";
const GROUPS: [Group; 8] = [
    Group {
        title: ANGLES,
        unit: "rad",
        note: "From the start, between −π and π.",
        prefix: "joint.",
        suffix: ".angle",
        vector: false,
    },
    Group {
        title: SLIDES,
        unit: "m",
        note: "From the start.",
        prefix: "joint.",
        suffix: ".slide",
        vector: false,
    },
    Group {
        title: "Bodies in sensors",
        unit: "",
        note: "At the recorded frames.",
        prefix: "sensor.",
        suffix: ".count",
        vector: false,
    },
    Group {
        title: "Contact forces of pairs along their normals",
        unit: "N",
        note: MEAN,
        prefix: "contact.",
        suffix: ".normal",
        vector: false,
    },
    Group {
        title: "Contact forces of pairs across their normals",
        unit: "N",
        note: MEAN,
        prefix: "contact.",
        suffix: ".tangential",
        vector: false,
    },
    Group {
        title: "Contact forces on bodies",
        unit: "N",
        note: MEAN,
        prefix: "",
        suffix: ".contact.force.x",
        vector: true,
    },
    Group {
        title: JOINT_FORCES,
        unit: "N",
        note: "Size of the mean force in the step before each frame.",
        prefix: "joint.",
        suffix: ".force.x",
        vector: true,
    },
    Group {
        title: JOINT_TORQUES,
        unit: "N m",
        note: "Size of the mean torque in the step before each frame, at the joint.",
        prefix: "joint.",
        suffix: ".torque.x",
        vector: true,
    },
];

/// The plots of all forces that frames hold; every `every`-th frame is looked at. Bodies are up to `reach` m from the
/// origin: a joint's torque that is nothing beside its force there is round-off.
pub(super) fn plots(frames: &mut Frames, every: u64, reach: f64) -> io::Result<Vec<Plot>> {
    let names = frames.columns().names();
    let columns: Vec<Vec<(String, usize)>> = (GROUPS.iter())
        .map(|group| {
            let named = names.iter().enumerate().filter_map(|(k, name)| {
                let name = name.strip_prefix(group.prefix)?;
                Some((name.strip_suffix(group.suffix)?.replace('.', " and "), k))
            });
            let plain = |(name, k): (String, usize)| match group.prefix {
                "contact." => (name, k),
                _ => (name.replace(" and ", "."), k),
            };
            named.map(plain).take(MOST).collect()
        })
        .collect();
    if columns.iter().all(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let mut time = Vec::new();
    let mut curves: Vec<Vec<Vec<f64>>> = (columns.iter())
        .map(|list| vec![Vec::new(); list.len()])
        .collect();
    let mut k = 0u64;
    frames.read(&mut |row| {
        if k.is_multiple_of(every) {
            time.push(row[0]);
            for ((group, list), curves) in GROUPS.iter().zip(&columns).zip(&mut curves) {
                for ((_, at), curve) in list.iter().zip(curves) {
                    curve.push(match group.vector {
                        true => row[*at].hypot(row[at + 1]).hypot(row[at + 2]),
                        false => row[*at],
                    });
                }
            }
        }
        k += 1;
        Ok(())
    })?;
    let mut plots = Vec::new();
    let mut joint_force = 0.0;
    for ((group, list), curves) in GROUPS.iter().zip(&columns).zip(curves) {
        let series = list.iter().map(|(name, _)| name.clone()).zip(curves);
        // What is never pressed is not drawn.
        let series: Vec<_> = series
            .filter(|(_, curve)| curve.iter().any(|v| v.abs() > 0.0))
            .collect();
        if group.title == JOINT_FORCES {
            let sizes = series.iter().flat_map(|(_, curve)| curve);
            joint_force = sizes.fold(0.0, |largest: f64, v| largest.max(*v));
        }
        let size = match group.title {
            JOINT_TORQUES => joint_force * reach,
            _ => 0.0,
        };
        if !series.is_empty() {
            plots.push(Plot {
                note: group.note.into(),
                size,
                ..plot(group.title, group.unit, &time, series)
            });
        }
    }
    Ok(plots)
}
