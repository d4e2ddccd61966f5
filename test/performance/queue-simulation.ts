import type { LanesConfig } from '../../contracts/lanes.ts';
import { parseAmounts } from '../../contracts/pod-requests.ts';
import { decideLanes } from '../../queue/lanes/decide-lanes.ts';
import type { LaneEntry } from '../../queue/lanes/lane-entry.ts';
import type { TraceJob } from './queue-trace.ts';

/** What a cluster makes of a trace with lanes. */
export interface Simulated {
  /** Part of the GPUs that did work that was not lost, while jobs came. */
  readonly utilisation: number;
  readonly waits: readonly { readonly gpus: number; readonly ms: number }[];
  readonly lostGpuHours: number;
  readonly stops: number;
  /** The longest decision, and how many there were. */
  readonly slowestMs: number;
  readonly decisions: number;
}

const SAVES_EVERY_MS = 30 * 60_000;
/** Checkpoint, and the pods are gone. */
const GOES_IN_MS = 60_000;
/** Jobs are decided about at most so often. */
const STEP_MS = 10_000;

interface Running {
  readonly job: TraceJob;
  readonly startedAt: number;
  yieldsTo?: string;
  goneAt?: number;
}

/** Lives through a trace: jobs come, start as lanes decide, end, and are stopped for others. */
export function simulateTrace(jobs: readonly TraceJob[], lanes: LanesConfig, gpus: number): Simulated {
  const capacity = new Map(
    Object.keys(lanes.pools).map((pool) => [pool, parseAmounts({ 'nvidia.com/gpu': gpus })]),
  );
  const until = jobs.at(-1)!.at;
  const left = new Map(jobs.map((job) => [job.name, job.runsForMs]));
  const waiting = new Map<string, LaneEntry>();
  const running = new Map<string, Running>();
  const waits: { gpus: number; ms: number }[] = [];
  const started = new Set<string>();
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const sum = { used: 0, lost: 0, stops: 0, slowest: 0, decisions: 0 };
  const laneOf = ({ lane }: TraceJob) =>
    Object.hasOwn(lanes.lanes, lane) ? lane : Object.keys(lanes.lanes)[0]!;
  const entryOf = (job: TraceJob): LaneEntry => ({
    ...{
      uid: job.name,
      namespace: 'ml',
      job: job.name,
      lane: laneOf(job),
      labels: {},
      priority: 0,
      since: job.at,
    },
    ...{ demand: parseAmounts({ 'nvidia.com/gpu': job.gpus }), durationMs: job.declaredMs },
  });
  const count = (from: number, to: number, { gpus: of }: TraceJob) => {
    sum.used += of * Math.max(0, Math.min(to, until) - Math.min(from, until));
  };
  let next = 0;
  for (let now = 0; next < jobs.length || waiting.size > 0 || running.size > 0; ) {
    for (; next < jobs.length && jobs[next]!.at <= now; next++)
      waiting.set(jobs[next]!.name, entryOf(jobs[next]!));
    for (const [name, one] of running) {
      const end = one.startedAt + left.get(name)!;
      if (one.goneAt !== undefined && one.goneAt <= now) {
        const ran = one.goneAt - GOES_IN_MS - one.startedAt;
        const saved = Math.floor(ran / SAVES_EVERY_MS) * SAVES_EVERY_MS;
        count(one.startedAt, one.startedAt + saved, one.job);
        left.set(name, left.get(name)! - saved);
        sum.lost += one.job.gpus * (ran - saved);
        sum.stops++;
        running.delete(name);
        waiting.set(name, { ...entryOf(one.job), requeuedAt: one.goneAt, yieldsTo: one.yieldsTo! });
      } else if (one.goneAt === undefined && end <= now) {
        count(one.startedAt, end, one.job);
        running.delete(name);
      }
    }
    const entries = [
      ...waiting.values(),
      ...[...running.values()].map((one) => granted(entryOf(one.job), one, now)),
    ];
    const begin = performance.now();
    const { grants, yields } = decideLanes({ at: now, lanes, capacity, entries });
    sum.slowest = Math.max(sum.slowest, performance.now() - begin);
    sum.decisions++;
    for (const { uid } of grants) {
      const job = byName.get(uid)!;
      if (!started.has(uid)) waits.push({ gpus: job.gpus, ms: now - job.at });
      started.add(uid);
      waiting.delete(uid);
      running.set(uid, { job, startedAt: now });
    }
    for (const { uid, to } of yields)
      Object.assign(running.get(uid)!, { yieldsTo: to, goneAt: now + GOES_IN_MS });
    now = nextTime(now, { arrival: jobs[next]?.at, running, left });
    if (!Number.isFinite(now)) break;
  }
  return {
    utilisation: sum.used / (until * gpus),
    waits,
    ...{
      lostGpuHours: sum.lost / 3_600_000,
      stops: sum.stops,
      slowestMs: sum.slowest,
      decisions: sum.decisions,
    },
  };
}

function granted(entry: LaneEntry, { startedAt, yieldsTo }: Running, now: number): LaneEntry {
  const saves = Math.floor((now - startedAt) / SAVES_EVERY_MS);
  const saved = saves > 0 ? { savedAt: startedAt + saves * SAVES_EVERY_MS } : {};
  return {
    ...entry,
    granted: { at: startedAt, startedAt, ...saved },
    ...(yieldsTo === undefined ? {} : { yieldsTo }),
  };
}

/** When something happens next, but not at once: a leader decides about what has happened meanwhile. */
function nextTime(
  now: number,
  {
    arrival = Number.POSITIVE_INFINITY,
    running,
    left,
  }: {
    arrival?: number | undefined;
    running: ReadonlyMap<string, Running>;
    left: ReadonlyMap<string, number>;
  },
): number {
  let next = arrival;
  for (const [name, { startedAt, goneAt }] of running)
    next = Math.min(next, goneAt ?? startedAt + left.get(name)!);
  return Math.max(next, now + STEP_MS);
}
