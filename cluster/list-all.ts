import type { KubeObject, Resource } from '../contracts/kubernetes.ts';
import type { ClusterClient, Selection } from './client.ts';

/** `Kept`: what the caller keeps of an object. */
export interface ListSource<T extends KubeObject, Kept = T> {
  readonly resource: Resource<T>;
  readonly selection?: Selection;
  /** Requests metadata only. */
  readonly metadataOnly?: boolean;
  /** Objects per page; 500 by default. */
  readonly pageSize?: number;
  /** Returns what the caller keeps of an object, while the list is read page by page; by default, all of it. */
  readonly trim?: (object: T) => Kept;
}

const PAGE = 500;

/** Reads all pages. What it returns is how things were at the list's resource version. */
export async function listAll<T extends KubeObject, Kept = T>(
  client: Pick<ClusterClient, 'list'>,
  source: ListSource<T, Kept>,
): Promise<{ objects: Kept[]; resourceVersion: string }> {
  const trim = trimOf(source);
  const objects: Kept[] = [];
  let resourceVersion = '';
  for await (const page of pagesOf(client, source)) {
    for (const object of page.objects) objects.push(trim(object));
    resourceVersion = page.resourceVersion;
  }
  return { objects, resourceVersion };
}

/** Without `trim`, `Kept` is T. */
export const trimOf = <T extends KubeObject, Kept>({ trim }: Pick<ListSource<T, Kept>, 'trim'>) =>
  trim ?? ((object: T) => object as unknown as Kept);

/** Yields the objects of a list while it is read page by page, for callers that keep less than one object each. */
export async function* eachListed<T extends KubeObject>(
  client: Pick<ClusterClient, 'list'>,
  source: Omit<ListSource<T>, 'trim'>,
): AsyncGenerator<T> {
  for await (const { objects } of pagesOf(client, source)) yield* objects;
}

async function* pagesOf<T extends KubeObject>(
  client: Pick<ClusterClient, 'list'>,
  { resource, selection, metadataOnly, pageSize = PAGE }: Omit<ListSource<T>, 'trim'>,
): AsyncGenerator<{ objects: T[]; resourceVersion: string }> {
  let next: string | undefined;
  do {
    const page = await client.list(resource, { ...selection, metadataOnly, limit: pageSize, continue: next });
    const { apiVersion, kind } = resource;
    // The items of a list have no apiVersion and kind. An empty list of metadata has null instead of items.
    const objects = (page.items ?? []).map((item): T => ({ ...item, apiVersion, kind }));
    next = page.metadata.continue;
    yield { objects, resourceVersion: page.metadata.resourceVersion };
  } while (next);
}
