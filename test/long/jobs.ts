import type { Chance } from '../scenarios/chance.ts';
import { asResource } from '../scenarios/chaos-births.ts';
import { type ChaosJob, jobWithPlannedEnd, lastingJob } from '../scenarios/chaos-jobs.ts';
import {
  chaosManifest,
  leaderOf,
  type ManifestOptions,
  type Place,
  SPECIAL_KINDS,
} from '../scenarios/chaos-manifests.ts';
import { FREE } from '../scenarios/chaos-policies.ts';

/** When a job comes, and from when on it goes to its end, in milliseconds from the beginning. */
export interface ScheduledJob {
  readonly job: ChaosJob;
  readonly from: number;
  readonly until: number;
}

/** Of ten jobs so many are of a kind with rules of its own, and so many are doomed. */
const SPECIAL_OF_TEN = 3;
const DOOMED_OF_TEN = 3;
/** Jobs come within this part of the time. */
const ARRIVALS = 0.7;
/** A job lives for a time between these before it goes to its end. */
const LIFE_MS = [5_000, 300_000] as const;

export function scheduleJobs(
  { count, ms, place }: { readonly count: number; readonly ms: number; readonly place: Place },
  chance: Chance,
): ScheduledJob[] {
  const births = chance.fork('births');
  return Array.from({ length: count }, (_, index) => {
    const planned = jobOf(index, place, chance);
    const job = births.pick([true, false] as const) ? asResource(planned) : planned;
    const from = chance.between(0, ms * ARRIVALS);
    const longest = Math.min(LIFE_MS[1], ms - from);
    return { job, from, until: from + chance.between(Math.min(LIFE_MS[0], longest), longest) };
  });
}

function jobOf(index: number, place: Place, chance: Chance): ChaosJob {
  // Most are small: eight pods each are more than two processors get through in the time.
  const pods = chance.pick([1, 2, 2, 3, 3, 4, 5, 8] as const);
  const turn = index % 10;
  if (turn < SPECIAL_OF_TEN) return specialJob(index, place, pods);
  if (turn < SPECIAL_OF_TEN + DOOMED_OF_TEN) return jobWithPlannedEnd(index, place, pods);
  return lastingJob(index, place, pods);
}

const SOON = { initial: '200ms', max: '2s' };
const FREE_POLICIES = [
  {
    restartPolicy: 'Never',
    policy: { restart: { ladder: [{ scope: 'pod' }], backOff: SOON }, failures: { classes: FREE } },
  },
  {
    restartPolicy: 'OnFailure',
    policy: {
      restart: { ladder: [{ scope: 'gang' }], backOff: SOON },
      failures: { classes: FREE },
      nodes: { lostAfter: '2s', forceDeleteAfter: '1s' },
    },
  },
] as const;

const SPECIAL_FATES = [
  'completes',
  'completes',
  'completes',
  'isStopped',
  'isTerminated',
  'isCancelled',
] as const;

function specialJob(index: number, place: Place, pods: number): ChaosJob {
  const round = Math.floor(index / 10);
  const kinds = Object.keys(SPECIAL_KINDS) as (keyof typeof SPECIAL_KINDS)[];
  const kind = kinds[index % kinds.length]!;
  const plannedEnd = SPECIAL_FATES[(round + index) % SPECIAL_FATES.length]!;
  const options: ManifestOptions = {
    ...FREE_POLICIES[round % FREE_POLICIES.length]!,
    name: `${kind.toLowerCase()}-${index}`,
    kind,
    // Words of their own for the rest, in two of the kinds.
    cleanPodPolicy: CLEAN_POD_POLICIES[kind],
    gang: round % 3 === 0 ? 'none' : 'native',
    pods,
  };
  return {
    name: options.name,
    manifest: chaosManifest(options, place),
    cleanPodPolicy: KEPT[kind],
    plannedEnd,
    isSuspended: round % 2 === 0,
    isScaled: false,
    // Their launcher needs them until it ends.
    workersMaySucceed: kind === 'PaddleJobV1',
    leader: leaderOf(options.name, kind),
  };
}

const CLEAN_POD_POLICIES = { MPIJob: 'Running', MPIJobV2: 'All', PaddleJobV1: 'Always' } as const;
/** What these come to, in the words of the other kinds. */
const KEPT = { MPIJob: 'Running', MPIJobV2: 'Running', PaddleJobV1: 'All' } as const;
