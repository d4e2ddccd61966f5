import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatFault } from '../../contracts/faults.ts';
import { parseAmounts } from '../../contracts/pod-requests.ts';
import { parseLanes } from '../../contracts/schemas/lanes.ts';
import { formatDuration } from '../../language/duration.ts';
import type { Fields } from '../../language/fields.ts';
import { decideLanes } from '../../queue/lanes/decide-lanes.ts';
import type { LaneEntry } from '../../queue/lanes/lane-entry.ts';
import { plotWaits } from './queue-plot.ts';
import { type Simulated, simulateTrace } from './queue-simulation.ts';
import { traceOf } from './queue-trace.ts';
import { spreadOf } from './spread.ts';

/**
 * `npm run bench:queue`: what lanes make of days of jobs, by the function that decides, without a cluster; and how long that function
 * needs for 10,000 waiting jobs. `--plot FILE` draws the waits.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '3' },
    gpus: { type: 'string', default: '256' },
    load: { type: 'string', default: '0.9' },
    plot: { type: 'string' },
  },
});
const size = {
  seed: Number(values.seed),
  days: Number(values.days),
  gpus: Number(values.gpus),
  load: Number(values.load),
};

const capacity = { 'nvidia.com/gpu': size.gpus };
const one = { lanes: { main: { capacity } } };
const two = (lane: Fields) => ({
  pools: { gpus: { capacity } },
  lanes: { production: { pool: 'gpus', ...lane }, research: { pool: 'gpus', ...lane } },
});
const POLICIES: Readonly<Record<string, Fields>> = {
  FIFO: { ...one, backfill: 'none', starveAfter: '365d' },
  'best effort': { ...one, backfill: 'any', starveAfter: '365d' },
  EASY: one,
  'EASY, two lanes': two({}),
  'EASY, two lanes, reclaim': two({ reclaim: 'borrowed' }),
};

/** From so many GPUs to so many. */
const GROUPS = [
  ['1', 1, 1],
  ['2-7', 2, 7],
  ['8-31', 8, 31],
  ['32 and more', 32, Number.POSITIVE_INFINITY],
] as const;

const jobs = traceOf(size);
console.log(
  `${jobs.length} jobs in ${size.days} days on ${size.gpus} GPUs, load ${size.load}, seed ${size.seed}\n`,
);
console.log(
  `| | GPUs at work | ${GROUPS.map(([name]) => `wait p50/p95, ${name} GPU`).join(' | ')} | stopped | GPU hours lost |`,
);
console.log(`| --- | --- | ${GROUPS.map(() => '---').join(' | ')} | --- | --- |`);
const drawn: { policy: string; group: string; p50: number; p95: number }[] = [];
for (const [policy, document] of Object.entries(POLICIES)) {
  const simulated = simulateTrace(jobs, lanesOf(document), size.gpus);
  console.log(rowOf(policy, simulated));
  for (const [group, from, to] of GROUPS) drawn.push({ policy, group, ...percentiles(simulated, from, to) });
}
if (values.plot) writeFileSync(values.plot, plotWaits(drawn));
measureDecisions();

function rowOf(policy: string, simulated: Simulated): string {
  const waits = GROUPS.map(([, from, to]) => {
    const { p50, p95 } = percentiles(simulated, from, to);
    return `${text(p50)} / ${text(p95)}`;
  });
  const { utilisation, stops, lostGpuHours } = simulated;
  return `| ${policy} | ${(100 * utilisation).toFixed(1)} % | ${waits.join(' | ')} | ${stops} | ${lostGpuHours.toFixed(0)} |`;
}

function text(ms: number): string {
  return ms < 1000 ? '0' : formatDuration(ms);
}

function percentiles({ waits }: Simulated, from: number, to: number) {
  const sorted = waits
    .filter(({ gpus }) => gpus >= from && gpus <= to)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

function lanesOf(document: Fields) {
  const read = parseLanes(document);
  if ('faults' in read) throw new Error(read.faults.map(formatFault).join('\n'));
  return read.lanes;
}

/** 10,000 jobs wait behind a large one, in 10 lanes and of 70 forms, and as many run. */
function measureDecisions(): void {
  const lanes = lanesOf({
    pools: { gpus: { capacity: { 'nvidia.com/gpu': 20_000, cpu: 200_000 } } },
    lanes: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`lane-${index}`, { pool: 'gpus' }])),
  });
  const entry = (index: number, isGranted: boolean): LaneEntry => ({
    ...{
      uid: `${isGranted ? 'r' : 'w'}${index}`,
      namespace: 'ml',
      job: `job-${index}`,
      lane: `lane-${index % 10}`,
    },
    ...{ user: `user-${index % 100}`, labels: {}, priority: index % 3, since: index },
    demand: parseAmounts({ 'nvidia.com/gpu': isGranted ? 2 : 1 + (index % 7), cpu: 10 }),
    ...{ durationMs: 3_600_000 * (1 + (index % 5)) },
    ...(isGranted ? { granted: { at: index, startedAt: index } } : {}),
  });
  const entries = Array.from({ length: 20_000 }, (_, index) => entry(index, index % 2 === 0));
  const state = {
    at: 60_000,
    lanes,
    capacity: new Map([['gpus', parseAmounts({ 'nvidia.com/gpu': 20_000, cpu: 200_000 })]]),
    entries,
  };
  const times = Array.from({ length: 10 }, () => {
    const begin = performance.now();
    decideLanes(state);
    return performance.now() - begin;
  });
  const { median, min, max } = spreadOf(times);
  const inMs = (ms: number) => `${ms.toFixed(0)} ms`;
  console.log(
    `\n10,000 waiting, 10,000 running: a decision takes ${inMs(median)} (${inMs(min)} to ${inMs(max)})`,
  );
}
