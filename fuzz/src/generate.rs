//! Small well-formed rule sheets put together of parts: every decision is a byte, so that a fuzzer that
//! watches coverage finds its way through them.
//!
//! What real sheets never have is as likely as the rest: a first state that is terminal or stuck, roles
//! without moves, no facts, no goals or several at once, six roles.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// The constants of a sheet.
const CONSTANTS: [&str; 4] = ["a", "b", "1", "2"];
const VARIABLES: [&str; 3] = ["?x", "?y", "?z"];
/// Facts of a state: the name and the number of arguments.
const FACTS: [(&str, usize); 4] = [("p", 0), ("q", 1), ("cell", 2), ("step", 1)];
/// Relations that are what they are.
const STATIC: [(&str, usize); 3] = [("dom", 1), ("edge", 2), ("succ", 2)];
/// Relations that rules define, each by those before it; the last two may look at moves.
const VIEWS: [(&str, usize); 4] = [("v0", 1), ("v1", 0), ("v2", 1), ("v3", 2)];
const MOVES: [(&str, usize); 4] = [("wait", 0), ("go", 0), ("mark", 1), ("put", 2)];

/// What a rule is for: what its body may look at.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// The number of views that may be looked at.
    View(usize),
    Legal,
    Next,
    End,
}

struct Sheet<'a, 'b> {
    bytes: &'a mut Unstructured<'b>,
    roles: usize,
    turns: bool,
    text: String,
}

/// A sheet with so many roles, or any number of them.
pub fn generate(bytes: &mut Unstructured<'_>, roles: Option<usize>) -> Result<String> {
    let drawn = *bytes.choose(&[1, 2, 2, 2, 3, 6])?;
    let turns = bytes.arbitrary()?;
    let mut sheet = Sheet { bytes, roles: roles.unwrap_or(drawn), turns, text: String::new() };
    sheet.write()?;
    Ok(sheet.text)
}

impl Sheet<'_, '_> {
    fn write(&mut self) -> Result<()> {
        for role in 0..self.roles {
            self.line(format!("(role r{role})"));
        }
        for (name, arguments) in STATIC {
            for _ in 0..self.bytes.int_in_range(0..=4)? {
                let atom = self.ground(name, arguments)?;
                self.line(atom);
            }
        }
        if self.turns {
            self.line("(init (control r0))".to_owned());
            for role in 0..self.roles {
                let next = (role + 1) % self.roles;
                self.line(format!("(<= (next (control r{next})) (true (control r{role})))"));
            }
            if self.bytes.ratio(7, 8)? {
                self.line("(<= (legal ?r wait) (role ?r) (not (true (control ?r))))".to_owned());
            }
        }
        // Mostly there is always something to do, or few games would go on for long.
        if self.bytes.ratio(3, 4)? {
            let whose = if self.turns { "(true (control ?r))" } else { "(role ?r)" };
            self.line(format!("(<= (legal ?r go) {whose})"));
        }
        for _ in 0..self.bytes.int_in_range(0..=5)? {
            self.legal()?;
        }
        for _ in 0..self.bytes.int_in_range(0..=6)? {
            let mut variables = Vec::new();
            let fact = self.fact_name()?;
            let fact = self.atom(fact.0, fact.1, &mut variables)?;
            self.rule(format!("(next {fact})"), variables, Part::Next)?;
        }
        for _ in 0..self.bytes.int_in_range(0..=5)? {
            let fact = self.fact_name()?;
            let fact = self.ground(fact.0, fact.1)?;
            self.line(format!("(init {fact})"));
        }
        for (number, (name, arguments)) in VIEWS.into_iter().enumerate() {
            for _ in 0..self.bytes.int_in_range(0..=2)? {
                let mut variables = Vec::new();
                let head = self.atom(name, arguments, &mut variables)?;
                self.rule(head, variables, Part::View(number))?;
            }
        }
        // Half of the games end by themselves, as real ones do.
        if self.bytes.arbitrary()? {
            let last = self.bytes.int_in_range(1..=5)?;
            self.line(format!("(init (count 0)) (<= terminal (true (count {last})))"));
            for count in 0..last {
                self.line(format!("(<= (next (count {})) (true (count {count})))", count + 1));
            }
        }
        match self.bytes.int_in_range(0..=6)? {
            0 => {}
            1 => self.line("terminal".to_owned()),
            count => {
                for _ in 0..=count % 3 {
                    self.rule("terminal".to_owned(), Vec::new(), Part::End)?;
                }
            }
        }
        for _ in 0..self.bytes.int_in_range(0..=4)? {
            let mut variables = Vec::new();
            let role = self.role(&mut variables)?;
            let value = *self.bytes.choose(&["0", "50", "100", "30"])?;
            self.rule(format!("(goal {role} {value})"), variables, Part::End)?;
        }
        Ok(())
    }

