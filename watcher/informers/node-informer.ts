import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { isForbidden } from '../../cluster/errors.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { NODES, type Node, streamOf } from '../../contracts/kubernetes.ts';
import { pause } from '../../contracts/timers.ts';
import { FORBIDDEN_MS } from '../digest/throttle.ts';
import { trimNode } from '../nodes/node-facts.ts';
import type { NodeStore } from '../nodes/node-store.ts';
import type { Streams } from './streams.ts';

export interface NodeInformerOptions {
  readonly cluster: ClusterClient;
  readonly readiness: { readonly streams: Streams };
  readonly log: Logger;
}

const STREAM = streamOf(NODES);

export interface NodeReader {
  readonly nodes: NodeStore;
  /** Called when nodes were listed, or cannot be listed. */
  readonly onListed: () => void;
}

/**
 * Follows the nodes until the signal aborts. A watcher for a single namespace may not read nodes: its jobs receive no
 * node troubles, and everything else works.
 */
export async function followNodes(
  tools: NodeInformerOptions,
  reader: NodeReader,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const error = await followUntilForbidden(tools, reader, signal);
    if (signal.aborted) return;
    tools.readiness.streams.forget(STREAM);
    reader.nodes.forget();
    reader.onListed();
    if (round === 0)
      tools.log.warn({ err: error }, 'no permission to read nodes: jobs get no digests of node problems');
    await pause(FORBIDDEN_MS, signal);
  }
}

async function followUntilForbidden(
  { cluster, readiness, log }: NodeInformerOptions,
  { nodes, onListed }: NodeReader,
  term: AbortSignal,
): Promise<unknown> {
  const forbidden = new AbortController();
  const end = () => forbidden.abort(term.reason);
  term.addEventListener('abort', end, { once: true });
  const handlers: ReflectorHandlers<Node> = {
    ...nodes.handlers,
    replaced: (listed, resourceVersion) => {
      log.debug({ resource: STREAM, objects: listed.length, resourceVersion }, 'listed');
      nodes.handlers.replaced(listed, resourceVersion);
      onListed();
    },
    interrupted: (error) => {
      onListed();
      if (isForbidden(error)) forbidden.abort(error);
      else log.warn({ err: error, resource: STREAM }, 'a stream from the cluster was interrupted');
    },
  };
  const client = readiness.streams.clientFor(STREAM, cluster);
  await reflect(client, { resource: NODES, trim: trimNode }, handlers, forbidden.signal);
  term.removeEventListener('abort', end);
  return forbidden.signal.reason;
}
