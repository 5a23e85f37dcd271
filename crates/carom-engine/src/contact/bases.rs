//! Where the gap solver starts for each pair.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use carom_gap::gap::Basis;

use super::pairs::Key;

/// Mixes the two numbers of a key; keys are no secret.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u32(u32::from(*b)));
    }

    fn write_u32(&mut self, n: u32) {
        let mixed = (self.0.rotate_left(26) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// The last basis of each pair.
#[derive(Debug, Default)]
pub struct Bases(HashMap<Key, Basis, BuildHasherDefault<KeyHasher>>);

impl Bases {
    /// The last basis of a pair.
    pub fn of(&self, key: Key) -> Option<Basis> {
        self.0.get(&key).copied()
    }

    /// All of them, in the order of their keys.
    pub fn all(&self) -> Vec<(Key, Basis)> {
        let mut out: Vec<(Key, Basis)> = self.0.iter().map(|(k, b)| (*k, *b)).collect();
        out.sort_unstable_by_key(|(key, _)| *key);
        out
    }

    /// Remembers the basis of a pair.
    pub fn remember(&mut self, key: Key, basis: Option<Basis>) {
        if let Some(b) = basis {
            self.0.insert(key, b);
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
