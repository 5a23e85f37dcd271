//! `carom list`: the examples that come with carom.

use carom::scenario::Scenario;
use clap::Args;
use serde::Serialize;

use super::{Failure, print};
use crate::gallery::GALLERY;

/// Examples that come with carom, with one line each
#[derive(Debug, Args)]
pub struct List {
    /// As JSON: name, title, source and variants of each
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: String,
    source: String,
    variants: Vec<String>,
}

impl List {
    /// Prints the list.
    pub fn run(&self) -> Result<(), Failure> {
        let mut entries = Vec::new();
        for (name, text) in GALLERY {
            let scenario = Scenario::parse(&format!("{name}.toml"), text)?;
            entries.push(Entry {
                name,
                title: scenario.meta.title,
                source: scenario.meta.source,
                variants: scenario.meta.variants,
            });
        }
        if self.json {
            let text = serde_json::to_string_pretty(&entries);
            return print(&(text.unwrap_or_else(|_| "[]".into()) + "\n"));
        }
        let width = GALLERY
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0);
        let mut text = String::new();
        for entry in &entries {
            text += &format!("{:width$}  {}\n", entry.name, entry.title);
            for variant in &entry.variants {
                text += &format!("{:width$}    :{variant}\n", "");
            }
        }
        print(&text)
    }
}
