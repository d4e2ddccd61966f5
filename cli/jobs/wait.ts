import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type Format, note, oneOrAll, print } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { exitNow, exitWithOutcomes } from '../shell/exit-codes.ts';
import { endOf, type JobEnd } from './job-end.ts';
import { noteMissingWorker } from './no-worker-yet.ts';

/** Waits for all jobs. Until then shows only the elapsed time, and only on a terminal. */
export async function waitForAll(jobs: readonly JobHandle[]): Promise<JobEnd[]> {
  let ended = 0;
  const isOne = jobs.length === 1;
  const progress = process.stderr.isTTY ? createProgress(process.stderr) : undefined;
  progress?.step(isOne ? jobs[0]!.workflowId : `${jobs.length} jobs`);
  const wait = async (job: JobHandle, signal: AbortSignal) => {
    const outcome = await endOf(job, signal);
    ended++;
    if (!isOne) progress?.detail(`${ended} have ended`);
    return outcome;
  };
  try {
    return await untilInterrupted(jobs, (signal) => {
      // All are of one task queue.
      void noteMissingWorker(jobs[0]!, signal);
      return Promise.all(jobs.map((job) => wait(job, signal)));
    });
  } finally {
    progress?.end();
  }
}

/** Ctrl-C ends the wait, not the jobs, and prints how to stop them. */
export const untilInterrupted = <T>(
  jobs: readonly JobHandle[],
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  untilCtrlC(
    jobs.map(({ workflowId }) => ({ workflowId, stop: `stop --workflow-id ${workflowId}` })),
    run,
  );

/** `stop`: the command that stops it. */
interface LeftRunning {
  readonly workflowId: string;
  readonly stop: string;
}

/** Ctrl-C ends the wait, and prints how to stop what goes on. */
export async function untilCtrlC<T>(
  left: readonly LeftRunning[],
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = () => {
    note('');
    for (const { workflowId, stop } of left) {
      note(`${workflowId} is still running. To stop it: signalbox ${stop}`);
    }
    exitNow('interrupted');
  };
  process.once('SIGINT', interrupt);
  try {
    return await run(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt);
    interrupted.abort();
  }
}

export async function printOutcomes(
  outcomes: readonly JobEnd[],
  format: Format,
  { isOne }: { readonly isOne: boolean },
): Promise<void> {
  const { outcomeText } = await import('../print/job-text.ts');
  await print(oneOrAll(outcomes, isOne), format, () => outcomes.map(outcomeText).join('\n'));
}

/** Prints the outcomes, and ends with them. */
export async function endWith(
  outcomes: readonly JobEnd[],
  format: Format,
  { isOne = true }: { readonly isOne?: boolean } = {},
): Promise<void> {
  await printOutcomes(outcomes, format, { isOne });
  exitWithOutcomes(outcomes);
}
