import { withoutUndefined } from '../language/fields.ts';
import { type LineReading, recognise, type StepReading } from './recognise.ts';
import { StepTrack } from './step-track.ts';

/** A line of a log, and when it was written, in epoch milliseconds. */
export interface TimedLine {
  readonly at: number;
  readonly text: string;
}

/** A checkpoint that a log tells of. Without a step in the line, the step is that of the last report before it. */
export interface CheckpointMark {
  readonly at: number;
  readonly step?: number;
}

/** What an attempt's log tells of its steps. Times are epoch milliseconds. */
export interface StepsRead {
  readonly form: string;
  readonly step?: number;
  readonly total?: number;
  readonly epoch?: number;
  /** Steps, or what the form counts instead, since the attempt began to tell; grows with each. */
  readonly count: number;
  /** When it was last told. */
  readonly at: number;
  /** The first step that was read, where it is one of the whole run. */
  readonly first?: { readonly at: number; readonly step: number };
  /** Usual times between two steps, and between two reports. */
  readonly stepMs?: number;
  readonly newsMs?: number;
  /** The last sign of life: a report, a line of an evaluation or of another bar. */
  readonly aliveAt: number;
  /** Without a sign of life for longer, the program is silent. */
  readonly limitMs: number;
  /** What the program does between its steps, if it does. */
  readonly phase?: 'evaluation' | 'saving' | 'other';
  readonly notANumber?: { readonly at: number; readonly step?: number };
  /** The highest step before the program went back by itself. */
  readonly wentBackFrom?: number;
}

interface ReaderOptions {
  /** For how long a source must have reported before it counts, in milliseconds. */
  readonly leastSpanMs?: number;
}

const LEAST = { reports: 3, increases: 2, spanMs: 10_000 };
const LIMITS = { leastMs: 60_000, news: 3, steps: 40, mostOfStepsMs: 1_800_000, openSaveMs: 1_800_000 };
/** A source that has been silent for so long makes room for another; for a bar that began beside it, after longer. */
const REST = { intervals: 10, leastMs: 300_000, besideMs: 1_800_000 };

/** Reads the steps in the log of one attempt, and chooses the source among what the log has. */
export class StepReader {
  readonly #leastSpanMs: number;
  readonly #tracks = new Map<string, StepTrack>();
  #chosen?: StepTrack;
  #former = new Set<StepTrack>();
  /** The epoch that a line of its own told last. */
  #epoch?: number;
  #aliveAt = 0;
  /** The longest time between signs of life in the present phase. */
  #pauseMs = 0;
  #phase?: 'evaluation' | 'saving' | 'other';
  saving?: CheckpointMark;
  saved?: CheckpointMark;
  resumed?: CheckpointMark;

  constructor({ leastSpanMs = LEAST.spanMs }: ReaderOptions = {}) {
    this.#leastSpanMs = leastSpanMs;
  }

