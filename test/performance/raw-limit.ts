import { inParallel } from '../../activities/support/in-parallel.ts';
import { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  POD_GROUPS,
  PODS,
  type Resource,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { observe } from './observation.ts';
import { NAMESPACE, type RenderedAttempt, renderedJobsOf, type Workload } from './workload.ts';

/** Milliseconds from the first request. */
export interface RawResult {
  readonly created: number;
  readonly running: number;
  readonly deleted: number;
}

interface Place {
  readonly kubeconfig: string;
  readonly connections: number;
}

const LIMIT_MS = 180_000;

/**
 * What the cluster itself needs for a workload's objects: made by a client that only sends them, over as many kept-alive
 * connections as the engine has. The anchors are there before, as pods without a living owner are collected.
 */
export async function measureRawLimit(place: Place, workload: Workload): Promise<RawResult> {
  // The engine makes no gang of one pod either.
  const gang = workload.podsPerJob > 1 ? (workload.gang ?? 'native') : 'none';
  const client = await ClusterClient.connect(place);
  const lanes = { limit: place.connections, signal: new AbortController().signal };
  const each = <T>(items: readonly T[], work: (item: T) => Promise<unknown>) =>
    inParallel(items, lanes, async (item) => void (await work(item)));
  const attempts: RenderedAttempt[] = [];
  await each(renderedJobsOf(workload), async ({ anchor, attempt }) => {
    const { metadata } = await client.create(CONFIG_MAPS, anchor);
    attempts.push(attempt(metadata.uid!, gang));
  });
  const observation = await observe(client, workload);
  try {
    const start = performance.now();
    const create = ([resource, object]: readonly [Resource, KubeObject]) => client.create(resource, object);
    await each(groupsOf(attempts), create);
    await each(membersOf(attempts), create);
    const created = (await observation.created.reached(LIMIT_MS)) - start;
    const running = (await observation.running.reached(LIMIT_MS)) - start;
    const deletion = performance.now();
    // One by one: the server's own deletion of a collection takes them one after the other.
    await each([...membersOf(attempts), ...groupsOf(attempts)].reverse(), ([resource, { metadata }]) =>
      client.delete(resource, NAMESPACE, metadata.name),
    );
    const deleted = (await observation.gone.reached(LIMIT_MS)) - deletion;
    await client.deleteCollection(CONFIG_MAPS, { namespace: NAMESPACE, labelSelector: LABELS.job });
    return { created, running, deleted };
  } finally {
    observation.stop();
    await client.close();
  }
}

const groupsOf = (attempts: readonly RenderedAttempt[]) =>
  attempts.flatMap(({ group }) => (group ? [[POD_GROUPS, group] as const] : []));

/** In the order of the engine: a job's services before its pods. */
const membersOf = (attempts: readonly RenderedAttempt[]) =>
  attempts.flatMap(({ services, pods }) => [
    ...services.map((service) => [SERVICES, service] as const),
    ...pods.map((pod) => [PODS, pod] as const),
  ]);
