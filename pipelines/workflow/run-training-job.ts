import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  type ChildWorkflowHandle,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Outcome } from 'signalbox';
import { typedOutcome } from '../../client/use-cases/observe/typed-outcome.ts';
import type { CallsOfWorkflows, EarlierJob } from '../../contracts/calls-of-workflows.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { isFinal, isOutcome, type JobOutcome } from '../../contracts/status.ts';
import { doubledPause } from '../../language/back-off.ts';
import { endingOf, outcomeInFailure } from '../../temporal/recorded-outcome.ts';
import { childOptions, type TrainingJobOptions, type TrainingStep, trainingStep } from './training-step.ts';

/**
 * Runs a training job as a step of your own workflow, as a child workflow on signalbox's workers, and returns its
 * outcome: Completed, Failed and Stopped alike. A cancelled workflow stops the job, and waits for its end.
 *
 * With a `key`, a retry of your workflow does not train twice: it waits for the job of an earlier run, or returns that
 * job's outcome. Without one, a retry starts the job again. While an ended job of the name is cleaned up, it waits, for
 * ten minutes at most.
 *
 * Throws an ApplicationFailure of type `InvalidManifest` for a manifest without kind or name, and one of type
 * `NameTaken` if another job is live under the name.
 *
 * @example
 * ```ts
 * import { runTrainingJob } from 'signalbox/workflow';
 *
 * export async function pipeline(manifest: object): Promise<string> {
 *   const outcome = await runTrainingJob(manifest, { key: 'train' });
 *   return outcome.phase;
 * }
 * ```
 *
 * @public
 */
export async function runTrainingJob(manifest: object, options: TrainingJobOptions = {}): Promise<Outcome> {
  const step = trainingStep(manifest, options, workflowInfo());
  const until = Date.now() + CLEAN_UP_MS;
  for (let looked = 1; ; looked++) {
    const earlier = await (step.key === undefined ? NONE : jobOfName(step));
    if (earlier.state === 'ended') return typedOutcome(earlier.outcome);
    if (earlier.state === 'live') refuseUnlessItEnds(step, earlier, until);
    if (earlier.state === 'none') {
      const child = await started(step);
      if (child) return typedOutcome(await endOfJob(child, step));
      if (step.key === undefined) refuseUnlessItEnds(step, await jobOfName(step), until);
    }
    await sleep(doubledPause(PAUSE, looked), { summary: `Wait for the earlier run of ${step.workflowId}` });
  }
}

const PAUSE = { firstMs: 1_000, mostMs: 30_000 };
/** As long as a client waits for the clean-up of an ended job of the name. */
const CLEAN_UP_MS = 600_000;
/** Only a key identifies the job of an earlier run of this workflow. */
const NONE: EarlierJob = { state: 'none' };

function jobOfName({ key, workflowId, taskQueue }: TrainingStep): Promise<EarlierJob> {
  const { findEarlierJob } = proxyActivities<CallsOfWorkflows>({
    taskQueue,
    startToCloseTimeout: '1 minute',
    summary: `Look for an earlier run of ${workflowId}`,
  });
  return findEarlierJob({ workflowId, key });
}

/** Another job keeps the name while it is live, and after its end until it has been cleaned up. */
function refuseUnlessItEnds(step: TrainingStep, job: EarlierJob, until: number): void {
  if (job.state !== 'live' || job.isSame) return;
  const { phase } = job;
  if (!isFinal(phase)) {
    const unknown = step.key === undefined ? '; without a key, it cannot be told whether it is this one' : '';
    throw nameTaken(step, `its phase is ${phase}${unknown}`);
  }
  if (Date.now() < until) return;
  const { workflowId } = step;
  throw ApplicationFailure.create({
    type: 'NameTaken',
    message: `${workflowId} has ended, ${phase}, but it was not cleaned up in time, or its failed pods are held. See what it waits for (\`signalbox get --workflow-id ${workflowId}\`), or choose another metadata.name.`,
  });
}

/** Returns undefined if a workflow with the id is running. */
async function started(step: TrainingStep) {
  // Temporal would cancel the child with its scope. A stop request records who asked.
  return CancellationScope.nonCancellable(async () => {
    try {
      return await startChild(TRAINING_JOB, childOptions(step));
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
      throw error;
    }
  });
}

const nameTaken = ({ workflowId }: TrainingStep, why: string) =>
  ApplicationFailure.create({
    type: 'NameTaken',
    message: `Another job is live as ${workflowId}: ${why}. Stop it, or choose another metadata.name.`,
  });

type Child = ChildWorkflowHandle<(manifest: unknown) => Promise<JobOutcome>>;

/** Waits for the outcome. If the caller is cancelled, stops the job, waits for its end, and throws the cancellation. */
async function endOfJob(child: Child, step: TrainingStep): Promise<JobOutcome> {
  const caller = CancellationScope.current();
  const end = CancellationScope.nonCancellable(() => outcomeOfChild(child, step));
  try {
    return await Promise.race([end, caller.cancelRequested]);
  } catch (error) {
    if (caller.consideredCancelled) await CancellationScope.nonCancellable(() => stop(child, step, end));
    throw error;
  }
}

async function stop(child: Child, step: TrainingStep, end: Promise<unknown>): Promise<void> {
  const { workflowId, taskQueue, caller, checkpoint = false } = step;
  const { stopCalledJob } = proxyActivities<CallsOfWorkflows>({
    taskQueue,
    startToCloseTimeout: '1 minute',
    summary: `Stop ${workflowId}`,
  });
  const request = { by: caller, why: 'the calling workflow was cancelled', checkpoint };
  await stopCalledJob({ workflowId, firstRunId: child.firstExecutionRunId, request });
  await end;
}

async function outcomeOfChild(child: Child, step: TrainingStep): Promise<JobOutcome> {
  try {
    const result: unknown = await child.result();
    if (isOutcome(result)) return result;
    return bareOutcome(step, undefined);
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure)) throw error;
    return outcomeInFailure(error.cause) ?? bareOutcome(step, error.cause);
  }
}

/** The outcome of a job that could not record it, e.g. because its workflow was terminated. */
function bareOutcome({ kind, name, namespace }: TrainingStep, cause: Error | undefined): JobOutcome {
  const { phase, reason, message } = endingOf(cause);
  const at = new Date().toISOString();
  return {
    ...{ kind, name, namespace, phase, state: phase, attempt: 0, restarts: 0 },
    ...(reason ? { cause: { reason, message } } : {}),
    ...{ conditions: [], replicaStatuses: {}, warnings: [], completionTime: at },
    timeline: [{ at, phase, state: phase, attempt: 0, cause: message }],
  };
}
