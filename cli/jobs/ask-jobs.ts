import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Intervention } from '../../contracts/types.ts';
import { tallyText } from '../../language/tally.ts';
import { type ErrorData, errorData } from '../print/error-data.ts';
import { type FormatOrName, note, print, write, writeData } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { explainError } from '../shell/errors.ts';
import { type Exit, exitOfError, exitWith } from '../shell/exit-codes.ts';

/** What a command requests of a job. */
export interface InterventionCall {
  /** Resolves when the job has accepted the request, or has already ended. */
  readonly ask: (job: JobHandle, who: Intervention) => Promise<void> | Promise<'requested' | 'already-ended'>;
  /** Printed when the job has accepted the request. */
  readonly sentence: string;
  /** Prints the result instead of `sentence`. */
  readonly report?: (jobs: readonly JobHandle[]) => Promise<void>;
}

export interface AskOptions {
  readonly why?: string;
  readonly output: FormatOrName;
}

const WAITING = 'waiting for a worker';

/** Asks one job and prints its answer. A busy worker may take a while. */
export async function askOne(
  job: JobHandle,
  call: InterventionCall,
  { why, output }: AskOptions,
): Promise<void> {
  const progress = createProgress(process.stderr);
  progress.step(WAITING);
  const outcome = (await call.ask(job, { why }).finally(progress.end)) ?? 'requested';
  if (call.report) return call.report([job]);
  if (output === 'name') return writeData(job.workflowId, 'text');
  await print({ workflowId: job.workflowId, outcome }, output, () => sentenceOfAnswer(job, call, outcome));
}

const sentenceOfAnswer = ({ workflowId }: JobHandle, { sentence }: InterventionCall, outcome: string) =>
  `${workflowId}: ${outcome === 'requested' ? sentence : 'has already ended'}`;

/** A job that a command is for; `find` throws if there is no such job. */
export interface Target {
  /** As it was given. */
  readonly name: string;
  find(): Promise<JobHandle>;
}

interface Answer {
  readonly workflowId: string;
  readonly outcome: 'requested' | 'already-ended' | 'failed';
  readonly error?: ErrorData;
}

/** Temporal answers each in some 10 ms; more at once would only queue there. */
const AT_ONCE = 8;

/**
 * Asks every job, even if one refuses; prints a line for each as it answers, and how many did what. The exit code is
 * that of the first failure, in the given order.
 */
export async function askAll(
  targets: readonly Target[],
  call: InterventionCall,
  { why, output }: AskOptions,
): Promise<void> {
  const asked: JobHandle[] = [];
  const failures: Exit[] = [];
  const progress = createProgress(process.stderr);
  let answered = 0;
  const ask = async (target: Target, index: number): Promise<Answer> => {
    try {
      const job = await target.find();
      const outcome = (await call.ask(job, { why })) ?? 'requested';
      asked.push(job);
      progress.clear();
      if (!output && !call.report) write(sentenceOfAnswer(job, call, outcome));
      return { workflowId: job.workflowId, outcome };
    } catch (error) {
      failures[index] = exitOfError(error);
      progress.note(`${target.name}: ${explainError(error, { debug: false })}`);
      return { workflowId: target.name, outcome: 'failed', error: errorData(error) };
    } finally {
      progress.detail(`${++answered} of ${targets.length} jobs have answered`);
    }
  };
  const { default: pMap } = await import('p-map');
  progress.step(WAITING);
  const answers = await pMap(targets, ask, { concurrency: AT_ONCE }).finally(progress.end);
  if (output === 'name') for (const name of namesOf(answers)) writeData(name, 'text');
  else if (output && !call.report) await print(answers, output, () => '');
  note(tallyOfAnswers(answers));
  if (call.report && asked.length > 0) await call.report(asked);
  exitWith(...failures.filter(Boolean));
}

const namesOf = (answers: readonly Answer[]) =>
  answers.filter(({ outcome }) => outcome !== 'failed').map(({ workflowId }) => workflowId);

function tallyOfAnswers(answers: readonly Answer[]): string {
  const words: readonly (readonly [Answer['outcome'], string])[] = [
    ['requested', 'requested'],
    ['already-ended', 'had already ended'],
    ['failed', 'failed'],
  ];
  const countOf = (outcome: Answer['outcome']) => answers.filter((one) => one.outcome === outcome).length;
  return tallyText(
    answers.length,
    words.map(([outcome, word]) => [word, countOf(outcome)]),
  );
}
