import { isAlreadyExists } from '../../cluster/errors.ts';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS, type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import { jobNameOf, LABELS } from '../../contracts/labels.ts';
import { controllerOf, isOwnedBy } from '../../contracts/objects.ts';
import { isFinal } from '../../contracts/status.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { renderAnchor, type WorkflowIdentity } from '../../resources/anchor.ts';
import { findWorkflow } from '../../temporal/find-workflow.ts';
import { isAboutNoRun } from '../../temporal/missing-run.ts';
import { MOST_REPORTED, stuckPodsResult } from '../deletion/delete-pods.ts';
import { disappearsSoon, forceOverdue } from '../deletion/wait-for-deletion.ts';
import { collectBeforeExpiry } from '../evidence/collect-before-expiry.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { endedError, NameInUseError } from '../support/failures.ts';
import { listOwned } from '../support/owned.ts';
import { gangOfAnchor } from '../support/recorded-job.ts';
import { deleteAnchor } from './anchor-writes.ts';
import { findOwner } from './job-of-resource.ts';
import { findWorkflowOf } from './workflow-of.ts';

/** An admitted job and the gang scheduler that places it. */
interface Chosen {
  readonly job: TrainingJob;
  readonly gang: GangProvider;
  /** How long the job has already waited for the name, in milliseconds. */
  readonly waitedMs?: number;
}

/** The uid of the job's anchor; or the pods that an ended job of the same name left behind. */
type Claim = { readonly anchorUid: string } | { readonly waitsFor: readonly StuckPod[] };

/**
 * Claims the job's name by creating its anchor: the API server accepts only one. First deletes what an ended job of the
 * same name left behind. The workflow, not this activity, waits for objects that take longer than a moment. Idempotent
 * by the anchor's name and the run that it names.
 */
