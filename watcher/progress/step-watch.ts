import type { LogLine } from '../../cluster/log-lines.ts';
import { compareTimes } from '../../cluster/log-position.ts';
import { isWithoutSteps, StepReader, type StepsRead } from '../../progress/step-reader.ts';
import { noStepsSentence } from '../../progress/steps-text.ts';

/** How many lines from its end are read of a log: few once they are known to tell a step. */
const TAILS = { first: 5, usual: 5, unknown: 20, most: 100, standing: 1_000 } as const;

const PAUSES = {
  leastMs: 10_000,
  mostMs: 300_000,
  /** A program that shows no steps is looked at often while it starts, then now and then. */
  unknownMs: 60_000,
  givenUpMs: 600_000,
  startMs: 600_000,
} as const;

/** Clocks of nodes may differ by so much. */
const CLOCK_MS = 300_000;

interface PodLog {
  reader: StepReader;
  readTo?: string;
  tail: number;
}

/** The steps of one attempt of a job, as the ends of its logs tell them, read now and then. */
export class StepWatch {
  /** uid of the main pod. */
  readonly pod: string;
  readonly attempt: number;
  /** Since when there was no step, if that is longer than usual. */
  late?: string;
  nextAt: number;
  readonly #since: number;
  readonly #logs = new Map<string, PodLog>();
  /** The pod whose log shows the steps. */
  #source?: string;
  /** How old the newest line was at least when it was read: the node's clock may be late by that. */
  #ageMs = CLOCK_MS;

  /** `at`: when it is read first. */
  constructor({ uid, attempt }: { readonly uid: string; readonly attempt: number }, at: number) {
    this.pod = uid;
    this.attempt = attempt;
    this.#since = at;
    this.nextAt = at;
  }

  get source(): string | undefined {
    return this.#source;
  }

  get lastStepAt(): number | undefined {
    return this.#steps?.at;
  }

  /** Which of these pods are to be read: the one that shows steps, else each. */
  sourcesOf<P extends { readonly name: string }>(pods: readonly P[]): readonly P[] {
    const known = pods.filter(({ name }) => name === this.#source);
    return known.length > 0 ? known : pods;
  }

  tailOf(pod: string): number {
    return this.#logs.get(pod)?.tail ?? TAILS.first;
  }

  /** Takes in the end of a pod's log. */
  onLines(pod: string, lines: readonly LogLine[], now: number): void {
    const log = this.#logs.get(pod) ?? { reader: new StepReader(), tail: TAILS.first };
    this.#logs.set(pod, log);
    const fresh = lines.filter(({ time }) => log.readTo === undefined || compareTimes(time, log.readTo) > 0);
    // What was written in between is not known.
    if (log.readTo !== undefined && fresh.length === lines.length) log.reader.skipLines();
    // A program that has hung since it was first read shows its steps only in what it wrote before.
    const isStanding = lines.length > 0 && fresh.length === 0 && !log.reader.steps && log.reader.hasReports;
    if (isStanding) log.reader = new StepReader();
    for (const { time, text } of essenceOf(isStanding ? lines : fresh))
      log.reader.read({ at: Date.parse(time), text });
    const newest = fresh.at(-1)?.time;
    if (newest !== undefined) this.#ageMs = Math.min(this.#ageMs, Math.max(0, now - Date.parse(newest)));
    const at = log.reader.steps?.at;
    if (at !== undefined) this.#source ??= pod;
    const isToldNow = log.readTo === undefined || (at ?? 0) > Date.parse(log.readTo);
    if (newest !== undefined)
      log.tail = tailFor({ lines, isKnown: at !== undefined, isToldNow, hasReports: log.reader.hasReports });
    log.readTo = newest ?? log.readTo;
  }

  /** Decides what is told, and when to read next. Returns whether what is told has changed. */
  decide(now: number): boolean {
    const { late } = this;
    const steps = this.#steps;
    const isLate = steps !== undefined && isWithoutSteps(steps, now - this.#ageMs);
    this.late = isLate ? noStepsSentence(steps) : undefined;
    this.nextAt = now + this.#pauseMs(steps, now);
    return this.late !== late;
  }

  get #steps(): StepsRead | undefined {
    return this.#source === undefined ? undefined : this.#logs.get(this.#source)?.reader.steps;
  }

  #pauseMs(steps: StepsRead | undefined, now: number): number {
    if (!steps) return now - this.#since < PAUSES.startMs ? PAUSES.unknownMs : PAUSES.givenUpMs;
    const untilLate = steps.aliveAt + steps.limitMs + this.#ageMs - now;
    const wanted = this.late === undefined ? untilLate : PAUSES.unknownMs;
    return Math.min(Math.max(wanted, PAUSES.leastMs), PAUSES.mostMs);
  }
}

/** A block of a bar has many frames of one time: the first ones, of which one may be torn, and the last say where it was. */
function essenceOf(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.filter(
    ({ time }, index) => lines[index - 3]?.time !== time || lines[index + 2]?.time !== time,
  );
}

function tailFor({
  lines,
  isToldNow,
  isKnown,
  hasReports,
}: {
  readonly lines: readonly LogLine[];
  readonly isToldNow: boolean;
  readonly isKnown: boolean;
  readonly hasReports: boolean;
}): number {
  const [before, last] = lines.slice(-2);
  if (before && before.time === last?.time) return 1;
  if (!isKnown) return hasReports ? TAILS.standing : TAILS.unknown;
  return isToldNow ? TAILS.usual : TAILS.most;
}
