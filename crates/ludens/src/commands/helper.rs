//! `ludens helper`

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cluster::HelperLine;
use engine::team::HelperId;
use gdl::normal::normalize;
use machine::Machine;
use player::team::Helper;
use player::{Clock, Machines};
use tracing_subscriber::EnvFilter;

use crate::cluster_jobs::{ServerArguments, build};
use crate::helper_lines::RemotePost;
use crate::output::Output;

/// Help a player think: as many computers as there are for one match
///
/// Listens to players at a NATS server (`ludens player --cluster`), and thinks for whichever asks first. Helpers may come
/// and go in the middle of a match.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens helper --cluster nats://host:4222\n  ludens helper --cluster \
                        tls://user:password@host:4222 --threads 8 --memory 16000\n\nThe player says what helpers \
                        do: `ludens player --cluster nats://host:4222 --agent ludens:team=tree`. docs/guide/cluster.md \
                        tells more.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    server: ServerArguments,

    /// Threads to think with, where helpers have trees of their own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Mebibytes of memory for its tree
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    memory: u64,

    /// The name it is known by, one for each helper; the host's and the number of the process if there is none
    #[arg(long)]
    name: Option<String>,
}

/// Games whose machines a helper keeps.
const KEPT_GAMES: usize = 4;
/// How long machines are built.
const BUILDING: Duration = Duration::from_secs(600);

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let filter = EnvFilter::try_from_env("LUDENS_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init();
        let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
        let name = self.name.unwrap_or_else(|| format!("{}-{}", host.trim(), std::process::id()));
        let line = HelperLine::connect(&self.server.server(), build()?, &name)?;
        let (threads, build) = (self.threads, build()?);
        writeln!(output, "{name} of the build {build} helps with {threads} threads; stop with Ctrl-C")?;
        output.flush()?;
        let start = Instant::now();
        let clock: Clock = Arc::new(move || start.elapsed());
        let bytes = usize::try_from(self.memory << 20).unwrap_or(usize::MAX);
        let mut games = Games { kept: Vec::new(), bytes, clock: Arc::clone(&clock) };
        let find = Box::new(move |rules: &str| games.machine(rules));
        let helper = Helper::new(HelperId(name), find, clock, Arc::new(AtomicBool::new(false)))
            .with("threads", &self.threads.to_string())
            .with("memory", &self.memory.to_string());
        helper.work(RemotePost::new(line));
        Ok(ExitCode::SUCCESS)
    }
}

/// The games that were played last.
struct Games {
    kept: Vec<(String, Arc<Machines>)>,
    bytes: usize,
    clock: Clock,
}

impl Games {
    /// The best machine there is for the text of some rules; none while none is ready. Whoever is helped says again what
    /// is to be done, and meanwhile others may ask.
    fn machine(&mut self, rules: &str) -> Option<Machine> {
        if let Some(place) = self.kept.iter().position(|(known, _)| known == rules) {
            let known = self.kept.remove(place);
            self.kept.push(known);
        } else {
            let source = gdl::SourceFile::new("the player's rules", rules.to_owned());
            let parsed = normalize(&gdl::parse(&source).sheet);
            let machines = Machines::build(parsed, BUILDING, self.bytes, Arc::clone(&self.clock));
            if self.kept.len() >= KEPT_GAMES {
                self.kept.remove(0);
            }
            self.kept.push((rules.to_owned(), machines));
        }
        let (_, machines) = self.kept.last()?;
        machines.best()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_are_never_built_keep_nobody_waiting() {
        // Ways of eight steps from an even number to an odd one, with steps between numbers of a kind: there are none,
        // and to find that out all have to be gone.
        let mut exploding = "(role you) (init (at 1)) (<= (next (at 2)) (true (at 1))) (goal you 50)
            (<= terminal (true (at 2)))
            (<= (legal you (way ?a ?b ?c ?d ?e ?f ?g ?h)) (even ?a) (step ?a ?b) (step ?b ?c) (step ?c ?d) (step ?d ?e)
                (step ?e ?f) (step ?f ?g) (step ?g ?h) (odd ?h))"
            .to_owned();
        for number in 0..60 {
            exploding += &format!("({} {number})", ["even", "odd"][number % 2]);
            (number % 2..60).step_by(2).for_each(|next| exploding += &format!("(step {number} {next})"));
        }
        let start = Instant::now();
        let clock: Clock = Arc::new(move || start.elapsed());
        let mut games = Games { kept: Vec::new(), bytes: 1 << 30, clock };
        games.machine(&exploding);
        let machines = Arc::clone(&games.kept[0].1);
        assert!(machines.events().is_empty(), "nothing is ready: {:?}", machines.events());
        let others = bundled::find("tic-tac-toe").expect("bundled").rules;
        while games.machine(others).is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(machines.events().is_empty(), "somebody waited: {:?}", machines.events());
    }
}
