//! `ludens worker`

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use cluster::WorkerOptions;
use tracing_subscriber::EnvFilter;

use crate::cluster_jobs::{Bench, ServerArguments, build};
use crate::output::Output;

/// Do the work of others: matches from a queue on NATS
///
/// Any number of workers may join and leave at any time. What one was doing when it was killed is given to another.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens worker --cluster nats://host:4222\n  ludens worker --cluster \
                        tls://user:password@host:4222 --jobs 8\n\nThe queue is a NATS server with JetStream: \
                        `nats-server -js`. docs/guide/cluster.md starts one on three hosts.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    server: ServerArguments,

    /// Jobs at once; all cores if not given
    #[arg(long)]
    jobs: Option<usize>,

    /// The name it is shown by; the host's and the number of the process if there is none
    #[arg(long)]
    name: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let filter = EnvFilter::try_from_env("LUDENS_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
        let name = self.name.unwrap_or_else(|| format!("{} {}", host.trim(), std::process::id()));
        let options = WorkerOptions {
            name: name.clone(),
            jobs: self.jobs.unwrap_or(cores).max(1),
            build: build()?.to_owned(),
        };
        let (jobs, build) = (options.jobs, &options.build);
        writeln!(output, "{name} of the build {build} does {jobs} jobs at once; stop with Ctrl-C")?;
        output.flush()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.context("cannot start")?;
        let (bench, server) = (Bench::default(), self.server.server());
        let done = runtime.block_on(async {
            tokio::select! {
                ended = cluster::work(&server, options, move |job| bench.perform(job)) => match ended {
                    Ok(never) => match never {},
                    Err(error) => Err(error.into()),
                },
                _ = tokio::signal::ctrl_c() => Ok(ExitCode::SUCCESS),
            }
        });
        // What is being done is given to another.
        runtime.shutdown_background();
        done
    }
}
