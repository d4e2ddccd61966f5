import { AsyncLocalStorage } from 'node:async_hooks';
import { Context } from '@temporalio/activity';

/** Part of the request of a local activity. */
export interface Started {
  /** When the server started the workflow task that runs the activity, in epoch milliseconds. */
  readonly startedAt?: number;
}

const tasks = new AsyncLocalStorage<number>();

/** Runs the work of a local activity, whose workflow task began at `startedAt`. */
export const duringTask = <T>({ startedAt }: Started, work: () => Promise<T>): Promise<T> =>
  startedAt === undefined ? work() : tasks.run(startedAt, work);

/** When the workflow task began that runs this local activity; undefined in an ordinary activity. */
export const taskStartedAt = (): number | undefined => tasks.getStore();

export const isLocal = (): boolean => Context.current().info.isLocal;
