//! Recorded frames in other forms: one row per body and frame (long), and Parquet files, which data
//! frames of most languages read.

use std::io;
use std::path::Path;

/// A table of numbers, and of texts that stand before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns of numbers.
    pub names: Vec<String>,
    /// The columns, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// Names and values of columns of texts.
    pub texts: Vec<(String, Vec<String>)>,
}

/// Why there is nothing to export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder holds no frames.
    #[error("{path}: {reason}\n  help: name a folder that `carom run` wrote")]
    NoFrames {
        /// The file that is missing or damaged.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

impl Table {
    /// Reads the frames of a run, as wide as they were written: a row per frame.
    pub fn read(folder: &Path) -> Result<Self, ExportError> {
        let fail = |name: &str, reason: String| ExportError::NoFrames {
            path: folder.join(name).display().to_string(),
            reason,
        };
        let file = |name: &str| {
            std::fs::read(folder.join(name)).map_err(|error| fail(name, error.to_string()))
        };
        let frames = "trajectory.npy";
        let bytes = file(frames)?;
        let short = || fail(frames, "it is damaged".into());
        let length = bytes.get(8..12).and_then(|b| <[u8; 4]>::try_from(b).ok());
        let length = u32::from_le_bytes(length.ok_or_else(short)?) as usize;
        let header = bytes.get(12..12 + length).ok_or_else(short)?;
        let header = String::from_utf8_lossy(header);
        // Fields are written as ('name', '<f8').
        let names: Vec<String> = (header.split("('").skip(1))
            .filter_map(|rest| rest.split("', '<f8')").next())
            .map(String::from)
            .collect();
        let data = &bytes[12 + length..];
        if names.is_empty() || !data.len().is_multiple_of(8 * names.len()) {
            return Err(short());
        }
        let mut columns = vec![Vec::with_capacity(data.len() / 8 / names.len()); names.len()];
        for (k, chunk) in data.chunks_exact(8).enumerate() {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            columns[k % names.len()].push(f64::from_le_bytes(word));
        }
        Ok(Self {
            names,
            columns,
            texts: Vec::new(),
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// A row per frame and body: `body`, `time`, `x` … `wz`; what a body does not have is NaN.
    pub fn long(&self) -> Self {
        const PARTS: [&str; 18] = [
            "x", "y", "z", "vx", "vy", "vz", "d1x", "d1y", "d1z", "d2x", "d2y", "d2z", "d3x",
            "d3y", "d3z", "wx", "wy", "wz",
        ];
        let at = |name: String| self.names.iter().position(|n| *n == name);
        let bodies: Vec<&str> = (self.names.iter())
            .filter_map(|name| name.strip_suffix(".vx"))
            .collect();
        let places: Vec<Vec<Option<usize>>> = (bodies.iter())
            .map(|body| {
                PARTS
                    .iter()
                    .map(|part| at(format!("{body}.{part}")))
                    .collect()
            })
            .collect();
        let count = self.rows() * bodies.len();
        let mut columns = vec![Vec::with_capacity(count); 1 + PARTS.len()];
        let mut texts = Vec::with_capacity(count);
        for row in 0..self.rows() {
            for (body, places) in bodies.iter().zip(&places) {
                texts.push((*body).to_string());
                columns[0].push(self.columns[0][row]);
                for (column, place) in columns[1..].iter_mut().zip(places) {
                    column.push(place.map_or(f64::NAN, |k| self.columns[k][row]));
                }
            }
        }
        let mut names = vec!["time".to_string()];
        names.extend(PARTS.map(String::from));
        Self {
            names,
            columns,
            texts: vec![("body".into(), texts)],
        }
    }

    /// As CSV; every number reads back the same.
    pub fn write_csv(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let names: Vec<&str> = (self.texts.iter().map(|(name, _)| name.as_str()))
            .chain(self.names.iter().map(String::as_str))
            .collect();
        writeln!(out, "{}", names.join(","))?;
        for row in 0..self.rows() {
            let text = self.texts.iter().map(|(_, values)| values[row].clone());
            let numbers = self
                .columns
                .iter()
                .map(|column| format!("{:?}", column[row]));
            writeln!(out, "{}", text.chain(numbers).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

/// A table as a Parquet file: one row group, plain encoding, no compression.
pub fn parquet(table: &Table) -> Vec<u8> {
    let mut file = b"PAR1".to_vec();
    let rows = table.rows() as i64;
    let mut chunks: Vec<Chunk> = Vec::new();
    for (name, values) in &table.texts {
        let mut data = Vec::new();
        for value in values {
            data.extend((value.len() as u32).to_le_bytes());
            data.extend(value.as_bytes());
        }
        chunks.push(Chunk::write(&mut file, name, BYTE_ARRAY, rows, &data));
    }
    for (name, column) in table.names.iter().zip(&table.columns) {
        let data: Vec<u8> = column
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        chunks.push(Chunk::write(&mut file, name, DOUBLE, rows, &data));
    }
    let footer = footer(rows, &chunks);
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

/// Physical types of Parquet.
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;

/// A column in the file.
struct Chunk<'a> {
    name: &'a str,
    kind: i64,
    offset: i64,
    /// Bytes with the header of the page.
    size: i64,
}

impl<'a> Chunk<'a> {
    /// Writes a column as one page.
    fn write(file: &mut Vec<u8>, name: &'a str, kind: i64, rows: i64, data: &[u8]) -> Self {
        let offset = file.len() as i64;
        // PageHeader: data page, sizes, and its own header with the number of values and encodings.
        let mut header = Thrift::default();
        header
            .int(1, 0)
            .int(2, data.len() as i64)
            .int(3, data.len() as i64);
        header
            .open(5)
            .int(1, rows)
            .int(2, 0)
            .int(3, 3)
            .int(4, 3)
            .close();
        header.close();
        file.extend(&header.bytes);
        file.extend(data);
        Self {
            name,
            kind,
            offset,
            size: file.len() as i64 - offset,
        }
    }
}

/// FileMetaData: schema, rows, where the columns are.
fn footer(rows: i64, chunks: &[Chunk]) -> Vec<u8> {
    let mut t = Thrift::default();
    t.int(1, 1);
    t.list(2, STRUCT, chunks.len() + 1);
    t.element()
        .text(4, "frames")
        .int(5, chunks.len() as i64)
        .close();
    for chunk in chunks {
        t.element().int(1, chunk.kind).int(3, 0).text(4, chunk.name);
        if chunk.kind == BYTE_ARRAY {
            t.int(6, 0);
        }
        t.close();
    }
    t.long(3, rows);
    t.list(4, STRUCT, 1).element();
    t.list(1, STRUCT, chunks.len());
    for chunk in chunks {
        t.element().long(2, chunk.offset).open(3);
        t.int(1, chunk.kind);
        t.list(2, I32, 1).varint(zigzag(0));
        t.list(3, BINARY, 1).string(chunk.name);
        t.int(4, 0)
            .long(5, rows)
            .long(6, chunk.size)
            .long(7, chunk.size);
        t.long(9, chunk.offset);
        t.close().close();
    }
    t.long(2, chunks.iter().map(|c| c.size).sum())
        .long(3, rows)
        .close();
    t.text(6, concat!("carom version ", env!("CARGO_PKG_VERSION")));
    t.close();
    t.bytes
}

/// Types of Thrift's compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A writer of Thrift's compact protocol: fields of a structure are numbered, each by the distance to the
/// one before.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: i64,
    outer: Vec<i64>,
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

impl Thrift {
    fn varint(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
        self
    }

    fn field(&mut self, id: i64, kind: u8) -> &mut Self {
        self.bytes.push(((id - self.last) as u8) << 4 | kind);
        self.last = id;
        self
    }

    fn int(&mut self, id: i64, value: i64) -> &mut Self {
        self.field(id, I32).varint(zigzag(value))
    }

    fn long(&mut self, id: i64, value: i64) -> &mut Self {
        self.field(id, I64).varint(zigzag(value))
    }

    fn string(&mut self, value: &str) -> &mut Self {
        self.varint(value.len() as u64);
        self.bytes.extend(value.as_bytes());
        self
    }

    fn text(&mut self, id: i64, value: &str) -> &mut Self {
        self.field(id, BINARY).string(value)
    }

    fn list(&mut self, id: i64, kind: u8, count: usize) -> &mut Self {
        self.field(id, LIST);
        match count {
            0..15 => self.bytes.push((count as u8) << 4 | kind),
            _ => {
                self.bytes.push(0xf0 | kind);
                self.varint(count as u64);
            }
        }
        self
    }

    /// Begins a structure as a field.
    fn open(&mut self, id: i64) -> &mut Self {
        self.field(id, STRUCT).element()
    }

    /// Begins a structure as an element of a list.
    fn element(&mut self) -> &mut Self {
        self.outer.push(self.last);
        self.last = 0;
        self
    }

    fn close(&mut self) -> &mut Self {
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or(0);
        self
    }
}
