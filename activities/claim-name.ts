import { WorkflowNotFoundError } from '@temporalio/client';
import { isAlreadyExists, isGoneOrReplaced } from '../cluster/errors.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../contracts/labels.ts';
import { isFinal } from '../contracts/status.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { renderAnchor, type WorkflowIdentity } from '../resources/anchor.ts';
import { awaitGone } from './await-gone.ts';
import type { Dependencies } from './dependencies.ts';
import { takeLeftEvidence } from './evidence/left-behind.ts';
import { NameTakenError } from './failures.ts';

/** An admitted job and the gang scheduler that places it. */
interface Chosen {
  readonly job: TrainingJob;
  readonly gang: GangProvider;
}

/**
 * Creates the job's anchor, and by that claims its name: the API server lets one win. What an ended job of the same name
 * left behind is removed first. Idempotent by the anchor's name and the run that it names.
 */
export async function claimName(
  dependencies: Dependencies,
  { job, gang }: Chosen,
  identity: WorkflowIdentity,
): Promise<string> {
  const anchor = renderAnchor(job, identity, gang);
  for (;;) {
    try {
      return (await dependencies.cluster.create(CONFIG_MAPS, anchor)).metadata.uid!;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const existing = await findAnchor(dependencies, anchor);
    if (existing && isSameRun(existing, identity)) return existing.metadata.uid!;
    if (existing) await takeOver(dependencies, existing);
  }
}

const isSameRun = ({ metadata }: ConfigMap, { workflowId, firstRunId }: WorkflowIdentity) =>
  !metadata.deletionTimestamp &&
  metadata.annotations?.[ANNOTATIONS.workflowId] === workflowId &&
  metadata.annotations[ANNOTATIONS.firstRunId] === firstRunId;

async function takeOver(dependencies: Dependencies, existing: ConfigMap): Promise<void> {
  await verifyEnded(dependencies, existing);
  await takeLeftEvidence(dependencies, existing);
  const { namespace, name, uid } = existing.metadata;
  try {
    await dependencies.cluster.delete(CONFIG_MAPS, namespace, name, { uid, propagationPolicy: 'Foreground' });
  } catch (error) {
    if (!isGoneOrReplaced(error)) throw error;
  }
  await awaitGone(async () => (await findAnchor(dependencies, existing))?.metadata.uid !== uid);
}

/** Only what is ours and has ended may be replaced. */
async function verifyEnded({ temporal }: Dependencies, { metadata }: ConfigMap): Promise<void> {
  const { namespace, name, annotations = {} } = metadata;
  const workflowId = annotations[ANNOTATIONS.workflowId];
  if (!metadata.labels?.[LABELS.anchor] || !workflowId) {
    throw new NameTakenError(`ConfigMap ${namespace}/${name} exists already and is not of signalbox`);
  }
  if (isFinal(annotations[ANNOTATIONS.phase] ?? '')) return;
  const run = annotations[ANNOTATIONS.firstRunId];
  if (await isRunning(temporal, { workflowId, firstRunId: run })) {
    throw new NameTakenError(
      `the name ${namespace}/${metadata.labels[LABELS.job]} belongs to another live job, workflow ${workflowId}`,
    );
  }
}

/** Whether the run of a workflow that began with `firstRunId` is still open. */
export async function isRunning(
  temporal: Dependencies['temporal'],
  { workflowId, firstRunId }: { workflowId: string; firstRunId: string | undefined },
): Promise<boolean> {
  try {
    const { status, raw } = await temporal.workflow.getHandle(workflowId).describe();
    const first = raw.workflowExecutionInfo?.firstRunId;
    return status.name === 'RUNNING' && (!firstRunId || !first || first === firstRunId);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

const findAnchor = ({ cluster }: Dependencies, { metadata }: ConfigMap) =>
  cluster.find(CONFIG_MAPS, metadata.namespace, metadata.name);
