import type { ClusterClient, Selection } from '../../cluster/client.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { isOwnedBy } from '../../contracts/objects.ts';

export interface Owned<T> {
  /** uid of the anchor that owns the objects. */
  readonly anchorUid: string;
  /** Filters the objects; all if absent. */
  readonly where?: (object: T) => boolean;
  /** Stops after this many. */
  readonly most?: number;
}

/** Objects per request: 5,000 pods in one response are about 50 MB of JSON. */
const PAGE = 500;

/**
 * Lists the objects of a selection that an anchor owns. Labels prove nothing: anyone can write them, and a resubmitted
 * job has the same name. Like garbage collection, signalbox checks the owners' uids.
 */
export async function listOwned<T extends KubeObject>(
  cluster: ClusterClient,
  resource: Resource<T>,
  selection: Selection,
  { anchorUid, where = () => true, most = Number.POSITIVE_INFINITY }: Owned<T>,
): Promise<T[]> {
  const found: T[] = [];
  let next: string | undefined;
  const limit = Math.min(PAGE, most);
  do {
    const page = await cluster.list(resource, { ...selection, limit, continue: next });
    found.push(...page.items.filter((object) => isOwnedBy(object, anchorUid) && where(object)));
    next = page.metadata.continue;
  } while (next && found.length < most);
  return found.slice(0, most);
}
