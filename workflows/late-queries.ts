import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow';

type Activation = Parameters<NonNullable<WorkflowInternalsInterceptor['activate']>>[0]['activation'];
type ActivationJob = NonNullable<Activation['jobs']>[number];

/** Why a workflow task fails that follows a query which came with new events. */
export const REPLAYED_AFTER_QUERY =
  'events came with a query, before their workflow task; the workflow is replayed from its history';

/**
 * Has the SDK replay a workflow that has acted on events which came with a query, before their workflow task.
 *
 * Temporal answers a query outside of a workflow task if none is due. Until a worker takes the query, new events may
 * arrive, and the worker then gets them with the query. The SDK lets the workflow act on them at once and sends its
 * commands with the next workflow task, after which the history could not be replayed: a replay gets these events together
 * with what that task brings, e.g. an update, and accepts the update first. So whatever comes next is refused: the SDK
 * forgets the run, and Temporal sends the task again.
 */
export function replayAfterLateQueries(): WorkflowInternalsInterceptor {
  let timeBefore: string | undefined;
  let isAhead = false;
  return {
    activate(input, next) {
      const { jobs, timestamp } = input.activation;
      const hasEvents = jobs?.some(comesFromHistory) ?? false;
      if (isAhead && hasEvents) throw new Error(REPLAYED_AFTER_QUERY);
      // The time of a workflow is when its last workflow task started.
      const time = timestamp ? `${timestamp.seconds}.${timestamp.nanos}` : undefined;
      isAhead ||= hasEvents && time === timeBefore;
      timeBefore = time;
      next(input);
    },
  };
}

/** The SDK resolves cancelled activities by itself, within the same workflow task. */
const comesFromHistory = ({
  signalWorkflow,
  doUpdate,
  fireTimer,
  cancelWorkflow,
  resolveActivity,
}: ActivationJob): boolean =>
  Boolean(
    signalWorkflow ||
      doUpdate ||
      fireTimer ||
      cancelWorkflow ||
      (resolveActivity && !resolveActivity.result?.cancelled),
  );

/** What the worker's bundle takes from this module for each run. */
export const interceptors = (): WorkflowInterceptors => ({ internals: [replayAfterLateQueries()] });
