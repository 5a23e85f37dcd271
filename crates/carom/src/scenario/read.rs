//! From text to [`Scenario`].

use std::path::{Path, PathBuf};

use super::actuators::{self, Things};
use super::error::{Fault, ScenarioError, key_suggestion};
use super::fields::{Fields, Read};
use super::joints::{self, Names};
use super::overrides::{self, SECTIONS};
use super::scope::Scope;
use super::shapes::Meshes;
use super::source::{Place, Sources};
use super::tree::{self, Table, Value};
use super::{
    FORMAT, Scenario, bodies, contact, controllers, csv, defaults, elastic, forces, linkages,
    optimise, sections, settings, write,
};
use crate::model::JointPhysics;

/// Key of a sweep's file that names the scenario it is about.
const BASE: &str = "scenario";
/// Largest file read, in bytes.
const MAX_SIZE: usize = 64 << 20;

/// What a scenario says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// Name in summaries and output folders: the file's stem if not given.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// The variant that was applied, if any.
    pub variant: Option<String>,
    /// Names of the variants of the file.
    pub variants: Vec<String>,
}

/// What is changed in a file when it is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Variant to apply.
    pub variant: Option<String>,
    /// `key=value` overrides, applied after the variant, in order.
    pub set: Vec<String>,
    /// Name for the scenario where the file gives none.
    pub name: Option<String>,
    /// Folder that mesh files are relative to.
    pub folder: PathBuf,
}

/// A scenario's text taken apart, with its variant applied: scenarios with other values are read from it
/// without reading the text again.
#[derive(Clone, Debug)]
pub struct Document {
    file: String,
    root: Table,
    sources: Sources,
    variants: Vec<String>,
    options: Options,
}

impl Document {
    /// Reads a file; with `base`, its sections are laid over those of another document.
    pub fn read(path: &Path, options: &Options, base: Option<Self>) -> Result<Self, ScenarioError> {
        let file = path.display().to_string();
        let fix = "check the path and its permissions";
        let fail = |error: std::io::Error| {
            ScenarioError::plain(&file, format!("cannot be read: {error}"), fix)
        };
        let size = std::fs::metadata(path).map_err(fail)?.len();
        if size > MAX_SIZE as u64 {
            let message = format!("has {size} bytes: too large for a scenario");
            return Err(ScenarioError::plain(
                &file,
                message,
                "put meshes into files of their own",
            ));
        }
        let bytes = std::fs::read(path).map_err(fail)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("not UTF-8 text (byte {at})");
            ScenarioError::plain(&file, message, "save the file as UTF-8")
        })?;
        let mut options = options.clone();
        let folder = path.parent().map(Path::to_path_buf);
        options.folder = folder.unwrap_or_default().join(&options.folder);
        Self::parse(&file, &text, &options, base)
    }

    /// Takes a text apart; `file` is its name in messages. With `base`, its sections are laid over those
    /// of another document, which says where mesh files are.
    pub fn parse(
        file: &str,
        text: &str,
        options: &Options,
        base: Option<Self>,
    ) -> Result<Self, ScenarioError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut options = options.clone();
        let (mut sources, below) = match base {
            None => (Sources::default(), None),
            Some(base) => {
                options.folder = base.options.folder;
                (base.sources, Some((base.root, base.variants)))
            }
        };
        let number = sources.add(file, text);
        if text.len() > MAX_SIZE {
            return Err(ScenarioError::plain(
                file,
                "too large",
                "put meshes into files",
            ));
        }
        let fail =
            |sources: &Sources, fault: Box<Fault>| ScenarioError::new(file, sources, vec![*fault]);
        let mut root = tree::parse(text, number).map_err(|fault| fail(&sources, fault))?;
        if root.is_empty() {
            let message = "the scenario is empty";
            return Err(ScenarioError::plain(
                file,
                message,
                "add [body.NAME] and [simulate] sections",
            ));
        }
        let mut variants = overrides::variants(&root);
        overrides::apply_variant(&mut root, options.variant.as_deref())
            .map_err(|fault| fail(&sources, fault))?;
        if let Some((mut base, of_base)) = below {
            root.shift_remove(BASE);
            tree::merge(&mut base, &root);
            (root, variants) = (base, of_base);
        }
        for argument in &options.set {
            overrides::apply_set(&mut root, argument, &mut sources)
                .map_err(|fault| fail(&sources, fault))?;
        }
        Ok(Self {
            file: file.into(),
            root,
            sources,
            variants,
            options,
        })
    }

    /// The same with its sections changed.
    pub(crate) fn map(mut self, change: impl FnOnce(&mut Table)) -> Self {
        change(&mut self.root);
        self
    }

    /// The scenario that a file names as what it builds on, if it does.
    pub fn base(path: &Path) -> Option<String> {
        let text = std::fs::read_to_string(path).ok()?;
        let root = tree::parse(&text, 0).ok()?;
        match &root.get(BASE)?.node.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The scenario, with more `key=value` overrides.
    pub fn scenario(&self, set: &[String]) -> Result<Scenario, ScenarioError> {
        let (mut root, mut sources) = (self.root.clone(), self.sources.clone());
        for argument in set {
            overrides::apply_set(&mut root, argument, &mut sources)
                .map_err(|fault| ScenarioError::new(&self.file, &sources, vec![*fault]))?;
        }
        csv::expand(&mut root, &self.options.folder)
            .map_err(|fault| ScenarioError::new(&self.file, &sources, vec![*fault]))?;
        let mut faults = Vec::new();
        let variants = self.variants.clone();
        let scenario = typed(
            &self.file,
            root,
            &sources,
            variants,
            &self.options,
            &mut faults,
        );
        match scenario {
            Some(scenario) if faults.is_empty() => Ok(scenario),
            _ => Err(ScenarioError::new(&self.file, &sources, faults)),
        }
    }
}

