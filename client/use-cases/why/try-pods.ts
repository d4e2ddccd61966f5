import { ApiError, isAlreadyExists } from '../../../cluster/errors.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { asTemporaryRefusal } from '../../../cluster/temporary-refusal.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import type { RefusedObject } from '../../../explain/situation.ts';

interface Tried {
  /** As admission would change them: defaults of LimitRanges, overhead of runtime classes, webhooks. */
  readonly pods: readonly Pod[];
  readonly refused: readonly RefusedObject[];
}

/** Asks the API server to create the first pod of each role in a dry run; the others of the role are like it. */
export async function tryPods(reading: Reading, pods: readonly Pod[]): Promise<Tried> {
  const roles = [...Map.groupBy(pods, ({ metadata }) => metadata.labels?.[LABELS.role])];
  const tried = await Promise.all(roles.map(async ([, replicas]) => tryRole(reading, replicas)));
  return {
    pods: tried.flatMap((one) => one.pods),
    refused: tried.flatMap((one) => one.refused),
  };
}

async function tryRole(reading: Reading, replicas: readonly Pod[]): Promise<Tried> {
  const first = replicas[0]!;
  const { namespace, name } = first.metadata;
  try {
    const { spec } = await reading.cluster.create(PODS, withoutOwners(first), { dryRun: true });
    return { pods: replicas.map((pod) => ({ ...pod, spec })), refused: [] };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (isAlreadyExists(error)) return { pods: replicas, refused: [] };
    if (/ cannot create resource "pods"/.test(error.detail)) {
      reading.note(
        `what admission refuses or changes is not known: pods may not be created, not even in a dry run (${error.detail})`,
      );
      return { pods: replicas, refused: [] };
    }
    const code = asTemporaryRefusal(error)?.reason ?? 'ClusterRefused';
    return { pods: replicas, refused: [{ object: `Pod ${namespace}/${name}`, code, message: error.detail }] };
  }
}

/** The anchor exists only once the job runs. */
const withoutOwners = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: undefined },
});
