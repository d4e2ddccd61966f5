import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { expect, it } from '@jest/globals';

/** The simulation of `npm run test:unit`, 1,000 times as long, and others in each run; a thread for each core. */
process.env.SIGNALBOX_TIMES ??= '1000';
const { describeFailure, NO_LIMIT_MS, SCHEDULES, simulate } = await import('../simulation/simulate.ts');
const THREADS = availableParallelism();
const SEED = randomInt(2 ** 31 - 1 - THREADS);
/** Schedules between two lines that say how far it is. */
const TOLD_EVERY = 10_000;

it(
  `keeps its invariants in ${SCHEDULES} schedules from seed ${SEED}`,
  async () => {
    const done = new Array<number>(THREADS).fill(0);
    let said = 0;
    const report = (thread: number) => (count: number) => {
      done[thread] = count;
      const all = done.reduce((sum, one) => sum + one, 0);
      if (all - said < TOLD_EVERY) return;
      said = all;
      console.info(`${all} of ${SCHEDULES} schedules`);
    };
    const failures = await Promise.all(
      done.map((_, thread) =>
        simulate({ runs: Math.ceil(SCHEDULES / THREADS), seed: SEED + thread }, report(thread)),
      ),
    );
    expect(failures.flatMap((failure) => (failure ? [describeFailure(failure)] : []))).toEqual([]);
  },
  NO_LIMIT_MS,
);
