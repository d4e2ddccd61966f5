import { setTimeout as delay } from 'node:timers/promises';
import { unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import { hasEnded } from '../scenarios/pod-ledger.ts';
import { evict } from './eviction.ts';
import { untilDone } from './until-done.ts';

/** A pod is deleted or evicted, and its program, which listens to SIGTERM, ends with 0 a moment later. */
export async function endPolitely(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const job = chance.pick(jobs);
  const pod = chance.pick(job ? control.ledger.live(job.name) : []);
  const how = chance.pick(['deleted', 'evicted'] as const);
  const takesMs = chance.between(0, 1_500);
  if (!pod) return undefined;
  const { cluster, namespace } = control.stage;
  const { name, uid } = pod.metadata;
  note(`${name} is ${how}, and exits with 0`);
  const annotations = {
    'signalbox.dev/simulate-stop-code': '0',
    'signalbox.dev/simulate-stop-after': `${takesMs}ms`,
  };
  const isThere = await cluster
    .patch(PODS, { namespace, name }, { metadata: { uid, annotations } })
    .catch(unlessGoneOrReplaced);
  if (!isThere) return undefined;
  const hasStarted = await (how === 'evicted' ? evict(control.stage, name) : control.delete(pod));
  return hasStarted ? `pod: ${how}, exits with 0` : undefined;
}

const DRAINED_MS = [1_000, 6_000] as const;

/** As `kubectl drain` does it, and `kubectl uncordon` a while later. */
export async function drainNode(
  { control, nodes, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const node = chance.pick(nodes.healthy);
  const drainedMs = chance.between(...DRAINED_MS);
  if (!node) return undefined;
  const { cluster } = control.stage;
  const cordon = (unschedulable: boolean) =>
    cluster.patch(NODES, { name: node }, { spec: { unschedulable } }).catch(unlessGoneOrReplaced);
  note(`node ${node} is drained, for ${drainedMs} ms`);
  try {
    await cordon(true);
    const pods = control.ledger.all().filter((pod) => pod.spec.nodeName === node && !hasEnded(pod));
    for (const { metadata } of pods) await evict(control.stage, metadata.name);
    await delay(drainedMs);
    return 'node: drained';
  } finally {
    await untilDone(() => cordon(false));
  }
}

/**
 * Who simulates the nodes deletes a pod when it sees it change, and does not try again if the API server was away then: all
 * that leave change once more.
 */
export async function touchLeaving({ stage: { cluster, namespace } }: ChaosRun['control']): Promise<void> {
  const { items } = await cluster.list(PODS, { namespace });
  const leaving = items.filter(({ metadata }) => metadata.deletionTimestamp);
  const annotations = { 'test.signalbox.dev/touched': new Date().toISOString() };
  for (const { metadata } of leaving) {
    const { name, uid } = metadata;
    await cluster
      .patch(PODS, { namespace, name }, { metadata: { uid, annotations } })
      .catch(unlessGoneOrReplaced);
  }
}
