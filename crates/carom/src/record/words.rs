//! Numbers and texts as 64-bit words, little endian: what checkpoints are made of.

use std::collections::BTreeSet;
use std::sync::Mutex;

use nalgebra::{Matrix3, Vector3};

use crate::contact::Unsettled;
use crate::simulate::{Drift, Impulse, Range};

/// Words of a file being written.
pub(super) struct Words(pub Vec<u8>);

impl Words {
    pub fn word(&mut self, word: u64) {
        self.0.extend(word.to_le_bytes());
    }

    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|n| self.number(*n));
    }

    pub fn range(&mut self, range: &Range) {
        self.numbers(&[range.initial, range.last, range.min, range.max]);
    }

    pub fn drift(&mut self, drift: &Drift) {
        self.numbers(drift.initial.as_slice());
        self.numbers(drift.last.as_slice());
        self.number(drift.max_change);
    }

    /// The number of bytes, then a word for each.
    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }

    pub fn unsettled(&mut self, list: &[Unsettled]) {
        self.word(list.len() as u64);
        for Unsettled {
            time,
            what,
            names,
            residual,
        } in list
        {
            self.number(*time);
            self.text(what);
            self.word(u64::from(names.is_some()));
            names.iter().flatten().for_each(|name| self.text(name));
            self.number(*residual);
        }
    }
}

/// Words of a file being read; `None` where they end too early.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn word(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    pub fn number(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    pub fn vector(&mut self) -> Option<Vector3<f64>> {
        Some(Vector3::new(self.number()?, self.number()?, self.number()?))
    }

    pub fn impulse(&mut self) -> Option<Impulse> {
        Some(Impulse {
            linear: self.vector()?,
            angular: self.vector()?,
        })
    }

    pub fn matrix(&mut self) -> Option<Matrix3<f64>> {
        let columns = [self.vector()?, self.vector()?, self.vector()?];
        Some(Matrix3::from_columns(&columns))
    }

    pub fn range(&mut self) -> Option<Range> {
        Some(Range {
            initial: self.number()?,
            last: self.number()?,
            min: self.number()?,
            max: self.number()?,
        })
    }

    pub fn drift(&mut self) -> Option<Drift> {
        Some(Drift {
            initial: self.vector()?,
            last: self.vector()?,
            max_change: self.number()?,
        })
    }

    fn text(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        for _ in 0..self.word()? {
            bytes.push(u8::try_from(self.word()?).ok()?);
        }
        String::from_utf8(bytes).ok()
    }

    pub fn unsettled(&mut self) -> Option<Vec<Unsettled>> {
        let mut out = Vec::new();
        for _ in 0..self.word()? {
            let time = self.number()?;
            let what = lasting(&self.text()?);
            let names = match self.word()? {
                0 => None,
                _ => Some([self.text()?, self.text()?]),
            };
            let residual = self.number()?;
            out.push(Unsettled {
                time,
                what,
                names,
                residual,
            });
        }
        Some(out)
    }
}

/// A word that lives as long as the program. There are few of them, and each is kept once.
fn lasting(word: &str) -> &'static str {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut words = WORDS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = words.get(word) {
        return known;
    }
    let kept: &'static str = Box::leak(word.to_string().into_boxed_str());
    words.insert(kept);
    kept
}
