import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { reflect } from '../../cluster/reflector.ts';
import { CONFIG_MAPS, type ConfigMap, type Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import type { JobName } from '../job-name.ts';
import type { LoggedJob } from './log-options.ts';

/** What a job's anchor says of its pods. */
export interface LogAnchor {
  readonly uid: string;
  /** The pod whose log is the job's. */
  readonly mainPod: string | undefined;
  /** Names of the containers that train, by role in lower case. */
  readonly containers: ReadonlyMap<string, string>;
}

/**
 * Waits until the cluster has the anchor of this very run of the job, and reads it; undefined if the signal aborts
 * first. A new run takes over the name of the one before, whose pods are there until then.
 */
export async function waitForAnchor(
  cluster: ClusterClient,
  { name, namespace, firstRunId }: LoggedJob,
  signal: AbortSignal,
): Promise<LogAnchor | undefined> {
  const found = new AbortController();
  let facts: LogAnchor | undefined;
  const look = (anchor: ConfigMap) => {
    if (anchor.metadata.annotations?.[ANNOTATIONS.firstRunId] !== firstRunId) return;
    facts = factsOf(anchor);
    found.abort();
  };
  const handlers = {
    replaced: (anchors: readonly ConfigMap[]) => anchors.forEach(look),
    changed: look,
    deleted: () => undefined,
  };
  const selection = { namespace, fieldSelector: `metadata.name=${anchorNameOf(name)}` };
  await reflect(
    cluster,
    { resource: CONFIG_MAPS, selection },
    handlers,
    AbortSignal.any([found.signal, signal]),
  );
  return facts;
}

/** What the anchor says now; nothing where there is none, or where reading it is not allowed. */
export async function readAnchor(
  cluster: ClusterClient,
  { name, namespace }: JobName,
): Promise<LogAnchor | undefined> {
  try {
    const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorNameOf(name));
    return anchor && factsOf(anchor);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}

export const isOwnedByAnchor = (pod: Pod, anchorUid: string) =>
  (pod.metadata.ownerReferences ?? []).some(({ uid }) => uid === anchorUid);

function factsOf({ metadata }: ConfigMap): LogAnchor {
  const { [ANNOTATIONS.mainPod]: mainPod, [ANNOTATIONS.mainContainer]: containers = '' } =
    metadata.annotations ?? {};
  const pairs = containers.split(',').map((pair) => pair.split('=') as [string, string]);
  return { uid: metadata.uid!, mainPod, containers: new Map(pairs) };
}
