import { type Band, behind, type CostQuestion, type Estimate, estimate } from '../estimate.ts';
import { bestInterval } from '../ettr.ts';
import { FAULT_KINDS, type FaultKindName, secondsBetweenFaults } from '../failure-mixes.ts';
import type { SystemTimes } from '../recovery-times.ts';

/** What people put into the page, as numbers. */
export const INPUTS = {
  gpus: { label: 'GPUs of the job', unit: '', value: 1_024, least: 8 },
  price: { label: 'price of a GPU', unit: 'per hour', value: 2, least: 0 },
  interval: { label: 'training between two checkpoints', unit: 'minutes', value: 30, least: 0.1 },
  save: { label: 'training pauses for a checkpoint', unit: 'seconds', value: 10, least: 0 },
  start: {
    label: 'your program starts more slowly than the one that was measured',
    unit: 'seconds',
    value: 180,
    least: 0,
  },
  person: { label: 'until a person acts, where nothing else does', unit: 'hours', value: 1, least: 0 },
  crash: { label: FAULT_KINDS.crash, unit: 'faults', value: 265.6, least: 0 },
  hang: { label: FAULT_KINDS.hang, unit: 'faults', value: 101.4, least: 0 },
  'node-silent': { label: FAULT_KINDS['node-silent'], unit: 'faults', value: 14, least: 0 },
  drain: { label: FAULT_KINDS.drain, unit: 'faults', value: 32, least: 0 },
  days: { label: 'they were counted over', unit: 'days', value: 54, least: 0.01 },
  counted: { label: 'on', unit: 'GPUs', value: 16_384, least: 8 },
} as const satisfies Readonly<Record<string, Input>>;
export type InputName = keyof typeof INPUTS;

interface Input {
  readonly label: string;
  readonly unit: string;
  /** What the page begins with. */
  readonly value: number;
  readonly least: number;
}

export type Values = Readonly<Record<InputName, number>>;

export interface CostAnswer {
  /** What the numbers mean together, or what is wrong with one of them. */
  readonly summary: readonly string[];
  readonly rows: readonly CostRow[];
}

export interface CostRow extends Estimate {
  readonly name: string;
  /** How far it is behind the first one; undefined for that. */
  readonly behind?: Band;
  readonly lostGpuHours: number;
  readonly lostMoney: number;
}

const MONTH_HOURS = 730;
const GPUS_PER_NODE = 8;

/** Returns the numbers, or a sentence about the first that is not one. */
export function readValues(texts: Readonly<Record<InputName, string>>): Values | string {
  const values: Partial<Record<InputName, number>> = {};
  for (const name of Object.keys(INPUTS) as InputName[]) {
    const { label, least } = INPUTS[name];
    const value = texts[name].trim() === '' ? Number.NaN : Number(texts[name]);
    if (!(value >= least && value < Number.POSITIVE_INFINITY))
      return `${label}: expected a number of at least ${least}, got ${texts[name] || 'nothing'}`;
    values[name] = value;
  }
  const read = values as Values;
  return KINDS.some((kind) => read[kind] > 0) ? read : 'faults: expected at least one of some kind, got none';
}

const KINDS = Object.keys(FAULT_KINDS) as FaultKindName[];

/** For all systems whose times are known for the kinds of faults that occur; the best first. */
export function costAnswerOf(systems: readonly SystemTimes[], values: Values): CostAnswer {
  const question = questionOf(values);
  const rows = systems.flatMap((system): CostRow[] => {
    const found = estimate(system, question);
    if (!found) return [];
    const lostGpuHours = (1 - found.ettr) * values.gpus * MONTH_HOURS;
    const name = `${system.system}, ${system.settings}`;
    return [{ name, ...found, lostGpuHours, lostMoney: lostGpuHours * values.price }];
  });
  const [first, ...others] = rows.sort((a, b) => b.ettr - a.ettr);
  const compared = others.map((row) => ({ ...row, behind: behind(row, first!) }));
  return { summary: summaryOf(question), rows: first ? [first, ...compared] : [] };
}

function questionOf(values: Values): CostQuestion {
  const counts = {
    crash: values.crash,
    hang: values.hang,
    'node-silent': values['node-silent'],
    drain: values.drain,
  };
  return {
    gpus: values.gpus,
    mix: { counts, nodeDays: (values.counted / GPUS_PER_NODE) * values.days },
    intervalSeconds: values.interval * 60,
    saveSeconds: values.save,
    startSeconds: values.start,
    personSeconds: values.person * 3_600,
  };
}

function summaryOf(question: CostQuestion): string[] {
  const mean = secondsBetweenFaults(question.mix, question.gpus);
  const best = bestInterval({ ...question, secondsBetweenFaults: mean });
  const advice = `Checkpoints each ${roughTime(best)} would be best (by Young's formula).`;
  return [`A fault comes each ${roughTime(mean)} on average.`, ...(question.saveSeconds > 0 ? [advice] : [])];
}

/** `90 s`, `12 min`, `3.1 h`, `47 days`. */
export function roughTime(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 3_600) return `${Number((seconds / 60).toPrecision(2))} min`;
  if (seconds < 172_800) return `${Number((seconds / 3_600).toPrecision(2))} h`;
  return `${Number((seconds / 86_400).toPrecision(2))} days`;
}

/** In points, with two digits: `0.41 to 1.20`. */
export const pointsBehind = ({ behind }: Pick<CostRow, 'behind'>): string =>
  behind ? `${(100 * behind.low).toFixed(2)} to ${(100 * behind.high).toFixed(2)}` : '';

/** With one digit. */
export const inPercent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;
