import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const submit = (...args: Parameters<ClientStage['client']['submit']>) => stage.client.submit(...args);

describe('a submission with a key', () => {
  test('is refused with `rerun`, which would have no effect', async () => {
    const name = aName();
    await expect(submit(aManifest(name, 'Completed'), { key: 'a', rerun: true })).rejects.toMatchObject({
      code: 'InvalidManifest',
      faults: [{ path: 'rerun' }],
    });
    await expect(stage.client.job({ name }).status()).rejects.toMatchObject({ code: 'JobNotFound' });
  });

  test('finds the job whose name was generated', async () => {
    const { metadata, ...rest } = aManifest(aName(), 'Completed');
    const { name, ...others } = metadata;
    const manifest = { ...rest, metadata: { ...others, generateName: `${name}-` } };
    const first = await submit(manifest, { key: 'a' });
    const again = await submit(manifest, { key: 'a' });
    expect([again.workflowId, again.runId]).toEqual([first.workflowId, first.runId]);
    expect((await submit(manifest)).workflowId).not.toBe(first.workflowId);
  });

  test.each([
    ['Running', 'already-running'],
    ['Completed', 'already-completed'],
    ['Failed', 'already-ended'],
    ['Stopped', 'already-ended'],
  ] as const)('returns its run when that is %s', async (phase, submission) => {
    const manifest = aManifest(aName(), phase);
    const first = await submit(manifest, { key: 'a' });
    expect(first.submission).toBe('started');
    if (phase !== 'Running') await first.wait();
    const again = await submit(manifest, { key: 'a' });
    expect([again.submission, again.runId]).toEqual([submission, first.runId]);
  });

  test('restarts an ended job when its key is another, and later finds the run of each key', async () => {
    const manifest = aManifest(aName(), 'Completed');
    const first = await submit(manifest, { key: 'monday' });
    await first.wait();
    const second = await submit(manifest, { key: 'tuesday' });
    expect(second.submission).toBe('started');
    await second.wait();
    const [monday, tuesday] = [
      await submit(manifest, { key: 'monday' }),
      await submit(manifest, { key: 'tuesday' }),
    ];
    expect([monday.runId, tuesday.runId]).toEqual([first.runId, second.runId]);
    expect(await monday.wait()).toMatchObject({ phase: 'Completed' });
  });

  test('is refused while the job is live under another key, or none', async () => {
    const manifest = aManifest(aName(), 'Running');
    await submit(manifest, { key: 'a' });
    await expect(submit(manifest, { key: 'b' })).rejects.toMatchObject({
      code: 'NameTaken',
      message: expect.stringMatching(
        /^Another submission of this manifest, with the key "a", has been running as /,
      ),
    });
    const other = aManifest(aName(), 'Running');
    await submit(other);
    await expect(submit(other, { key: 'b' })).rejects.toMatchObject({
      code: 'NameTaken',
      message: expect.stringContaining('with no key'),
    });
  });

  test('is refused with another manifest, also after the end', async () => {
    const name = aName();
    const first = await submit(aManifest(name, 'Completed'), { key: 'a' });
    await first.wait();
    await expect(submit(aManifest(name, 'Completed', { changed: true }), { key: 'a' })).rejects.toMatchObject(
      {
        code: 'KeyReused',
        runId: first.runId,
        message: expect.stringMatching(
          /^The key "a" was used for another manifest: run \S+ of \S+ They differ in spec\.changed \(only here: true\)\.$/,
        ),
      },
    );
  });

  test('starts one job when many submit it at once', async () => {
    const manifest = aManifest(aName(), 'Running');
    const all = await Promise.all(Array.from({ length: 10 }, () => submit(manifest, { key: 'a' })));
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(1);
    expect(all.filter(({ submission }) => submission === 'started')).toHaveLength(1);
  });
});

test('key and reason are in the memo', async () => {
  const job = await submit(aManifest(aName(), 'Running'), { key: 'a', why: 'nightly' });
  const { memo } = await stage.temporal.workflow.getHandle(job.workflowId).describe();
  expect(memo).toMatchObject({ key: 'a', why: 'nightly' });
});

test('labels are merged into the manifest, which changes its hash', async () => {
  const manifest = aManifest(aName(), 'Running');
  const labelled = { ...manifest, metadata: { ...manifest.metadata, labels: { team: 'vision', tier: '1' } } };
  const job = await submit(manifest, { labels: { team: 'vision', tier: '1' } });
  expect(await submit(labelled)).toMatchObject({ submission: 'already-running', runId: job.runId });
  expect(await submit(labelled, { labels: { tier: '1' } })).toMatchObject({ submission: 'already-running' });
  await expect(submit(labelled, { labels: { tier: '2' } })).rejects.toMatchObject({ code: 'NameTaken' });
  await expect(submit(manifest, { labels: { tier: 2 as unknown as string } })).rejects.toMatchObject({
    faults: [{ path: 'labels[tier]', expected: 'text', got: '2' }],
  });
});
