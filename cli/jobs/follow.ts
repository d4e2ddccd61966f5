import type { JobHandle } from '../../client/handles/job-handle.ts';
import { newEntries } from '../../client/use-cases/pods/new-entries.ts';
import { CLEAN_UP_WORDS } from '../../contracts/clean-up.ts';
import { isFinal, type JobOutcome } from '../../contracts/status.ts';
import type { JobStatus, TimelineEntry } from '../../contracts/types.ts';
import { errorMessage } from '../../language/error-message.ts';
import { stepText } from '../print/job-text.ts';
import { writeLog } from '../print/log-text.ts';
import { colours, note } from '../print/output.ts';
import { untilInterrupted } from './wait.ts';

/** Prints each step of a job and its log as they arrive, to standard error; standard output is for the outcome. */
export function printUntilEnd(job: JobHandle): Promise<JobOutcome> {
  return untilInterrupted([job], async (signal) => {
    const logs = printLogs(job, signal);
    const print = stepPrinter();
    for await (const status of job.watch({ signal, onInterrupted })) print(status);
    const outcome = await job.wait({ signal });
    await logs;
    return outcome;
  });
}

/** The timeline also contains the steps between two updates. */
function stepPrinter(): (status: JobStatus) => void {
  const unprinted = newEntries();
  return ({ timeline }) => {
    for (const entry of unprinted(timeline)) if (!isRoutine(entry)) note(stepText(entry));
  };
}

/** A clean-up with nothing to tell: the line before it has said how the job ended, and the outcome follows. */
const isRoutine = ({ phase, cause }: TimelineEntry): boolean =>
  isFinal(phase) && Object.values(CLEAN_UP_WORDS).some((words) => words === cause);

async function printLogs(job: JobHandle, signal: AbortSignal): Promise<void> {
  try {
    for await (const { pod, text } of job.logs({ follow: true, signal }))
      writeLog(text, { prefix: `${colours.dim(`${pod} |`)} `, stream: process.stderr });
  } catch (error) {
    if (signal.aborted) return;
    const { withoutRequest } = await import('../../cluster/errors.ts');
    note(`warning: no log: ${withoutRequest(error)}`);
  }
}

const onInterrupted = (error: unknown): void => {
  note(colours.dim(`(${errorMessage(error)} Trying again.)`));
};
