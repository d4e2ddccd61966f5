import type { WorkflowExecutionDescription } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { type FinalPhase, isFinal } from '../../../contracts/status.ts';
import { DEFAULT_CONVENTIONS } from '../../../contracts/training-job.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { isLive } from '../../../temporal/live-jobs.ts';
import { InvalidManifestError, JobEndedError, NameTakenError, RefusedError } from '../../errors/errors.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { KnownStatus } from '../../servers/recorded-status.ts';
import { summaryOf } from '../../servers/summary.ts';
import { sendRequest } from '../intervene/send-request.ts';
import { watchJob } from '../observe/follow-job.ts';
import { readStatus } from '../observe/job-status.ts';
import { readRerunSource } from '../rerun/read-source.ts';
import type { RerunSource } from '../rerun/rerun-manifest.ts';
import { submitJob } from '../submit/submit-job.ts';
import type { ApplyOptions, ApplyResult, ManifestChange } from './apply-options.ts';
import { changesBetween, type JobRequest, type PresentJob } from './changes-between.ts';

export interface Applied {
  readonly job: SubmittedJob;
  readonly result: ApplyResult;
  readonly changes: readonly ManifestChange[];
  readonly kept: readonly ManifestChange[];
  /** How the job has ended, if it has and stays as it is. */
  readonly ended?: FinalPhase;
}

/** The job may start or end between the look and the act, each time by another client's doing. */
const ROUNDS = 5;

/**
 * Makes the job of a name what its manifest says: starts it, changes the live one, or leaves it as it is. May be repeated:
 * each call looks at the job, and asks for what is still different.
 */
export async function applyJob(
  ports: ClientPorts,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Applied> {
  for (let round = 1; ; round++) {
    try {
      const applied = await applyOnce(ports, manifest, options);
      if (applied) return applied;
    } catch (error) {
      if (round === ROUNDS || !isOvertaken(error)) throw error;
    }
  }
}

/** Another client has started the job meanwhile, or it has ended. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof JobEndedError || (error instanceof NameTakenError && !isFinal(error.phase));

async function applyOnce(
  ports: ClientPorts,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Applied | undefined> {
  const found = await findPresent(ports, manifest, options);
  if (!found) return startApplied(ports, manifest, options);
  const changes = changesBetween(found.present, manifest);
  const isEqual = 'requests' in changes && changes.requests.length === 0;
  const { phase } = found.present;
  if (isEqual) {
    const ended = isFinal(phase) ? { ended: phase } : {};
    return { job: found.job, result: 'unchanged', changes: [], kept: changes.kept, ...ended };
  }
  if (isFinal(phase)) return startApplied(ports, manifest, options);
  if ('faults' in changes) throw cannotChange(changes.faults, manifest);
  const applied = {
    job: found.job,
    kept: changes.kept,
    changes: changes.requests.flatMap((one) => one.changes),
  };
  if (!options.dryRun) await request(ports, { ...found, requests: changes.requests }, options);
  return { ...applied, result: 'changed' };
}

interface FoundJob {
  readonly job: SubmittedJob & { readonly runId: string };
  readonly present: PresentJob;
}

/** Returns the last job of the name as it is now; what it was made from needs no worker. */
async function findPresent(
  ports: ClientPorts,
  manifest: Manifest,
  options: ApplyOptions,
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

/** Admission makes the first condition. What Temporal alone knows has none, so there a later phase counts. */
const stateOfStatus = ({ phase, conditions }: KnownStatus): State => ({
  phase,
  isAdmitted: conditions.length > 0 || phase !== 'Pending',
});

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

/** Returns nothing if another client has started the same job: it may have been changed since. */
async function startApplied(
  ports: ClientPorts,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Applied | undefined> {
  const workflowId = workflowIdOf(manifest.metadata);
  const started = { result: 'started', changes: [], kept: [] } as const;
  if (options.dryRun) return { ...started, job: { workflowId } };
  // The last job of the name is another one, also if it was submitted with the same manifest and then changed.
  const submission = { manifest, why: options.why, workflowId, key: undefined, rerun: true };
  const job = await submitJob(ports, submission, options);
  return job.submission === 'started' ? { ...started, job } : undefined;
}

async function request(
  ports: ClientPorts,
  { job, present, requests }: FoundJob & { readonly requests: readonly JobRequest[] },
  { why, ...options }: ApplyOptions,
): Promise<void> {
  if (!present.isAdmitted) await untilAdmitted(ports, job, options);
  for (const [index, { update, argument }] of requests.entries()) {
    try {
      await sendRequest({ ports, job }, { update, request: { ...argument, why } }, options);
    } catch (error) {
      if (index === 0 || !(error instanceof RefusedError)) throw error;
      throw partlyRefused(error, requests.slice(0, index));
    }
  }
}

/** A job that was started a moment ago refuses changes until it is admitted. If that takes long, it says so itself. */
async function untilAdmitted(ports: ClientPorts, job: SubmittedJob, options: CallOptions): Promise<void> {
  const limit = timeoutSignal(options.timeout ?? ADMISSION_MS);
  const signal = AbortSignal.any([limit, ...(options.signal ? [options.signal] : [])]);
  try {
    for await (const status of watchJob(ports, job, { signal })) if (stateOfStatus(status).isAdmitted) return;
  } catch (error) {
    if (error !== limit.reason) throw error;
  }
}

const ADMISSION_MS = 10_000;

function partlyRefused(error: RefusedError, made: readonly JobRequest[]): RefusedError {
  const paths = made.flatMap(({ changes }) => changes.map(({ path }) => path));
  const remedy = 'What was changed before stays. Correct the manifest, or wait, and apply it again.';
  return new RefusedError(`${error.message} Changed before: ${paths.join(', ')}.`, { cause: error, remedy });
}

function cannotChange(
  faults: InvalidManifestError['faults'],
  { metadata: { name, namespace } }: Manifest,
): InvalidManifestError {
  const remedy = `Nothing was changed; the job continues as before. To run it so, stop it (\`signalbox stop ${name} -n ${namespace}\`) and apply the manifest again, or apply it under another metadata.name.`;
  return new InvalidManifestError(faults, [], { of: 'apply', remedy });
}
