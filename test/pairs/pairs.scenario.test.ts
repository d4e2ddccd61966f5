import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { resetSandbox } from '@signalbox/sandbox';
import { TEST_SANDBOX_DIR } from '../test-sandbox.ts';
import { type ControlPlane, openControlPlane } from './control-plane.ts';
import { search } from './search.ts';

/** What `why` says of random jobs in random clusters, beside what a real API server and a real scheduler do. */

const PAIRS = Number(process.env.SIGNALBOX_PAIRS ?? 200);
/** Others from another seed, or one of them again, as the message of its failure says: `SIGNALBOX_PAIR=7/3:0:1`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_PAIR?.split('/') ?? [];

/** How long a pair takes depends on what else the machine does; each wait in it has its own limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** The largest share of answers that say that they are not computed. It only falls. */
const MOST_NOT_COMPUTED = 0.03;
/** A share of few pairs may be larger by chance: thrice the standard deviation of a share around a thirtieth. */
const SPREAD = 0.54;

let told = 0;
function onProgress(pairs: number): void {
  if (pairs - told < 500) return;
  told = pairs;
  say(`${pairs} of ${PAIRS} pairs`);
}

const onFault = (text: string, pairs: number) =>
  say(`a fault among ${pairs} pairs, which is now made smaller: ${text}`);

/** At once: what a test writes to its console is shown when it has ended. */
const say = (line: string) => process.stderr.write(`${line}\n`);

const DIR = `${TEST_SANDBOX_DIR}-pairs`;
let plane: ControlPlane;

beforeAll(async () => {
  plane = await openControlPlane(DIR);
});

afterAll(async () => {
  await plane?.close();
  await resetSandbox(DIR);
});

it(
  'agrees with the cluster, and says where it computes nothing',
  async () => {
    const { pairs, invalid, notComputed, failure } = await search(plane, {
      ...{ pairs: PAIRS, seed: Number(SEED), path: PATH, onProgress, onFault },
    });
    const share = [...notComputed.values()].reduce((sum, count) => sum + count, 0) / Math.max(1, pairs);
    const counted = [...notComputed].map(([what, count]) => `  ${String(count).padStart(5)}  ${what}`);
    console.info(
      [
        `${pairs} pairs: ${(share * 100).toFixed(1)} % not computed, ${invalid} no manifests`,
        ...counted.sort().reverse(),
      ].join('\n'),
    );
    if (failure !== undefined) throw new Error(failure);
    expect(share).toBeLessThanOrEqual(MOST_NOT_COMPUTED + SPREAD / Math.sqrt(Math.max(1, pairs)));
  },
  NO_LIMIT_MS,
);