export async function claimName(
  dependencies: Dependencies,
  { job, gang, waitedMs = 0 }: Chosen,
  identity: WorkflowIdentity & Pick<Home, 'clusterId'>,
): Promise<Claim> {
  const { installation } = dependencies;
  const anchor = renderAnchor(job, { ...identity, installation }, gang);
  for (;;) {
    try {
      const created = await dependencies.cluster.create(CONFIG_MAPS, anchor);
      return { anchorUid: created.metadata.uid! };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const existing = await findAnchor(dependencies, anchor);
    if (existing && isSameRun(existing, anchor)) return { anchorUid: existing.metadata.uid! };
    if (existing && (await isEnding(dependencies, existing, anchor))) return { waitsFor: [] };
    if (existing) await refuseIfEnded(dependencies, existing, { job, wanted: anchor });
    if (existing) await refuseIfKept(dependencies, existing, job);
    const forceAfter = job.plan.policy?.nodes.forceDeleteAfterMs ?? Number.POSITIVE_INFINITY;
    const force = waitedMs >= forceAfter;
    const waitsFor = existing && (await takeOver(dependencies, existing, { job, force }));
    if (waitsFor) return { waitsFor };
  }
}

/**
 * Returns whether an earlier try of the same run created the anchor, also before a Reset of a live job's workflow. Labels and
 * the workflow's id may have been edited since; no other job has this run. The anchor of a job that has ended is not
 * adopted, whatever run it names: its pods have ended, and the watcher ignores it.
 */
const isSameRun = ({ metadata }: ConfigMap, wanted: ConfigMap) =>
  !metadata.deletionTimestamp &&
  !isFinal(parseAnchorRecord(metadata.annotations).phase ?? '') &&
  isOfSameChain(metadata, wanted.metadata);

function isOfSameChain(one: ConfigMap['metadata'], other: ConfigMap['metadata']): boolean {
  const { firstRunId } = parseAnchorRecord(one.annotations);
  return firstRunId !== undefined && firstRunId === parseAnchorRecord(other.annotations).firstRunId;
}

/**
 * Throws if the anchor is of another run of the same custom resource: it has had its job. A Reset repeats a run. One that Temporal
 * does not know may be the word of any user; what has ended long ago says so in its status.
 */
async function refuseIfEnded(
  { temporal }: Dependencies,
  existing: ConfigMap,
  { job: { resource }, wanted }: { readonly job: TrainingJob; readonly wanted: ConfigMap },
): Promise<void> {
  if (!resource || !isOwnedBy(existing, resource.uid)) return;
  const { namespace, name } = wanted.metadata;
  if (isOfSameChain(existing.metadata, wanted.metadata)) return;
  const { workflowId, firstRunId } = parseAnchorRecord(existing.metadata.annotations);
  if (!workflowId || !firstRunId || !(await hadRun(temporal, workflowId, firstRunId))) return;
  throw endedError(`${resource.kind} ${namespace}/${jobNameOf(name)}`);
}

const hadRun = (temporal: Dependencies['temporal'], workflowId: string, runId: string): Promise<boolean> =>
  findWorkflow(temporal, workflowId, runId).then(
    (found) => found !== undefined,
    (error: unknown) => (isAboutNoRun(error) ? false : Promise.reject(error)),
  );

/** Throws if the anchor is of a custom resource that still exists: it owns pods and Services with the names of the job. */
async function refuseIfKept(
  { cluster }: Dependencies,
  { metadata }: ConfigMap,
  { resource }: TrainingJob,
): Promise<void> {
  const owner = controllerOf({ metadata });
  if (!owner || owner.uid === resource?.uid) return;
  const { kind, name } = owner;
  const found = await findOwner({ cluster }, metadata.namespace, owner);
  if (!found || found.metadata.deletionTimestamp) return;
  throw new NameInUseError(
    `the name ${metadata.namespace}/${name} belongs to ${kind} ${name}, which has ended; delete it to free the name`,
  );
}

/** Deletes the anchor of an ended job. Returns the pods that keep it from being deleted; undefined once it is gone. */
async function takeOver(
  dependencies: Dependencies,
  existing: ConfigMap,
  { job, force }: { readonly job: TrainingJob; readonly force: boolean },
): Promise<readonly StuckPod[] | undefined> {
  await collectBeforeExpiry(dependencies, existing);
  if (job.resource && isOwnedBy(existing, job.resource.uid)) {
    // The resource owns these objects, too: they do not go with the anchor.
    const of = { job, anchorUid: existing.metadata.uid ?? '', gang: gangOfAnchor(existing) };
    const { stuckPods } = await removeObjects(dependencies, { ...of, scope: 'Everything', force });
    if (stuckPods) return stuckPods;
  }
  await deleteAnchor(dependencies, existing.metadata, 'Foreground');
  if (force) await forceOverdue(dependencies, await podsOf(dependencies, existing));
  const isGone = async () =>
    (await findAnchor(dependencies, existing))?.metadata.uid !== existing.metadata.uid;
  if (await disappearsSoon(isGone)) return undefined;
  return stuckPodsResult(await podsOf(dependencies, existing)).stuckPods ?? [];
}

function podsOf({ cluster }: Dependencies, { metadata }: ConfigMap) {
  const labelSelector = `${LABELS.job}=${metadata.labels?.[LABELS.job]}`;
  const owned = { anchorUid: metadata.uid ?? '', most: MOST_REPORTED };
  return listOwned(cluster, PODS, { namespace: metadata.namespace, labelSelector }, owned);
}

/**
 * Whether the job of the anchor has recorded its end, and its workflow still runs. Throws if it has not, or if the anchor
 * is none of this installation. Temporal says whether a workflow runs: any user of the namespace can write a
 * phase. It cannot know that only of an earlier run of the workflow that claims the name.
 */
async function isEnding(
  { temporal, installation }: Dependencies,
  { metadata }: ConfigMap,
  wanted: ConfigMap,
): Promise<boolean> {
  const { namespace, name, annotations } = metadata;
  const { workflowId, phase = '' } = parseAnchorRecord(annotations);
  if (!metadata.labels?.[LABELS.anchor] || !workflowId) {
    throw new NameInUseError(
      `ConfigMap ${namespace}/${name} already exists and does not belong to signalbox`,
    );
  }
  const owner = metadata.labels[LABELS.installation];
  if (owner !== installation) {
    throw new NameInUseError(
      `the name ${namespace}/${metadata.labels[LABELS.job]} belongs to a job of another signalbox installation (Temporal namespace ${owner ?? 'unknown'}); delete ConfigMap ${name} to free it`,
    );
  }
  if (isOfSameChain(metadata, wanted.metadata)) return false;
  const { running } = await findWorkflowOf(temporal, { metadata }, workflowId);
  if (running === undefined) return false;
  if (isFinal(phase)) return true;
  throw new NameInUseError(
    `the name ${namespace}/${metadata.labels[LABELS.job]} belongs to another live job, workflow ${running}`,
  );
}

const findAnchor = ({ cluster }: Dependencies, { metadata }: ConfigMap) =>
  cluster.find(CONFIG_MAPS, metadata.namespace, metadata.name);
