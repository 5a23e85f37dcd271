//! The output folder: what carom wrote there may be written again. Other files are never touched: they
//! may stay, but a run that would write a file of the same name is refused before it starts.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::checkpoint::Checkpoint;

/// Name of the list of files written.
const MARKER: &str = ".carom";
const HEADING: &str = "carom output, format 1; the files below may be overwritten";

/// What runs and plans write; one of these that carom did not write is in the way.
const WRITTEN: &[&str] = &[
    MARKER,
    "checkpoint.bin",
    "columns.json",
    "contacts.csv",
    "controls.csv",
    "guess.csv",
    "iterations.csv",
    "meshes",
    "motion.glb",
    "plan.json",
    "reactions.csv",
    "report.html",
    "scenario.toml",
    "summary.json",
    "trajectory.csv",
    "trajectory.npy",
];

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file that would be written is there and not carom's.
    #[error("{}: holds {name}, which carom did not write and would overwrite\n  help: choose another folder with --out, or move that file away", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What was found.
        name: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// What was being written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Whether a file is the list of files, or as much of it as a killed run wrote.
fn is_marker(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| {
        let first = text.lines().next().unwrap_or_default();
        HEADING.starts_with(first)
    })
}

/// A folder for the results of one run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    files: BTreeSet<String>,
}

impl Folder {
    /// Opens or creates a folder. With `keep`, files of an earlier run stay; otherwise they are
    /// removed.
    pub fn open(path: &Path, keep: bool) -> Result<Self, FolderError> {
        let mut folder = Self {
            path: path.into(),
            files: BTreeSet::new(),
        };
        fs::create_dir_all(path).map_err(|source| folder.error("", source))?;
        let marker = path.join(MARKER);
        if let Ok(list) = fs::read_to_string(&marker) {
            let mut lines = list.lines();
            if lines.next() == Some(HEADING) {
                folder.files = lines.map(String::from).collect();
            }
        }
        let entries = fs::read_dir(path).map_err(|source| folder.error("", source))?;
        for entry in entries {
            let entry = entry.map_err(|source| folder.error("", source))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A temporary file is what a killed run leaves.
            let own = name == MARKER && !folder.files.is_empty()
                || name == format!("{MARKER}.tmp") && is_marker(&entry.path())
                || folder.files.contains(&name)
                || name
                    .strip_suffix(".tmp")
                    .is_some_and(|n| folder.files.contains(n))
                || name == "meshes" && folder.files.iter().any(|f| f.starts_with("meshes/"));
            if !own && WRITTEN.contains(&name.as_str()) {
                return Err(FolderError::Foreign {
                    path: path.into(),
                    name,
                });
            }
        }
        if !keep {
            for name in std::mem::take(&mut folder.files) {
                // The list is a file of the user's folder: take no paths out of it.
                let inside = Path::new(&name)
                    .components()
                    .all(|c| matches!(c, std::path::Component::Normal(_)));
                if inside {
                    let _ = fs::remove_file(path.join(&name));
                }
            }
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of a file in it, which from now on is carom's.
    pub fn claim(&mut self, name: &str) -> Result<PathBuf, FolderError> {
        if !self.files.contains(name) {
            if self.path.join(name).exists() {
                return Err(FolderError::Foreign {
                    path: self.path.clone(),
                    name: name.into(),
                });
            }
            self.files.insert(name.into());
            let list: String = (self.files.iter()).map(|f| format!("{f}\n")).collect();
            self.replace(MARKER, format!("{HEADING}\n{list}").as_bytes())?;
        }
        Ok(self.path.join(name))
    }

    /// Whether a file of carom's is there.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    /// Writes a file so that at any moment the old or the new one is there, whole.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        self.claim(name)?;
        self.replace(name, bytes)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let temporary = self.path.join(format!("{name}.tmp"));
        let write = || -> io::Result<()> {
            let mut file = fs::File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_data()?;
            fs::rename(&temporary, self.path.join(name))
        };
        write().map_err(|source| self.error(name, source))
    }

    /// Copies a file into the folder.
    pub fn copy(&mut self, from: &Path, name: &str) -> Result<(), FolderError> {
        let to = self.claim(name)?;
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|source| self.error(name, source))?;
        }
        // Copying a file onto itself would empty it.
        if fs::canonicalize(from).ok() == fs::canonicalize(&to).ok() && to.exists() {
            return Ok(());
        }
        let copied = fs::copy(from, &to);
        copied
            .map(|_| ())
            .map_err(|source| self.error(name, source))
    }

    /// Removes a file of carom's.
    pub fn remove(&mut self, name: &str) -> Result<(), FolderError> {
        match fs::remove_file(self.path.join(name)) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(self.error(name, source))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn error(&self, name: &str, source: io::Error) -> FolderError {
        FolderError::Io {
            path: match name.is_empty() {
                true => self.path.clone(),
                false => self.path.join(name),
            },
            source,
        }
    }
}

/// Name of a mesh file in the output folder.
pub(crate) fn mesh_name(written: &str) -> String {
    let base = written.rsplit(['/', '\\']).next().unwrap_or(written);
    // Two files of one name from different folders stay apart.
    let tag = Checkpoint::fingerprint(written) & 0xffff;
    match written == base || written.starts_with("meshes/") {
        true => format!("meshes/{base}"),
        false => format!("meshes/{tag:04x}-{base}"),
    }
}
