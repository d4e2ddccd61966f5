import type { LogLine } from '../../cluster/log-lines.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import { compilePattern, type Pattern } from '../../language/pattern.ts';
import type { LogMatch } from './progress-tracker.ts';

/** Matches log lines against the job's patterns. Changed rules apply from the next line. */
export class LogMatcher {
  readonly #rules: () => WatchRules | undefined;
  #compiledRules?: WatchRules;
  #progress?: Pattern;
  #acknowledgement?: Pattern;
  /** The latest matches in lines older than the stream; undefined once the stream has caught up. */
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

  /** Returns the latest matches from before: one of progress, however many there were, with its own time. */
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

/** Whether the later match reports everything that the earlier one does. */
const isSuperseded = (earlier: LogMatch, later: LogMatch) =>
  (earlier.progress === undefined || later.progress !== undefined) &&
  (!earlier.acknowledges || later.acknowledges);
