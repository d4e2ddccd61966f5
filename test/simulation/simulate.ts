import { Worker } from 'node:worker_threads';
import { TIMES } from '../times.ts';
import type { Schedule } from './schedules.ts';

/** What a thread is to run: so many schedules from a seed, one of them again, or these, by name. */
export interface Simulation {
  readonly runs?: number;
  readonly seed?: number;
  /** Of a schedule that failed, as its message says. */
  readonly path?: string;
  readonly findings?: Readonly<Record<string, Schedule>>;
}

/** Something happened that never may. */
export interface Failure {
  readonly seed: number;
  readonly path: string;
  /** What happened, line by line; the first says what was wrong. */
  readonly lines: readonly string[];
}

export type Message =
  | { readonly done: number }
  | { readonly failure: Failure }
  | { readonly lines: string[] };

/** That are run in all. */
export const SCHEDULES = 100 * TIMES;

/**
 * A test of simulations has no other limit: how many a machine runs in a minute depends on what else it does. One schedule
 * takes some 50 ms, and its tasks are counted.
 */
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** A thread that has finished no schedule for so long never will. */
const STUCK_MS = 600_000;

/**
 * Runs schedules in a thread of its own, where the clock, the timers and the dice are the simulation's. `onProgress` is
 * called with the number of schedules that have been run.
 */
export function simulate(
  what: Simulation,
  onProgress: (done: number) => void = () => undefined,
): Promise<Failure | undefined> {
  const worker = new Worker(new URL('./simulation-thread.ts', import.meta.url), { workerData: what });
  return new Promise((resolve, reject) => {
    let failure: Failure | undefined;
    const stuck = setTimeout(() => {
      reject(
        new Error(
          `A thread finished no schedule within ${STUCK_MS / 60_000} minutes: ${JSON.stringify(what)}`,
        ),
      );
      void worker.terminate();
    }, STUCK_MS);
    worker.on('message', (message: Message) => {
      stuck.refresh();
      if ('failure' in message) failure = message.failure;
      else if ('done' in message) onProgress(message.done);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(stuck);
      resolve(failure);
    });
  });
}

/** What a test says of a failure. */
export const describeFailure = ({ seed, path, lines }: Failure): string =>
  [...lines, `Once more: SIGNALBOX_SIMULATION=${seed}/${path} npm run test:unit -- test/simulation`].join(
    '\n',
  );
