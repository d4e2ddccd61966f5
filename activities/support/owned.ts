import type { ClusterClient, Selection } from '../../cluster/client.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { isOfAnchor, isOwnedBy, ownerUidOf } from '../../contracts/objects.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';

/** Who owns the objects of a job. */
export interface JobOwners {
  /** uid of its anchor. */
  readonly anchorUid: string;
  /** With it, also what only its custom resource still owns: garbage collection takes a deleted anchor off the owners. */
  readonly job?: Pick<TrainingJob, 'resource'>;
}

export interface Owned<T> extends JobOwners {
  /** Filters the objects; all if absent. */
  readonly where?: (object: T) => boolean;
  /** Stops after this many. */
  readonly most?: number;
}

/** Objects per request: 5,000 pods in one response are about 50 MB of JSON. */
const PAGE = 500;

export const isOwnedByJob = (object: KubeObject, { anchorUid, job }: JobOwners): boolean =>
  isOfAnchor(object, anchorUid) || hasLostAnchor(object, job?.resource?.uid);

/** Whether of the owners only the custom resource of the job is left. What a later anchor owns is of a later job. */
export const hasLostAnchor = (object: KubeObject, resourceUid: string | undefined): boolean =>
  resourceUid !== undefined && ownerUidOf(object) === undefined && isOwnedBy(object, resourceUid);

/**
 * Lists the objects of a selection that a job owns. Labels prove nothing: anyone can write them, and a resubmitted
 * job has the same name. Like garbage collection, signalbox checks the owners' uids.
 */
export async function listOwned<T extends KubeObject>(
  cluster: ClusterClient,
  resource: Resource<T>,
  selection: Selection,
  { where = () => true, most = Number.POSITIVE_INFINITY, ...owners }: Owned<T>,
): Promise<T[]> {
  const found: T[] = [];
  let next: string | undefined;
  const limit = Math.min(PAGE, most);
  do {
    const page = await cluster.list(resource, { ...selection, limit, continue: next });
    found.push(...page.items.filter((object) => isOwnedByJob(object, owners) && where(object)));
    next = page.metadata.continue;
  } while (next && found.length < most);
  return found.slice(0, most);
}
