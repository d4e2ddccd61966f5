import type { KubeObject } from '../contracts/kubernetes.ts';
import { BackOff } from '../language/back-off.ts';
import { pause } from '../language/timers.ts';
import type { ClusterClient } from './client.ts';
import { isExpired, isWatchTimeout } from './errors.ts';
import { type ListSource, listAll, trimOf } from './list-all.ts';

/**
 * Receives what a reflector reads. The stream has been read up to `resourceVersion`: all earlier changes have been
 * reported. The resource versions of a kind only grow, whichever process reads them. T: what is kept of an object.
 */
export interface ReflectorHandlers<T> {
  /** Receives all objects that exist. Called at the start and after every gap in the stream. */
  replaced(objects: readonly T[], resourceVersion: number): void;
  changed(object: T, resourceVersion: number): void;
  deleted(object: T, resourceVersion: number): void;
  /** Called when the server is unavailable or the stream broke. The reflector retries by itself. */
  interrupted?(error: unknown): void;
}

/** What a reflector needs of a client. */
export type Reads = Pick<ClusterClient, 'list' | 'watch'>;

const PAUSE = { firstMs: 100, mostMs: 10_000 };
/** The server ends a watch after one to two times this long, at random, so that many do not return at once. */
const WATCH_SECONDS = 300;

/**
 * Follows a kind of object until the signal aborts: lists once, then watches from there. A dropped stream resumes at
 * the last resource version read. It lists again if the server no longer has that (410 Gone), and after a watch that
 * delivered nothing at all, not even a bookmark, until it was taken for dead: whatever holds it back may hold back the
 * next one, too.
 */
export async function reflect<T extends KubeObject, Kept = T>(
  client: Reads,
  source: ListSource<T, Kept>,
  handlers: ReflectorHandlers<Kept>,
  signal: AbortSignal,
): Promise<void> {
  let resourceVersion: string | undefined;
  const backOff = new BackOff(PAUSE);
  const trim = trimOf(source);
  while (!signal.aborted) {
    let hasReceived = false;
    try {
      if (resourceVersion === undefined) {
        resourceVersion = await listAndNotify(client, source, handlers);
      }
      for await (const event of client.watch(source.resource, watchFrom(source, resourceVersion, signal))) {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        hasReceived = true;
        if (event.type !== 'BOOKMARK') {
          const notify = event.type === 'DELETED' ? 'deleted' : 'changed';
          handlers[notify](trim(event.object), Number(resourceVersion));
        }
        backOff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isExpired(error) || (isWatchTimeout(error) && !hasReceived)) resourceVersion = undefined;
      if (!isExpired(error)) handlers.interrupted?.(error);
    }
    // Waits after a normal end, too: a broken proxy may end each watch at once without an error.
    await pause(backOff.next() * (0.5 + Math.random()), signal);
  }
}

function watchFrom(
  { selection, metadataOnly }: Omit<ListSource<KubeObject>, 'resource' | 'trim'>,
  resourceVersion: string,
  signal: AbortSignal,
) {
  const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + Math.random()));
  return { ...selection, metadataOnly, resourceVersion, signal, timeoutSeconds };
}

/** Separate from `reflect`, whose frame would keep the list alive for as long as the watch lasts. */
async function listAndNotify<T extends KubeObject, Kept>(
  client: Reads,
  source: ListSource<T, Kept>,
  handlers: ReflectorHandlers<Kept>,
): Promise<string> {
  const { objects, resourceVersion } = await listAll(client, source);
  handlers.replaced(objects, Number(resourceVersion));
  return resourceVersion;
}
