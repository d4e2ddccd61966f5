import type { ClusterClient } from '../../cluster/client.ts';
import { readNamedObjects } from '../../cluster/read-named-objects.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { withReferences } from '../../contracts/references.ts';
import { unreadReferences } from '../../frameworks/manifest/references.ts';
import { unlessLate } from '../../language/timers.ts';

/** A submission does not wait longer for a cluster that it need not have. */
const MOST_MS = 5_000;

/** The objects that a manifest names and does not bring along. */
export interface FoundReferences {
  readonly references: readonly KubeObject[];
  /** What is not among them does not exist. */
  readonly isComplete: boolean;
}

type Connect = () => Promise<Pick<ClusterClient, 'find' | 'serves'>>;

/**
 * Reads the objects that a manifest names, as the cluster has them now. Asks only if there are any; a cluster that does not
 * answer leaves them to the worker.
 */
export async function referencesOfCluster(
  connect: Connect,
  manifest: object,
  namespace: string,
): Promise<FoundReferences> {
  const missing = unreadReferences(manifest);
  if (missing.length === 0) return { references: [], isComplete: true };
  const asked = connect().then((cluster) => readNamedObjects(cluster, missing, namespace));
  const found = await unlessLate(
    asked.catch(() => undefined),
    MOST_MS,
  );
  return { references: found ?? [], isComplete: found !== undefined };
}

/** Returns a manifest with these objects, and how to validate it. */
export async function completed(connect: Connect, manifest: object, namespace: string) {
  const { references, isComplete } = await referencesOfCluster(connect, manifest, namespace);
  return { manifest: withReferences(manifest, references), isComplete };
}
