import type { JobHandle } from '../../client/handles/job-handle.ts';
import { newEntries } from '../../client/use-cases/pods/new-entries.ts';
import { CLAUSE_END, clausesOf, END_WORDS } from '../../contracts/end-words.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Cause, JobStatus, TimelineEntry } from '../../contracts/types.ts';
import { errorMessage } from '../../language/error-message.ts';
import { stepText } from '../print/job-text.ts';
import { writeLog } from '../print/log-text.ts';
import { colours, note } from '../print/output.ts';
import { endOf, type JobEnd } from './job-end.ts';
import { untilInterrupted } from './wait.ts';

/** Prints each step of a job and its log as they arrive, to standard error; standard output is for the outcome. */
export function printUntilEnd(job: JobHandle): Promise<JobEnd> {
  return untilInterrupted([job], async (signal) => {
    const logs = printLogs(job, signal);
    const print = stepPrinter();
    for await (const status of job.watch({ signal, onInterrupted })) print(status);
    const outcome = await endOf(job, signal);
    await logs;
    return outcome;
  });
}

/** The timeline also contains the steps between two updates. */
function stepPrinter(): (status: JobStatus) => void {
  const unprinted = newEntries();
  return ({ timeline, cause }) => {
    for (const entry of unprinted(timeline)) {
      const news = newsOf(entry, cause);
      if (news) note(stepText({ ...entry, cause: news }));
    }
  };
}

/** Leaves out of the end what the outcome is about to tell, unless the job waits for something before that. */
function newsOf({ phase, state, cause: words }: TimelineEntry, cause: Cause | undefined): string {
  if (!isFinal(phase) || WAITING_ENDS.has(state)) return words;
  const told = new Set([...Object.values<string>(END_WORDS), ...clausesOf(cause?.message ?? '')]);
  return clausesOf(words)
    .filter((clause) => !told.has(clause))
    .join(CLAUSE_END);
}

const WAITING_ENDS: ReadonlySet<string> = new Set(['Finishing.Checkpointing', 'Finishing.Holding']);

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
