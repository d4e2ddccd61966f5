import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { NameTakenError } from '../../client/errors/errors.ts';
import { statusOf } from '../status-of.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { commandLine } from './ways-to-ask.ts';

/** A job is run again from what its workflow has on record. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const REPLICAS = 'spec.pytorchReplicaSpecs.Worker.replicas';

/** A job that was scaled while it was suspended, ran, and was stopped. */
async function amendedJob(name: string) {
  const { namespace, client } = stage;
  const manifest = simulatedJob({ name, namespace, runPolicy: { suspend: true } });
  const job = await client.submit(withPolicy(manifest, { scaleByRestart: true }));
  await untilPhase(job, 'Suspended');
  await job.scale({ role: 'Worker', replicas: 3 });
  await job.amendPolicy({ policy: { holdOnFailure: '5m' } });
  return { job, manifest };
}

const run = (...args: readonly string[]) => commandLine(stage)(...args);

describe('a rerun', () => {
  it('of a live job is refused under its name, and starts under another one', async () => {
    const { job } = await amendedJob('alive');
    await expect(job.rerun({ set: { [REPLICAS]: 1 } })).rejects.toThrow(NameTakenError);
    await expect(job.rerun()).rejects.toMatchObject({
      remedy: expect.stringContaining('another name, e.g. alive-2'),
    });
    const again = await job.rerun({
      name: 'alive-2',
      set: { [REPLICAS]: 1, 'spec.runPolicy.suspend': null },
    });
    expect(again.submission).toBe('started');
    await untilPhase(again, 'Running');
    expect(await statusOf(again)).toMatchObject({ wanted: { Master: 1, Worker: 1 } });
    expect(await again.summary()).toMatchObject({
      rerunOf: { workflowId: job.workflowId, runId: job.runId },
      submittedBy: 'a test',
    });
    expect((await run('get', 'alive-2')).stdout).toContain(`rerun of  ${job.workflowId}, run ${job.runId}`);
    const [submitted] = await again.history();
    expect(submitted!.cause).toMatchObject({
      type: 'submitted',
      parent: `${job.workflowId}, run ${job.runId}`,
    });
    await Promise.all([job.stop(), again.stop()]);
  });

  it('of an ended job has the sizes and the policy of a revision, and a key finds it again', async () => {
    const { job } = await amendedJob('ended');
    await job.stop();
    await job.wait();
    const dryRun = await run('rerun', 'ended', '--revision', '3', '--dry-run');
    expect(dryRun).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`run ${job.runId}, revision 3`),
    });
    const manifest = parse(dryRun.stdout) as {
      metadata: { annotations: Record<string, string> };
      status?: unknown;
    };
    expect(manifest).toMatchObject({ spec: { pytorchReplicaSpecs: { Worker: { replicas: 3 } } } });
    expect(parse(Object.values(manifest.metadata.annotations)[0]!)).toEqual({
      scaleByRestart: true,
      holdOnFailure: '5m',
    });
    const args = ['rerun', 'ended', '--revision', '3', '--key', 'again', '--why', 'once more', '-o', 'json'];
    const first = JSON.parse((await run(...args)).stdout);
    expect(first).toMatchObject({ submission: 'started', rerunOf: { runId: job.runId, revision: 3 } });
    expect(first.runId).not.toBe(job.runId);
    const second = JSON.parse((await run(...args, '--run', job.runId!)).stdout);
    expect(second).toMatchObject({ submission: 'already-running', runId: first.runId });
    const again = stage.client.job({ workflowId: first.workflowId });
    expect(await again.summary()).toMatchObject({ why: 'once more', key: 'again' });
    expect(await statusOf(again)).toMatchObject({ wanted: { Worker: 3 } });
    await again.stop();
  });

  it('with errors starts nothing, and prints all of them', async () => {
    const { job } = await amendedJob('wrong');
    const refused = await run(
      'rerun',
      'wrong',
      '--name',
      'wrong-2',
      '--set',
      `${REPLICAS}=many`,
      '--set',
      'spec.foo=1',
    );
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('spec.foo: expected a known field');
    await expect(stage.client.find({ name: 'wrong-2' })).rejects.toThrow('wrong-2');
    await job.stop();
  });
});

describe('a job and its rerun', () => {
  it('are compared, and a revision with the one before', async () => {
    const { namespace, client } = stage;
    const succeeding = { annotations: { 'signalbox.dev/simulate': 'succeeded' } };
    const manifest = simulatedJob({ name: 'alike', namespace, worker: false, master: succeeding });
    const job = await client.submit(manifest);
    expect((await job.wait()).phase).toBe('Completed');
    const again = await job.rerun();
    expect((await again.wait()).phase).toBe('Completed');
    const same = await run('diff', `alike@${job.runId}`, 'alike');
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('The jobs are equal') });
    const image = 'spec.pytorchReplicaSpecs.Master.template.spec.containers[pytorch].image';
    const other = await job.rerun({
      name: 'other',
      set: { [image]: 'train:2', 'spec.runPolicy.backoffLimit': 1 },
    });
    await other.wait();
    const different = await run('diff', 'alike', 'other', '-o', 'json');
    expect(different.code).toBe(6);
    expect(JSON.parse(different.stdout)).toMatchObject({
      a: { runId: again.runId, phase: 'Completed', attempts: 1, timings: { total: expect.any(Number) } },
      b: { workflowId: other.workflowId, nodes: expect.anything() },
      images: [{ path: image, b: 'train:2' }],
      manifest: [{ path: 'spec.runPolicy.backoffLimit', b: 1 }],
      ...{ policy: [], environment: [], fate: [] },
    });
    const text = await run('diff', 'alike', 'other');
    expect(text.stdout).toMatch(/^IMAGES {2,}alike {2,}other$/m);
    expect(await run('replay', 'alike', 'other')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^JOBS +RESULT\n2 +replays\n$/),
    });
  });

  it('of revisions show what an amendment changed', async () => {
    const { job } = await amendedJob('steps');
    const { code, stdout } = await run('diff', 'steps@2', 'steps@3', '-o', 'json');
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      a: { revision: 2, revisionRequest: { request: 'scale', who: { given: 'a test' } } },
      b: { revision: 3, revisionRequest: { request: 'amendPolicy', who: { given: 'a test' } } },
      manifest: [],
      policy: [{ path: 'metadata.annotations[signalbox.dev/policy].holdOnFailure', b: '5m' }],
    });
    expect(await run('diff', 'steps@2', 'steps@9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('steps@9: revision: expected one of 1, 2, 3, got 9'),
    });
    expect((await run('diff', 'steps', 'nobody')).code).toBe(3);
    await job.stop();
  });
});
