//! Any bytes: reading, printing, formatting, checking and scrambling never panic, and what is
//! printed reads back as the same rules.

#![no_main]

use gdl::{Mode, SourceFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = SourceFile::from_bytes("fuzz", bytes).expect("the fuzzer's inputs are small");
    let parsed = gdl::parse(&source);
    let printed = gdl::print_sheet(&parsed.sheet);
    let again = gdl::parse(&SourceFile::new("printed", printed.clone()));
    assert!(parsed.sheet.same_rules(&again.sheet), "printing changed the rules:\n{printed}");
    gdl::check(&source, &parsed, Mode::Strict);
    gdl::normal::normalize(&parsed.sheet);
    if let Ok(tidy) = gdl::format(&source) {
        let tidy_source = SourceFile::new("tidy", tidy.clone());
        assert!(gdl::parse(&tidy_source).sheet.same_rules(&parsed.sheet), "formatting changed the rules");
        assert_eq!(gdl::format(&tidy_source).ok(), Some(tidy), "formatting twice is formatting once");
    }
});
