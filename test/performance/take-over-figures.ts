import type { CaseResult } from './cases.ts';
import { costFigures, cpuFigures, type Figure, inSecondsOf } from './figures.ts';
import type { TakeOverRun } from './take-over.ts';

export const takeOverFigures = (
  results: readonly CaseResult<TakeOverRun>[],
): readonly Figure<TakeOverRun>[] => [
  ...RECOVERY,
  ...STORM,
  ...cpuFigures('processor time in that minute', results, ({ minuteAfter }) => minuteAfter.cpuSeconds),
  ...costFigures<TakeOverRun>((run) => run),
  { label: 'history events per job since the kill', unit: 'events', of: ({ addedEvents }) => addedEvents },
];

const FAILURE = 'since a pod failed';
const MINUTE = 'the minute after that';
const QUERY = 'status query of a random job';

const time = (label: string, pick: (run: TakeOverRun) => number): Figure<TakeOverRun> => ({
  group: FAILURE,
  label,
  unit: 's',
  of: inSecondsOf(pick),
});

const RECOVERY: readonly Figure<TakeOverRun>[] = [
  time('worker ready', ({ workerReady }) => workerReady),
  time('watcher ready', ({ watcherReady }) => watcherReady),
  time('watcher leads', ({ leads }) => leads),
  time('another pod runs in its place', ({ replaced }) => replaced),
  { ...time('of which beyond the lease', ({ beyondLease }) => beyondLease), target: { d: 3 } },
  time('of which beyond the lease, from its last renewal', ({ beyondRenewal }) => beyondRenewal),
  {
    group: FAILURE,
    label: 'digests until then',
    unit: 'digests',
    of: ({ untilReplaced }) => [untilReplaced.digests],
  },
];

const STORM: readonly Figure<TakeOverRun>[] = [
  {
    group: QUERY,
    label: 'first, from the failure on',
    unit: 's',
    of: ({ queries: [first] }) => [first && first / 1000],
  },
  { group: QUERY, label: 'each later one', unit: 's', of: ({ queries }) => later(queries) },
  { group: QUERY, label: 'slowest of these', unit: 's', of: ({ queries }) => [Math.max(...later(queries))] },
  {
    group: MINUTE,
    label: 'digests',
    unit: 'digests',
    of: ({ minuteAfter }) => [minuteAfter.digests],
  },
  {
    group: MINUTE,
    label: 'processor time of worker and Temporal',
    unit: 's',
    of: ({ minuteAfter: { cpuSeconds } }) => [sumOf(cpuSeconds.worker, cpuSeconds.temporal)],
    target: { d: 4 },
  },
];

/** In seconds. The first query waits for a worker to start. */
const later = (queries: readonly number[]) => queries.slice(1).map((ms) => ms / 1000);

const sumOf = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a + b;
