import type { WorkflowExecutionDescription } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { isFinal } from '../../../contracts/status.ts';
import { isSuspendedByManifest } from '../../../contracts/suspended-manifest.ts';
import { DEFAULT_CONVENTIONS } from '../../../contracts/training-job.ts';
import type { JobStatus, Phase } from '../../../contracts/types.ts';
import { changesBetween, type PresentJob } from '../../../frameworks/changes/changes-between.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { isLive } from '../../../temporal/live-jobs.ts';
import { InvalidManifestError, RefusedError } from '../../errors/errors.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { summaryOf } from '../../servers/summary.ts';
import { readStatus } from '../observe/job-status.ts';
import { readRerunSource } from '../rerun/read-source.ts';
import type { RerunSource } from '../rerun/rerun-manifest.ts';
import type { Applied } from './apply-options.ts';

/** What becomes of the job of a name by a manifest. */
interface ApplyPlan extends Applied {
  /** The job that is there; one that is to be started has only its workflow id. */
  readonly job: JobId;
  /** A job refuses requests until it is admitted. */
  readonly isAdmitted: boolean;
}

type PlanPorts = Pick<ClientPorts, 'temporal' | 'temporalAddress' | 'cluster'>;

/** Looks at the job, and says what is still different. Changes nothing, and needs no worker. */
export async function planApply(
  ports: PlanPorts,
  manifest: Manifest,
  options: CallOptions,
): Promise<ApplyPlan> {
  const found = await findPresent(ports, manifest, options);
  if (!found) return newJob(manifest);
  const { job } = found;
  const { phase, isAdmitted } = found;
  const means = changesBetween(presentOf(found), manifest);
  if ('changes' in means && !means.job && means.suspend === undefined) {
    const ended = isFinal(phase) ? { ended: phase } : {};
    return { ...NOTHING, result: 'unchanged', job, kept: means.kept, isAdmitted, ...ended };
  }
  if (isFinal(phase)) return newJob(manifest);
  if (found.read.source.settings?.resource) throw ownedByResource(manifest);
  if ('faults' in means) throw cannotChange(means.faults, manifest);
  const { changes, kept } = means;
  return { result: 'changed', job, changes, kept, isAdmitted };
}

const NOTHING = { changes: [], kept: [], isAdmitted: false } as const;

const newJob = ({ metadata }: Manifest): ApplyPlan => ({
  ...NOTHING,
  result: 'started',
  job: { workflowId: workflowIdOf(metadata) },
});

interface FoundJob {
  readonly job: JobId;
  readonly phase: Phase;
  /** Until then its status does not say that it is suspended, but its manifest does. */
  readonly isAdmitted: boolean;
  readonly read: RerunSource;
}

/** Returns the last job of the name as it is now; what it was made from needs no worker. */
async function findPresent(
  ports: PlanPorts,
  manifest: Manifest,
  options: CallOptions,
): Promise<FoundJob | undefined> {
  const workflowId = workflowIdOf(manifest.metadata);
  const described = await ask({ ports, workflowId, options }, () => findWorkflow(ports.temporal, workflowId));
  if (!described) return undefined;
  const job = { workflowId, runId: described.runId, firstRunId: firstRunIdOf(described) };
  const [read, state] = await Promise.all([
    readRerunSource(ports, job, options),
    isLive(described) ? readStatus(ports, job, options).then(stateOfStatus) : endOfWorkflow(described),
  ]);
  return { job, read, ...state };
}

type State = Pick<FoundJob, 'phase' | 'isAdmitted'>;

const stateOfStatus = (status: Pick<JobStatus, 'phase' | 'conditions'>): State => ({
  phase: status.phase,
  isAdmitted: isAdmitted(status),
});

/** Admission makes the first condition. What Temporal alone knows has none, so there a later phase counts. */
export const isAdmitted = ({ phase, conditions }: Pick<JobStatus, 'phase' | 'conditions'>): boolean =>
  conditions.length > 0 || phase !== 'Pending';

const endOfWorkflow = (described: WorkflowExecutionDescription): State => ({
  phase: summaryOf(described).phase,
  isAdmitted: true,
});

function presentOf({ read, phase, isAdmitted }: FoundJob): PresentJob {
  const { manifest, extendedSeconds, revisions } = read.source;
  const { namespace } = read;
  const { settings = { namespace, conventions: DEFAULT_CONVENTIONS, gangWarnings: [] } } = read.source;
  const amended = revisions.at(-1);
  const isBornSuspended = !isAdmitted && isSuspendedByManifest(manifest);
  return {
    source: { manifest, settings, revision: amended?.number ?? 1, amended },
    extendedSeconds,
    isRunning: phase === 'Running',
    ...(isFinal(phase) ? {} : { isSuspended: phase === 'Suspended' || isBornSuspended }),
  };
}

function ownedByResource({ kind, metadata: { name, namespace } }: Manifest): RefusedError {
  const message = `The job was made from ${kind} ${namespace}/${name}, a custom resource, which says what it is.`;
  const remedy = `Nothing was changed. Apply the manifest to that: kubectl apply -n ${namespace} -f FILE.`;
  return new RefusedError(message, { remedy });
}

function cannotChange(
  faults: InvalidManifestError['faults'],
  { metadata: { name, namespace } }: Manifest,
): InvalidManifestError {
  const remedy = `Nothing was changed; the job continues as before. To run it so, stop it (\`signalbox stop ${name} -n ${namespace}\`) and apply the manifest again, or apply it under another metadata.name.`;
  return new InvalidManifestError(faults, [], { of: 'apply', remedy });
}
