import { createHash } from 'node:crypto';
import { isConflict, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { workloadPriority } from '../../cluster/workload-priority.ts';
import { type Condition, KUEUE_WORKLOADS, type KubeObject } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { attemptOf, isOfAnchor } from '../../contracts/objects.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { conditionsOf, findCondition } from '../../gang/conditions.ts';
import {
  evictionOfWorkload,
  holdsQuota,
  isFinished,
  isWorkloadAdmitted,
  reclaimedFrom,
} from '../../gang/kueue-workload.ts';
import { asFields } from '../../language/fields.ts';
import { timeOf } from '../../language/time.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { NameInUseError, StillLeavingError } from '../support/failures.ts';
import { hasLostMetadata, ofInstallation, ownersOf } from './lost-metadata.ts';

/** What the owner of a Workload does with it, as Kueue's own integrations do (its package jobframework). */

const WORKLOADS = KUEUE_WORKLOADS[0]!;

interface Asked {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  /** The Workload as the job wants it for its attempt. */
  readonly wanted: KubeObject;
}

/**
 * Asks Kueue to admit an attempt: creates the Workload of the job, or takes that of earlier attempts, with its quota. The pods
 * of those are gone, so it gives back what Kueue has taken back, and what the job needs no more in this form. Idempotent: the
 * label of the attempt is written last.
 */
export async function askForQuota(
  dependencies: Dependencies,
  { job, anchorUid, ...of }: Asked,
): Promise<void> {
  const { cluster } = dependencies;
  const wanted = ofInstallation(of.wanted, dependencies);
  const asked = { job, anchorUid, wanted };
  const { namespace, name } = wanted.metadata;
  const found = await cluster.find(WORKLOADS, namespace, name);
  if (!found) {
    await cluster.create(WORKLOADS, await complete(dependencies, asked));
    return;
  }
  if (!isOfAnchor(found, anchorUid))
    throw new NameInUseError(`Workload ${namespace}/${name} already exists and belongs to another job`);
  if (found.metadata.deletionTimestamp)
    throw new StillLeavingError(`Workload ${namespace}/${name} of this job is still being deleted`);
  if (isFinished(found)) {
    await cluster.delete(WORKLOADS, namespace, name, { uid: found.metadata.uid }).catch(unlessGoneOrReplaced);
    return askForQuota(dependencies, asked);
  }
  const isOther = found.metadata.annotations?.[ANNOTATIONS.workload] !== hashOf(wanted);
  const isNext = attemptOf(found) !== attemptOf(wanted);
  const lacksQuota = isNext && reclaimedFrom(found).length > 0;
  const mustGiveBack =
    lacksQuota || (holdsQuota(found) && (isOther || evictionOfWorkload(found) !== undefined));
  let present = mustGiveBack ? await giveBack(dependencies, found, { isOther }) : found;
  if (isOther) present = await renew(dependencies, present, await complete(dependencies, asked));
  else if (isNext || hasLostMetadata(present, wanted))
    present = await renew(dependencies, present, { ...wanted, spec: undefined });
  if (isHeld(present)) await writeConditions(dependencies, present, [QUEUED_AGAIN]);
}

/** Refused if another client has changed it meanwhile: the next try looks again. */
async function renew({ cluster }: Dependencies, found: KubeObject, wanted: KubeObject): Promise<KubeObject> {
  const { namespace, name, uid, resourceVersion } = found.metadata;
  const { labels, annotations } = wanted.metadata;
  const { spec } = wanted;
  const patch = { metadata: { uid, resourceVersion, labels, annotations, ...ownersOf(found, wanted) }, spec };
  return cluster.patch(WORKLOADS, { namespace, name }, patch);
}

/** Adds what is only known in the cluster. */
async function complete({ cluster }: Dependencies, { job, wanted }: Asked): Promise<KubeObject> {
  const annotations = { ...wanted.metadata.annotations, [ANNOTATIONS.workload]: hashOf(wanted) };
  const priority = await workloadPriority(cluster, job);
  return {
    ...wanted,
    metadata: { ...wanted.metadata, annotations },
    spec: { ...asFields(wanted.spec), ...priority },
  };
}

const hashOf = ({ spec }: KubeObject) =>
  createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16);

/**
 * Nothing of the job runs any more: Kueue may give its quota to others, and queues the job anew. One that is to have other pods
 * (`isOther`) not before it has them: it would be admitted as it was.
 */
function giveBack(
  dependencies: Dependencies,
  workload: KubeObject,
  { isOther }: { readonly isOther: boolean },
): Promise<KubeObject> {
  const eviction = evictionOfWorkload(workload);
  const message = eviction?.message ?? whyAnew(workload);
  const changes: readonly Omit<Condition, 'lastTransitionTime'>[] = [
    { type: 'QuotaReserved', status: 'False', reason: 'Pending', message },
    {
      type: 'Admitted',
      status: 'False',
      reason: 'NoReservation',
      message: 'The workload has no reservation',
    },
    ...requeuing(eviction, isOther),
    ...(findCondition(workload, 'PodsReady') ? [WAITS_FOR_START] : []),
  ];
  return writeConditions(dependencies, workload, changes, { admission: null, reclaimablePods: null });
}

