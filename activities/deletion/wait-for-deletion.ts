import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { haveContainersEnded } from '../../contracts/pod.ts';
import type { SurvivorGrace } from '../../contracts/survivors.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { inParallel } from '../support/in-parallel.ts';
import { deleteEach } from './delete-pods.ts';
import { isOverdue } from './grace-period.ts';
import { leaveSilent } from './leave-silent.ts';

/** How an activity treats pods that are not gone at once. */
export interface Removal {
  /** An earlier run left pods: check only once which still exist. */
  readonly again?: boolean;
  /** Delete pods by force whose node has not reported their end after the grace period. */
  readonly force?: boolean;
  /** Delete pods by force once only such are left of the gang that are on silent nodes. `look` then finds all. */
  readonly leavesSilent?: boolean;
  /** What pods were given to end. */
  readonly survivors?: SurvivorGrace;
  readonly job: TrainingJob;
}

/**
 * Pods that end at once are gone within this time, and the next step needs no other activity. The workflow waits for
 * all others: a timer costs nothing, but a waiting activity holds a slot of its worker.
 */
const BRIEFLY_MS = 1_000;

/** Survivors of a gang are waited for longer, because all others wait for them. */
const MOST_GRACE_MS = 4_000;

/** Pause between checks: seven checks in a second, because many jobs may end at the same time. */
const PAUSE = { first: 50, growth: 1.5 } as const;

/** Returns the pods that `look` still finds after a moment. Heartbeats meanwhile, and stops when it is cancelled. */
export async function findStuckPods(
  dependencies: Dependencies,
  look: () => Promise<readonly Pod[]>,
  { job, again, force, leavesSilent, survivors }: Removal,
): Promise<readonly Pod[]> {
  const graceMs = Math.min((survivors?.seconds ?? 0) * 1000, MOST_GRACE_MS);
  let until = again ? 0 : Date.now() + graceMs + BRIEFLY_MS;
  for (let pause = PAUSE.first; ; pause *= PAUSE.growth) {
    const left = await look();
    if (left.length === 0) return left;
    const isForced =
      (await removeEnded(dependencies, left)) ||
      (force && (await forceOverdue(dependencies, left))) ||
      (leavesSilent && (await leaveSilent(dependencies, job, left)));
    if (isForced) until = Math.max(until, Date.now() + BRIEFLY_MS);
    if (Date.now() >= until) return left;
    await pauseBriefly(pause);
  }
}

/** Returns whether something is gone within a moment, or within this time. */
export async function disappearsSoon(
  isGone: () => Promise<boolean>,
  withinMs = BRIEFLY_MS,
): Promise<boolean> {
  const until = Date.now() + withinMs;
  for (let pause = PAUSE.first; !(await isGone()); pause *= PAUSE.growth) {
    if (Date.now() >= until) return false;
    await pauseBriefly(pause);
  }
  return true;
}

const pauseBriefly = (pause: number) =>
  delay(pause, undefined, { signal: Context.current().cancellationSignal });

/** Returns a function that finds which of these pods still exist, by uid. */
export function readPods(dependencies: Dependencies, pods: readonly Pod[]): () => Promise<readonly Pod[]> {
  let present = pods;
  return async () => {
    present = await findPresent(dependencies, present);
    return present;
  };
}

async function findPresent(
  { cluster, connections }: Dependencies,
  pods: readonly Pod[],
): Promise<readonly Pod[]> {
  const signal = Context.current().cancellationSignal;
  const present: Pod[] = [];
  await inParallel(pods, { limit: connections, signal }, async ({ metadata: { namespace, name, uid } }) => {
    const found = await cluster.find(PODS, namespace, name);
    if (found && found.metadata.uid === uid) present.push(found);
  });
  return present;
}

/**
 * Deletes for good the pods that were told to stop and of which nothing runs any more: the kubelet does so by itself up to
 * ten seconds later. Returns whether there were any.
 */
async function removeEnded(dependencies: Dependencies, pods: readonly Pod[]): Promise<boolean> {
  const ended = pods.filter(isOver);
  await deleteEach(dependencies, PODS, ended, { grace: () => 0 });
  return ended.length > 0;
}

const isOver = (pod: Pod): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = pod.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return false;
  return finalizers.length === 0 && haveContainersEnded(pod);
};

/** Deletes by force the pods whose nodes should have reported their end. Returns whether there were any. */
export async function forceOverdue(dependencies: Dependencies, pods: readonly Pod[]): Promise<boolean> {
  const overdue = pods.filter(isOverdue);
  await deleteEach(dependencies, PODS, overdue, { grace: () => 0 });
  return overdue.length > 0;
}
