import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { untilNoneIsLeft } from './await-gone.ts';
import type { Done } from './create-attempt.ts';
import { deletePods, MOST_TOLD, tellLeft } from './delete-pods.ts';
import type { Dependencies } from './dependencies.ts';
import { type Patience, patienceWith } from './grace-period.ts';
import { deleteGroups } from './groups.ts';
import { together } from './in-parallel.ts';
import { deleteLists } from './shared-objects.ts';

export interface DrainRequest extends Patience {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly attempt: number;
}

/**
 * Removes all pods of an attempt, and of those before it, with their groups and the lists of their addresses. Services
 * stay: their names serve the next attempt. Idempotent: it deletes what is there, and nothing of a later attempt.
 */
export async function drain(dependencies: Dependencies, request: DrainRequest): Promise<Done> {
  const { job, anchorUid } = request;
  const pods = await listUpTo(dependencies, request);
  const [{ evidence }] = await together(
    deletePods(dependencies, { job, pods }),
    deleteGroups(dependencies, request),
    deleteLists(dependencies, job, anchorUid),
  );
  const list = () => listUpTo(dependencies, request, MOST_TOLD);
  const { force } = request;
  const left = await untilNoneIsLeft(dependencies, list, { force, limitMs: patienceWith(pods, request) });
  return { revision: 0, evidence, ...tellLeft(left) };
}

/** Not those of a later attempt, whoever made them: a drain that comes late must not touch them. */
async function listUpTo(
  { cluster }: Dependencies,
  { job, attempt }: DrainRequest,
  most = Number.POSITIVE_INFINITY,
): Promise<Pod[]> {
  const selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}` };
  const limit = Number.isFinite(most) ? most : undefined;
  const found: Pod[] = [];
  let next: string | undefined;
  do {
    const { items, metadata } = await cluster.list(PODS, { ...selection, limit, continue: next });
    found.push(...items.filter((pod) => attemptOf(pod) <= attempt));
    next = metadata.continue;
  } while (next && found.length < most);
  return found.slice(0, most);
}

const attemptOf = ({ metadata }: Pod) => Number(metadata.labels?.[LABELS.attempt]);
