import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { FORBIDDEN_MS, isForbidden } from '../../cluster/errors.ts';
import { type Reads, type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { NODES, type Node, streamOf } from '../../contracts/kubernetes.ts';
import { pause } from '../../language/timers.ts';
import type { Streams } from '../../leader/streams.ts';
import { HealthTable } from '../nodes/health-table.ts';
import { nodeTrimmer } from '../nodes/node-facts.ts';
import type { NodeStore } from '../nodes/node-store.ts';

interface NodeInformerOptions {
  readonly cluster: ClusterClient;
  readonly readiness: { readonly streams: Streams };
  readonly log: Logger;
  /** What sources of health write on nodes; by default the known ones. */
  readonly health?: HealthTable;
}

const STREAM = streamOf(NODES);

interface NodeReader {
  readonly nodes: NodeStore;
  /** Called when nodes were listed, or cannot be listed. */
  readonly onListed: () => void;
}

/** Between tries if the permission was there before. */
const TAKEN_AWAY_MS = 10_000;

/**
 * Follows the nodes until the signal aborts. A watcher for a single namespace may not read nodes: its jobs receive no
 * node troubles, and everything else works. If the permission is taken away later, the stream also counts as interrupted.
 */
export async function followNodes(
  tools: NodeInformerOptions,
  reader: NodeReader,
  signal: AbortSignal,
): Promise<void> {
  const { cluster, readiness, log, health = new HealthTable() } = tools;
  const trim = nodeTrimmer(health);
  let client: Reads | undefined;
  let isToSay = true;
  let wasListed = false;
  const onListed = () => {
    wasListed = true;
    isToSay = true;
  };
  while (!signal.aborted) {
    client ??= readiness.streams.clientFor(STREAM, cluster);
    const error = await followUntilForbidden({ client, trim, log, onListed }, reader, signal);
    if (signal.aborted) return;
    reader.nodes.forget();
    reader.onListed();
    if (isToSay)
      log.warn({ err: error }, 'no permission to read nodes: jobs get no digests of node problems');
    isToSay = false;
    if (!wasListed) {
      readiness.streams.forget(STREAM);
      client = undefined;
    }
    await pause(wasListed ? TAKEN_AWAY_MS : FORBIDDEN_MS, signal);
  }
}

interface Following extends Pick<NodeInformerOptions, 'log'> {
  readonly client: Reads;
  readonly trim: (node: Node) => Node;
  readonly onListed: () => void;
}

async function followUntilForbidden(
  { client, trim, log, onListed: wasListed }: Following,
  { nodes, onListed }: NodeReader,
  leadership: AbortSignal,
): Promise<unknown> {
  const forbidden = new AbortController();
  const end = () => forbidden.abort(leadership.reason);
  leadership.addEventListener('abort', end, { once: true });
  const handlers: ReflectorHandlers<Node> = {
    ...nodes.handlers,
    replaced: (listed, resourceVersion) => {
      log.debug({ resource: STREAM, objects: listed.length, resourceVersion }, 'listed');
      nodes.handlers.replaced(listed, resourceVersion);
      wasListed();
      onListed();
    },
    interrupted: (error) => {
      onListed();
      if (isForbidden(error)) forbidden.abort(error);
      else log.warn({ err: error, resource: STREAM }, 'a stream from the cluster was interrupted');
    },
  };
  await reflect(client, { resource: NODES, trim }, handlers, forbidden.signal);
  leadership.removeEventListener('abort', end);
  return forbidden.signal.reason;
}
