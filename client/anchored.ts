import type { ClusterClient } from '../cluster/client.ts';
import { reflect } from '../cluster/reflector.ts';
import { CONFIG_MAPS, type ConfigMap, type Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import type { LoggedJob } from './log-options.ts';

/**
 * Waits until the cluster has the anchor of this very run of the job, and gives its uid; undefined if the signal aborts
 * first. A new run takes over the name of the one before, whose pods are there until then.
 */
export async function untilAnchored(
  cluster: ClusterClient,
  { name, namespace, firstRunId }: LoggedJob,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = new AbortController();
  let uid: string | undefined;
  const look = ({ metadata }: ConfigMap) => {
    if (metadata.annotations?.[ANNOTATIONS.firstRunId] !== firstRunId) return;
    uid = metadata.uid;
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
  return uid;
}

export const isOwnedBy = (pod: Pod, anchorUid: string) =>
  (pod.metadata.ownerReferences ?? []).some(({ uid }) => uid === anchorUid);
