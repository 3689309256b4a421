//! `ludens player`

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use player::AgentSpec;
use server::{Address, Attendance, HelperCount, Limits, SessionOptions, Sessions};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use crate::elsewhere;
use crate::failure;
use crate::output::Output;
use crate::tokens;

/// Play for match hosts over HTTP
///
/// Waits for a host and plays whatever it sends, several matches at once. A status page is on the
/// same port, and numbers for Prometheus are at /metrics.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens player\n  ludens player --port 9148 --agent cadia-mast --name Ada\n  \
                  ludens player --matches 1 --threads 8 --memory 16000\n  \
                  ludens player --address 0.0.0.0\n  ludens player --connect http://host:9200 --name Ada\n\nThen open http://localhost:9147 in a \
                  browser. LUDENS_LOG=debug tells of every request. docs/protocol.md says what is understood."
)]
pub(crate) struct Arguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 9147)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets everybody in who can reach this computer
    #[arg(long, default_value_t = IpAddr::from(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// Connect to a host that expects this player, in place of listening: for players behind a router. It needs --name and
    /// the token that the host knows it by
    #[arg(long, value_name = "URL", conflicts_with_all = ["port", "address", "matches_per_address"], requires = "name")]
    connect: Option<Address>,

    /// Who thinks, with parameters if wanted: ludens, cadia-mast:tau=5, random, ..
    #[arg(long, default_value = "ludens")]
    agent: AgentSpec,

    /// The name that hosts are told; that of the agent if there is none
    #[arg(long)]
    name: Option<String>,

    /// Matches at once; hosts are told busy beyond that
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    matches: u16,

    /// Matches that one address may have at once; half of all, or all of them if only this computer is
    /// listened to
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1000))]
    matches_per_address: Option<u16>,

    /// Who sends this word along may speak of all matches and see them, from any address: `Authorization:
    /// Bearer WORD`, or ?token=WORD for the status page. LUDENS_TOKEN is taken if it is not given: others on
    /// this computer can read what commands were given
    #[arg(long, value_name = "WORD", value_parser = tokens::token)]
    token: Option<String>,

    /// Mebibytes of memory for each match: half for what it remembers of its search, half for the rules
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    memory: u64,

    /// Threads to think with, shared by the matches; all cores if not given
    #[arg(long)]
    threads: Option<usize>,

    /// Do not think while others do
    #[arg(long)]
    no_ponder: bool,

    /// The least part of every clock that is kept back for the way of the reply
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 100)]
    margin: u64,

    /// The longest clock that is accepted: a START that asks for more is answered with busy, and a match
    /// whose host is silent for a minute more than this is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    longest_clock: u32,

    /// The largest message that is read
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=64))]
    largest_message: u64,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Think with the helpers that listen to this NATS server, as it is said in the agent's parameters `helpers`, `team`
    /// and `exchange`: see `ludens helper`
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,

    /// Trust these certificates of the server as well
    #[arg(long, value_name = "FILE", requires = "cluster")]
    certificates: Option<PathBuf>,

    /// The agent with its helpers, and how many they are.
    #[arg(skip)]
    helped: Option<(AgentSpec, HelperCount)>,
}

/// How much longer than the longest clock a host may be silent.
const SILENCE_BEYOND: Duration = Duration::from_secs(60);

