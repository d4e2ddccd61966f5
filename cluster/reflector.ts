import type { KubeObject, Resource } from '../contracts/kubernetes.ts';
import { BackOff, pause } from './back-off.ts';
import type { ClusterClient, Selection } from './client.ts';
import { isExpired } from './errors.ts';

/**
 * What a reflector tells. `revision` is the resource version up to which the stream has been read: all that happened
 * before it has been told. One kind's revisions only grow, whoever reads them.
 */
export interface ReflectorHandlers<T extends KubeObject> {
  /** A complete picture: what is not in it no longer exists. At the start, and after every gap in the stream. */
  replaced(objects: readonly T[], revision: number): void;
  changed(object: T, revision: number): void;
  deleted(object: T, revision: number): void;
  /** The server is away or the stream broke; a new try follows by itself. */
  interrupted?(error: unknown): void;
}

export interface ReflectorSource<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly selection?: Selection;
  /** The handlers read nothing else of an object, so nothing else is sent. */
  readonly metadataOnly?: boolean;
  /** What the handlers need of an object; the rest of a list is let go of page by page. All of it without this. */
  readonly trim?: (object: T) => T;
}

/** Of the client, all that is needed here. */
type Reads = Pick<ClusterClient, 'list' | 'watch'>;

const PAGE = 500;
const PAUSE = { firstMs: 100, mostMs: 10_000 };
/** The server ends a watch after this time, at random between once and twice, so that many do not return at once. */
const WATCH_SECONDS = 300;

/**
 * Follows a kind of object until the signal aborts: list once, then watch from there. A dropped stream goes on from
 * the last revision read; a revision that the server has forgotten (410 Gone) leads to a new list.
 */
export async function reflect<T extends KubeObject>(
  client: Reads,
  source: ReflectorSource<T>,
  handlers: ReflectorHandlers<T>,
  signal: AbortSignal,
): Promise<void> {
  let revision: string | undefined;
  const backOff = new BackOff(PAUSE);
  while (!signal.aborted) {
    try {
      if (revision === undefined) {
        revision = await tellAll(client, source, handlers);
      }
      for await (const event of client.watch(source.resource, watchFrom(source, revision, signal))) {
        revision = event.object.metadata.resourceVersion ?? revision;
        tell(handlers, event, Number(revision));
        backOff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isExpired(error)) {
        revision = undefined;
      } else {
        handlers.interrupted?.(error);
      }
    }
    // Also after a watch that ended in order: a broken proxy may end each at once, without a word.
    await pause(backOff.next() * (0.5 + Math.random()), signal);
  }
}

function watchFrom(
  { selection, metadataOnly }: Omit<ReflectorSource<KubeObject>, 'resource' | 'trim'>,
  resourceVersion: string,
  signal: AbortSignal,
) {
  const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + Math.random()));
  return { ...selection, metadataOnly, resourceVersion, signal, timeoutSeconds };
}

function tell<T extends KubeObject>(
  handlers: ReflectorHandlers<T>,
  event: { readonly type: string; readonly object: T },
  revision: number,
): void {
  if (event.type === 'BOOKMARK') return;
  if (event.type === 'DELETED') handlers.deleted(event.object, revision);
  else handlers.changed(event.object, revision);
}

/** A function of its own: the frame of `reflect` would keep the list alive for as long as the watch lasts. */
async function tellAll<T extends KubeObject>(
  client: Reads,
  source: ReflectorSource<T>,
  handlers: ReflectorHandlers<T>,
): Promise<string> {
  const { objects, revision } = await listAll(client, source);
  handlers.replaced(objects, Number(revision));
  return revision;
}

async function listAll<T extends KubeObject>(
  client: Reads,
  { resource, selection, metadataOnly, trim = (object) => object }: ReflectorSource<T>,
): Promise<{ objects: T[]; revision: string }> {
  const objects: T[] = [];
  let next: string | undefined;
  let revision: string;
  do {
    const page = await client.list(resource, { ...selection, metadataOnly, limit: PAGE, continue: next });
    // Items of a list come without apiVersion and kind.
    // Null, not empty, where metadata alone was asked for and there is nothing.
    for (const item of page.items ?? []) {
      objects.push(trim({ ...item, apiVersion: resource.apiVersion, kind: resource.kind }));
    }
    next = page.metadata.continue;
    revision = page.metadata.resourceVersion;
  } while (next);
  return { objects, revision };
}
