import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { isOfAnchor } from '../../contracts/objects.ts';
import type { TakenPlace } from '../../contracts/spares.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { deleteEach } from './delete-pods.ts';
import { disappearsSoon, readPods } from './wait-for-deletion.ts';

interface Release {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly taken?: readonly TakenPlace[];
}

/** Their grace period is one second, and their nodes answer. */
const WITHIN_MS = 4_000;

/**
 * Deletes the spares whose places pods take, and waits until they are gone: a scheduler would place the pods elsewhere
 * as long as they hold their places. Does not wait for long: better elsewhere than late.
 */
export async function releaseSpares(
  dependencies: Dependencies,
  { job, anchorUid, taken = [] }: Release,
): Promise<void> {
  if (taken.length === 0) return;
  const found = await Promise.all(
    taken.map(({ spare }) => dependencies.cluster.find(PODS, job.namespace, spare)),
  );
  const uids = new Set(taken.map(({ uid }) => uid));
  const spares = found.filter(
    (pod): pod is Pod => pod !== undefined && uids.has(pod.metadata.uid ?? '') && isOfAnchor(pod, anchorUid),
  );
  await deleteEach(dependencies, PODS, spares, { grace: () => 1 });
  const look = readPods(dependencies, spares);
  await disappearsSoon(async () => (await look()).length === 0, WITHIN_MS);
}
