import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { inParallel } from '../support/in-parallel.ts';
import { deleteEach } from './delete-pods.ts';
import { isOverdue } from './grace-period.ts';

/** How an activity that removes pods deals with those that do not go at once. */
export interface Removal {
  /** It was done before, and left pods: it only looks which are there now. */
  readonly again?: boolean;
  /** What is left after its grace period is removed from the API server without its node's word. */
  readonly force?: boolean;
}

/**
 * Pods that end as soon as they are told to are gone within this time, and the next step needs no other activity. Whatever
 * takes longer is waited for by the workflow: a timer costs nothing, an activity that waits holds a slot of its worker.
 */
const BRIEFLY_MS = 1_000;

/** Between two looks: seven of them in all, as many jobs may be told to end at the same time. */
const PAUSE = { first: 50, growth: 1.5 } as const;

/** Those pods that `look` still finds after a moment. Heartbeats meanwhile, and ends when the activity is cancelled. */
export async function findStuckPods(
  dependencies: Dependencies,
  look: () => Promise<readonly Pod[]>,
  { again, force }: Removal,
): Promise<readonly Pod[]> {
  let until = again ? 0 : Date.now() + BRIEFLY_MS;
  for (let pause = PAUSE.first; ; pause *= PAUSE.growth) {
    const left = await look();
    if (left.length === 0) return left;
    if (force && (await forceOverdue(dependencies, left))) until = Date.now() + BRIEFLY_MS;
    if (Date.now() >= until) return left;
    await shortly(pause);
  }
}

/** Whether something is gone within a moment. */
export async function isSoonGone(isGone: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + BRIEFLY_MS;
  for (let pause = PAUSE.first; !(await isGone()); pause *= PAUSE.growth) {
    if (Date.now() >= until) return false;
    await shortly(pause);
  }
  return true;
}

async function shortly(pause: number): Promise<void> {
  const context = Context.current();
  context.heartbeat('waiting for deletions');
  await delay(pause, undefined, { signal: context.cancellationSignal });
}

/** A look at which of these pods are still there; what bears the name of one since then is another one. */
export function lookAt(dependencies: Dependencies, pods: readonly Pod[]): () => Promise<readonly Pod[]> {
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

/** Removes those whose nodes should have said that they ended; gives whether there were any. */
export async function forceOverdue(dependencies: Dependencies, pods: readonly Pod[]): Promise<boolean> {
  const overdue = pods.filter(isOverdue);
  await deleteEach(dependencies, PODS, overdue, { grace: () => 0 });
  return overdue.length > 0;
}
