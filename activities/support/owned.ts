import type { ClusterClient, Selection } from '../../cluster/client.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';

export interface Owned<T> {
  /** uid of the anchor that owns them. */
  readonly anchorUid: string;
  /** Of these, those that are meant; all without. */
  readonly where?: (object: T) => boolean;
  /** So many are enough. */
  readonly most?: number;
}

/** Objects of one request: 5,000 pods in one answer are some 50 MB of JSON. */
const PAGE = 500;

/**
 * The objects of a selection that an anchor owns. Labels select, but prove nothing: anybody can write them, and a job
 * that was submitted again has the same name. Garbage collection goes by owners' uids, and so does signalbox.
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

export const isOwnedBy = ({ metadata }: KubeObject, anchorUid: string) =>
  metadata.ownerReferences?.some(({ uid }) => uid === anchorUid) ?? false;
