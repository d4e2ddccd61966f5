import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { manifestHashOf } from '../../../contracts/manifest-hash.ts';
import { withReferences } from '../../../contracts/references.ts';
import type { JobStatus } from '../../../contracts/types.ts';
import { formatDuration } from '../../../language/duration.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { recordedPhase } from '../../../temporal/live-jobs.ts';
import { translated } from '../../servers/ask.ts';
import type { CleanUpOptions, SubmissionResult } from '../../servers/client-settings.ts';
import type { SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { retryWhileAway } from '../../servers/retry-while-away.ts';
import { isTransientTemporalError } from '../../servers/temporal-errors.ts';
import { watchStatus } from '../../servers/watch-status.ts';
import { hadNoWorker } from '../../servers/worker-presence.ts';
import { type EndingJob, type FoundRun, findSubmission } from './find-submission.ts';
import { gangWarnings } from './gang-warnings.ts';
import { nameHeld, nameNotFree } from './name-taken.ts';
import { type StartedJob, startJob } from './start-job.ts';

type JobSubmission = Omit<Submission, 'workflowId' | 'hash' | 'taskQueue' | 'submittedBy'> & {
  readonly workflowId: string | undefined;
  /** Objects that the manifest names, as they are now: part of the job, but not of what the user has written. */
  readonly references?: readonly KubeObject[];
};

type SubmittingPorts = TemporalPort &
  Pick<ClientPorts, 'taskQueue' | 'user'> &
  Partial<Pick<ClientPorts, 'cluster' | 'validate'>>;

/**
 * Starts a job, or finds it started. If the last job of the name has ended and is still being cleaned up, waits for that
 * first.
 */
export function submitJob(
  ports: SubmittingPorts,
  { references, ...submission }: JobSubmission,
  options: CleanUpOptions,
): Promise<SubmittedJob> {
  const { temporal, taskQueue, user: submittedBy } = ports;
  const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
  const hash = manifestHashOf(submission.manifest);
  const manifest = withReferences(submission.manifest, references);
  return translated({ ports, workflowId }, async () => {
    const [{ state, result, ...run }, ...warnings] = await Promise.all([
      submitInTurn(temporal, { ...submission, manifest, workflowId, hash, taskQueue, submittedBy }, options),
      warningsOfSubmission(temporal, taskQueue),
      gangWarnings(ports, manifest),
    ]);
    return { ...run, submission: result, warnings: warnings.flat() };
  });
}

async function submitInTurn(
  temporal: Client,
  submission: Submission,
  options: CleanUpOptions,
): Promise<Submitted> {
  const submit = submissionOf(temporal, submission);
  for (;;) {
    const found = await retryWhileAway(temporal, options, submit);
    if (found.state === 'submitted') return found;
    await untilCleanedUp(temporal, found.job, options);
  }
}

/** Without a worker a job waits without an error. */
async function warningsOfSubmission(temporal: Client, taskQueue: string): Promise<readonly string[]> {
  const isAlone = await hadNoWorker(temporal, taskQueue).catch(() => false);
  return isAlone
    ? [`No worker is polling task queue ${taskQueue}; the job starts when one does: \`signalbox up\`.`]
    : [];
}

/** What is submitted, and as what. */
interface Submission extends Omit<StartedJob, 'reusePolicy'> {
  /** Run a completed job again. */
  readonly rerun: boolean;
  /** A completed job with this manifest is the same, whatever its key. */
  readonly acceptsCompleted?: boolean;
}

interface Submitted extends FoundRun {
  readonly state: 'submitted';
  readonly result: SubmissionResult;
}

/** Another client may start a job between look and start; after each such round some client's job has started. */
const ROUNDS = 5;

/**
 * Returns a function that submits a job, and may be called again after an error. Submitting the same manifest twice, or
 * with the same key, has no effect; another manifest with the same name is rejected while the first job is live. While an
 * ended one is cleaned up, that job is returned, and nothing is started. The server resolves races: the start states the
 * condition it relies on.
 */
function submissionOf(client: Client, submission: Submission): () => Promise<Submitted | EndingJob> {
  let lostAfter: { readonly runId: string | undefined } | undefined;
  return async () => {
    for (let round = 1; ; round++) {
      const found = await findSubmission(client, submission);
      if (found.state === 'ending') return found;
      if (found.state === 'same') {
        const isOurs = lostAfter !== undefined && lostAfter.runId !== found.run.runId;
        return { ...found.run, state: 'submitted', result: isOurs ? 'started' : found.result };
      }
      try {
        const runId = await startJob(client, { ...submission, reusePolicy: found.reusePolicy });
        const { workflowId } = submission;
        return { state: 'submitted', workflowId, runId, firstRunId: runId, result: 'started' };
      } catch (error) {
        // The server may have started the job, and only its answer was lost.
        if (isTransientTemporalError(error)) lostAfter = { runId: found.lastRunId };
        if (!(error instanceof WorkflowExecutionAlreadyStartedError) || round === ROUNDS) throw error;
      }
    }
  };
}

/** As long as a new job waits for pods that an earlier one of its name has left, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** The state in which failed pods are kept after the outcome is decided. */
const HOLDING = 'Finishing.Holding';

/**
 * Waits until an ended job has been cleaned up, which makes its name free. Throws `NameTakenError` if that takes too
 * long, or if its failed pods are held, which only a user ends.
 */
async function untilCleanedUp(
  client: Client,
  job: WorkflowExecutionDescription,
  { cleanUpTimeout = DEFAULT_TIMEOUT_MS, cleanUpSignal, onCleanUp, signal }: CleanUpOptions,
): Promise<void> {
  const limit = timeoutSignal(cleanUpTimeout);
  let phase: string = recordedPhase(job);
  let why = '';
  onCleanUp?.(sentenceOfCleanUp(job, phase, why));
  try {
    const either = AbortSignal.any([signal, cleanUpSignal, limit].filter((one) => one !== undefined));
    const run = { workflowId: job.workflowId, runId: job.runId };
    for await (const status of watchStatus(client, run, { signal: either })) {
      if (status.state === HOLDING) throw nameHeld(job, status);
      if (why === whyOf(status)) continue;
      phase = status.phase;
      why = whyOf(status);
      if (!hasEnded(status)) onCleanUp?.(sentenceOfCleanUp(job, phase, why));
    }
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw nameNotFree(job, { phase, why, waited: formatDuration(cleanUpTimeout) });
  }
}

const whyOf = ({ cause }: JobStatus) => cause?.message ?? '';

const hasEnded = ({ state, phase }: JobStatus) => state === phase;

const sentenceOfCleanUp = ({ workflowId }: WorkflowExecutionDescription, phase: string, why: string) =>
  `${workflowId} has ended, ${phase}, and is being cleaned up; the new job starts after that${why && ` (${why})`}`;