  /** Lines were left out: the gap between what was read before and after is not that between two reports. */
  skipLines(): void {
    for (const track of this.#tracks.values()) track.skipReports();
  }

  read({ at, text }: TimedLine): void {
    const reading = recognise(text);
    if (!reading) return;
    if (reading.kind === 'progress') this.#onStep(reading, at);
    else if (reading.kind === 'field') this.#epoch = reading.epoch ?? this.#epoch;
    else this.#onOther(reading, at);
  }

  /** Whether any line was like a report of steps. */
  get hasReports(): boolean {
    return this.#tracks.size > 0;
  }

  /** Returns what is known; undefined as long as no source of steps is. */
  get steps(): StepsRead | undefined {
    const track = this.#chosen;
    if (!track) return undefined;
    const { form, lastAt: at, stepMs, newsMs, notANumber, wentBackFrom } = track;
    const { step, total, epoch, count } = track.position!;
    const from = track.first?.step;
    const limitMs = Math.max(limitOf(track), this.#phase ? LIMITS.news * this.#pauseMs : 0);
    return {
      ...{ form, count, at, aliveAt: Math.max(at, this.#aliveAt), limitMs },
      ...withoutUndefined({ step, total: this.#totalOf(track) ?? total, epoch, stepMs, newsMs }),
      ...(from === undefined ? {} : { first: { at: track.firstAt, step: from } }),
      ...withoutUndefined({ phase: this.#phase, notANumber, wentBackFrom }),
    };
  }

  #onStep(reading: StepReading, at: number): void {
    const key = `${reading.form} ${reading.bar ?? ''}`;
    const isBeside = this.#chosen?.isUnfinishedBar === true;
    const track = this.#tracks.get(key) ?? new StepTrack(reading, { at, isBeside });
    this.#tracks.set(key, track);
    track.report(reading, at, { epoch: this.#epochFor(track, reading) });
    if (this.#chosen && track !== this.#chosen) this.#onOtherSource(at);
    else this.#phase = undefined;
    this.#choose(track, at);
  }

  /** Another bar than the chosen one: an evaluation without a name, or the bar of the epochs. */
  #onOtherSource(at: number): void {
    this.#live(at);
    this.#chosen?.interrupt();
  }

  #onOther(
    { kind, step }: Exclude<LineReading, { kind: 'progress' | 'field' }> & { readonly step?: number },
    at: number,
  ): void {
    const mark = { at, ...withoutUndefined({ step: step ?? this.#chosen?.position?.step }) };
    this.#interrupt();
    this.#live(at);
    if (kind === 'saving') this.saving = mark;
    else if (kind === 'saved') this.saved = step === undefined && this.saving ? { ...this.saving, at } : mark;
    else if (kind === 'resumed') this.resumed = { at, ...withoutUndefined({ step }) };
    this.#phase = kind === 'saved' || kind === 'resumed' ? undefined : kind;
  }

  #interrupt(): void {
    for (const track of this.#tracks.values()) track.interrupt();
  }

  #live(at: number): void {
    const since = Math.max(this.#aliveAt, this.#chosen?.lastAt ?? at);
    this.#pauseMs = this.#phase ? Math.max(this.#pauseMs, at - since) : 0;
    this.#aliveAt = at;
  }

  /** A better source counts at once, an equal one when the chosen one rests, or had made room for another. */
  #choose(track: StepTrack, at: number): void {
    const chosen = this.#chosen;
    if (track === chosen || !this.#isCandidate(track)) return;
    const isBetter =
      !chosen ||
      track.rank < chosen.rank ||
      at - chosen.lastAt > restMs(chosen, track) ||
      (this.#former.has(track) && track.rank === chosen.rank && track.reports > chosen.reports);
    if (!isBetter) return;
    if (chosen) this.#former.add(chosen);
    this.#chosen = track;
    this.#phase = undefined;
  }

  #isCandidate = ({ reports, increases, firstAt, lastAt }: StepTrack): boolean =>
    reports >= LEAST.reports && increases >= LEAST.increases && lastAt - firstAt >= this.#leastSpanMs;

  /** The epochs that are over, from a bar of epochs around this one; or the epoch from a line of its own. */
  #epochFor(track: StepTrack, reading: StepReading): number | undefined {
    if (reading.bar === undefined) return reading.within === undefined ? undefined : this.#epoch;
    return this.#outerOf(track)?.last?.step;
  }

  #totalOf(track: StepTrack): number | undefined {
    const [outer, inner] = [this.#outerOf(track)?.last?.total, track.last?.total];
    return outer === undefined || inner === undefined ? undefined : outer * inner;
  }

  #outerOf(track: StepTrack): StepTrack | undefined {
    if (!track.isBar || isOfEpochs(track)) return undefined;
    return [...this.#tracks.values()].find((other) => other !== track && isOfEpochs(other));
  }
}

const restMs = ({ newsMs = 0 }: StepTrack, { isBeside }: StepTrack): number =>
  Math.max(REST.intervals * newsMs, isBeside ? REST.besideMs : REST.leastMs);

const isOfEpochs = ({ last }: StepTrack): boolean => /^\W*epochs?\b/i.test(last?.bar ?? '');

function limitOf({ newsMs = 0, stepMs }: StepTrack): number {
  const ofSteps = Math.min(LIMITS.steps * (stepMs ?? newsMs), LIMITS.mostOfStepsMs);
  return Math.max(LIMITS.leastMs, LIMITS.news * newsMs, ofSteps);
}

/** Whether a program that made steps has shown no sign of life for longer than it may. */
export function isWithoutSteps({ phase, aliveAt, limitMs }: StepsRead, now: number): boolean {
  return now - aliveAt > (phase === 'saving' ? Math.max(limitMs, LIMITS.openSaveMs) : limitMs);
}
