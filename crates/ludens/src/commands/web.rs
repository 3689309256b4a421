//! `ludens web`

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use web::{Options, Site};

use crate::output::Output;
use crate::tokens::token;

/// See and play games in the browser
///
/// Serves a page on which any game is chosen, played against agents or other people, watched and stepped through, and
/// on which rules are written and tried. Matches are kept in a file: nothing is lost when the page is loaded again
/// or the command is started anew.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens web\n  ludens web --port 8080 --db my-matches.db\n  ludens web --address 0.0.0.0 \
                  --token a-word-of-your-own\n\nThen open http://127.0.0.1:9140 in a browser. Only this computer is \
                  served unless --address says more; then visitors need the token, and the link that is printed has \
                  it. LUDENS_LOG=debug tells of every request."
)]
pub(crate) struct Arguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 9140)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets everybody in who can reach this computer and has the token
    #[arg(long, default_value_t = IpAddr::from(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// The file that matches are kept in; `ludens/web.db` among the data of this user if it is not given
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// What visitors have to know where --address is not this computer; LUDENS_TOKEN is taken if it is not given, and a
    /// new word if that is not set
    #[arg(long, value_name = "WORD", value_parser = token)]
    token: Option<String>,

    /// Matches that are conducted at once; others rest in the file until somebody looks at them
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1000))]
    matches: u16,

    /// Mebibytes of memory for each player of a match that thinks
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    memory: u64,

    /// Threads to think with, shared by the matches; all cores if not given
    #[arg(long)]
    threads: Option<usize>,
}

/// Rules of strangers may be nested deep, and are read where nobody waits for them. Only what is used is taken.
const STACK_BYTES: usize = 256 << 20;
/// Requests that are worked on at once beyond those that take no time.
const BLOCKING: usize = 16;

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let filter = EnvFilter::try_from_env("LUDENS_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
        // Told once only; a second time would be a fault of ours without harm.
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime
            .worker_threads(cores.clamp(2, 4))
            .max_blocking_threads(BLOCKING)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .context("cannot start")?;
        let served = runtime.block_on(self.serve(cores, output));
        // What still thinks is not waited for: everything is kept.
        runtime.shutdown_background();
        served
    }

    async fn serve(self, cores: usize, output: &mut Output) -> anyhow::Result<ExitCode> {
        let database = match &self.db {
            Some(path) => path.clone(),
            None => own_database()?,
        };
        let token = if self.address.is_loopback() { self.token.clone() } else { Some(self.secret()?) };
        let site = Site::new(&Options {
            database: database.clone(),
            token: token.clone(),
            loopback: self.address.is_loopback(),
            matches: usize::from(self.matches),
            memory: usize::try_from(self.memory << 20).unwrap_or(usize::MAX),
            threads: self.threads.unwrap_or(cores).max(1),
            clock: crate::process::thread_cpu_time,
        })?;
        let listener = TcpListener::bind((self.address, self.port)).await.with_context(|| {
            format!("cannot listen on port {} of {}; choose another with --port", self.port, self.address)
        })?;
        let place = listener.local_addr().context("the port is gone")?;
        let entry = token.map_or_else(String::new, |token| format!("?token={token}"));
        writeln!(output, "Ludens is at http://{}/{entry}", shown(place))?;
        writeln!(output, "matches are kept in {}   stop with Ctrl-C", database.display())?;
        output.flush()?;
        tokio::select! {
            () = web::listen(listener, site) => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The token that visitors need.
    fn secret(&self) -> anyhow::Result<String> {
        match (&self.token, std::env::var("LUDENS_TOKEN")) {
            (Some(token), _) => Ok(token.clone()),
            (None, Ok(text)) => token(&text).map_err(|why| anyhow::anyhow!("LUDENS_TOKEN: {why}")),
            (None, Err(_)) => Ok(web::new_token()),
        }
    }
}

/// An address as it is written in a browser.
fn shown(place: SocketAddr) -> String {
    if place.ip().is_unspecified() { format!("localhost:{}", place.port()) } else { place.to_string() }
}

/// The file among the data of this user, in a folder that is made if there is none.
fn own_database() -> anyhow::Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = variable("XDG_DATA_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".local").join("share")));
    let Some(data) = data else { bail!("there is no place for the data of this user; give --db FILE") };
    let folder: &Path = &data.join("ludens");
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make {}; give --db FILE", folder.display()))?;
    Ok(folder.join("web.db"))
}
