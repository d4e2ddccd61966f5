import type { Reading } from '../../../cluster/reading.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { attemptOf, conditionOf, isOfAnchor } from '../../../contracts/objects.ts';
import {
  deletionRequestedAt,
  gatesOf,
  hasPodEnded,
  isReplica,
  isSpare,
  roleOf,
  schedulerOf,
} from '../../../contracts/pod.ts';
import type { OwnPod } from '../../../explain/shape.ts';
import type { LeavingPod, WaitingPod } from '../../../explain/situation.ts';

interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly anchorUid: string;
}

/** The pods of a job that exist. */
export const readOwnPods = async (reading: Reading, owner: Owner): Promise<readonly Pod[]> =>
  (await readOwned(reading, owner)).filter(isReplica);

/** Those that hold places for them. */
export const readSpares = async (reading: Reading, owner: Owner): Promise<readonly Pod[]> =>
  (await readOwned(reading, owner)).filter(isSpare);

async function readOwned(reading: Reading, { namespace, name, anchorUid }: Owner): Promise<readonly Pod[]> {
  const selection = { namespace, labelSelector: `${LABELS.job}=${name}` };
  const pods = await reading.list(
    { resource: PODS, selection },
    'what the scheduler says of the pods is not known: pods may not be listed',
  );
  return pods.filter((pod) => isOfAnchor(pod, anchorUid));
}

/**
 * Puts the pods that exist in place of the rendered ones. A pod that is being deleted is made again, and until then counts
 * in quotas; one that ended is not made again.
 */
export function ownPodsOf(rendered: readonly Pod[], existing: readonly Pod[], attempt: number): OwnPod[] {
  const present = new Map(
    existing.filter((pod) => attemptOf(pod) === attempt).map((pod) => [pod.metadata.name, pod]),
  );
  return rendered.flatMap((pod) => {
    const made = present.get(pod.metadata.name);
    if (made && hasPodEnded(made)) return [];
    const stays = made !== undefined && made.metadata.deletionTimestamp === undefined;
    const role = pod.metadata.labels?.[LABELS.role] ?? roleOf(pod);
    const { nodeName } = pod.spec;
    const spec = stays ? made.spec : pod.spec;
    const { metadata } = stays ? made : pod;
    return [{ role, spec, metadata, isCreated: made !== undefined, ...(nodeName ? { nodeName } : {}) }];
  });
}

/** Returns pods without a node, with what the scheduler says. */
export const waitingPodsOf = (pods: readonly Pod[]): WaitingPod[] =>
  pods.filter(isWaiting).map(({ metadata, spec, status }) => {
    const said = conditionOf({ status }, 'PodScheduled');
    return {
      pod: metadata.name,
      schedulerName: schedulerOf(spec),
      createdAt: metadata.creationTimestamp ?? '',
      gates: gatesOf(spec),
      ...(said?.status === 'False' && said.reason !== 'SchedulingGated'
        ? {
            scheduler: {
              reason: said.reason ?? '',
              message: said.message ?? '',
              since: said.lastTransitionTime,
            },
          }
        : {}),
    };
  });

export const isWaiting = (pod: Pod): boolean =>
  !pod.spec.nodeName && !hasPodEnded(pod) && pod.metadata.deletionTimestamp === undefined;

export const leavingPodsOf = (pods: readonly Pod[]): LeavingPod[] =>
  pods
    .filter((pod) => pod.metadata.deletionTimestamp !== undefined && !hasPodEnded(pod))
    .map((pod) => ({
      pod: pod.metadata.name,
      node: pod.spec.nodeName,
      since: new Date(deletionRequestedAt(pod)).toISOString(),
      finalizers: pod.metadata.finalizers ?? [],
    }));