impl Scenario {
    /// Reads a file.
    pub fn read(path: &Path, options: &Options) -> Result<Self, ScenarioError> {
        Document::read(path, options, None)?.scenario(&[])
    }

    /// Reads a text; `file` is its name in messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(file, text, &Options::default())
    }

    /// Reads a text with a variant and overrides.
    pub fn parse_with(file: &str, text: &str, options: &Options) -> Result<Self, ScenarioError> {
        Document::parse(file, text, options, None)?.scenario(&[])
    }

    /// The same with another value of a parameter.
    pub(crate) fn with_parameter(&self, name: &str, value: f64) -> Result<Self, ScenarioError> {
        let mut root = self.root.clone();
        if let Some(Value::Table(all)) = root.get_mut("parameters").map(|e| &mut e.node.value)
            && let Some(entry) = all.get_mut(name)
        {
            entry.node.value = Value::Number(value);
        }
        let document = Document {
            file: self.file.clone(),
            root,
            sources: self.sources.clone(),
            variants: self.meta.variants.clone(),
            options: Options {
                folder: self.folder.clone(),
                ..Options::default()
            },
        };
        document.scenario(&[])
    }

    /// The complete scenario as run, as a TOML text: variant and overrides applied. Mesh files are
    /// named as `mesh_name` says for each as written.
    pub fn to_toml(&self, mesh_name: &dyn Fn(&str) -> String) -> String {
        let mut root = self.root.clone();
        let text = |text: &str| tree::Entry {
            key: Place::default(),
            node: tree::Node {
                value: Value::Text(text.into()),
                place: Place::default(),
            },
        };
        root.insert("name".into(), text(&self.meta.name));
        if let Some(variant) = &self.meta.variant {
            root.insert("applied".into(), text(variant));
        }
        rename_meshes(&mut root, mesh_name);
        controllers::rename_plans(&mut root, mesh_name);
        write::document(&root)
    }
}

fn rename_meshes(table: &mut Table, name: &dyn Fn(&str) -> String) {
    for (key, entry) in table {
        if key == "mesh"
            && let Value::Table(mesh) = &mut entry.node.value
            && let Some(file) = mesh.get_mut("file")
            && let Value::Text(text) = &mut file.node.value
        {
            *text = name(text);
        }
        match &mut entry.node.value {
            Value::Table(inner) => rename_meshes(inner, name),
            Value::List(items) => {
                for item in items {
                    if let Value::Table(inner) = &mut item.value {
                        rename_meshes(inner, name);
                    }
                }
            }
            _ => {}
        }
    }
}

