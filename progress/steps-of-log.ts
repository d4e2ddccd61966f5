import { withoutUndefined } from '../language/fields.ts';
import { isWithoutSteps, StepReader } from './step-reader.ts';
import { stepsSentence } from './steps-text.ts';

/** Lines of a log with their times, RFC 3339. */
type Lines = readonly { readonly time: string; readonly text: string }[];

/** Returns what the last lines of a log told of steps at a time, as answers and records have it. */
export function stepsOfLog(lines: Lines, now: number) {
  // The last lines of a fast program are of less than the time that a source is otherwise given.
  const reader = new StepReader({ leastSpanMs: 0 });
  for (const { time, text } of lines) reader.read({ at: Date.parse(time), text });
  const { steps } = reader;
  if (!steps) return undefined;
  const { form, step, total, epoch, at, stepMs } = steps;
  return {
    ...{ sentence: stepsSentence(steps, now), form },
    ...withoutUndefined({ step, total, epoch }),
    at: new Date(at).toISOString(),
    ...(stepMs === undefined ? {} : { secondsPerStep: Math.round(stepMs) / 1000 }),
    ...(isWithoutSteps(steps, now) ? { isLate: true as const } : {}),
  };
}
