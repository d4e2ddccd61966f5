import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecoveryOptions } from '../../test/performance/recovery/recovery-options.ts';
import type { Trial } from '../../test/performance/recovery/trial.ts';
import { type SystemTimes, timesOf } from './recovery-times.ts';

/** What `npm run bench:recovery -- -o json` printed. */
interface DrillResult {
  readonly date: string;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly options: RecoveryOptions;
  readonly trials: readonly Trial[];
}

const FOLDER = join(import.meta.dirname, '../../test/performance/recovery/results');

/** All results that are kept, the oldest first. */
export function drillResults(): readonly DrillResult[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as DrillResult);
}

/** Of all of them: each trial counts the same. */
export const measuredTimes = (results: readonly DrillResult[]): SystemTimes[] =>
  timesOf(results.flatMap(({ trials }) => trials));
