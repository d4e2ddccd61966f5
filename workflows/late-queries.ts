import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow';

type Activation = Parameters<NonNullable<WorkflowInternalsInterceptor['activate']>>[0]['activation'];
type ActivationJob = NonNullable<Activation['jobs']>[number];
type Command = Parameters<
  NonNullable<WorkflowInternalsInterceptor['concludeActivation']>
>[0]['commands'][number];

/** Why a workflow task fails that follows a query which came with new events. */
export const REPLAYED_AFTER_QUERY =
  'events came with a query, before their workflow task; the workflow is replayed from its history';

/** The last activation that brought events, and what the workflow answered. */
interface Acted {
  /** The number of the last event. */
  readonly historyLength: number;
  readonly isReplay: boolean;
  /** At least so many events has the history of these commands. */
  commandEvents: number;
}

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
  let acted: Acted | undefined;
  let timeBefore: string | undefined;
  let isAhead = false;
  return {
    activate(input, next) {
      const { jobs, timestamp, historyLength, isReplaying } = input.activation;
      // The time of a workflow is when its last workflow task started.
      const time = `${timestamp?.seconds}.${timestamp?.nanos}`;
      const events = jobs?.filter(comesFromHistory) ?? [];
      if (events.length > 0) {
        const now = { historyLength: historyLength!, isReplay: Boolean(isReplaying), commandEvents: 0 };
        if (isAhead || (acted && lacksTaskBetween(acted, now, events))) throw new Error(REPLAYED_AFTER_QUERY);
        isAhead = time === timeBefore;
        acted = now;
      }
      timeBefore = time;
      next(input);
    },
    concludeActivation(input, next) {
      for (const command of input.commands) if (acted) acted.commandEvents += leastEventsOf(command);
      return next(input);
    },
  };
}

/**
 * Whether the history has not grown by a completed workflow task since the workflow acted. A query may also bring a task that
 * has started elsewhere, or was refused: then the time moves on, but the history lacks the commands of such a task.
 */
function lacksTaskBetween(acted: Acted, now: Acted, events: readonly ActivationJob[]): boolean {
  // Without a command nothing is out of order. A rejected update takes even the events of its task back.
  if (acted.isReplay || acted.commandEvents <= 0) return false;
  const eventsOfTasks = ['completed', 'scheduled', 'started'].length;
  // The history has no event of an update until it is accepted.
  const newEvents = events.filter(({ doUpdate }) => !doUpdate).length;
  return now.historyLength - acted.historyLength < acted.commandEvents + newEvents + eventsOfTasks;
}

/** A command that takes back another one of the same task leaves no event, and neither does the other one. */
const leastEventsOf = ({
  respondToQuery,
  updateResponse,
  cancelTimer,
  requestCancelActivity,
}: Command): number => {
  if (respondToQuery || updateResponse?.rejected) return 0;
  return cancelTimer || requestCancelActivity ? -1 : 1;
};

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
