import type { Client } from '@temporalio/client';
import { BackOff } from '../../language/back-off.ts';
import { WorkerAwayError } from '../errors/errors.ts';
import { orAborted, pauseUnlessAborted } from './abort.ts';
import { isTransientTemporalError } from './temporal-errors.ts';

type Answer = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;
type HistoryEvent = NonNullable<NonNullable<Answer['history']>['events']>[number];

/** Temporal's HistoryEventFilterType. */
const FILTERS = { allEvents: 1, closeEvent: 2 } as const;

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/**
 * How a call waits for a job.
 *
 * @public
 */
export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Called when the server is unavailable, or no worker takes the job's next step; a retry follows. */
  readonly onInterrupted?: (error: unknown) => void;
}

const PAUSE = { firstMs: 200, mostMs: 5_000 };
/** Temporal answers a long poll after a minute, with or without news. Without an answer the connection is dead. */
const LONGEST_POLL_MS = 90_000;
/** So long a workflow task may wait for a worker until that is told, in milliseconds. */
const TASK_WAIT_MS = 10_000;

/** Waits until the last run of the chain has closed, and returns that run. */
export async function closedRunOf(client: Client, run: Run, options: FollowOptions): Promise<Run> {
  let current = run;
  for await (const batch of batches(client, run, FILTERS.closeEvent, options)) current = batch.run;
  return current;
}

/**
 * Yields whenever the workflow's state may have changed: only a completed workflow task changes it. A long poll on the
 * history costs the workers nothing while nothing changes, unlike a query in a loop.
 */
export async function* stepsOf(client: Client, run: Run, options: FollowOptions): AsyncGenerator<Run> {
  for await (const { run: current, events, isLast } of batches(client, run, FILTERS.allEvents, options)) {
    if (!isLast && events.some((event) => event.workflowTaskCompletedEventAttributes)) yield current;
  }
}

/** Yields batches of events until the last run of the chain has closed; continues through server restarts. */
async function* batches(client: Client, first: Run, filter: 1 | 2, options: FollowOptions) {
  let run = first;
  let nextPageToken: Uint8Array | undefined;
  let last: HistoryEvent | undefined;
  for (;;) {
    const request = { namespace: client.options.namespace, execution: run, waitNewEvent: true };
    const poll = () =>
      client.workflowService.getWorkflowExecutionHistory({
        ...request,
        nextPageToken,
        skipArchival: true,
        historyEventFilterType: filter,
      });
    const answer = await tellingIfLate({ run, last, options }, () => untilAnswered(client, options, poll));
    const events = answer.history?.events ?? [];
    last = events.at(-1);
    const next = continuedAs(last);
    const isLast = !next && !answer.nextPageToken?.length;
    if (events.length) yield { run, events, isLast };
    if (isLast) return;
    if (next) run = { ...run, runId: next };
    nextPageToken = next ? undefined : answer.nextPageToken;
  }
}

/** Tells that no worker is there if the history ends with a workflow task that none has taken, and stays so. */
async function tellingIfLate<T>(
  { run, last, options }: { run: Run; last: HistoryEvent | undefined; options: FollowOptions },
  poll: () => Promise<T>,
): Promise<T> {
  if (!last?.workflowTaskScheduledEventAttributes) return poll();
  const late = setTimeout(() => options.onInterrupted?.(new WorkerAwayError(run.workflowId)), TASK_WAIT_MS);
  return poll().finally(() => clearTimeout(late));
}

/** Returns the run that this one continues. */
export async function runBefore(client: Client, run: Run): Promise<Run | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: run,
    maximumPageSize: 1,
    skipArchival: true,
  });
  const runId = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  return runId ? { ...run, runId } : undefined;
}

/** Calls Temporal again and again until it answers. */
export async function untilAnswered<T>(
  client: Client,
  options: FollowOptions,
  call: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff(PAUSE);
  for (;;) {
    try {
      options.signal?.throwIfAborted();
      const bounded = () => client.withDeadline(Date.now() + LONGEST_POLL_MS, call);
      const { signal } = options;
      return await (signal ? orAborted(client.withAbortSignal(signal, bounded), signal) : bounded());
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isTransientTemporalError(error)) throw error;
      options.onInterrupted?.(error);
      await pauseUnlessAborted(backOff.next(), options.signal);
    }
  }
}

function continuedAs(event: HistoryEvent | undefined): string | undefined {
  const attributes =
    event?.workflowExecutionContinuedAsNewEventAttributes ??
    event?.workflowExecutionCompletedEventAttributes ??
    event?.workflowExecutionFailedEventAttributes ??
    event?.workflowExecutionTimedOutEventAttributes;
  return attributes?.newExecutionRunId || undefined;
}