    fn line(&mut self, line: String) {
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn legal(&mut self) -> Result<()> {
        let mut variables = Vec::new();
        let role = self.role(&mut variables)?;
        let (name, arguments) = *self.bytes.choose(&MOVES)?;
        let action = self.atom(name, arguments, &mut variables)?;
        let head = format!("(legal {role} {action})");
        if self.turns && self.bytes.ratio(7, 8)? {
            let body = self.body(&mut variables, Part::Legal)?;
            self.line(format!("(<= {head} (true (control {role})) {body})"));
            return Ok(());
        }
        self.rule(head, variables, Part::Legal)
    }

    /// A rule, or without a body a fact.
    fn rule(&mut self, head: String, mut variables: Vec<&'static str>, part: Part) -> Result<()> {
        let body = self.body(&mut variables, part)?;
        let line = if body.trim().is_empty() { head } else { format!("(<= {head} {body})") };
        self.line(line);
        Ok(())
    }

    /// Literals, and what binds the variables of them all.
    fn body(&mut self, variables: &mut Vec<&'static str>, part: Part) -> Result<String> {
        let mut literals = Vec::new();
        for _ in 0..self.bytes.int_in_range(0..=3)? {
            let literal = self.literal(variables, part, 0)?;
            literals.push(literal);
        }
        variables.sort_unstable();
        variables.dedup();
        for variable in variables.iter() {
            // Where a positive literal binds it as well, this is not needed: mostly it is there.
            if self.bytes.ratio(15, 16)? {
                let place = self.bytes.int_in_range(0..=literals.len())?;
                let domain = if *variable == "?r" { "role" } else { "dom" };
                literals.insert(place, format!("({domain} {variable})"));
            }
        }
        Ok(literals.join(" "))
    }

    fn literal(&mut self, variables: &mut Vec<&'static str>, part: Part, depth: usize) -> Result<String> {
        Ok(match self.bytes.int_in_range(0..=10)? {
            0..=2 => {
                let (name, arguments) = self.fact_name()?;
                format!("(true {})", self.atom(name, arguments, variables)?)
            }
            3 => {
                let (name, arguments) = *self.bytes.choose(&STATIC)?;
                self.atom(name, arguments, variables)?
            }
            4 | 5 => self.view(variables, part)?,
            6 => format!("(distinct {} {})", self.term(variables)?, self.term(variables)?),
            7 if part == Part::Next || matches!(part, Part::View(2..)) => {
                let role = self.role(variables)?;
                let (name, arguments) = *self.bytes.choose(&MOVES)?;
                format!("(does {role} {})", self.atom(name, arguments, variables)?)
            }
            8 if depth < 2 => {
                let (one, two) =
                    (self.literal(variables, part, depth + 1)?, self.literal(variables, part, depth + 1)?);
                format!("(or {one} {two})")
            }
            9 | 10 if depth < 2 => {
                // A view may look at itself, but not at its own negation: mostly.
                let part = match part {
                    Part::View(number) if self.bytes.ratio(31, 32)? => Part::View(number.saturating_sub(1)),
                    part => part,
                };
                format!("(not {})", self.literal(variables, part, depth + 1)?)
            }
            _ => {
                let (name, arguments) = self.fact_name()?;
                format!("(true {})", self.atom(name, arguments, variables)?)
            }
        })
    }

    fn view(&mut self, variables: &mut Vec<&'static str>, part: Part) -> Result<String> {
        let most = match part {
            // Views that look at moves are for what comes next only.
            Part::Legal | Part::End => 1,
            Part::Next => VIEWS.len() - 1,
            Part::View(number) => number,
        };
        let (name, arguments) = VIEWS[self.bytes.int_in_range(0..=most)?];
        self.atom(name, arguments, variables)
    }

    fn fact_name(&mut self) -> Result<(&'static str, usize)> {
        Ok(*self.bytes.choose(&FACTS)?)
    }

    fn role(&mut self, variables: &mut Vec<&'static str>) -> Result<String> {
        if self.bytes.arbitrary()? {
            variables.push("?r");
            return Ok("?r".to_owned());
        }
        Ok(format!("r{}", self.bytes.int_in_range(0..=self.roles - 1)?))
    }

    fn ground(&mut self, name: &str, arguments: usize) -> Result<String> {
        let mut words = vec![name.to_owned()];
        for _ in 0..arguments {
            let constant = *self.bytes.choose(&CONSTANTS)?;
            let wrapped = name != "dom" && self.bytes.ratio(1, 8)?;
            words.push(if wrapped { format!("(f {constant})") } else { constant.to_owned() });
        }
        Ok(if arguments == 0 { words.concat() } else { format!("({})", words.join(" ")) })
    }

    fn atom(&mut self, name: &str, arguments: usize, variables: &mut Vec<&'static str>) -> Result<String> {
        if arguments == 0 {
            return Ok(name.to_owned());
        }
        let mut words = vec![name.to_owned()];
        for _ in 0..arguments {
            words.push(self.term(variables)?);
        }
        Ok(format!("({})", words.join(" ")))
    }

    fn term(&mut self, variables: &mut Vec<&'static str>) -> Result<String> {
        let kind: u8 = self.bytes.int_in_range(0..=7)?;
        let inside = if kind < 4 {
            let variable = *self.bytes.choose(&VARIABLES)?;
            variables.push(variable);
            variable
        } else {
            *self.bytes.choose(&CONSTANTS)?
        };
        Ok(if kind == 3 || kind == 7 { format!("(f {inside})") } else { inside.to_owned() })
    }
}
