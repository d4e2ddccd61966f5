import { Context } from '@temporalio/activity';
import { unlessGoneOrReplaced } from '../cluster/errors.ts';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, GANG_GATE } from '../contracts/labels.ts';
import {
  hasPodEnded,
  isBehindGangGate,
  isInGatedGang,
  isLiftedOnQuota,
  isReplica,
  roleOf,
} from '../contracts/pod.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { inParallel } from './support/in-parallel.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';
import { isTurnOver } from './support/turn.ts';

/**
 * Lifts the gates of a gang. Begins only during its turn; a lift that has begun is completed, because watchers see it and
 * give no other gang a turn. Idempotent: skips pods without the gate.
 */
export async function liftGates(
  dependencies: Dependencies,
  request: EffectRequest<'liftGates'>,
): Promise<EffectResult> {
  const { cluster, connections, bulk } = dependencies;
  const signal = Context.current().cancellationSignal;
  const members = await listPodsOfAttempt(cluster, request, { where: isMember });
  const waiting = members.filter(isBehindGangGate);
  if (waiting.length === members.length && isTurnOver(cluster, request.until))
    return { resourceVersion: 0, isTurnOver: true };
  let resourceVersion = 0;
  await inParallel(inOrder(waiting, request.roles), { limit: connections, signal }, async (pod) => {
    const { name, uid } = pod.metadata;
    const schedulingGates = pod.spec.schedulingGates?.filter((gate) => gate.name !== GANG_GATE);
    const annotations = !request.onQuota && isLiftedOnQuota(pod) ? { [ANNOTATIONS.lift]: null } : undefined;
    const patch = { metadata: { uid, annotations }, spec: { schedulingGates } };
    const target = { namespace: request.job.namespace, name };
    const patched = await bulk.run(() => cluster.patch(PODS, target, patch).catch(unlessGoneOrReplaced));
    resourceVersion = Math.max(resourceVersion, Number(patched?.metadata.resourceVersion ?? 0));
  });
  return { resourceVersion };
}

const isMember = (pod: Pod) =>
  isReplica(pod) && isInGatedGang(pod) && pod.metadata.deletionTimestamp === undefined && !hasPodEnded(pod);

/** What needs most finds the emptiest nodes. */
const inOrder = (pods: readonly Pod[], roles: readonly string[]): Pod[] =>
  pods.toSorted((a, b) => roles.indexOf(roleOf(a)) - roles.indexOf(roleOf(b)));
