import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { SILENT_WORKER_MS } from '../../contracts/timing.ts';
import { WorkerAwayError } from '../errors/errors.ts';

/** Temporal's TaskQueueType of workflow tasks, which answer queries and updates. */
const WORKFLOW_TASKS = 1;
/** A worker that is there has mostly answered by then. */
const FIRST_LOOK_MS = 500;
/** A worker that is there has mostly taken the task by then, and asked for the next one. */
const SECOND_LOOK_MS = 1_000;
/**
 * A worker that is there has done so by then, however busy it is. A task of a job that it has in memory waits for 10 s in
 * a queue of its own, which this does not look at, before Temporal moves it to the common one; the rest is for the worker.
 */
const PATIENT_LOOK_MS = 20_000;
/** Of each look at the server: the deadline of the call itself may pass during a patient look. */
const LOOK_ANSWER_MS = 5_000;
/** How far the clocks of client and server may be apart. */
const CLOCK_SKEW_MS = 5_000;

/** Returns whether no worker has asked for tasks of the queue lately. One that was killed still counts for a while. */
export async function hasNoWorker(client: Client, taskQueue: string): Promise<boolean> {
  return (await livePollers(client, taskQueue)).length === 0;
}

/** Returns the identities of the workers that have asked for tasks of the queue lately. */
export async function livePollers(client: Client, taskQueue: string): Promise<readonly string[]> {
  const since = Date.now() - SILENT_WORKER_MS;
  const live = (await pollersOf(client, taskQueue)).filter(({ polledAt }) => polledAt >= since);
  return live.map(({ identity }) => identity);
}

/** So long a worker that was there counts as there, so that of many submissions in a row few look. */
const SEEN_MS = 10_000;
/** By client and task queue: until when, in epoch milliseconds. */
const seen = new WeakMap<Client, Map<string, number>>();

/** Returns whether no worker has asked for tasks of the queue lately, some seconds ago at most. */
export async function hadNoWorker(client: Client, taskQueue: string): Promise<boolean> {
  const queues = seen.get(client) ?? new Map<string, number>();
  seen.set(client, queues);
  if (Date.now() < (queues.get(taskQueue) ?? 0)) return false;
  const isAlone = await hasNoWorker(client, taskQueue);
  if (!isAlone) queues.set(taskQueue, Date.now() + SEEN_MS);
  return isAlone;
}

interface WorkerCall<T> {
  readonly workflowId: string;
  /** Needs a worker. */
  readonly call: () => Promise<T>;
  /** There is another answer, so a worker that seems to be gone is not waited for, though it may only be busy. */
  readonly hasFallback: boolean;
  readonly signal?: AbortSignal;
}

/** Returns the answer to the call. If it does not come at once and there is no worker, throws `WorkerAwayError`. */
export async function failWithoutWorker<T>(client: Client, asked: WorkerCall<T>): Promise<T> {
  const { call, signal } = asked;
  const over = new AbortController();
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const answer = client.withAbortSignal(stop, call);
  const answerOrAbsence = isAlone(client, asked, stop)
    .catch(() => false)
    .then((alone) => (alone ? Promise.reject(new WorkerAwayError(asked.workflowId)) : answer));
  try {
    return await Promise.race([answer, answerOrAbsence]);
  } finally {
    over.abort();
    for (const settled of [answer, answerOrAbsence]) settled.catch(() => undefined);
  }
}

/** Returns whether no worker is there for what was asked just now. */
async function isAlone(
  client: Client,
  { workflowId, hasFallback }: Omit<WorkerCall<unknown>, 'signal'>,
  signal: AbortSignal,
): Promise<boolean> {
  const look = <R>(call: () => Promise<R>) => client.withDeadline(Date.now() + LOOK_ANSWER_MS, call);
  const askedAt = Date.now();
  await delay(FIRST_LOOK_MS, undefined, { signal });
  const { taskQueue } = await look(() => client.workflow.getHandle(workflowId).describe());
  if (await look(() => hasNoWorker(client, taskQueue))) return true;
  await delay(hasFallback ? SECOND_LOOK_MS : PATIENT_LOOK_MS, undefined, { signal });
  return (await look(() => lastPollAt(client, taskQueue))) < askedAt - CLOCK_SKEW_MS;
}

/** Returns when a worker asked for tasks last, in epoch milliseconds; 0 if that is long ago. */
const lastPollAt = async (client: Client, taskQueue: string): Promise<number> =>
  Math.max(0, ...(await pollersOf(client, taskQueue)).map(({ polledAt }) => polledAt));

/** `polledAt` is in epoch milliseconds. */
async function pollersOf({ workflowService, options }: Client, taskQueue: string) {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    polledAt: Number(lastAccessTime?.seconds ?? 0) * 1000,
  }));
}
