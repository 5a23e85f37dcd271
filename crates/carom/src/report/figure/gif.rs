//! A motion as an animated GIF, for pages that show no scripts.

use std::collections::HashMap;

use super::png::paint_all;
use super::scene::still;
use crate::report::document::Motion;

/// Colours of a GIF.
const MOST_COLOURS: usize = 255;
/// Colours that differ by less in a channel are one.
const STEP: u8 = 8;

/// How a motion is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movie {
    /// Length of the film in s; the motion is shown faster or slower.
    pub seconds: f64,
    /// Pictures per second, at most 50.
    pub rate: f64,
    /// Pixels per point; a picture is 210 points wide.
    pub scale: f64,
}

/// The first motion of a report as an animated GIF; `None` where there is nothing to draw.
pub fn gif(motion: &Motion, movie: &Movie) -> Option<Vec<u8>> {
    let (first, last) = (motion.time.0.first()?, motion.time.0.last()?);
    let count = (movie.seconds * movie.rate).round().clamp(2.0, 2_000.0) as usize;
    let pictures: Vec<Picture> = (0..count)
        .map(|k| {
            let t = first + (last - first) * k as f64 / (count - 1) as f64;
            let frame = motion.time.0.partition_point(|time| *time < t);
            let frame = frame.min(motion.time.0.len() - 1);
            Picture::paint(motion, frame, movie.scale)
        })
        .collect::<Option<_>>()?;
    let palette = palette(&pictures);
    let [width, height] = pictures[0].size;
    let flat: Vec<u8> = palette.iter().flatten().copied().collect();
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &flat).ok()?;
    encoder.set_repeat(gif::Repeat::Infinite).ok()?;
    let mut nearest: HashMap<[u8; 3], u8> = HashMap::new();
    let mut before: Option<Vec<u8>> = None;
    let delay = (100.0 / movie.rate).round().max(2.0) as u16;
    for (k, picture) in pictures.iter().enumerate() {
        let colours = picture.pixels.iter();
        let now: Vec<u8> = colours
            .map(|c| *nearest.entry(*c).or_insert_with(|| closest(&palette, c)))
            .collect();
        let mut frame = changed(before.as_deref(), &now, width);
        // The end stays for a while.
        frame.delay = if k + 1 == count { delay + 100 } else { delay };
        encoder.write_frame(&frame).ok()?;
        before = Some(now);
    }
    drop(encoder);
    Some(bytes)
}

struct Picture {
    size: [u16; 2],
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn paint(motion: &Motion, frame: usize, scale: f64) -> Option<Self> {
        let canvas = paint_all(&still(motion, frame), scale)?;
        let size = [canvas.width(), canvas.height()].map(|n| u16::try_from(n).ok());
        let [Some(width), Some(height)] = size else {
            return None;
        };
        let coarse = |c: u8| (c / STEP) * STEP + if c >= 248 { 7 } else { 0 };
        // The paper is white: pixels are opaque.
        let pixels = canvas.pixels().iter();
        Some(Self {
            size: [width, height],
            pixels: pixels
                .map(|p| [p.red(), p.green(), p.blue()].map(coarse))
                .collect(),
        })
    }
}

/// The colours that are used most.
fn palette(pictures: &[Picture]) -> Vec<[u8; 3]> {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in pictures.iter().flat_map(|p| &p.pixels) {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut used: Vec<_> = counts.into_iter().collect();
    used.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
    let most = used.into_iter().take(MOST_COLOURS);
    most.map(|(colour, _)| colour).collect()
}

fn closest(palette: &[[u8; 3]], colour: &[u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        let parts = other.iter().zip(colour);
        parts
            .map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2))
            .sum()
    };
    let best = (0..palette.len()).min_by_key(|k| distance(&palette[*k]));
    best.unwrap_or(0) as u8
}

/// The part of a picture that differs from the one before.
fn changed(before: Option<&[u8]>, now: &[u8], width: u16) -> gif::Frame<'static> {
    let w = usize::from(width);
    let differs = |k: usize| before.is_none_or(|before| before[k] != now[k]);
    let (mut left, mut right, mut top, mut bottom) = (w, 0, now.len() / w, 0);
    for k in (0..now.len()).filter(|k| differs(*k)) {
        let (x, y) = (k % w, k / w);
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if right <= left {
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let rows = (top..bottom).flat_map(|y| now[y * w + left..y * w + right].iter().copied());
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: rows.collect::<Vec<u8>>().into(),
        ..gif::Frame::default()
    }
}
