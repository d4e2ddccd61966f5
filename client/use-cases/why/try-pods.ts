import { ApiError, isAlreadyExists, withoutRequest } from '../../../cluster/errors.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { asTemporaryRefusal } from '../../../cluster/temporary-refusal.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import type { RefusedObject } from '../../../explain/situation.ts';
import type { PodAnswer } from '../../manifests/offline/fields-on-server.ts';

interface Tried {
  /** What the API server said of the first pod of each role. */
  readonly answers: readonly PodAnswer[];
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
    answers: tried.flatMap((one) => one.answers),
  };
}

async function tryRole(reading: Reading, replicas: readonly Pod[]): Promise<Tried> {
  const first = replicas[0]!;
  const { namespace, name } = first.metadata;
  const warnings: string[] = [];
  const options = { dryRun: true, warned: (some: readonly string[]) => warnings.push(...some) };
  const answers = (isRefused: boolean) => [{ pod: first, isRefused, warnings }];
  try {
    const { spec, metadata } = await reading.cluster.create(PODS, withoutOwners(first), options);
    const { annotations } = metadata;
    const changed = replicas.map((pod) => ({ ...pod, spec, metadata: { ...pod.metadata, annotations } }));
    return { pods: changed, refused: [], answers: answers(false) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (isAlreadyExists(error)) return { pods: replicas, refused: [], answers: answers(false) };
    if (/ cannot create resource "pods"/.test(error.detail)) {
      reading.note(
        `what admission refuses or changes is not known: pods may not be created, not even in a dry run (${withoutRequest(error)})`,
      );
      return { pods: replicas, refused: [], answers: answers(true) };
    }
    const code = asTemporaryRefusal(error)?.reason ?? 'ClusterRefused';
    const refused = [{ object: `Pod ${namespace}/${name}`, code, message: error.detail }];
    return { pods: replicas, refused, answers: answers(true) };
  }
}

/** The anchor exists only once the job runs. */
const withoutOwners = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: undefined },
});