/** Refused if another client has changed the Workload meanwhile. */
function writeConditions(
  { cluster }: Pick<Dependencies, 'cluster'>,
  workload: KubeObject,
  changes: readonly Omit<Condition, 'lastTransitionTime'>[],
  fields: object = {},
): Promise<KubeObject> {
  const { namespace, name, uid, resourceVersion } = workload.metadata;
  return cluster.patch(
    WORKLOADS,
    { namespace, name, subresource: 'status' },
    {
      metadata: { uid, resourceVersion },
      status: { ...fields, conditions: withConditions(workload, changes) },
    },
  );
}

/** An attempt makes all pods anew, and Kueue does not lend quota a second time to what has given it back. */
const whyAnew = (workload: KubeObject) =>
  reclaimedFrom(workload).length > 0
    ? 'pods of the job had ended and given back their quota, and its next attempt needs it'
    : 'the job is to be admitted with other pods';

const CHANGES_PODS = 'PodSetsChange';
const HELD = {
  type: 'Requeued',
  status: 'False',
  reason: CHANGES_PODS,
  message: 'the pods of the job are being changed',
} as const;
const QUEUED_AGAIN = { ...HELD, status: 'True', message: 'the pods of the job were changed' } as const;

/** Also by an earlier try, which was cut off. */
const isHeld = (workload: KubeObject): boolean => {
  const found = findCondition(workload, HELD.type);
  return found?.status === HELD.status && found.reason === CHANGES_PODS;
};

function requeuing(
  eviction: Condition | undefined,
  isOther: boolean,
): readonly Omit<Condition, 'lastTransitionTime'>[] {
  const pause = eviction && requeued(eviction);
  if (isOther && pause?.status !== 'False') return [HELD];
  return pause ? [pause] : [];
}

/** Otherwise Kueue decides when it is queued again: after a pause, when its queue goes on, or when a user activates it. */
const requeued = ({ reason = '', message }: Condition): Omit<Condition, 'lastTransitionTime'> => ({
  type: 'Requeued',
  status: AT_ONCE.has(reason) ? 'True' : 'False',
  reason,
  message,
});

const AT_ONCE: ReadonlySet<string> = new Set(['Preempted', 'NodeFailures']);

const NOT_READY = 'Not all pods are ready or succeeded';
const WAITS_FOR_START = {
  type: 'PodsReady',
  status: 'False',
  reason: 'WaitForStart',
  message: NOT_READY,
} as const;

/** Kueue evicts a job that is not ready in time, if it is configured to wait for that. */
export async function tellReadiness(
  { cluster }: Pick<Dependencies, 'cluster'>,
  {
    namespace,
    name,
    anchorUid,
  }: { readonly namespace: string; readonly name: string; readonly anchorUid: string },
  isReady: boolean,
): Promise<void> {
  const workload = await cluster.find(WORKLOADS, namespace, name);
  if (!workload || !isOfAnchor(workload, anchorUid) || !isWorkloadAdmitted(workload)) return;
  const before = findCondition(workload, 'PodsReady');
  const after = readiness(isReady, before);
  if (before?.status === after.status && before.reason === after.reason) return;
  try {
    await writeConditions({ cluster }, workload, [after]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    await tellReadiness({ cluster }, { namespace, name, anchorUid }, isReady);
  }
}

function readiness(isReady: boolean, before: Condition | undefined): Omit<Condition, 'lastTransitionTime'> {
  const wasReady = before?.status === 'True' || before?.reason === 'WaitForRecovery';
  if (!isReady)
    return wasReady
      ? {
          ...WAITS_FOR_START,
          reason: 'WaitForRecovery',
          message: 'At least one pod has failed, waiting for recovery',
        }
      : WAITS_FOR_START;
  const isAgain = before?.reason === 'WaitForRecovery' || before?.reason === 'Recovered';
  return {
    ...{ type: 'PodsReady', status: 'True', reason: isAgain ? 'Recovered' : 'Started' },
    message: 'All pods reached readiness and the workload is running',
  };
}

/** The time of a condition is that of its last change. A merge patch replaces the whole list. */
function withConditions(workload: KubeObject, changes: readonly Omit<Condition, 'lastTransitionTime'>[]) {
  const present = conditionsOf(workload);
  const now = timeOf(Date.now());
  const changed = changes.map((change) => {
    const before = present.find(({ type }) => type === change.type);
    const lastTransitionTime = before?.status === change.status ? before.lastTransitionTime : now;
    return { ...change, lastTransitionTime, observedGeneration: workload.metadata.generation };
  });
  return [...present.filter(({ type }) => !changes.some((change) => change.type === type)), ...changed];
}
