import { withoutUndefined } from '../language/fields.ts';
import { type CheckpointMark, StepReader, type TimedLine } from './step-reader.ts';

/** What a log tells of the steps of an attempt that is over. Times are epoch milliseconds. */
interface AttemptSteps {
  readonly first: StepAt;
  readonly last: StepAt;
  /** The last checkpoint that is complete. */
  readonly saved?: CheckpointMark;
  /** What it went on from. */
  readonly resumed?: CheckpointMark;
}

interface StepAt {
  readonly at: number;
  /** Of the whole run. */
  readonly step: number;
}

/** They count the rounds of an attempt, also if it continues a model. */
const COUNTS_OF_ATTEMPT: ReadonlySet<string> = new Set(['boosting']);

/**
 * Reads how far an attempt came, from the begin of its log and its end; undefined unless steps of the whole run are known. A
 * program that counts anew after a checkpoint is shifted by the step of that.
 */
export function attemptStepsIn(
  head: readonly TimedLine[],
  tail: readonly TimedLine[],
): AttemptSteps | undefined {
  const reader = new StepReader({ leastSpanMs: 0 });
  for (const line of head) reader.read(line);
  const { resumed } = reader;
  const readTo = head.at(-1)?.at ?? 0;
  const rest = tail.filter(({ at }) => at > readTo);
  // What was written in between is not known.
  reader.skipLines();
  for (const line of rest) reader.read(line);
  const { steps, saved } = reader;
  if (steps?.step === undefined || steps.first?.step === undefined) return undefined;
  if (COUNTS_OF_ATTEMPT.has(steps.form)) return undefined;
  const { first } = steps;
  const before = resumed?.step !== undefined && first.step < resumed.step ? resumed.step : 0;
  // Where it went on from is not said, and it counts from the beginning.
  if (resumed && resumed.step === undefined && first.step <= 1) return undefined;
  return {
    first: { at: first.at, step: first.step + before },
    last: { at: steps.at, step: steps.step + before },
    ...withoutUndefined({ resumed, saved: saved && shifted(saved, before) }),
  };
}

const shifted = ({ at, step }: CheckpointMark, before: number): CheckpointMark => ({
  at,
  ...(step === undefined ? {} : { step: step < before ? step + before : step }),
});
