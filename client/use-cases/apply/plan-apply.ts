import type { WorkflowExecutionDescription } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { isFinal, type JobStatus } from '../../../contracts/status.ts';
import { DEFAULT_CONVENTIONS } from '../../../contracts/training-job.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { isLive } from '../../../temporal/live-jobs.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
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
import { changesBetween, type JobRequest, type PresentJob } from './changes-between.ts';

/** What makes the job of a name what its manifest says. */
export interface ApplyPlan extends Applied {
  /** The job that is there; one that is to be started has only its workflow id. */
  readonly job: JobId;
  /** In the order in which the job takes them. */
  readonly requests: readonly JobRequest[];
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
  const { job, present } = found;
  const { phase, isAdmitted } = present;
  const changes = changesBetween(present, manifest);
  const isEqual = 'requests' in changes && changes.requests.length === 0;
  if (isEqual) {
    const ended = isFinal(phase) ? { ended: phase } : {};
    return { ...NOTHING, result: 'unchanged', job, kept: changes.kept, isAdmitted, ...ended };
  }
  if (isFinal(phase)) return newJob(manifest);
  if ('faults' in changes) throw cannotChange(changes.faults, manifest);
  const { requests, kept } = changes;
  return {
    result: 'changed',
    job,
    changes: requests.flatMap((one) => one.changes),
    kept,
    requests,
    isAdmitted,
  };
}

const NOTHING = { changes: [], kept: [], requests: [], isAdmitted: false } as const;

const newJob = ({ metadata }: Manifest): ApplyPlan => ({
  ...NOTHING,
  result: 'started',
  job: { workflowId: workflowIdOf(metadata) },
});

interface FoundJob {
  readonly job: JobId;
  readonly present: PresentJob;
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
  return { job, present: { ...presentOf(read), ...state } };
}

type State = Pick<PresentJob, 'phase' | 'isAdmitted'>;

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

function presentOf({ source, namespace }: RerunSource): Omit<PresentJob, keyof State> {
  const { manifest, extendedSeconds, revisions } = source;
  const { settings = { namespace, conventions: DEFAULT_CONVENTIONS, gangWarnings: [] } } = source;
  const amended = revisions.at(-1);
  return { source: { manifest, settings, revision: amended?.number ?? 1, amended }, extendedSeconds };
}

function cannotChange(
  faults: InvalidManifestError['faults'],
  { metadata: { name, namespace } }: Manifest,
): InvalidManifestError {
  const remedy = `Nothing was changed; the job continues as before. To run it so, stop it (\`signalbox stop ${name} -n ${namespace}\`) and apply the manifest again, or apply it under another metadata.name.`;
  return new InvalidManifestError(faults, [], { of: 'apply', remedy });
}
