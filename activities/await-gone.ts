import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { deleteEach } from './delete-pods.ts';
import type { Dependencies } from './dependencies.ts';
import { isOverdue, type Patience, patienceWith } from './grace-period.ts';
import { inParallel } from './in-parallel.ts';

const PAUSE_MS = { least: 50, most: 1_000 };
/** Of the time waited so far: what goes late is noticed late by no more than that. */
const PART = 0.2;

/**
 * Waits until nothing is left of what was deleted, by asking the API server, who alone knows. Gives up after `limitMs`:
 * false then. Heartbeats meanwhile, and ends when the activity is cancelled.
 */
export async function awaitGone(
  isGone: () => Promise<boolean>,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const context = Context.current();
  const began = Date.now();
  while (!(await isGone())) {
    const waited = Date.now() - began;
    if (waited > limitMs) return false;
    context.heartbeat('waiting for deletions');
    const pause = Math.min(Math.max(waited * PART, PAUSE_MS.least), PAUSE_MS.most);
    await delay(pause, undefined, { signal: context.cancellationSignal });
  }
  return true;
}

/**
 * Waits until each of these pods is gone; what bears its name since then is another one. Gives those that are left when
 * they and their nodes have had their time.
 */
export async function untilGone(
  dependencies: Dependencies,
  pods: readonly Pod[],
  patience: Patience,
): Promise<readonly Pod[]> {
  const { cluster, connections } = dependencies;
  const signal = Context.current().cancellationSignal;
  const until = Date.now() + (patienceWith(pods, patience) ?? Number.POSITIVE_INFINITY);
  const left: Pod[] = [];
  await inParallel(pods, { limit: connections, signal }, async (pod) => {
    const { namespace, name, uid } = pod.metadata;
    const isGone = await awaitGone(async () => {
      const found = await cluster.find(PODS, namespace, name);
      if (!found || found.metadata.uid !== uid) return true;
      if (patience.force) await forceOverdue(dependencies, [found]);
      return false;
    }, until - Date.now());
    if (!isGone) left.push(pod);
  });
  return left;
}

/** Waits until `list` finds nobody any more; gives those that it still finds when the time is over. */
export async function untilNoneIsLeft(
  dependencies: Dependencies,
  list: () => Promise<readonly Pod[]>,
  { force, limitMs }: Pick<Patience, 'force'> & { readonly limitMs: number | undefined },
): Promise<readonly Pod[]> {
  let left: readonly Pod[] = [];
  await awaitGone(async () => {
    left = await list();
    if (force) await forceOverdue(dependencies, left);
    return left.length === 0;
  }, limitMs);
  return left;
}

const forceOverdue = (dependencies: Dependencies, pods: readonly Pod[]) =>
  deleteEach(dependencies, PODS, pods.filter(isOverdue), () => 0);
