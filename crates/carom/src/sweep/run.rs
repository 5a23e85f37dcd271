//! Makes the runs of a sweep on several threads.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Journal, Sweep};

/// How far a sweep is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Runs made, those of earlier calls included.
    pub done: u64,
    /// Runs to make.
    pub of: u64,
    /// Runs of this call that succeeded, failed or were refused.
    pub successes: u64,
    /// Runs of this call that failed or were refused.
    pub failed: u64,
}

struct Sink<'a> {
    journal: &'a mut Journal,
    progress: Progress,
    show: &'a mut (dyn FnMut(Progress) + Send),
    error: Option<io::Error>,
}

/// Makes the runs that a journal does not have yet: those of shard i of n (counted from one), which are
/// every n-th. Returns whether all are made; a stopped sweep goes on with the next call. What is measured
/// does not depend on the number of threads.
pub fn advance(
    sweep: &Sweep,
    shard: (u64, u64),
    journal: &mut Journal,
    threads: usize,
    stop: &AtomicBool,
    show: &mut (dyn FnMut(Progress) + Send),
) -> io::Result<bool> {
    let (i, n) = shard;
    let all = (i - 1..sweep.runs()).step_by(n as usize);
    let of = all.clone().count() as u64;
    let missing: Vec<u64> = all.filter(|run| !journal.has(*run)).collect();
    let sink = Mutex::new(Sink {
        progress: Progress {
            done: journal.len(),
            of,
            successes: 0,
            failed: 0,
        },
        journal,
        show,
        error: None,
    });
    let next = AtomicU64::new(0);
    let work = || {
        while let Some(run) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let Some(row) = sweep.row_unless(*run, stop) else {
                return;
            };
            let Ok(mut sink) = sink.lock() else {
                return;
            };
            if let Err(error) = sink.journal.push(&row) {
                sink.error = Some(error);
                stop.store(true, Ordering::Relaxed);
                return;
            }
            sink.progress.done += 1;
            sink.progress.successes += u64::from(row.success == Some(true));
            sink.progress.failed += u64::from(row.status != "done");
            let progress = sink.progress;
            (sink.show)(progress);
        }
    };
    // What a run does in parallel stays among these threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
    let pool = pool.build().map_err(io::Error::other)?;
    pool.scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|_| work());
        }
    });
    let sink = sink
        .into_inner()
        .map_err(|_| io::Error::other("a thread of the sweep failed"))?;
    match sink.error {
        Some(error) => Err(error),
        None => Ok(sink.progress.done == of),
    }
}
