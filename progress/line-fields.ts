import { compileRows, type Line } from './matching.ts';

const NUMBER = String.raw`[\d.]+`;

const LOSS = compileRows([
  {
    literals: ['loss'],
    pattern: String.raw`(?i)\b(?:lm[ _]|train[_ /]|total_|reduced_train_|ce )?loss['"]?(?: =|:|=| )\s*['"]?(?P<loss>[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf))(?:[^\d.]|$)`,
  },
])[0]!;

const OTHER_LOSS = compileRows([
  {
    literals: ['loss'],
    pattern: String.raw`(?i)\b(?:val|valid|validation|eval|evaluation|test)[ _/]+(?:set )?loss`,
  },
])[0]!;

/** Seconds of a step, or steps of a second. */
const SECONDS = compileRows([
  seconds(
    'elapsed time per iteration (ms): ',
    String.raw`elapsed time per iteration \(ms\): (?P<v>${NUMBER})`,
    0.001,
  ),
  seconds('seconds: ', String.raw`\bseconds: (?P<v>${NUMBER})`),
  seconds('iter time (s): ', String.raw`iter time \(s\): (?P<v>${NUMBER})`),
  seconds('timing in s: ', `train_step_timing in s: (?P<v>${NUMBER})`),
  seconds(', time ', `, time (?P<v>${NUMBER})ms`, 0.001),
  seconds(' ms', String.raw`\| \(?(?P<v>${NUMBER}) ms`, 0.001),
  seconds('step_avg:', `step_avg:(?P<v>${NUMBER})ms`, 0.001),
  seconds('time', String.raw`\s[tT]ime:? +(?P<v>${NUMBER})`),
  seconds('s/', String.raw`\b(?P<v>${NUMBER})s/(?:it|step|ba)\b`),
  seconds('ms/step', String.raw`\b(?P<v>${NUMBER})ms/step\b`, 0.001),
  seconds('us/step', String.raw`\b(?P<v>${NUMBER})us/step\b`, 0.000_001),
  { ...seconds('/s', String.raw`\b(?P<v>[\d.,]+) ?(?:it|ba)/s`), isRate: true },
  { ...seconds('steps_per_second: ', `interval_steps_per_second: (?P<v>${NUMBER})`), isRate: true },
  { ...seconds(' steps/s', `(?P<v>${NUMBER}) steps/s`), isRate: true },
]);

function seconds(literal: string, pattern: string, times = 1) {
  return { literals: [literal], pattern, times, isRate: false };
}

/** Returns the loss of the training; undefined if the line has none. */
export const lossIn = (line: Line): number | 'nan' | undefined => lossOf(LOSS.find(line)?.loss);

/** Infinity is as good as no number. */
export function lossOf(text: string | undefined): number | 'nan' | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : 'nan';
}

/** Whether the line tells of a loss that is not that of a training step. */
export const hasOtherLoss = (line: Line): boolean => OTHER_LOSS.find(line) !== undefined;

/** Returns how long a step takes as the line says, in seconds: often an average. */
export function secondsPerStepIn(line: Line): number | undefined {
  for (const { find, times, isRate } of SECONDS) {
    const value = Number(find(line)?.v?.replaceAll(',', ''));
    if (value > 0) return isRate ? 1 / value : value * times;
  }
  return undefined;
}
