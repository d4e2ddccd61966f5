import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { expect, it } from '@jest/globals';
import { describeFailure, NO_LIMIT_MS, simulate } from '../simulation/simulate.ts';

/** The simulation of `npm run test:unit`, 250 times as long, and others in each run; a thread for each core. */
const RUNS = Number(process.env.SIGNALBOX_SIMULATIONS ?? 100_000);
const THREADS = availableParallelism();
const SEED = randomInt(2 ** 31 - 1 - THREADS);
/** Schedules between two lines that say how far it is. */
const TOLD_EVERY = 10_000;

it(
  `keeps its invariants in ${RUNS} schedules from seed ${SEED}`,
  async () => {
    const done = new Array<number>(THREADS).fill(0);
    let said = 0;
    const report = (thread: number) => (count: number) => {
      done[thread] = count;
      const all = done.reduce((sum, one) => sum + one, 0);
      if (all - said < TOLD_EVERY) return;
      said = all;
      console.info(`${all} of ${RUNS} schedules`);
    };
    const failures = await Promise.all(
      done.map((_, thread) =>
        simulate({ runs: Math.ceil(RUNS / THREADS), seed: SEED + thread }, report(thread)),
      ),
    );
    expect(failures.flatMap((failure) => (failure ? [describeFailure(failure)] : []))).toEqual([]);
  },
  NO_LIMIT_MS,
);
