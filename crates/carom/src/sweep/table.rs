//! The table of a finished sweep: CSV, Parquet, rates of success.

use std::io;

use super::Sweep;
use super::journal::{Journal, cells};
use crate::record;

/// All rows, in order.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names of the columns.
    pub names: Vec<String>,
    /// How many columns after the first hold what was varied.
    pub axes: usize,
    /// How many columns after those hold measures.
    pub measures: usize,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// Wilson's interval: where the true rate of success is with 95 % confidence.
///
/// ```
/// let [low, high] = carom::sweep::interval(8, 10);
/// assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4);
/// ```
pub fn interval(successes: u64, of: u64) -> [f64; 2] {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return [0.0, 1.0];
    }
    let n = of as f64;
    let p = successes as f64 / n;
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    [middle - half, middle + half].map(|x| (x / (1.0 + Z * Z / n)).clamp(0.0, 1.0))
}

impl Sweep {
    /// Names of the columns of its table.
    pub fn columns(&self) -> Vec<String> {
        let mut names = vec!["run".to_string()];
        names.extend(self.spec.axes.iter().map(|(key, _)| key.clone()));
        names.extend(self.measures.iter().cloned());
        names.extend(["success", "status", "reason"].map(String::from));
        names.extend(crate::scenario::OF_LEDGER.map(String::from));
        names
    }

    /// `sweep.csv`: the rows of a journal in order.
    pub fn csv(&self, journal: &mut Journal, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out, "{}", self.columns().join(","))?;
        journal.in_order(&mut |line| out.write_all(line.as_bytes()))
    }

    /// The rows of a journal as a table.
    pub fn table(&self, journal: &mut Journal) -> io::Result<Table> {
        let mut rows = Vec::new();
        journal.in_order(&mut |line| {
            rows.push(cells(line));
            Ok(())
        })?;
        Ok(Table {
            names: self.columns(),
            axes: self.spec.axes.len(),
            measures: self.measures.len(),
            rows,
        })
    }
}

impl Table {
    /// Place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// Runs that succeeded, of those that say; nothing if the scenario does not say what a success is.
    pub fn successes(&self, among: impl Fn(&[String]) -> bool) -> Option<(u64, u64)> {
        let column = self.column("success")?;
        let said = (self.rows.iter()).any(|row| !row[column].is_empty());
        let rows = || self.rows.iter().filter(|row| among(row));
        // A run that was refused or failed is none.
        let good = rows().filter(|row| row[column] == "1").count() as u64;
        said.then(|| (good, rows().count() as u64))
    }

    /// Number of rows with a status.
    pub fn count(&self, status: &str) -> usize {
        let column = self.column("status").unwrap_or(0);
        self.rows.iter().filter(|r| r[column] == status).count()
    }

    /// Distinct values of a column in the order they appear, if there are no more than `most`.
    pub fn values(&self, column: usize, most: usize) -> Option<Vec<&str>> {
        let mut values: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !values.contains(&row[column].as_str()) {
                values.push(&row[column]);
            }
            if values.len() > most {
                return None;
            }
        }
        Some(values)
    }

    /// As numbers where all cells are, else as texts.
    pub fn to_parquet(&self) -> Vec<u8> {
        let mut table = record::Table::default();
        for (k, name) in self.names.iter().enumerate() {
            let cells = self.rows.iter().map(|row| row[k].as_str());
            let number = |cell: &str| match cell {
                "" => Some(f64::NAN),
                text => text.parse::<f64>().ok(),
            };
            let numbers: Option<Vec<f64>> = cells.clone().map(number).collect();
            match numbers.filter(|_| name != "status" && name != "reason") {
                Some(numbers) => {
                    table.names.push(name.clone());
                    table.columns.push(numbers);
                }
                None => {
                    let texts = cells.map(String::from).collect();
                    table.texts.push((name.clone(), texts));
                }
            }
        }
        record::parquet(&table)
    }
}
