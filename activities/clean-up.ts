import { Context } from '@temporalio/activity';
import type { Selection } from '../cluster/client.ts';
import { isNotFound } from '../cluster/errors.ts';
import { type KubeObject, PODS, type Pod, type Resource, SERVICES } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { awaitGone } from './await-gone.ts';
import type { Done } from './create-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { inParallel } from './in-parallel.ts';
import { deleteShared } from './shared-objects.ts';

export interface CleanUpRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly scope: 'Everything' | 'All' | 'Running' | 'None';
}

/** How long a pod may take to leave after its grace period; one on a dead node may never. */
const LEAVE_MS = 90_000;
const UNFINISHED = 'status.phase!=Succeeded,status.phase!=Failed';

/** Removes what the scope names, and waits until it is gone. Idempotent: it deletes what is there. */
export async function cleanUp(dependencies: Dependencies, request: CleanUpRequest): Promise<Done> {
  const { cluster } = dependencies;
  const { job, anchorUid, gang, scope } = request;
  const all: Selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}` };
  const group = GANG_ADAPTERS[gang].resource;
  const pods = scope === 'Running' ? { ...all, fieldSelector: UNFINISHED } : all;
  if (scope !== 'None') {
    const { items } = await cluster.list(PODS, pods);
    await deleteEach(dependencies, PODS, items);
    await deleteEach(dependencies, SERVICES, await servicesToDelete(dependencies, all, scope));
    if (scope === 'Everything') await deleteShared(dependencies, job, anchorUid);
    if (group) await deleteGroups(dependencies, group, all);
    const left = () => cluster.list(PODS, { ...pods, limit: 1 });
    await awaitGone(async () => (await left()).items.length === 0, graceOf(items) + LEAVE_MS);
  } else if (group) {
    await deleteGroups(dependencies, group, all);
  }
  return { revision: 0 };
}

/** Services follow their pods; one whose pod is long gone must not stay behind. */
async function servicesToDelete(
  { cluster }: Dependencies,
  all: Selection,
  scope: CleanUpRequest['scope'],
): Promise<readonly KubeObject[]> {
  const ofPods = { ...all, labelSelector: `${all.labelSelector},!${LABELS.shared}` };
  const { items: services } = await cluster.list(SERVICES, ofPods);
  if (scope !== 'Running') return services;
  const { items: pods } = await cluster.list(PODS, all);
  const kept = new Set(pods.filter(isFinished).map(({ metadata }) => metadata.name));
  return services.filter(({ metadata }) => !kept.has(metadata.name));
}

/** Not as a collection: the API server deletes that one by one, within one request of as many seconds. */
async function deleteEach(
  { cluster, connections, bulk }: Dependencies,
  resource: Resource,
  objects: readonly KubeObject[],
): Promise<void> {
  const signal = Context.current().cancellationSignal;
  await inParallel(objects, { limit: connections, signal }, ({ metadata }) =>
    bulk.pass(async () => {
      signal.throwIfAborted();
      await cluster.delete(resource, metadata.namespace, metadata.name).catch(unlessGone);
    }),
  );
}

async function deleteGroups({ cluster }: Dependencies, group: Resource, all: Selection): Promise<void> {
  // A cluster that was upgraded meanwhile may no longer serve the group's API.
  await cluster.deleteCollection(group, all).catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const graceOf = (pods: readonly Pod[]) =>
  1000 * Math.max(0, ...pods.map(({ spec }) => spec.terminationGracePeriodSeconds ?? 30));
