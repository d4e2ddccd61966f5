import type { Selection } from '../cluster/client.ts';
import { type KubeObject, PODS, type Pod, SERVICES } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { untilNoneIsLeft } from './await-gone.ts';
import type { Done } from './create-attempt.ts';
import { deleteEach, deletePods, MOST_TOLD, tellLeft } from './delete-pods.ts';
import type { Dependencies } from './dependencies.ts';
import { type Patience, remainingGraceOf } from './grace-period.ts';
import { deleteGroups } from './groups.ts';
import { UNFINISHED } from './select-attempt.ts';
import { deleteShared } from './shared-objects.ts';

export interface CleanUpRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly scope: 'Everything' | 'All' | 'Running' | 'None';
  /** That pods have to end, instead of their own. */
  readonly graceSeconds?: number;
}

/** How long a pod may take to leave after its grace period; one on a dead node may never. */
const LEAVE_MS = 90_000;

/** Removes what the scope names, and waits until it is gone. Idempotent: it deletes what is there. */
export const cleanUp = (dependencies: Dependencies, request: CleanUpRequest): Promise<Done> =>
  removeObjects(dependencies, {
    ...request,
    limit: (pods) => remainingGraceOf(pods, request.graceSeconds) + LEAVE_MS,
  });

interface Removal extends CleanUpRequest, Pick<Patience, 'force'> {
  /** How long these pods are waited for, in milliseconds; undefined: however long it takes. */
  readonly limit: (pods: readonly Pod[]) => number | undefined;
}

export async function removeObjects(dependencies: Dependencies, request: Removal): Promise<Done> {
  const { cluster } = dependencies;
  const { job, anchorUid, scope, graceSeconds, force } = request;
  if (scope === 'None') {
    await deleteGroups(dependencies, request);
    return { revision: 0 };
  }
  const all: Selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}` };
  const selection = scope === 'Running' ? { ...all, fieldSelector: UNFINISHED } : all;
  const { items: pods } = await cluster.list(PODS, selection);
  const { evidence } = await deletePods(dependencies, { job, pods, graceSeconds });
  await deleteEach(dependencies, SERVICES, await servicesToDelete(dependencies, all, scope));
  if (scope === 'Everything') await deleteShared(dependencies, job, anchorUid);
  await deleteGroups(dependencies, request);
  const list = async () => (await cluster.list(PODS, { ...selection, limit: MOST_TOLD })).items;
  const left = await untilNoneIsLeft(dependencies, list, { force, limitMs: request.limit(pods) });
  return { revision: 0, evidence, ...tellLeft(left) };
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

const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';