impl Arguments {
    pub(crate) fn run(mut self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let filter = EnvFilter::try_from_env("LUDENS_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
        // Told once only; a second time would be a fault of ours without harm.
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init();
        if let Some(address) = &self.cluster {
            let (helpers, count) = elsewhere::helpers(address, self.certificates.clone())?;
            self.helped = Some((self.agent.clone().with_helpers(helpers, ""), count));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime =
            runtime.worker_threads(cores.clamp(2, 4)).enable_all().build().context("cannot start")?;
        runtime.block_on(self.serve(cores, output))
    }

    async fn serve(self, cores: usize, output: &mut Output) -> anyhow::Result<ExitCode> {
        let from_environment = || tokens::from_environment(tokens::VARIABLE);
        let token = self.token.clone().map_or_else(from_environment, |token| Ok(Some(token)))?;
        if let Some(host) = &self.connect {
            return self.attend(host, token, cores, output).await;
        }
        let listener = TcpListener::bind((self.address, self.port)).await.with_context(|| {
            let port = self.port;
            format!("cannot listen on port {port} of {}; choose another with --port", self.address)
        })?;
        let port = listener.local_addr().context("the port is gone")?.port();
        let name = self.name.clone().unwrap_or_else(|| self.agent.agent().name.to_owned());
        writeln!(output, "{name} listens on port {port} of {} and plays as {}", self.address, self.agent)?;
        writeln!(output, "status page: http://localhost:{port}   stop with Ctrl-C")?;
        output.flush()?;
        let sessions = self.sessions(name, token, cores);
        let limits = Limits { message: (self.largest_message << 20) as usize, ..Limits::default() };
        tokio::select! {
            () = server::listen(listener, Arc::clone(&sessions), limits) => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        write_counters(&sessions, output)
    }

    /// Plays for a host that is connected to from here.
    async fn attend(
        &self,
        host: &Address,
        token: Option<String>,
        cores: usize,
        output: &mut Output,
    ) -> anyhow::Result<ExitCode> {
        let variable = tokens::VARIABLE;
        let Some(token) = token else {
            bail!(
                "--connect needs the token that the host knows this player by: set {variable}, or give --token"
            );
        };
        let name = self.name.clone().unwrap_or_default();
        writeln!(output, "{name} connects to {host} and plays as {}; stop with Ctrl-C", self.agent)?;
        output.flush()?;
        // Who reaches us is the host alone.
        let sessions = self.sessions(name.clone(), None, cores);
        let tell = |attendance: Attendance| match attendance {
            Attendance::Joined => failure::tell("note", &format!("connected to {host}")),
            Attendance::Lost(why) => {
                failure::tell("warning", &format!("{host} is not reached ({why}); trying again"));
            }
        };
        let attending =
            server::attend(host.clone().with_token(Some(token)), name, Arc::clone(&sessions), tell);
        tokio::select! {
            refused = attending => match refused {
                Err(refused) => return Err(refused.into()),
                Ok(never) => match never {},
            },
            _ = tokio::signal::ctrl_c() => {}
        }
        write_counters(&sessions, output)
    }

    fn sessions(&self, name: String, token: Option<String>, cores: usize) -> Arc<Sessions> {
        let matches = usize::from(self.matches);
        let share = if self.address.is_loopback() { matches } else { matches.div_ceil(2) };
        let longest_clock = Duration::from_secs(u64::from(self.longest_clock));
        let (agent, helpers) = match &self.helped {
            Some((helped, count)) => (helped, Some(Arc::clone(count))),
            None => (&self.agent, None),
        };
        let sessions = Sessions::new(SessionOptions {
            name,
            agent: agent.clone(),
            machines: server::shared_machines(),
            matches,
            matches_per_address: self.matches_per_address.map_or(share, usize::from),
            token,
            memory: usize::try_from(self.memory << 20).unwrap_or(usize::MAX),
            threads: self.threads.unwrap_or(cores).max(1),
            ponder: !self.no_ponder,
            thinking: None,
            simulations: None,
            margin: Duration::from_millis(self.margin),
            longest_clock,
            longest_silence: longest_clock + SILENCE_BEYOND,
            seed: self.seed,
        });
        Arc::new(sessions.with_helpers(helpers))
    }
}

/// Says what was done.
fn write_counters(sessions: &Sessions, output: &mut Output) -> anyhow::Result<ExitCode> {
    let counters: Vec<String> = sessions
        .status()
        .counters
        .iter()
        .filter(|(_, value)| *value > 0)
        .map(|(name, value)| format!("{value} {}", name.replace('_', " ")))
        .collect();
    writeln!(output, "{}", counters.join(", "))?;
    Ok(ExitCode::SUCCESS)
}
