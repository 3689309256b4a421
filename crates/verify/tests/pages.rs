//! The examples of the documentation pages of faults that show in play: the first sheet of a page
//! has the fault, the second has not.

use gdl::{CODES, SourceFile};
use machine::reference::Reference;
use verify::inspect::{Budget, inspect};

/// The sheets of a page that are to be played.
fn sheets(page: &str) -> Vec<String> {
    let parts = page.split("```kif simulate\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// The names of the faults that play shows; a machine that cannot be built is a fault of its own.
fn faults(text: &str) -> Vec<&'static str> {
    let sheet = gdl::parse(&SourceFile::new("page", text)).sheet;
    let limits = datalog::Limits { bytes: 64 << 20, ..Default::default() };
    let Ok(machine) = Reference::new(&gdl::normal::normalize(&sheet), limits) else {
        return vec!["rule_fault"];
    };
    let inspection = inspect(&machine, &machine.declared(), &sheet, Budget::default(), || true);
    inspection.findings.iter().map(|finding| finding.code.name()).collect()
}

#[test]
fn pages_show_what_they_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/gdl");
    let mut played = 0;
    for code in CODES {
        let page =
            std::fs::read_to_string(format!("{folder}/{}.md", code.name)).expect("every code has a page");
        let sheets = sheets(&page);
        if let [faulty, mended] = &sheets[..] {
            assert!(faults(faulty).contains(&code.name), "{}: {:?}", code.name, faults(faulty));
            assert!(!faults(mended).contains(&code.name), "{}: mended, and still there", code.name);
            played += 1;
        } else {
            assert!(sheets.is_empty(), "{}: a sheet with the fault, then one without", code.name);
        }
    }
    assert!(played >= 8, "only {played} pages have sheets to play");
}
