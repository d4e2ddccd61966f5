import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { untilStatus } from './attempts.ts';
import { readCase } from './cases.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { commandLine } from './ways-to-ask.ts';

/** People submit again right after they have stopped a job, or while its failed pods are held. */

let stage: Stage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-resubmit-'));
  stage = await openStage({ sharesEngine: true });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** The case `resubmit-while-stopping`: its pods take 15 seconds to stop. */
const slow = async (file: string, name: string): Promise<Manifest> => {
  const manifest = await readCase(`resubmit-while-stopping/${file}`, stage.namespace);
  return { ...manifest, metadata: { ...manifest.metadata, name } };
};

async function stopped(name: string): Promise<JobHandle> {
  const job = await stage.client.submit(await slow('slow', name));
  await untilPhase(job, 'Running');
  await job.stop({ by: 'ana', why: 'wrong data' });
  return job;
}

async function submit(manifest: Manifest, ...flags: readonly string[]) {
  const file = join(folder, `${manifest.metadata.name}-${flags.length}.json`);
  await writeFile(file, JSON.stringify(manifest));
  return commandLine(stage)('submit', file, ...flags);
}

describe('a job that is submitted while the last one of its name is stopping', () => {
  it.concurrent('starts after it, shows what it waits for, and ends as expected', async () => {
    const first = await stopped('same');
    const again = await submit(await slow('slow2', 'same'), '--wait');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Completed') });
    expect(again.stderr).toContain(`${first.workflowId} has ended, Stopped, and is being cleaned up`);
    expect(again.stderr).toContain(`${first.workflowId} started`);
    expect((await first.wait()).phase).toBe('Stopped');
  });

  it.concurrent('also starts after it with the same manifest', async () => {
    const first = await stopped('twice');
    const again = await submit(await slow('slow', 'twice'), '-o', 'json');
    const { submission, runId } = JSON.parse(again.stdout);
    expect([again.code, submission]).toEqual([0, 'started']);
    expect(runId).not.toBe(first.runId);
    await stage.client.job({ name: 'twice' }).stop();
  });

  it.concurrent('is not started if it may not wait', async () => {
    const first = await stopped('impatient');
    const again = await submit(await slow('slow', 'impatient'), '--clean-up-timeout', '1s');
    expect(again).toMatchObject({ code: 5, stderr: expect.stringContaining('Nothing was started.') });
    await first.wait();
  });

  it.concurrent('starts after it with another key, and is found by the same key', async () => {
    const manifest = simulatedJob({ name: 'keyed', namespace: stage.namespace });
    const first = await stage.client.submit(manifest, { key: 'first' });
    await untilPhase(first, 'Running');
    await first.stop();
    const second = await stage.client.submit(manifest, { key: 'second' });
    expect(second.submission).toBe('started');
    const found = await stage.client.submit(manifest, { key: 'first' });
    expect(found.runId).toBe(first.runId);
    await second.stop();
  });
});

it('a job that is submitted while the last one is held is refused, and starts after the release', async () => {
  const { namespace } = stage;
  const master = { restartPolicy: 'Never' } as const;
  const manifest = withPolicy(simulatedJob({ name: 'held', namespace, master, worker: false }), {
    holdOnFailure: '10m',
  });
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  await stage.endPod('held-master-0', { exitCode: 3 });
  await untilStatus(job, 'it is held', ({ state }) => state === 'Finishing.Holding');
  const refused = await submit(manifest);
  expect(refused.code).toBe(5);
  expect(refused.stderr).toMatch(
    /has ended, Failed, and its failed pods are held for inspection: .* are kept until /,
  );
  expect(refused.stderr).toContain(`signalbox release held -n ${namespace}`);
  await job.release();
  const again = await stage.client.submit(manifest);
  expect(again.submission).toBe('started');
  expect((await job.wait()).phase).toBe('Failed');
  await again.stop();
});
