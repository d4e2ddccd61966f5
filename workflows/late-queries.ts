import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow';

type Activation = Parameters<NonNullable<WorkflowInternalsInterceptor['activate']>>[0]['activation'];
type ActivationJob = NonNullable<Activation['jobs']>[number];

/**
 * Refuses a query that comes with events of which no workflow task has told yet.
 *
 * Temporal answers a query outside of a workflow task if none is due. Until a worker takes the query, new events may
 * arrive, and the worker then gets them with the query. The SDK would let the workflow act on them at once and send its
 * commands with the next workflow task, after which the history could not be replayed: a replay gets these events together
 * with what that task brings, e.g. an update, and accepts the update first. A failed query makes the SDK forget the run, so
 * that the next workflow task replays it from its history.
 */
export function refuseLateQueries(): WorkflowInternalsInterceptor {
  let timeBefore: string | undefined;
  let isAhead = false;
  return {
    activate(input, next) {
      const { jobs, timestamp } = input.activation;
      if (isAhead && jobs?.some(isQuery)) throw new Error(LATE);
      // The time of a workflow is when its last workflow task started.
      const time = timestamp ? `${timestamp.seconds}.${timestamp.nanos}` : undefined;
      isAhead = time === timeBefore && Boolean(jobs?.some(comesFromHistory));
      timeBefore = time;
      next(input);
    },
  };
}

const LATE =
  'new events of the workflow arrived together with the query, before their workflow task: query again';

const isQuery = ({ queryWorkflow }: ActivationJob) => Boolean(queryWorkflow);

/** The SDK resolves cancelled activities by itself, within the same workflow task. */
const comesFromHistory = ({ signalWorkflow, fireTimer, cancelWorkflow, resolveActivity }: ActivationJob) =>
  Boolean(
    signalWorkflow || fireTimer || cancelWorkflow || (resolveActivity && !resolveActivity.result?.cancelled),
  );

/** What the worker's bundle takes from this module for each run. */
export const interceptors = (): WorkflowInterceptors => ({ internals: [refuseLateQueries()] });
