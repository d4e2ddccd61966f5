import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const submit = (...args: Parameters<ClientStage['client']['submit']>) => stage.client.submit(...args);

describe('the same manifest', () => {
  test('is started once, and later found running', async () => {
    const manifest = aManifest(aName(), 'Running');
    const first = await submit(manifest);
    const second = await submit(manifest);
    expect([first.submission, second.submission]).toEqual(['started', 'already-running']);
    expect(second.workflowId).toBe(`job/ml/${manifest.metadata.name}`);
  });

  test('is recognised with its keys in any order', async () => {
    const manifest = aManifest(aName(), 'Running', { a: 1, b: { c: [1, 2], d: 2 } });
    const { spec, metadata, kind, apiVersion } = manifest;
    await submit(manifest);
    const reordered = { spec: { b: { d: 2, c: [1, 2] }, a: 1 }, metadata, kind, apiVersion };
    expect(spec).toEqual(reordered.spec);
    expect(await submit(reordered)).toMatchObject({ submission: 'already-running' });
  });

  test('does not run again after it has Completed, except on request', async () => {
    const manifest = aManifest(aName(), 'Running,Completed');
    await (await submit(manifest)).wait();
    expect(await submit(manifest)).toMatchObject({ submission: 'already-completed' });
    expect(await submit(manifest, { rerun: true })).toMatchObject({ submission: 'started' });
  });

  test.each(['Failed', 'Stopped', 'InvalidManifest'])('runs again after it was %s', async (end) => {
    const manifest = aManifest(aName(), end);
    await (await submit(manifest)).wait();
    expect(await submit(manifest)).toMatchObject({ submission: 'started' });
  });

  test('starts one job when many submit it at once', async () => {
    const manifest = aManifest(aName(), 'Running');
    const all = await Promise.all(Array.from({ length: 10 }, () => submit(manifest)));
    expect(all.map(({ submission }) => submission).sort()).toEqual([
      ...Array(9).fill('already-running'),
      'started',
    ]);
  });
});

describe('many manifests', () => {
  const submitMany = async (...args: Parameters<ClientStage['client']['submitMany']>) => {
    const attempts = [];
    for await (const attempt of stage.client.submitMany(...args)) attempts.push(attempt);
    return attempts.sort((a, b) => a.index - b.index);
  };

  test('are submitted from a stream, and an error is that of its manifest', async () => {
    const [first, second] = [aManifest(aName(), 'Running'), aManifest(aName(), 'Running')];
    async function* stream() {
      yield* [first, {}, second];
    }
    expect(await submitMany(stream())).toMatchObject([
      { manifest: first, job: { submission: 'started' } },
      { manifest: {}, error: { code: 'InvalidManifest' } },
      { manifest: second, job: { submission: 'started', workflowId: `job/ml/${second.metadata.name}` } },
    ]);
  });

  test('with a key are found again, also if they have failed', async () => {
    const manifests = Array.from({ length: 40 }, () => aManifest(aName(), 'Failed'));
    const started = await submitMany(manifests.slice(0, 20), { key: 'sweep' });
    await Promise.all(started.map(({ job }) => job?.wait()));
    const submissions = (await submitMany(manifests, { key: 'sweep' })).map(({ job }) => job?.submission);
    expect(submissions).toEqual([...Array(20).fill('already-ended'), ...Array(20).fill('started')]);
  });

  test('with a key need a name of their own', async () => {
    const generated = { ...aManifest('', 'Running'), metadata: { generateName: 'trial-' } };
    const [attempt] = await submitMany([generated], { key: 'sweep' });
    expect(attempt?.error).toMatchObject({ faults: [{ path: 'metadata.name' }] });
  });

  test('are started no more after the caller has left', async () => {
    const manifests = Array.from({ length: 200 }, () => aManifest(aName(), 'Running'));
    for await (const { job } of stage.client.submitMany(manifests)) if (job) break;
    const last = stage.client.job({ name: manifests.at(-1)!.metadata.name, namespace: 'ml' });
    await expect(last.status()).rejects.toMatchObject({ code: 'JobNotFound' });
  });
});

