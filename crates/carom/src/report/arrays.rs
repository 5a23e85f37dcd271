//! Arrays of numbers as base64 text: little-endian, so that a browser takes them over as they are.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of fixed size.
pub trait Element: Copy {
    /// Its size in bytes.
    const SIZE: usize;
    /// Appends its bytes, least first.
    fn write(self, out: &mut Vec<u8>);
    /// Reads it back from [`Self::SIZE`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($number:ty),*) => {$(
        impl Element for $number {
            const SIZE: usize = size_of::<$number>();
            fn write(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut word = [0; size_of::<$number>()];
                word.copy_from_slice(bytes);
                Self::from_le_bytes(word)
            }
        }
    )*};
}
element!(f64, f32, u32, i16);

/// Numbers that are written as one base64 string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed<T>(pub Vec<T>);

impl<T: Element> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(self.0.len() * T::SIZE);
        self.0.iter().for_each(|x| x.write(&mut bytes));
        serializer.serialize_str(&encode(&bytes))
    }
}

impl<'de, T: Element> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<T>(std::marker::PhantomData<T>);
        impl<T: Element> Visitor<'_> for Text<T> {
            type Value = Packed<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("numbers as base64 text")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Packed<T>, E> {
                let bytes = decode(text).filter(|b| b.len().is_multiple_of(T::SIZE));
                let bytes = bytes.ok_or_else(|| E::custom("broken base64 text"))?;
                Ok(Packed(bytes.chunks_exact(T::SIZE).map(T::read).collect()))
            }
        }
        deserializer.deserialize_str(Text(std::marker::PhantomData))
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |w, k| {
            w << 8 | u32::from(chunk.get(k).copied().unwrap_or(0))
        });
        for k in 0..4 {
            out.push(match k <= chunk.len() {
                true => DIGITS[(word >> (18 - 6 * k) & 63) as usize] as char,
                false => '=',
            });
        }
    }
    out
}

/// Base64 as bytes; `None` where it is none.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut value = [None; 256];
    for (k, digit) in DIGITS.iter().enumerate() {
        value[usize::from(*digit)] = Some(k as u32);
    }
    let text = text.trim_end_matches('=').as_bytes();
    if text.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for chunk in text.chunks(4) {
        let mut word = 0;
        for k in 0..4 {
            word = word << 6 | chunk.get(k).map_or(Some(0), |c| value[usize::from(*c)])?;
        }
        out.extend(&word.to_be_bytes()[1..chunk.len()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_common_one() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(decode("Z"), None);
        assert_eq!(decode("Z<=="), None);
    }

    #[test]
    fn numbers_come_back_bit_for_bit() {
        let numbers = Packed(vec![0.1, f64::NAN, -1e300, f64::NEG_INFINITY]);
        let text = serde_json::to_string(&numbers).unwrap();
        let back: Packed<f64> = serde_json::from_str(&text).unwrap();
        for (a, b) in numbers.0.iter().zip(&back.0) {
            assert_eq!(a.to_bits(), b.to_bits());
        }
        assert!(serde_json::from_str::<Packed<f64>>("\"AAAA\"").is_err());
    }
}
