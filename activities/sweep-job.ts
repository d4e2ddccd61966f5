import type { EvidenceSummary } from '../contracts/evidence.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../contracts/labels.ts';
import type { SweepRequest } from '../contracts/messages.ts';
import { REASONS } from '../contracts/reasons.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { isRunning } from './claim-name.ts';
import { cleanUp } from './clean-up.ts';
import { MOST_TOLD } from './delete-pods.ts';
import type { Dependencies } from './dependencies.ts';

export type SweepResult = 'swept' | 'alive' | 'gone';

/**
 * Removes the objects of a job whose workflow ended without doing so, and notes on the anchor how it ended. Idempotent:
 * it first looks again whether the job is really dead, and still the same one.
 */
export async function sweepJob(dependencies: Dependencies, request: SweepRequest): Promise<SweepResult> {
  const { cluster, temporal } = dependencies;
  const anchor = await findSame(dependencies, request);
  if (!anchor) return 'gone';
  const firstRunId = anchor.metadata.annotations?.[ANNOTATIONS.firstRunId];
  if (await isRunning(temporal, { workflowId: request.workflowId, firstRunId })) return 'alive';
  const { anchorUid } = request;
  const job = JSON.parse(anchor.data!.job!) as TrainingJob;
  const cleaning = { job, anchorUid, gang: gangOf(anchor), scope: 'Everything' } as const;
  const { evidence } = await cleanUp(dependencies, cleaning);
  await cluster.patch(
    CONFIG_MAPS,
    { namespace: request.namespace, name: request.anchorName },
    {
      metadata: { uid: request.anchorUid, annotations: { [ANNOTATIONS.phase]: 'Stopped' } },
      data: { status: JSON.stringify(endOf(anchor, evidence)) },
    },
  );
  return 'swept';
}

/** The last status that the job recorded, with the end that it could not write itself. */
function endOf({ data }: ConfigMap, taken: readonly EvidenceSummary[] = []): object {
  const last = JSON.parse(data?.status ?? '{}') as Partial<JobStatus>;
  const cause = { reason: 'WorkflowTerminated', message: REASONS.WorkflowTerminated.sentence };
  const known = new Set(taken.map(({ uid }) => uid));
  const evidence = [...taken, ...(last.evidence ?? []).filter(({ uid }) => !known.has(uid))];
  const end = { phase: 'Stopped', state: 'Stopped', cause, completionTime: new Date().toISOString() };
  return { ...last, ...end, ...(evidence.length > 0 ? { evidence: evidence.slice(0, MOST_TOLD) } : {}) };
}

async function findSame({ cluster }: Dependencies, request: SweepRequest): Promise<ConfigMap | undefined> {
  const anchor = await cluster.find(CONFIG_MAPS, request.namespace, request.anchorName);
  // Who may write ConfigMaps must not get another job's pods removed with one that bears its label.
  const isGenuine = request.anchorName === anchorNameOf(anchor?.metadata.labels?.[LABELS.job] ?? '');
  return isGenuine && anchor?.metadata.uid === request.anchorUid ? anchor : undefined;
}

function gangOf({ metadata }: ConfigMap): GangProvider {
  const chosen = metadata.annotations?.[ANNOTATIONS.gang] ?? '';
  return chosen in GANG_ADAPTERS ? (chosen as GangProvider) : 'none';
}