describe('another manifest under the same name', () => {
  test('is refused while the first is live, with the remedy', async () => {
    const name = aName();
    const job = await submit(aManifest(name, 'Running'));
    await reached(job, 'Running');
    const refused = submit(aManifest(name, 'Running', { changed: true }));
    await expect(refused).rejects.toMatchObject({
      name: 'NameTakenError',
      phase: 'Running',
      message: expect.stringContaining(`Another manifest has been running as job/ml/${name} since 20`),
      remedy: expect.stringContaining(`signalbox stop ${name} -n ml`),
    });
  });

  test('is started after the first has ended', async () => {
    const name = aName();
    await (await submit(aManifest(name, 'Completed'))).wait();
    expect(await submit(aManifest(name, 'Completed', { changed: true }))).toMatchObject({
      submission: 'started',
    });
  });

  test('is refused for all but one of many who submit different ones at once', async () => {
    const name = aName();
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, number) => submit(aManifest(name, 'Running', { number }))),
    );
    const refusals = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason.name);
    expect(refusals).toEqual(Array(5).fill('NameTakenError'));
  });
});

describe('a submitted job', () => {
  test('has its namespace in its manifest: its own, else the given one, else default', async () => {
    const { metadata, ...rest } = aManifest(aName(), 'Running');
    const unscheduled = { ...rest, metadata: { name: metadata.name } };
    expect((await submit(unscheduled)).workflowId).toBe(`job/default/${metadata.name}`);
    expect((await submit(unscheduled, { namespace: 'vision' })).workflowId).toBe(
      `job/vision/${metadata.name}`,
    );
    const owned = await submit(aManifest(aName(), 'Running'), { namespace: 'vision' });
    expect(owned.workflowId).toMatch(/^job\/ml\//);
  });

  test('may have a custom workflow id', async () => {
    const workflowId = `chosen-${aName()}`;
    const job = await submit(aManifest(aName(), 'Running'), { workflowId });
    expect(job.workflowId).toBe(workflowId);
  });

  test('shows in Temporal’s own tools its size and who submitted it', async () => {
    const spec = { pytorchReplicaSpecs: { Master: { template: {} }, Worker: { replicas: 3, template: {} } } };
    const job = await submit(aManifest(aName(), 'Running', spec));
    const described = await stage.temporal.workflow.getHandle(job.workflowId).describe();
    expect(described.memo).toMatchObject({ submittedBy: 'ada@lovelace', manifestHash: expect.any(String) });
    expect(await described.staticSummary()).toMatch(/^PyTorchJob ml\/job-/);
    expect(await described.staticDetails()).toContain('| Worker | 3 |');
  });

  test('is refused with all faults of its manifest', async () => {
    const name = aName();
    await expect(submit(aManifest(name, undefined, 'wrong'))).rejects.toMatchObject({
      name: 'InvalidManifestError',
      faults: [{ path: 'spec', expected: 'an object', got: '"wrong"' }],
    });
    await expect(stage.client.job({ name, namespace: 'ml' }).status()).rejects.toMatchObject({
      name: 'JobNotFoundError',
    });
  });

  test.each([
    ['no object', 'text', ['(manifest)']],
    ['neither version, kind nor name', {}, ['apiVersion', 'kind', 'metadata.name']],
    [
      'a namespace that is none',
      { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', metadata: { name: 'a', namespace: 1 } },
      ['metadata.namespace'],
    ],
  ])('is refused by the client if it has %s', async (_what, manifest, paths) => {
    const error = await submit(manifest as object).catch((caught) => caught);
    expect(error.faults.map(({ path }: { path: string }) => path)).toEqual(paths);
  });
});

async function reached(job: { status(): Promise<{ phase: string }> }, phase: string): Promise<void> {
  while ((await job.status()).phase !== phase);
}
