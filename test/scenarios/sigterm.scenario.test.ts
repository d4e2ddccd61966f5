import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** What a worker gets that is told to stop because another one failed: SIGTERM, its grace period, then its end. */

let stage: Stage;
/** Where processes write what happens to them; it outlives them. */
let out: string;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  out = await mkdtemp(join(tmpdir(), 'signalbox-'));
});

afterAll(async () => {
  await stage.close();
  await rm(out, { recursive: true });
});

const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };

/** The master fails once, as soon as the worker has begun; `worker` is what the worker does in its first attempt. */
const script = (name: string, worker: string) => `
say() { echo "$1 of attempt $SIGNALBOX_ATTEMPT" >> /out/${name}; }
if [ "$RANK" = 0 ]; then
  while ! grep -q "begins of attempt $SIGNALBOX_ATTEMPT" /out/${name}; do sleep 0.1; done
  if [ "$SIGNALBOX_ATTEMPT" = 1 ]; then exit 1; fi
  exit 0
fi
${worker}
say begins
while :; do sleep 0.1; done`;

async function linesOf(name: string): Promise<string[]> {
  return (await readFile(join(out, name), 'utf8')).trim().split('\n');
}

describe('a worker whose gang restarts', () => {
  it('receives SIGTERM and has time to save; the next attempt begins when it has ended', async () => {
    const saves = `trap 'say hears; sleep 1; say "has saved"; exit 0' TERM`;
    const manifest = localJob({
      name: 'saves',
      namespace: stage.namespace,
      script: script('saves', saves),
      workers: 1,
      out,
    });
    const job = await stage.client.submit(withPolicy(manifest, GANG));
    expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
    expect((await linesOf('saves')).slice(0, 4)).toEqual([
      'begins of attempt 1',
      'hears of attempt 1',
      'has saved of attempt 1',
      'begins of attempt 2',
    ]);
    await eventually('its pods are gone', async () => (await stage.pods('saves')).length === 0);
  });

  it('is killed when it ignores SIGTERM, and the next attempt follows', async () => {
    const deaf = `trap 'say hears' TERM`;
    const manifest = localJob({
      name: 'deaf',
      namespace: stage.namespace,
      script: script('deaf', deaf),
      workers: 1,
      graceSeconds: 1,
      out,
    });
    const job = await stage.client.submit(withPolicy(manifest, GANG));
    expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
    expect((await linesOf('deaf')).slice(0, 3)).toEqual([
      'begins of attempt 1',
      'hears of attempt 1',
      'begins of attempt 2',
    ]);
    await eventually('its pods are gone', async () => (await stage.pods('deaf')).length === 0);
  });
});

describe('processes that restart', () => {
  it('connect again, and train to the end', async () => {
    const train = 'exec node examples/pytorch/ddp-node/train.mjs --steps=40 --step-millis=5';
    const fails = '--fail-at-step=20 --fail-rank=2';
    const manifest = localJob({
      name: 'meet',
      namespace: stage.namespace,
      script: `if [ "$SIGNALBOX_ATTEMPT" -lt 3 ]; then ${train} ${fails}; fi; ${train}`,
      workers: 2,
      container: { env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }] },
    });
    const job = await stage.client.submit(withPolicy(manifest, GANG));
    const { phase, attempt, restarts, evidence } = await job.wait();
    expect({ phase, attempt, restarts }).toEqual({ phase: 'Completed', attempt: 3, restarts: 2 });
    const causes = (evidence ?? []).filter(({ exitCode }) => exitCode === 3).map((one) => one.attempt);
    expect(causes.sort()).toEqual([1, 2]);
  });
});
