import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { courseOf, untilStatus } from './attempts.ts';
import { localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';
import { digestsTo } from './workflow-history.ts';

/** Programs whose steps are read from their logs, without a pattern, and that make none from some time on. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  await Promise.all([stage.engine('watcher'), stage.engine('worker', { SIGNALBOX_ON_HANG: 'restart' })]);
});

afterAll(() => stage.close());

const STEPS = 'n=0; while [ $n -lt LAST ]; do n=$((n + 1)); echo "step $n of 9000 loss 0.5"; sleep 0.5; done';
const stepsUntil = (last: number) => STEPS.replace('LAST', String(last));

/** A limit of a minute, and what the watcher allows for clocks and between two readings. */
const LONG = { withinMs: 360_000 };
const LONG_TEST = 600_000;

/** Its first attempt makes 30 steps. */
const HANGS_ONCE = `if [ "$SIGNALBOX_ATTEMPT" = 2 ]; then exit 0; fi; ${stepsUntil(30)}; exec sleep 900`;
/** The same, told by the last rank alone. */
const HANGS_ELSEWHERE = `case "$HOSTNAME" in *-worker-1) ;; *) [ "$SIGNALBOX_ATTEMPT" = 2 ] || exec sleep 900;; esac; ${HANGS_ONCE}`;

async function submitted(
  name: string,
  script: string,
  more: { policy?: object; workers?: number; out?: string } = {},
) {
  const { policy, workers = 0, out } = more;
  const manifest = localJob({ name, namespace: stage.namespace, script, workers, ...(out ? { out } : {}) });
  return stage.client.submit(policy ? withPolicy(manifest, policy) : manifest);
}

async function recordsOf(job: JobHandle) {
  const found = [];
  for await (const record of job.evidence()) found.push(record);
  return found;
}

const NO_STEP = /no step since \S+, usually one every \S+, the last read was step 30 of 9000/;

describe('a job that makes no steps any more', () => {
  it.concurrent(
    'restarts by one word of its policy, with evidence, and within its budget',
    async () => {
      const failures = { classes: { stalled: { budget: 2 } } };
      const job = await submitted('hangs', HANGS_ONCE, {
        policy: { progress: { onHang: 'restart' }, failures },
      });
      const outcome = await job.wait();
      expect(outcome).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
      expect(outcome.budgets).toEqual({ stalled: { used: 1, allowed: 2 } });
      const [told] = courseOf(outcome)
        .split('\n')
        .filter((line) => line.includes('Capturing'));
      expect(told).toMatch(NO_STEP);
      expect(told).toContain('by the log of hangs-master-0; signalbox.dev/policy progress.onHang: restart');
      const [record] = await recordsOf(job);
      expect(record).toMatchObject({
        summary: { pod: 'hangs-master-0' },
        steps: { sentence: expect.stringMatching(NO_STEP), step: 30, total: 9000, isLate: true },
      });
      expect(record!.containers[0]!.log!.lines.at(-1)).toContain('step 30 of 9000');
    },
    LONG_TEST,
  );

  it.concurrent(
    'restarts where the installation wants that, by the log of the rank that tells the steps',
    async () => {
      const job = await submitted('elsewhere', HANGS_ELSEWHERE, { workers: 2 });
      const outcome = await job.wait();
      expect(outcome).toMatchObject({ phase: 'Completed', attempt: 2 });
      expect(courseOf(outcome)).toMatch(NO_STEP);
      expect(courseOf(outcome)).toContain('by the log of elsewhere-worker-1; SIGNALBOX_ON_HANG: restart');
    },
    LONG_TEST,
  );

  it.concurrent(
    'is only told where its policy says so, and again when it goes on',
    async () => {
      const out = await mkdtemp(join(tmpdir(), 'signalbox-hang-'));
      const script = `${stepsUntil(30)}; while [ ! -e /out/go ]; do sleep 1; done; ${stepsUntil(900)}`;
      const job = await submitted('told', script, { out, policy: { progress: { onHang: 'tell' } } });
      const until = (fact: string, holds: (warnings: readonly string[]) => boolean) =>
        eventually(fact, async () => holds((await statusOf(job)).warnings) && (await statusOf(job)), LONG);
      const hung = await until('it is told', (warnings) => warnings.some((one) => NO_STEP.test(one)));
      expect(hung).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
      await writeFile(join(out, 'go'), '');
      const goesOn = await until('it goes on', (warnings) => warnings.length === 0);
      expect(goesOn).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
      await job.stop({});
      await rm(out, { recursive: true });
    },
    LONG_TEST,
  );
});

describe('a job whose steps go on', () => {
  it.concurrent(
    'is neither told nor restarted, and costs no digests',
    async () => {
      const job = await submitted('well', stepsUntil(240), { policy: { progress: { onHang: 'restart' } } });
      await untilStatus(job, 'it runs', ({ phase }) => phase === 'Running');
      const before = (await digestsTo(stage.temporal, job)).length;
      const outcome = await job.wait();
      expect(outcome).toMatchObject({ phase: 'Completed', attempt: 1, restarts: 0 });
      // One says that it has ended.
      expect((await digestsTo(stage.temporal, job)).length - before).toBeLessThanOrEqual(2);
      expect((await statusOf(job)).warnings).toEqual([]);
    },
    LONG_TEST,
  );
});
