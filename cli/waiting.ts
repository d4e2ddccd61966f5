import type { JobHandle } from '../client/job-handle.ts';
import type { JobOutcome } from '../contracts/status.ts';
import { duration } from './durations.ts';
import { exitCodeOfPhase } from './exit-codes.ts';
import { type Format, note, print } from './output.ts';

/** Says nothing until the end, but that it is still there, to people at a terminal. */
export async function waitQuietly(job: JobHandle): Promise<JobOutcome> {
  const progress = elapsedLine(job.workflowId);
  try {
    return await untilInterrupted(job, (signal) => job.wait({ signal }));
  } finally {
    progress.end();
  }
}

/** Ctrl-C ends the waiting, not the job, and says so. */
export async function untilInterrupted<T>(
  job: JobHandle,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = () => {
    note(`\n${job.workflowId} goes on. To end it: signalbox stop --workflow-id ${job.workflowId}`);
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  try {
    return await run(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt);
    interrupted.abort();
  }
}

/** Prints the outcome, and makes the exit code tell it. */
export async function endWith(
  outcome: JobOutcome,
  format: Format,
  { exitCode = exitCodeOfPhase(outcome.phase) }: { exitCode?: number } = {},
): Promise<void> {
  const { outcomeText } = await import('./job-text.ts');
  await print(outcome, format, () => outcomeText(outcome));
  process.exitCode = exitCode;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

function elapsedLine(what: string): { end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { end: () => undefined };
  const begin = Date.now();
  let frame = 0;
  const timer = setInterval(() => {
    frame = (frame + 1) % FRAMES.length;
    stderr.write(`\r\x1b[K${FRAMES[frame]} ${what} ${duration(Date.now() - begin)}`);
  }, 200);
  const end = () => {
    clearInterval(timer);
    stderr.write('\r\x1b[K');
  };
  return { end };
}
