import { isConflict } from '../../cluster/errors.ts';
import { type AdmittedPlacement, parsePlacement } from '../../contracts/admitted-placement.ts';
import { CONFIG_MAPS, KUEUE_FLAVORS, KUEUE_WORKLOADS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import { attemptOf, isOfAnchor } from '../../contracts/objects.ts';
import { givesQuota } from '../../contracts/training-job.ts';
import { groupNameOf } from '../../gang/gang.ts';
import { conflictsOf, flavorsOf, placementsOf } from '../../gang/kueue-placement.ts';
import { isWorkloadAdmitted } from '../../gang/kueue-workload.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { EffectRequest } from '../support/effect.ts';
import { RejectedManifestError } from '../support/failures.ts';

/** The attempt is not admitted any more: no pod of it may be created. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';
}

/**
 * Returns what the admission of an attempt adds to its pods. The first activity that needs it writes it to the anchor: all pods
 * of the attempt are alike, also those that replace others, whatever becomes of the flavors meanwhile. Throws
 * `NotAdmittedError`.
 */
export async function admittedPlacementOf(
  dependencies: Dependencies,
  attempt: EffectRequest<'createGroup'>,
): Promise<AdmittedPlacement['roles'] | undefined> {
  if (!givesQuota(attempt.gang)) return undefined;
  const { job, anchorUid } = attempt;
  const { cluster } = dependencies;
  const target = { namespace: job.namespace, name: anchorNameOf(job.name) };
  for (;;) {
    const anchor = await cluster.find(CONFIG_MAPS, target.namespace, target.name);
    if (anchor?.metadata.uid !== anchorUid) throw new NotAdmittedError('the anchor of the job is gone');
    const known = parsePlacement(anchor.metadata.annotations?.[ANNOTATIONS.placement]);
    if (known?.attempt === attempt.attempt) return known.roles;
    const placement: AdmittedPlacement = {
      attempt: attempt.attempt,
      roles: await readAdmission(dependencies, attempt),
    };
    const { uid, resourceVersion } = anchor.metadata;
    const annotations = { [ANNOTATIONS.placement]: JSON.stringify(placement) };
    try {
      await cluster.patch(CONFIG_MAPS, target, { metadata: { uid, resourceVersion, annotations } });
      return placement.roles;
    } catch (error) {
      // Another activity of the attempt may have written it.
      if (!isConflict(error)) throw error;
    }
  }
}

async function readAdmission(
  { cluster }: Dependencies,
  { job, anchorUid, attempt, gang }: EffectRequest<'createGroup'>,
): Promise<AdmittedPlacement['roles']> {
  const name = groupNameOf(job.name, attempt, gang);
  const workload = await cluster.find(KUEUE_WORKLOADS[0]!, job.namespace, name);
  const isOfAttempt = workload && isOfAnchor(workload, anchorUid) && attemptOf(workload) === attempt;
  if (!isOfAttempt || !isWorkloadAdmitted(workload))
    throw new NotAdmittedError(
      `Kueue has not admitted Workload ${job.namespace}/${name} for attempt ${attempt}`,
    );
  const conflicts = conflictsOf(job, workload);
  if (conflicts.length > 0) throw new RejectedManifestError(conflicts);
  const flavors = await Promise.all(
    flavorsOf(workload).map(
      async (flavor) => [flavor, await cluster.get(KUEUE_FLAVORS, undefined, flavor)] as const,
    ),
  );
  return placementsOf(workload, new Map(flavors));
}
