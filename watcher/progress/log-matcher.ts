import type { LogLine } from '../../cluster/log-lines.ts';
import { compilePattern, type Pattern } from '../../contracts/pattern.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import type { LogMatch } from './progress-tracker.ts';

/** Hears in the lines of a log what a job's rules look out for; other rules hold from the next line on. */
export class LogMatcher {
  readonly #rules: () => WatchRules | undefined;
  #compiledRules?: WatchRules;
  #progress?: Pattern;
  #acknowledgement?: Pattern;
  /** Of what was said before it listened, the last; undefined once it has caught up. */
  #earlier: readonly LogMatch[] | undefined = [];

  constructor(rules: () => WatchRules | undefined) {
    this.#rules = rules;
  }

  match({ time, text }: LogLine): readonly LogMatch[] {
    this.#compile(this.#rules());
    const progress = this.#progress?.find(text);
    const acknowledges = this.#acknowledgement?.find(text) !== undefined;
    if (progress === undefined && !acknowledges) return [];
    const word = { progress, acknowledges, at: Date.parse(time) };
    if (!this.#earlier) return [word];
    this.#earlier = [...this.#earlier.filter((other) => !isSuperseded(other, word)), word];
    return [];
  }

  /** What was said before: one word of progress however many there were, as of when it was said. */
  caughtUp(): readonly LogMatch[] {
    const earlier = this.#earlier ?? [];
    this.#earlier = undefined;
    return earlier;
  }

  #compile(rules: WatchRules | undefined): void {
    if (rules === this.#compiledRules) return;
    this.#compiledRules = rules;
    this.#progress = patternOf(rules?.progress?.log);
    this.#acknowledgement = patternOf(rules?.acknowledgedBy?.log);
  }
}

const patternOf = (source: string | undefined) => (source === undefined ? undefined : compilePattern(source));

/** The later one says all that the earlier one says. */
const isSuperseded = (earlier: LogMatch, later: LogMatch) =>
  (earlier.progress === undefined || later.progress !== undefined) &&
  (!earlier.acknowledges || later.acknowledges);
