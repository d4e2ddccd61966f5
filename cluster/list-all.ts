import type { KubeObject, Resource } from '../contracts/kubernetes.ts';
import type { ClusterClient, Selection } from './client.ts';

export interface ListSource<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly selection?: Selection;
  /** Requests metadata only. */
  readonly metadataOnly?: boolean;
  /** Objects per page; 500 by default. */
  readonly pageSize?: number;
  /** Reduces an object to what the caller needs, while the list is read page by page. Keeps all of it by default. */
  readonly trim?: (object: T) => T;
}

const PAGE = 500;

/** Reads all pages. What it returns is how things were at the list's resource version. */
export async function listAll<T extends KubeObject>(
  client: Pick<ClusterClient, 'list'>,
  { resource, selection, metadataOnly, pageSize = PAGE, trim = (object) => object }: ListSource<T>,
): Promise<{ objects: T[]; resourceVersion: string }> {
  const objects: T[] = [];
  let next: string | undefined;
  let resourceVersion: string;
  do {
    const page = await client.list(resource, { ...selection, metadataOnly, limit: pageSize, continue: next });
    // The items of a list have no apiVersion and kind. An empty list of metadata has null instead of items.
    for (const item of page.items ?? []) {
      objects.push(trim({ ...item, apiVersion: resource.apiVersion, kind: resource.kind }));
    }
    next = page.metadata.continue;
    resourceVersion = page.metadata.resourceVersion;
  } while (next);
  return { objects, resourceVersion };
}
