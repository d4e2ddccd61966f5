import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aManifest, aName, type ClientStage, openClientStage, TASK_QUEUE } from '../client/client-stage.ts';
import { statusOf } from '../status-of.ts';
import { commandLine } from './in-process.ts';
import { withoutProgress } from './process.ts';

let stage: ClientStage;
let folder: string;
beforeAll(async () => {
  stage = await openClientStage();
  folder = await mkdtemp(join(tmpdir(), 'signalbox-cli-'));
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], stdin?: string) => {
  const { address } = stage.server;
  const env = { TEMPORAL_ADDRESS: address, SIGNALBOX_TASK_QUEUE: TASK_QUEUE, SIGNALBOX_NAMESPACE: 'ml' };
  return commandLine(args, { env, stdin });
};

/** A job in a phase, and what it was asked for since. */
async function jobIn(phase: string) {
  const name = aName();
  const job = await stage.client.submit(aManifest(name, phase));
  while ((await job.status()).phase !== phase);
  const asked = async () => (await statusOf(job)).timeline.at(-1)?.cause ?? '';
  return { name, job, asked };
}

describe('a live job', () => {
  test.each([
    ['suspend', 'Running', ['suspend'], {}, 'suspend requested'],
    ['resume', 'Suspended', ['resume'], {}, 'resume requested'],
    ['retryNow', 'Restarting', ['retry-now'], {}, 'retry requested'],
    ['release', 'Restarting', ['release'], {}, 'release requested'],
    [
      'extendDeadline',
      'Running',
      ['extend-deadline', '--by', '2h'],
      { seconds: 7200 },
      'deadline extended by 2h',
    ],
    ['hold', 'Running', ['hold', '--for', '30m'], { seconds: 1800 }, 'hold for 30m requested'],
    [
      'amendPolicy',
      'Running',
      ['amend', '--set', 'failures.classes.userCode.budget=5', '--set', 'nodes.lostAfter=10m'],
      { policy: { failures: { classes: { userCode: { budget: 5 } } }, nodes: { lostAfter: '10m' } } },
      'policy changed',
    ],
  ])('records %s, with who and why', async (update, phase, [verb = '', ...flags], what, words) => {
    const { name, asked } = await jobIn(phase);
    const { code, stdout } = await run([verb, name, ...flags, '--why', 'to see']);
    expect(stdout).toBe(`job/ml/${name}: ${words}\n`);
    expect(code).toBe(0);
    const [, received, request = ''] = /^(\w+) (.*)$/.exec(await asked()) ?? [];
    expect(received).toBe(update);
    expect(JSON.parse(request)).toEqual({ ...what, why: 'to see', by: expect.stringMatching(/.@./) });
  });

  test('is scaled by its name or its workflow id', async () => {
    const { name, asked } = await jobIn('Running');
    const workflowId = `job/ml/${name}`;
    expect(await run(['scale', name, 'worker=8'])).toMatchObject({
      code: 0,
      stdout: `${workflowId}: scale to worker=8 requested\n`,
    });
    expect(await asked()).toContain('"role":"worker","replicas":8');
    expect(await run(['scale', '--workflow-id', workflowId, 'worker=4', '-o', 'json'])).toMatchObject({
      code: 0,
    });
    expect(await asked()).toContain('"role":"worker","replicas":4');
  });

  test('prints JSON for scripts', async () => {
    const { name } = await jobIn('Running');
    const { stdout } = await run(['hold', name, '--for', '90s', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({ workflowId: `job/ml/${name}`, outcome: 'requested' });
  });

  test('takes a partial policy from a file or standard input', async () => {
    const { name, asked } = await jobIn('Running');
    const file = join(folder, 'patch.yaml');
    await writeFile(file, 'progress:\n  log: loss=(\\d+)\n');
    await run(['amend', name, '-f', file]);
    expect(await asked()).toContain('"policy":{"progress":{"log":"loss=(\\\\d+)"}}');
    await run(['amend', name, '-f', '-'], '{"holdOnFailure": null}');
    expect(await asked()).toContain('"policy":{"holdOnFailure":null}');
  });

  test('is stopped with a checkpoint', async () => {
    const { name, job } = await jobIn('Running');
    const { code, stdout } = await run(['stop', name, '--checkpoint', '--wait']);
    expect(stdout).toMatch(/^PyTorchJob ml\/\S+ Stopped/);
    expect(code).toBe(0);
    const { timeline } = await statusOf(job);
    expect(timeline.map(({ cause }) => cause)).toContainEqual(expect.stringContaining('"checkpoint":true'));
  });

  test('prints why it refuses a request', async () => {
    const { name } = await jobIn('Running');
    const { code, stderr } = await run(['retry-now', name]);
    expect(code).toBe(1);
    expect(withoutProgress(stderr)).toBe('error: The job refuses: the job waits for no restart: Running.\n');
  });

  test.each([
    ['scale', ['worker=0'], 'spec.Worker.replicas: expected an integer >= 1, got 0'],
    ['amend', ['--set', 'wrong=1'], 'policy.wrong: expected no such field, got 1'],
  ])('with faults in %s prints all of them, and changes nothing', async (verb, change, fault) => {
    const { name } = await jobIn('Running');
    const { code, stderr } = await run([verb, name, ...change]);
    expect(stderr).toContain(`With this change the manifest would have an error:\n  ${fault}\n`);
    expect(stderr).toContain('Nothing was changed; the job continues as before.');
    expect(code).toBe(4);
  });
});

test.each([
  [['scale', 'nobody', 'worker=1']],
  [['amend', 'nobody', '--set', 'a=1']],
  [['hold', 'nobody', '--for', '1m']],
])('%j has the exit code of a job that does not exist', async (args) => {
  expect(await run(args)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('There is no job job/ml/nobody.'),
  });
});
