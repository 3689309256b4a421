//! Tidy text: the same words and comments in the same order, with blanks and line breaks that
//! show the structure.
//!
//! * A rule stands on one line if it was written so, at least up to its first condition, and fits
//!   in [`LINE_WIDTH`] columns. Otherwise its conditions stand below each other, aligned after
//!   `(<= `; a long `or` is broken likewise.
//! * Comments stay where they were: at the end of a line or on a line of their own.
//! * A blank line between rules, or between conditions of a long rule, stays; several become one.
//! * Facts that shared a line go on sharing it while they fit.
//!
//! Formatting twice gives the same as formatting once.

mod layout;
mod node;

use crate::{Diagnostic, SourceFile, parse_expressions};

/// How many columns a line has.
pub const LINE_WIDTH: usize = 80;

/// Tidies a sheet.
///
/// Works on nested lists, so that a sheet with other faults can still be tidied; but where
/// parentheses do not match or nest too deep there is no saying what belongs together, and the
/// faults are returned instead.
///
/// ```
/// let source = gdl::SourceFile::new("inline", "( role   white ) ; moves first\r\n\r\n\r\n(<= terminal  (true done) )");
/// let tidy = gdl::format(&source).expect("its parentheses match");
/// assert_eq!(tidy, "(role white) ; moves first\n\n(<= terminal (true done))\n");
/// ```
pub fn format(source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse_expressions(source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let nodes = node::build(source, &parsed);
    Ok(layout::lay_out(source, &nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str) -> String {
        let once = format(&SourceFile::new("t", text)).expect("its parentheses match");
        let twice = format(&SourceFile::new("t", once.clone())).expect("its parentheses match");
        assert_eq!(once, twice);
        once
    }

    #[test]
    fn short_rules_stand_as_they_were_written() {
        assert_eq!(tidy("(<= ( p ?x )   (q ?x)\n)"), "(<= (p ?x) (q ?x))\n");
        assert_eq!(tidy("(<= ( p ?x )\n (q ?x) (r ?x)\n)"), "(<= (p ?x)\n    (q ?x)\n    (r ?x))\n");
        assert_eq!(tidy(""), "");
        assert_eq!(tidy("\n\n a\r\n\r\n\r\nb c"), "a\n\nb c\n");
    }

    #[test]
    fn long_rules_are_broken() {
        let text = "(<= (next (cell ?column ?row ?piece)) (true (cell ?column ?row ?piece)) \
                    (or (does white (put ?other ?row)) (and (does black (put ?column ?elsewhere)) \
                    (distinct ?row ?elsewhere)) (true (control nobody))))";
        let expected = "\
(<= (next (cell ?column ?row ?piece))
    (true (cell ?column ?row ?piece))
    (or (does white (put ?other ?row))
        (and (does black (put ?column ?elsewhere)) (distinct ?row ?elsewhere))
        (true (control nobody))))
";
        assert_eq!(tidy(text), expected);
    }

    #[test]
    fn comments_stay_where_they_were() {
        let text =
            "; title\n\n\n(role a);first\n(role b)   ; second \n\n(<= p ; why\n  ; because\n\n q\n r ; so\n)";
        let expected = "\
; title

(role a) ;first
(role b) ; second

(<= p ; why
    ; because

    q
    r ; so
    )
";
        assert_eq!(tidy(text), expected);
    }

    #[test]
    fn comments_may_stand_anywhere() {
        assert_eq!(tidy("( ; a\nf ; b\nx)"), "( ; a\n    f ; b\n    x)\n");
        assert_eq!(tidy("(f (g ; a\n) (h x))"), "(f (g ; a\n      )\n   (h x))\n");
        assert_eq!(tidy("(not\n; a\n(b))"), "(not\n     ; a\n     (b))\n");
    }

    #[test]
    fn facts_go_on_sharing_a_line() {
        let numbers: String = (10..30).map(|number| std::format!("(index {number}) ")).collect();
        let tidied = tidy(&numbers);
        assert_eq!(tidied.lines().count(), 3);
        assert!(tidied.lines().all(|line| line.len() <= LINE_WIDTH));
        assert_eq!(tidy("(a 1) (a 2)\n(a 3) ; x\n(<= b c) d"), "(a 1) (a 2)\n(a 3) ; x\n(<= b c)\nd\n");
    }

    #[test]
    fn long_terms_are_filled() {
        let text = std::format!("(init (row {}))", "emptycell ".repeat(12));
        let expected = "\
(init (row emptycell emptycell emptycell emptycell emptycell emptycell emptycell
           emptycell emptycell emptycell emptycell emptycell))
";
        assert_eq!(tidy(&text), expected);
    }

    #[test]
    fn unmatched_parentheses_are_refused() {
        assert!(format(&SourceFile::new("t", "(role a")).is_err());
        assert!(format(&SourceFile::new("t", "(role a))")).is_err());
    }
}
