import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** What a job that is stopped says of its checkpoint, which a real kubelet asked for. */

const WAITS = 'while :; do sleep 0.2; done';

/** By a file that the kubelet fills when the pod's annotation changes. */
const looksAtFile = 'until test -s /signalbox/checkpoint; do sleep 0.2; done';

const JOBS = {
  'signal-saved': {
    script: `trap 'exit 1' TERM; trap 'echo weights > /out/signal-saved; exit 0' USR1; ${WAITS}`,
    checkpoint: { signal: 'SIGUSR1', within: '30s' },
    says: /^stopped by ana; its pods ended within \d+s of SIGUSR1$/,
    saved: true,
  },
  'signal-ignored': {
    script: `trap '' TERM; ${WAITS}`,
    checkpoint: { signal: 'SIGTERM', within: '3s' },
    says: /^stopped by ana; its pods were not seen to end within 3s of SIGTERM; those still running were killed$/,
    saved: false,
  },
  'file-saved': {
    script: `${looksAtFile}; echo weights > /out/file-saved; echo checkpoint saved; ${WAITS}`,
    checkpoint: {
      file: '/signalbox/checkpoint',
      within: '5m',
      acknowledgedBy: { log: 'checkpoint saved' },
    },
    says: /^stopped by ana; a checkpoint was acknowledged$/,
    saved: true,
  },
  'file-ignored': {
    script: WAITS,
    checkpoint: { file: '/signalbox/checkpoint', within: '3s', acknowledgedBy: { log: 'checkpoint saved' } },
    says: /^stopped by ana; no checkpoint was acknowledged within 3s$/,
    saved: false,
  },
} as const;

type Name = keyof typeof JOBS;
const NAMES = Object.keys(JOBS) as Name[];

describeOnNodes('a job on a real node that is stopped with a checkpoint', () => {
  let stage: RealStage;
  const jobs = {} as Record<Name, JobHandle>;

  beforeAll(async () => {
    stage = await openRealStage();
    await stage.engine('up');
    await Promise.all(
      NAMES.map(async (name) => {
        const { script, checkpoint } = JOBS[name];
        jobs[name] = await stage.running({ name, master: { script }, policy: { checkpoint } });
        await jobs[name].stop({ checkpoint: true, by: 'ana' });
      }),
    );
  });

  afterAll(() => stage.close());

  it.each(NAMES)('ends as its program says: %s', async (name) => {
    const { phase, cause } = await jobs[name].wait();
    expect({ phase, message: cause?.message }).toEqual({
      phase: 'Stopped',
      message: expect.stringMatching(JOBS[name].says),
    });
    const saved = await readFile(join(stage.out, name), 'utf8').catch(() => undefined);
    expect(saved).toBe(JOBS[name].saved ? 'weights\n' : undefined);
  });
});
