import { Context } from '@temporalio/activity';
import { type CallsOfWorkflows, FIND_EARLIER_JOB, STOP_CALLED_JOB } from '../contracts/calls-of-workflows.ts';
import { asResourceIdentity } from '../contracts/job-resources.ts';
import type { JobReference } from '../contracts/job-revision.ts';
import { MEMO } from '../contracts/messages.ts';
import { scheduledManifest } from '../contracts/scheduled-job.ts';
import { workflowStart } from '../temporal/workflow-start.ts';
import { type AdmitRequest, admit, type NameAwaited } from './admit.ts';
import { amend, restoreRevision } from './amend.ts';
import { readJob } from './anchors/read-job.ts';
import { askWatcher } from './ask-watcher.ts';
import type { ResourceEdited } from './check-resource.ts';
import { removeOrphanedObjects } from './clean-up-orphan.ts';
import { EFFECT_ACTIVITIES } from './effects.ts';
import { expire } from './expire.ts';
import { findEarlierJob } from './find-earlier-job.ts';
import { type Begun, runFirstEffects } from './first-effects.ts';
import { recordStatus } from './record-status.ts';
import { revise } from './revise.ts';
import { stopCalledJob } from './stop-called-job.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/effect.ts';
import { asAnswer, asFailure, asFailureToRetry, RejectedManifestError } from './support/failures.ts';
import { heartbeatWhile } from './support/heartbeat.ts';
import { verifyCluster } from './support/verify-cluster.ts';

/** What signalbox's own workflows call. */
export type Activities = Omit<ReturnType<typeof createActivities>, keyof CallsOfWorkflows>;

/** All activities, under the names that workflows call. */
export function createActivities(dependencies: Dependencies) {
  /** Adds the cluster check and heartbeats to an activity, and converts its errors with `failureOf`. */
  const failing =
    (failureOf: (error: unknown) => unknown) =>
    <R extends object, T>(work: Work<R, T>) =>
    (request: R): Promise<T> =>
      withHeartbeat(workHere(dependencies, work, request), failureOf);
  /** Temporal retries these until they succeed or fail for good; no job shows why. */
  const guarded = failing(asFailure);
  /** For activities that a job waits for: it shows temporary refusals as its cause. */
  const answered = failing((error) => asAnswer(error, Context.current().info.attempt));
  /** For activities that must succeed in the end: no error is final. */
  const tireless = failing(asFailureToRetry);
  return {
    ...ofJobs((work) => answered(forJob(work))),
    admit: answered(admitCaller),
    amend: answered(amend),
    revise: answered(revise),
    restoreRevision: answered(restoreRevision),
    askWatcher: guarded(askWatcher),
    recordStatus: tireless(recordStatus),
    expire: guarded(expire),
    ...callsOfWorkflows(dependencies),
    cleanUpOrphan: guarded(removeOrphanedObjects),
  };
}

const callsOfWorkflows = (dependencies: Dependencies): CallsOfWorkflows => ({
  [FIND_EARLIER_JOB]: (request) => findEarlierJob(dependencies, request),
  [STOP_CALLED_JOB]: (request) => stopCalledJob(dependencies, request),
});

type Work<R, T> = (dependencies: Dependencies, request: R) => Promise<T>;

interface AdmitCallerRequest extends Omit<AdmitRequest, 'manifest' | 'resource'> {
  /** When a schedule has started it, RFC 3339: part of the job's name. */
  readonly scheduledAt?: string;
}

/**
 * Admits the workflow that runs this activity, and begins its job. The workflow's history has the manifest already, and
 * need not have it twice.
 */
async function admitCaller(
  dependencies: Dependencies,
  { isStopped, scheduledAt, ...request }: AdmitCallerRequest,
): Promise<Begun | NameAwaited | ResourceEdited> {
  const started = await workflowStart(dependencies.temporal, Context.current().info.workflowExecution!);
  const [given] = started.isContinued ? started.input : oneArgument(started.input);
  const manifest = scheduledAt === undefined ? given : scheduledManifest(given, new Date(scheduledAt));
  const resource = asResourceIdentity(await started.memo(MEMO.resource));
  const named = await started.memo(MEMO.submittedBy);
  const submitter = typeof named === 'string' ? named : started.identity;
  const { startedAt: submittedAt } = started;
  const admission = await admit(dependencies, { ...request, manifest, resource, isStopped });
  if (!('plan' in admission)) return admission;
  const done = isStopped ? [] : await runFirstEffects(dependencies, admission, { submitter, submittedAt });
  return { ...admission, done, startedBy: started.identity };
}

/** Temporal accepts any number of arguments, e.g. `--input` twice. */
function oneArgument(input: readonly unknown[]): readonly unknown[] {
  if (input.length <= 1) return input;
  const got = `${input.length} arguments`;
  throw new RejectedManifestError([{ path: '(input)', expected: 'one argument, the manifest', got }]);
}

/** A request of an activity that works on a whole job. The workflow sends it with the number of the job's revision. */
type OfJob<R> = Omit<R, 'job'> & {
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly job: JobReference;
};

/** An activity that gets the job that its request names. */
type WorkOfJob<W> =
  W extends Work<infer R, EffectResult> ? (request: OfJob<R>) => Promise<EffectResult> : never;

const ofJobs = (
  asActivity: (work: Work<never, EffectResult>) => unknown,
): { readonly [Name in keyof typeof EFFECT_ACTIVITIES]: WorkOfJob<(typeof EFFECT_ACTIVITIES)[Name]> } =>
  Object.fromEntries(
    Object.entries(EFFECT_ACTIVITIES).map(([name, work]) => [name, asActivity(work)]),
  ) as never;

const forJob =
  <R extends object>(work: Work<R, EffectResult>) =>
  async (dependencies: Dependencies, request: OfJob<R>): Promise<EffectResult> => {
    const { anchorUid, job: reference } = request;
    const { job, restored } = await readJob(dependencies, { ...reference, anchorUid });
    const done = await work(dependencies, { ...request, job } as R & OfJob<R>);
    return restored ? { ...done, restored } : done;
  };

async function workHere<R extends object, T>(
  dependencies: Dependencies,
  work: Work<R, T>,
  request: R,
): Promise<T> {
  await verifyCluster(dependencies, request);
  return work(dependencies, request);
}

async function withHeartbeat<T>(work: Promise<T>, failureOf: (error: unknown) => unknown): Promise<T> {
  try {
    return await heartbeatWhile(work);
  } catch (error) {
    throw failureOf(error);
  }
}
