//! The table of crates in ARCHITECTURE.md is true: dependencies point up it, and nobody knows what the
//! last column forbids. The table is read, not repeated, so that a new crate is a new row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A crate as the table has it.
#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    /// Words in code font of the last column.
    forbidden: Vec<String>,
}

/// What the document says.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    /// From the top.
    rows: Vec<Row>,
    /// What words of the last column stand for.
    words: BTreeMap<String, Vec<String>>,
}

/// What a crate is made of.
struct Source {
    name: String,
    dependencies: BTreeSet<String>,
    /// Paths and texts.
    files: Vec<(String, String)>,
}

/// The parts of a text in code font.
fn code(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of the table with this heading.
fn table<'t>(document: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let lines = document.lines().skip_while(|line| *line != heading).skip(2);
    let cells = |line: &'t str| line.trim_matches('|').split('|').map(str::trim).collect();
    lines.take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn plan(document: &str) -> Plan {
    let rows = table(document, "| crate | what it holds | what it must not know |").into_iter();
    let row = |cells: Vec<&str>| Row {
        name: code(cells[0]).concat(),
        forbidden: cells.last().map(|cell| code(cell)).unwrap_or_default(),
    };
    let words = table(document, "| word | names |").into_iter();
    Plan {
        rows: rows.map(row).collect(),
        words: words.map(|cells| (code(cells[0]).concat(), code(cells[1]))).collect(),
    }
}

/// A source file without what is said about it and without its tests.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Whether a name occurs, and not as a part of another.
fn names(text: &str, name: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(name).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next())
    })
}

/// Everything that is not as the plan says.
fn faults(plan: &Plan, sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    let place = |name: &str| plan.rows.iter().position(|row| row.name == name);
    for row in plan.rows.iter().filter(|row| !sources.iter().any(|source| source.name == row.name)) {
        faults.push(format!("there is no crate `{}`", row.name));
    }
    for source in sources {
        let name = &source.name;
        let Some(own) = place(name) else {
            faults.push(format!("`{name}` has no row"));
            continue;
        };
        for dependency in source.dependencies.iter().filter(|other| place(other) >= Some(own)) {
            faults.push(format!("`{name}` depends on `{dependency}`, which does not stand above it"));
        }
        for forbidden in &plan.rows[own].forbidden {
            if source.dependencies.contains(forbidden) {
                faults.push(format!("`{name}` depends on `{forbidden}`, which it must not know"));
            }
            for (path, text) in &source.files {
                for word in plan.words.get(forbidden).into_iter().flatten() {
                    if names(&without_tests(text), word) {
                        faults.push(format!("{path} names `{word}`: `{name}` must not know {forbidden}"));
                    }
                }
            }
        }
    }
    faults
}

/// Words of the last column that mean nothing: a slip there would forbid nothing.
fn meaningless(plan: &Plan) -> Vec<&str> {
    let is_crate = |word: &String| plan.rows.iter().any(|row| row.name == *word);
    let words = plan.rows.iter().flat_map(|row| &row.forbidden);
    words.filter(|&word| !is_crate(word) && !plan.words.contains_key(word)).map(String::as_str).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources in a folder, files of tests left out.
fn rust_files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            rust_files(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            found.push((path.display().to_string(), text));
        }
    }
}

/// The keys of the tables of dependencies in a manifest, those of tests left out.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (key, value) in manifest {
        match (key.as_str(), value.as_table()) {
            ("dependencies" | "build-dependencies", Some(table)) => found.extend(table.keys().cloned()),
            ("target", Some(targets)) => {
                found.extend(targets.values().filter_map(toml::Value::as_table).flat_map(dependencies));
            }
            _ => {}
        }
    }
    found
}

fn read(path: &Path) -> toml::Table {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The crates of the workspace. Of their dependencies only crates of the workspace count.
fn sources() -> Vec<Source> {
    let workspace = read(&root().join("Cargo.toml"));
    let members = workspace["workspace"]["members"].as_array().expect("members").clone();
    let folders: Vec<PathBuf> =
        members.iter().map(|member| root().join(member.as_str().expect("a path"))).collect();
    let manifests: Vec<toml::Table> = folders.iter().map(|folder| read(&folder.join("Cargo.toml"))).collect();
    let name = |manifest: &toml::Table| manifest["package"]["name"].as_str().expect("a name").to_owned();
    let all: BTreeSet<String> = manifests.iter().map(name).collect();
    let source = |(folder, manifest): (&PathBuf, &toml::Table)| {
        let mut files = Vec::new();
        rust_files(&folder.join("src"), &mut files);
        let dependencies = dependencies(manifest).intersection(&all).cloned().collect();
        Source { name: name(manifest), dependencies, files }
    };
    folders.iter().zip(&manifests).map(source).collect()
}

#[test]
fn the_table_is_true() {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document");
    let plan = plan(&document);
    assert!(plan.rows.len() > 10 && plan.words.len() >= 2, "the tables are not found: {plan:?}");
    assert_eq!(meaningless(&plan), [""; 0], "the last column has words that mean nothing");
    let faults = faults(&plan, &sources());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

const TABLE: &str = "# Title\n
| crate | what it holds | what it must not know |
| --- | --- | --- |
| `rules` | texts | `IO` |
| `other` | more | |
| `play` | moves | rules (`rules`), `IO` |

| word | names |
| --- | --- |
| `IO` | `std::fs`, `println!` |
";

fn source(name: &str, dependencies: &[&str], text: &str) -> Source {
    let dependencies = dependencies.iter().map(|&other| other.to_owned()).collect();
    Source { name: name.to_owned(), dependencies, files: vec![(format!("{name}.rs"), text.to_owned())] }
}

#[test]
fn what_breaks_the_rules_is_found() {
    let plan = plan(TABLE);
    assert_eq!(plan.rows[2], Row { name: "play".to_owned(), forbidden: vec!["rules".into(), "IO".into()] });
    let good = "//! Like std::fs.\nfn eprintln_like() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    let all = |rules: Source, play: Source| faults(&plan, &[rules, source("other", &["rules"], good), play]);
    assert_eq!(all(source("rules", &[], good), source("play", &["other"], good)), [""; 0]);
    let told = all(
        source("rules", &["other"], "use std::fs::File;"),
        source("play", &["rules", "other"], "fn f() { println!() }"),
    );
    assert_eq!(
        told,
        [
            "`rules` depends on `other`, which does not stand above it",
            "rules.rs names `std::fs`: `rules` must not know IO",
            "`play` depends on `rules`, which it must not know",
            "play.rs names `println!`: `play` must not know IO",
        ]
    );
    let unknown =
        faults(&plan, &[source("new", &[], ""), source("rules", &[], ""), source("other", &[], "")]);
    assert_eq!(unknown, ["there is no crate `play`", "`new` has no row"]);
    let misspelt = plan_with("| `late` | x | `IOO` |");
    assert_eq!(meaningless(&misspelt), ["IOO"]);
}

/// The plan with another row.
fn plan_with(row: &str) -> Plan {
    plan(&TABLE.replace("| `play`", &format!("{row}\n| `play`")))
}
