import type { StepReading } from './recognise.ts';

/** Where a run is, as one source of steps tells it. */
export interface RunPosition {
  /** Grows with each step of the attempt. */
  readonly count: number;
  /** Steps of the whole run. */
  readonly step?: number;
  readonly total?: number;
  readonly epoch?: number;
}

/** One source of steps in a log: a form, or one bar of a form that may draw several. */
export class StepTrack {
  readonly form: string;
  readonly isBar: boolean;
  /** A bar that began while another was not at its end, as that of an evaluation does. */
  readonly isBeside: boolean;
  reports = 0;
  increases = 0;
  /** How often the count began again. */
  laps = 0;
  last?: StepReading;
  position?: RunPosition;
  /** The first report. */
  first?: RunPosition;
  readonly firstAt: number;
  lastAt: number;
  /** Since when the loss is no number: the step, or the time where there is none. */
  notANumber?: { readonly at: number; readonly step?: number };
  wentBackFrom?: number;
  /** Milliseconds between reports that arrive apart. */
  readonly #news: number[] = [];
  /** Milliseconds of a step. */
  readonly #steps: number[] = [];
  /** The first report of those that arrived last, at once. */
  #block?: { readonly at: number; readonly count: number };
  /** The most steps that have arrived at once. */
  #blockSteps = 0;
  #isInterrupted = false;
  #isSkipped = false;

  constructor(
    { form, bar }: StepReading,
    { at, isBeside }: { readonly at: number; readonly isBeside: boolean },
  ) {
    this.form = form;
    this.isBar = bar !== undefined;
    this.isBeside = this.isBar && isBeside;
    this.firstAt = at;
    this.lastAt = at;
  }

  /** 0 is the best source. */
  get rank(): number {
    const { step, total, within, amount } = this.last ?? {};
    if (this.form === 'plain') return 5;
    if (this.isBar) return 3;
    if (step !== undefined) return total === undefined ? 1 : 0;
    return within !== undefined || amount !== undefined ? 2 : 4;
  }

  get isUnfinishedBar(): boolean {
    const { step = 0, total = 0 } = this.last ?? {};
    return this.isBar && step < total;
  }

  /** Usual time between reports, in milliseconds. */
  get newsMs(): number | undefined {
    const inBlocks = this.#blockSteps * (this.stepMs ?? 0);
    return Math.max(median(this.#news) ?? 0, inBlocks) || undefined;
  }

  /** Usual time of a step, in milliseconds. */
  get stepMs(): number | undefined {
    return this.rank === 4 ? undefined : median(this.#steps);
  }

  /** Reports were not read. */
  skipReports(): void {
    this.#isSkipped = true;
  }

  /** Something else took time: the next gap is not the usual one. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  report(reading: StepReading, at: number, around: { readonly epoch?: number }): void {
    const before = this.position;
    if (isCopy(reading, this.last, at - this.lastAt)) return;
    this.laps += this.last && startsOver(reading, this.last) ? 1 : 0;
    const position = positionOf(reading, { laps: this.laps, ...around });
    this.#measure(position.count, at);
    // Epochs alone are rounded: each report is news.
    if (this.reports > 0 && (reading.epoch !== undefined || position.count > before!.count)) this.increases++;
    if (before?.step !== undefined && position.step !== undefined && position.step < before.step)
      this.wentBackFrom = Math.max(before.step, this.wentBackFrom ?? 0);
    this.reports++;
    this.last = reading;
    this.position = position;
    this.first ??= position;
    this.lastAt = at;
    if (reading.loss !== undefined)
      this.notANumber = reading.loss === 'nan' ? (this.notANumber ?? { at, step: position.step }) : undefined;
  }

  /** What arrives at once is one piece of news. */
  #measure(count: number, at: number): void {
    const block = this.#block;
    if (block && at <= block.at) {
      this.#blockSteps = Math.max(this.#blockSteps, count - block.count);
      return;
    }
    const isUsual = block !== undefined && !this.#isInterrupted;
    if (isUsual && !this.#isSkipped) keep(this.#news, at - block.at);
    if (isUsual && count > block.count) keep(this.#steps, (at - block.at) / (count - block.count));
    this.#block = { at, count };
    this.#isInterrupted = false;
    this.#isSkipped = false;
  }
}

/** Each rank may print the same. */
const COPY_MS = 1_000;

const isCopy = (reading: StepReading, last: StepReading | undefined, ms: number) =>
  last !== undefined &&
  ms < COPY_MS &&
  reading.step === last.step &&
  reading.within === last.within &&
  reading.amount === last.amount &&
  (reading.step ?? reading.within ?? reading.amount) !== undefined &&
  reading.epoch === last.epoch;

/** A bar, or a count within an epoch, begins again; a run that goes back in its midst does not. */
function startsOver(reading: StepReading, last: StepReading): boolean {
  const [now, before, total] =
    reading.bar === undefined
      ? [reading.within, last.within, last.withinTotal]
      : [reading.step, last.step, last.total];
  if (now === undefined || before === undefined || now >= before) return false;
  return reading.bar === undefined || before >= NEARLY * (total ?? 0);
}

const NEARLY = 0.9;

interface Around {
  readonly laps: number;
  /** The epoch that another line tells: how many are complete, for a bar, else as the form counts them. */
  readonly epoch?: number;
}

function positionOf(reading: StepReading, { laps, epoch: told }: Around): RunPosition {
  const { bar, step, total, within, withinTotal, amount } = reading;
  if (bar !== undefined && total) return ofBar({ step: step!, total, laps, epochs: told });
  if (step !== undefined) return { count: step, step, total, epoch: reading.epoch };
  const epoch = reading.epoch ?? told;
  if (within === undefined) return { count: amount ?? epoch ?? 0, epoch };
  const length = withinTotal ?? 0;
  if (epoch === undefined || withinTotal === undefined) return { count: laps * length + within, epoch };
  const count = (epoch - (reading.epochsFrom ?? 0)) * length + within;
  return { count, step: count, epoch };
}

function ofBar(bar: { step: number; total: number; laps: number; epochs: number | undefined }): RunPosition {
  const { step, total, laps, epochs } = bar;
  if (epochs !== undefined)
    return { count: epochs * total + step, step: epochs * total + step, epoch: epochs };
  // A bar that began again counts within something; of what, nobody has said.
  return laps > 0 ? { count: laps * total + step } : { count: step, step, total };
}

const MOST_KEPT = 20;

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > MOST_KEPT) values.shift();
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
