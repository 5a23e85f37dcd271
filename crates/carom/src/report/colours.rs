//! One colour for one thing: a body keeps its colour in motion, figures and glTF, a channel in all
//! plots. The page in the browser follows the same rules (`viewer/src/channels.ts`).
//!
//! Colours can be told apart by people with colour blindness (after Okabe and Ito).

use std::collections::HashMap;

use super::document::{Motion, Scene};

/// Of bodies by their place in the list.
const BODIES: [u32; 8] = [
    0x4a90c4, 0xe6a23c, 0x3aa687, 0xcf86b3, 0x7cc4ec, 0xd9713a, 0xc9bd45, 0x8d83c9,
];
/// Of what never moves.
const STILL: u32 = 0x9a9a9a;
/// Of curves.
const CURVES: [u32; 8] = [
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xb8860b, 0x56a0d3, 0x7a5fb5, 0x8b5a2b,
];
/// Channels that look the same in every report; x, y and z as the axes do.
const KNOWN: [(&str, u32); 6] = [
    ("x", 0xd94848),
    ("y", 0x3fa34d),
    ("z", 0x3f6fd9),
    ("total", CURVES[0]),
    ("kinetic", CURVES[1]),
    ("potential", CURVES[2]),
];

/// `0xrrggbb` of `#rrggbb`.
fn own(color: Option<&String>) -> Option<u32> {
    let digits = color?.strip_prefix('#')?;
    u32::from_str_radix(digits, 16).ok()
}

/// The colour of a body: its own, or by its place in the list.
pub(super) fn of_body(scene: &Scene, body: usize) -> u32 {
    let view = &scene.bodies[body];
    own(view.color.as_ref()).unwrap_or(match view.kind == "static" {
        true => STILL,
        false => BODIES[body % BODIES.len()],
    })
}

/// The colour of an elastic body; they come after the others.
pub(super) fn of_surface(scene: &Scene, surface: usize) -> u32 {
    let place = scene.bodies.len() + surface;
    own(scene.surfaces[surface].color.as_ref()).unwrap_or(BODIES[place % BODIES.len()])
}

/// Colours of the channels of all plots, by name.
pub(super) fn of_channels(motions: &[Motion]) -> HashMap<String, u32> {
    let mut colours: HashMap<String, u32> = HashMap::new();
    for motion in motions {
        let scene = &motion.scene;
        for (k, body) in scene.bodies.iter().enumerate() {
            (colours.entry(body.name.clone())).or_insert_with(|| of_body(scene, k));
        }
        for (k, surface) in scene.surfaces.iter().enumerate() {
            (colours.entry(surface.name.clone())).or_insert_with(|| of_surface(scene, k));
        }
    }
    colours.extend(KNOWN.map(|(name, colour)| (name.to_string(), colour)));
    // The others: of those that the plot has not used yet, the one used least.
    let mut used = [0; CURVES.len()];
    for plot in motions.iter().flat_map(|motion| &motion.plots) {
        let taken = plot.series.iter().filter_map(|s| colours.get(&s.name));
        let mut taken: Vec<u32> = taken.copied().collect();
        for series in &plot.series {
            if colours.contains_key(&series.name) {
                continue;
            }
            let free = |k: &usize| (taken.contains(&CURVES[*k]), used[*k], *k);
            let k = (0..CURVES.len()).min_by_key(free).unwrap_or(0);
            used[k] += 1;
            taken.push(CURVES[k]);
            colours.insert(series.name.clone(), CURVES[k]);
        }
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot;

    #[test]
    fn a_channel_has_one_colour_in_all_plots_and_all_runs() {
        let curve = |name: &str| (name.to_string(), vec![0.0, 1.0]);
        let make = |titles: &[(&str, &[&str])]| Motion {
            plots: (titles.iter())
                .map(|(title, names)| {
                    let curves = names.iter().map(|name| curve(name)).collect();
                    plot(title, "", &[0.0, 1.0], curves)
                })
                .collect(),
            ..Motion::default()
        };
        let motions = [
            make(&[("a", &["x", "thrust", "fuel"]), ("b", &["fuel", "drag"])]),
            make(&[("a", &["fuel", "thrust"])]),
        ];
        let colours = of_channels(&motions);
        assert_eq!(colours["x"], 0xd94848);
        let three = [colours["thrust"], colours["fuel"], colours["drag"]];
        assert_eq!(three, [CURVES[0], CURVES[1], CURVES[2]]);
    }
}
