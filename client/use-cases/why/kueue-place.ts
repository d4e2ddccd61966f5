import { ApiError, isNotFound, withoutRequest } from '../../../cluster/errors.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { KUEUE_VISIBILITY, type KubeObject } from '../../../contracts/kubernetes.ts';
import { jobNameOf } from '../../../contracts/labels.ts';
import { isAnchor } from '../../../contracts/objects.ts';
import type { QueuePlace } from '../../../contracts/types.ts';
import { placeAt } from '../../../explain/queue-place.ts';
import { holdsQuota, isDeactivated, isFinished } from '../../../gang/kueue-workload.ts';
import { compareText } from '../../../language/compare-text.ts';
import { asFields, valueAt } from '../../../language/fields.ts';

/**
 * Returns where a Workload is among those of its LocalQueue that wait for quota: as Kueue's visibility API says or, where that
 * does not answer, by priority and age, which is noted. Undefined for one that has quota, or names no queue. `others`: the
 * Workloads of its namespace.
 */
export async function placeInLocalQueue(
  reading: Reading,
  workload: KubeObject,
  others: readonly KubeObject[],
): Promise<QueuePlace | undefined> {
  const name = queueOf(workload);
  if (!name || !isPending(workload)) return undefined;
  const told = await pendingIn(reading, workload.metadata.namespace, name);
  if (typeof told === 'object') {
    const own = told.find(({ metadata }) => metadata.name === workload.metadata.name);
    if (own)
      return { ...placeAmong(told, own, name), inClusterQueue: Number(own.positionInClusterQueue) + 1 };
  }
  noteOwnOrder(reading, name, typeof told === 'string' ? told : 'does not have it');
  return placeAmong(waitingIn(others, name), workload, name);
}

/**
 * Returns where a job that is not submitted yet would be among those that wait in a LocalQueue: behind all that have at least its
 * priority. Undefined if none wait. `workloads`: those of the namespace.
 */
export async function nextPlaceInLocalQueue(
  reading: Reading,
  {
    namespace,
    name,
    priority,
  }: { readonly namespace: string; readonly name: string; readonly priority: number },
  workloads: () => Promise<readonly KubeObject[]>,
): Promise<QueuePlace | undefined> {
  const told = await pendingIn(reading, namespace, name);
  const waiting = typeof told === 'object' ? told : waitingIn(await workloads(), name);
  if (waiting.length === 0) return undefined;
  if (typeof told === 'string') noteOwnOrder(reading, name, told);
  const ahead = waiting.filter((other) => priorityOf(other) >= priority);
  const behind = waiting.filter((other) => priorityOf(other) < priority);
  const names = [...ahead.map(whoOf), '', ...behind.map(whoOf)];
  return placeAt(ahead.length, names, { queue: 'LocalQueue', name });
}

const noteOwnOrder = (reading: Reading, name: string, why: string): void =>
  reading.note(
    `its position in LocalQueue ${name} is by priority and age, because Kueue's visibility API ${why}; other LocalQueues are not counted`,
  );

/** Those of a LocalQueue that have no quota, in its order. */
const waitingIn = (workloads: readonly KubeObject[], name: string): readonly KubeObject[] =>
  workloads.filter((one) => queueOf(one) === name && isPending(one)).toSorted(compareWorkloads);

const queueOf = ({ spec }: KubeObject): string | undefined => {
  const { queueName } = asFields(spec);
  return typeof queueName === 'string' ? queueName : undefined;
};

const isPending = (workload: KubeObject): boolean =>
  !holdsQuota(workload) && !isFinished(workload) && !isDeactivated(workload);

/** As its API has it; positions are from 0. */
interface PendingWorkload extends KubeObject {
  readonly positionInLocalQueue?: number;
  readonly positionInClusterQueue?: number;
}

/** Returns what waits in a queue, in its order; if that is not known, why. */
async function pendingIn(
  { cluster }: Reading,
  namespace: string | undefined,
  queue: string,
): Promise<readonly PendingWorkload[] | string> {
  for (const resource of KUEUE_VISIBILITY) {
    try {
      const found = await cluster.get(resource, namespace, queue, { subresource: 'pendingworkloads' });
      const items = valueAt(found, 'items') as readonly PendingWorkload[] | undefined;
      return (items ?? []).toSorted((a, b) => (a.positionInLocalQueue ?? 0) - (b.positionInLocalQueue ?? 0));
    } catch (error) {
      // Also 503: the API is an aggregated one, whose server may be away.
      if (!(error instanceof ApiError)) throw error;
      if (!isNotFound(error)) return `does not answer (${withoutRequest(error)})`;
    }
  }
  return 'is not served';
}

/** Kueue's order within a queue. One that was evicted may have another age there. */
const compareWorkloads = (a: KubeObject, b: KubeObject): number =>
  priorityOf(b) - priorityOf(a) ||
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareText(a.metadata.name, b.metadata.name);

/** In the visibility API it is no part of a spec. */
const priorityOf = ({ spec, priority }: KubeObject): number =>
  Number(priority ?? asFields(spec).priority ?? 0);

function placeAmong(waiting: readonly KubeObject[], own: KubeObject, name: string): QueuePlace {
  const index = waiting.findIndex(({ metadata }) => metadata.name === own.metadata.name);
  return placeAt(index, waiting.map(whoOf), { queue: 'LocalQueue', name });
}

/** Whose it is: a job of signalbox, or what owns it. */
function whoOf({ metadata: { namespace, name, ownerReferences = [] } }: KubeObject): string {
  const [owner] = ownerReferences;
  return owner && isAnchor(owner)
    ? `job/${namespace}/${jobNameOf(owner.name)}`
    : `${namespace}/${owner?.name ?? name}`;
}
