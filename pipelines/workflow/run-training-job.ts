import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope, proxyActivities, sleep, startChild, workflowInfo } from '@temporalio/workflow';
import type { Outcome } from 'signalbox';
import { typedOutcome } from '../../client/typed-outcome.ts';
import type { CallsOfWorkflows, EarlierJob } from '../../contracts/calls-of-workflows.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { endOf } from './end-of-job.ts';
import { childOptions, type TrainingJobOptions, type TrainingStep, trainingStep } from './training-step.ts';

/**
 * Runs a training job as a step of your own workflow, as a child workflow on signalbox's workers, and returns its
 * outcome: Completed, Failed and Stopped alike. A cancelled workflow stops the job, and waits for its end.
 *
 * With a `key`, a retry of your workflow does not train twice: it waits for the job of an earlier run, or returns that
 * job's outcome. Without one, a retry starts the job again.
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
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const earlier = await earlierJob(step);
    if (earlier.state === 'ended') return typedOutcome(earlier.outcome);
    if (earlier.state === 'live' && !earlier.isSame) throw nameTaken(step, `its phase is ${earlier.phase}`);
    if (earlier.state === 'none') {
      const child = await started(step);
      if (child) return typedOutcome(await endOf(child, step));
      if (!step.key) throw nameTaken(step, 'without a key, it cannot be told whether it is this one');
    }
    await sleep(pauseMs, { summary: `Wait for the earlier run of ${step.workflowId}` });
  }
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Only a key identifies the job of an earlier run of this workflow. */
async function earlierJob({ key, workflowId, taskQueue }: TrainingStep): Promise<EarlierJob> {
  if (!key) return { state: 'none' };
  const { findEarlierJob } = proxyActivities<CallsOfWorkflows>({
    taskQueue,
    startToCloseTimeout: '1 minute',
    summary: `Look for an earlier run of ${workflowId}`,
  });
  return findEarlierJob({ workflowId, key });
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
