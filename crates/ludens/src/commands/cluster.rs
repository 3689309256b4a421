//! `ludens cluster`

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;

use crate::cluster_jobs::ServerArguments;
use crate::output::Output;
use crate::table::Table;

/// Look at a queue on NATS and those who work for it
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens cluster status --cluster nats://host:4222")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say how many jobs there are, who does them, and who helps players think
    Status(Status),
}

#[derive(clap::Args)]
struct Status {
    #[command(flatten)]
    server: ServerArguments,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let What::Status(Status { server, json }) = self.what;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let status = runtime.context("cannot start")?.block_on(cluster::status(&server.server()))?;
        if json {
            output.json(&status)?;
            return Ok(ExitCode::SUCCESS);
        }
        writeln!(output, "{} jobs to do, {} answers kept", status.jobs, status.answers)?;
        let mut table = Table::new(&["worker", "build", ">places", ">running", ">done", ">faults"]);
        for worker in &status.workers {
            let numbers = [worker.places as u64, worker.running as u64, worker.done, worker.faults];
            let cells = [worker.name.clone(), worker.build.clone()];
            table.row(cells.into_iter().chain(numbers.map(|number| number.to_string())));
        }
        if table.is_empty() {
            writeln!(output, "nobody works; start workers with `ludens worker`")?;
        } else {
            table.write(output)?;
        }
        if !status.helpers.is_empty() {
            let mut table = Table::new(&["helper", "build", ">orders", ">reports"]);
            for helper in status.helpers {
                table.row([helper.name, helper.build, helper.orders.to_string(), helper.reports.to_string()]);
            }
            table.write(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
