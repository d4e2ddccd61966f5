import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '@temporalio/activity';

/** Part of the request of a local activity. */
export interface Started {
  /** When the server started the workflow task that runs the activity, in epoch milliseconds. */
  readonly startedAt?: number;
}

const tasks = new AsyncLocalStorage<number>();

/** A workflow receives nothing, not even a request to stop, while a local activity of it runs. */
const MOST_MS = 5_000;
/** Writes stop earlier, so that those in flight come before anything that follows the local activity. */
export const LOCAL_WRITES_MS = 4_000;

/**
 * Runs the work of a local activity, whose workflow task began at `startedAt`. Throws if it takes too long, e.g. because
 * the API server does not answer; what it still does then writes nothing.
 */
export async function duringTask<T>({ startedAt }: Started, work: () => Promise<T>): Promise<T> {
  if (startedAt === undefined) return work();
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it took too long for a local activity')), MOST_MS);
  try {
    return await Promise.race([tasks.run(startedAt, work), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** When the workflow task began that runs this local activity; undefined in an ordinary activity. */
export const taskStartedAt = (): number | undefined => tasks.getStore();

export const isLocal = (): boolean => Context.current().info.isLocal;