fn typed(
    file: &str,
    root: Table,
    sources: &Sources,
    variants: Vec<String>,
    options: &Options,
    faults: &mut Vec<Fault>,
) -> Option<Scenario> {
    for (key, entry) in &root {
        if !SECTIONS.contains(&key.as_str()) {
            faults.push(Fault::new(
                entry.key,
                "",
                format!("unknown key `{key}`"),
                key_suggestion(key, SECTIONS.iter().copied()),
            ));
        }
    }
    let parameters = match sections::section(&root, "parameters") {
        Ok(table) => table,
        Err(fault) => {
            faults.push(*fault);
            None
        }
    };
    let scope = match Scope::new(parameters, sources) {
        Ok(scope) => scope,
        Err(mut wrong) => {
            faults.append(&mut wrong);
            return None;
        }
    };
    let top = Fields::new(&root, "", Place::default(), &scope);
    let meta = keep(meta(&top, file, variants, options), faults);
    let mut meshes = Meshes::new(&options.folder);
    let before = faults.len();
    let (mut bodies, solids) = bodies::read(&root, &scope, &mut meshes, faults);
    keep(optimise::move_starts(&root, &scope, &mut bodies), faults);
    let half_spaces = contact::half_spaces(&root, &scope, faults);
    let broken = faults.len() > before;
    let linkages = sections::repeated(&root, "linkage", &scope, faults, linkages::linkage);
    let (linkages, physics): (Vec<_>, Vec<_>) = linkages.into_iter().unzip();
    let of_linkage = |(l, list): (usize, Vec<JointPhysics>)| {
        let each = list.into_iter().enumerate();
        each.map(move |(c, physics)| (l, c, physics))
    };
    let coordinate_physics = physics.into_iter().enumerate().flat_map(of_linkage);
    let coordinate_physics = coordinate_physics.collect();
    let constants = keep(forces::constants(&root, &top, &scope), faults);
    let optimise = keep(optimise::read(&root, &scope), faults)?;
    let settings = match &optimise {
        Some(plan) => optimise::replay_settings(plan, &scope),
        None => settings::read(&root, &scope),
    };
    let settings = keep(settings, faults);
    // With a body missing every reference to it would be reported, too: fix bodies first.
    let (joints, forces, mut actuators, contact, node_sets);
    if broken {
        return None;
    } else {
        let names = Names::new(&bodies, &solids);
        node_sets = elastic::node_sets(&root, &scope, &solids, &names, faults);
        joints = joints::read(&root, &scope, &names, faults);
        forces = forces::read(&root, &scope, &names, faults);
        let things = Things {
            names: &names,
            joints: &joints,
            linkages: &linkages,
            node_sets: &node_sets,
        };
        actuators = actuators::read(&root, &scope, &things, faults);
        keep(
            optimise::controls(&root, &scope, &names, &mut actuators),
            faults,
        );
        controllers::actuators(&root, &scope, &things, &mut actuators, faults);
        contact = contact::read(&root, &scope, &bodies, &solids, &half_spaces, faults);
    }
    if faults.is_empty() && bodies.is_empty() && solids.is_empty() && linkages.is_empty() {
        faults.push(whole(
            "nothing moves in this scenario",
            "add a [body.NAME] section",
        ));
    }
    let settings = settings?;
    if settings.is_none() && faults.is_empty() {
        faults.push(whole(
            "there is no [simulate] section",
            "add [simulate] with duration = … and step = …, in s, or [optimise] to plan",
        ));
    }
    let (meta, constants, mut settings) = (meta?, constants?, settings?);
    let things = defaults::Things {
        bodies: &bodies,
        half_spaces: &half_spaces,
        joints: &joints,
        linkages: &linkages,
        contact: &contact,
    };
    // A plan is replayed as it is: its bodies pass through each other. Elastic bodies touch by potentials.
    if optimise.is_none() && !defaults::names_law(&root) && !solids.is_empty() {
        if things.solids_can_collide(&solids) {
            settings.law = defaults::soft_law(&solids);
        }
    } else if optimise.is_none() && !defaults::names_law(&root) && things.can_collide() {
        settings.law = defaults::LAW;
    }
    let parameters = scope.parameters().clone();
    Some(Scenario {
        meta,
        parameters,
        bodies,
        solids,
        node_sets,
        half_spaces,
        joints,
        linkages,
        coordinate_physics,
        constants,
        forces,
        actuators,
        contact,
        settings,
        optimise,
        mesh_facts: meshes.decomposed,
        meshes: {
            controllers::plans(&root, &options.folder, &mut meshes.used);
            meshes.used
        },
        folder: options.folder.clone(),
        file: file.into(),
        sources: sources.clone(),
        root,
    })
}

fn whole(message: &str, fix: &str) -> Fault {
    Fault {
        place: None,
        field: String::new(),
        message: message.into(),
        fix: fix.into(),
    }
}

fn keep<T>(read: Read<T>, faults: &mut Vec<Fault>) -> Option<T> {
    read.map_err(|fault| faults.push(*fault)).ok()
}

fn meta(top: &Fields, file: &str, variants: Vec<String>, options: &Options) -> Read<Meta> {
    let text = |key| -> Read<Option<String>> {
        let item = top.get(key);
        item.map(|item: super::fields::Item| item.text().map(String::from))
            .transpose()
    };
    if let Some(item) = top.get("format") {
        let format = item.number()?;
        if format != FORMAT as f64 {
            return Err(item.fault(
                format!("format {format} is not known"),
                format!("this carom reads format = {FORMAT}"),
            ));
        }
    }
    let stem = Path::new(file)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    let name = text("name")?.or(options.name.clone()).or(stem);
    Ok(Meta {
        name: name.unwrap_or_else(|| "scenario".into()),
        title: text("title")?.unwrap_or_default(),
        source: text("source")?.unwrap_or_default(),
        variant: options.variant.clone().or(text("applied")?),
        variants,
    })
}
