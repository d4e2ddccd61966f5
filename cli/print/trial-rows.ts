import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { SweepTrial } from '../../contracts/parameter-sweep.ts';
import { tookMs } from '../../contracts/took.ts';
import { painted } from './output.ts';
import { tookText } from './times.ts';

/** Returns the table of a sweep's trials for people: a column for each parameter. */
export function trialRows(trials: readonly SweepTrial[]): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const parameters = Object.keys(trials[0]?.values ?? {});
  const head = ['TRIAL', ...parameters, 'PHASE', 'REASON', 'PROGRESS', 'TIME'];
  const rows = trials.map(({ name, values, phase, reason, why, progress = '', ...times }) => [
    ...[name, ...parameters.map((parameter) => valueText(values[parameter]))],
    ...[painted(phase), reason ?? why ?? '', progress, tookText(times)],
  ]);
  return { head, rows };
}

/** A value of a parameter as people write it. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** How long a trial has taken so far, in milliseconds; nothing for one that was not started. */
export const trialTime = ({ startTime, endTime }: SweepTrial): number | undefined =>
  startTime === undefined ? undefined : tookMs({ startTime, endTime });

/** Returns the first number of a text: `0.25`, `loss=2.3e-05`, `-12`. */
export function asNumber(text: string): number | undefined {
  const digits = /(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns why no trial that was started shows progress; undefined if one does. */
export function noProgress(trials: readonly SweepTrial[]): string | undefined {
  const isStarted = trials.some(({ startTime }) => startTime !== undefined);
  if (!isStarted || trials.some(({ progress }) => progress !== undefined)) return undefined;
  return `No trial has reported progress: it is what the pattern of the policy finds in the log. To add one to the manifest: metadata.annotations: { ${ANNOTATIONS.policy}: "progress: { log: 'loss=([0-9.e+-]+)' }" }`;
}
