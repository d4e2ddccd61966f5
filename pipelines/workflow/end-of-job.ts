import {
  CancellationScope,
  ChildWorkflowFailure,
  type ChildWorkflowHandle,
  proxyActivities,
} from '@temporalio/workflow';
import type { CallsOfWorkflows } from '../../contracts/calls-of-workflows.ts';
import { isOutcome, type JobOutcome } from '../../contracts/status.ts';
import { endingOf, outcomeInFailure } from '../../temporal/recorded-outcome.ts';
import type { TrainingStep } from './training-step.ts';

type Child = ChildWorkflowHandle<(manifest: unknown) => Promise<JobOutcome>>;

/** Waits for the outcome. If the caller is cancelled, stops the job, waits for its end, and throws the cancellation. */
export async function endOfJob(child: Child, step: TrainingStep): Promise<JobOutcome> {
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
