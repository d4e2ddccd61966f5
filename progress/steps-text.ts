import { formatDuration, formatShortDuration } from '../language/duration.ts';
import { timeOf } from '../language/time.ts';
import { isWithoutSteps, type StepsRead } from './step-reader.ts';

/** Says where a program is in its run, and since when it makes no steps. */
export function stepsSentence(steps: StepsRead, now: number): string {
  const { at, phase, notANumber, wentBackFrom } = steps;
  const parts = isWithoutSteps(steps, now)
    ? [`${noStepsSentence(steps)}, ${formatDuration(now - at)} ago`]
    : [placeOf(steps), usuallyOf(steps), phase && `${PHASES[phase]} since the last step at ${timeOf(at)}`];
  const remarks = [
    notANumber &&
      `its loss is no number since ${notANumber.step === undefined ? timeOf(notANumber.at) : `step ${notANumber.step}`}`,
    wentBackFrom !== undefined && `it went back from step ${wentBackFrom}`,
  ];
  return [parts.filter(Boolean).join(', '), ...remarks.filter(Boolean)].join('; ');
}

/** Says the same of a program that makes none, in words that stay. */
export function noStepsSentence(steps: StepsRead): string {
  const usual = usuallyOf(steps);
  return [
    `no step since ${timeOf(steps.at)}`,
    ...(usual ? [`usually ${usual}`] : []),
    `the last read was ${placeOf(steps)}`,
  ].join(', ');
}

const PHASES = {
  evaluation: 'evaluating',
  saving: 'saving a checkpoint',
  other: 'doing something else',
} as const;

/** `step 60 of 100`. */
function placeOf({ step, total, epoch, count }: StepsRead): string {
  if (step !== undefined) return total === undefined ? `step ${step}` : `step ${step} of ${total}`;
  return epoch === undefined ? `at ${count}` : `epoch ${epoch}`;
}

/** Reports alone have no length of a step. */
function usuallyOf({ stepMs, newsMs }: StepsRead): string | undefined {
  if (stepMs !== undefined) return `one every ${formatShortDuration(stepMs)}`;
  return newsMs === undefined ? undefined : `a report every ${formatShortDuration(newsMs)}`;
}
