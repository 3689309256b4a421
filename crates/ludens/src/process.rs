//! What this process has used: processor time and memory; and the time of day.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Processor time used so far by all threads of the process.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Processor time used so far by this thread.
#[cfg(unix)]
pub(crate) fn thread_cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Where the system does not tell that either, the time of the clock on the wall.
#[cfg(not(unix))]
pub(crate) fn thread_cpu_time() -> Duration {
    cpu_time()
}

/// Where the system does not tell the processor time, the time since the first call.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

/// Processor seconds since an earlier reading.
pub(crate) fn cpu_seconds_since(begin: Duration) -> f64 {
    cpu_time().saturating_sub(begin).as_secs_f64()
}

/// The most memory this process has had, as Linux tells it.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Forgets the peak of memory: from now on [`peak_bytes`] tells the most since this call. Where
/// that cannot be done the peak of the whole process stays.
pub(crate) fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The name of the processor, as Linux tells it.
pub(crate) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
}
