import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import { statusOf } from '../status-of.ts';
import { type JobOptions, SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { commandLine } from './ways-to-ask.ts';
import { acceptedUpdates } from './workflow-history.ts';

/** A manifest is applied, changed, and applied again. */

let stage: Stage;
let folder: string;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'signalbox-apply-'));
});

afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const manifestOf = (name: string, options: Partial<JobOptions> = {}) =>
  simulatedJob({ name, namespace: stage.namespace, ...options });

const workers = (replicas: number) => ({ worker: { replicas } });

const updatesOf = async (name: string) =>
  (await acceptedUpdates(stage.temporal, stage.client.job({ name }))).map((update) => update.name);

async function applied(manifests: readonly object[], ...args: readonly string[]) {
  const file = join(folder, `${Math.random()}.yaml`);
  await writeFile(file, manifests.map((manifest) => stringify(manifest)).join('---\n'));
  return commandLine(stage)('apply', '-f', file, ...args);
}

const WORKERS = 'spec.pytorchReplicaSpecs.Worker.replicas';

describe('a manifest that is applied', () => {
  it.concurrent('starts its job, then changes it, and changes nothing when it is applied again', async () => {
    const { client } = stage;
    const first = await client.apply(manifestOf('steps', { runPolicy: { suspend: true } }), { why: 'a try' });
    expect(first).toMatchObject({ result: 'started', changes: [] });
    await untilPhase(first.job, 'Suspended');
    const wanted = withPolicy(manifestOf('steps', workers(3)), { holdOnFailure: '5m' });
    const changes = [
      { path: 'metadata.annotations[signalbox.dev/policy].holdOnFailure', to: '5m' },
      { path: WORKERS, from: 2, to: 3 },
      { path: 'spec.runPolicy.suspend', from: true, to: false },
    ];
    expect(await client.apply(wanted, { dryRun: true })).toMatchObject({ result: 'changed', changes });
    expect(await updatesOf('steps')).toEqual([]);
    expect(await client.apply(wanted, { why: 'for the demo' })).toMatchObject({ result: 'changed', changes });
    expect(await updatesOf('steps')).toEqual(['apply']);
    await untilPhase(first.job, 'Running');
    expect((await statusOf(first.job)).wanted).toEqual({ Master: 1, Worker: 3 });
    expect(await client.apply(wanted)).toMatchObject({ result: 'unchanged', changes: [] });
    expect(await updatesOf('steps')).toHaveLength(1);
    const asked = (await first.job.history()).flatMap(({ cause }) =>
      cause.type === 'request' ? [cause] : [],
    );
    // The revision, and the resumption.
    expect(asked.map(({ why, who }) => [why, who.given])).toEqual(Array(2).fill(['for the demo', 'a test']));
    await first.job.stop();
  });

  it.concurrent('is one job when many apply it at once', async () => {
    const manifest = manifestOf('at-once', { runPolicy: { suspend: true } });
    const all = await Promise.all(Array.from({ length: 5 }, () => stage.client.apply(manifest)));
    expect(all.map(({ result }) => result).sort()).toEqual(['started', ...Array(4).fill('unchanged')]);
    await all[0]!.job.stop();
  });

  it.concurrent('changes a job that was started a moment ago', async () => {
    await stage.client.apply(manifestOf('at-once-changed', { runPolicy: { suspend: true } }));
    const wanted = manifestOf('at-once-changed', { ...workers(3), runPolicy: { suspend: true } });
    const { job, changes } = await stage.client.apply(wanted);
    expect(changes).toEqual([{ path: WORKERS, from: 2, to: 3 }]);
    expect(await updatesOf('at-once-changed')).toEqual(['apply']);
    expect(await stage.client.apply(wanted)).toMatchObject({ result: 'unchanged' });
    await job.stop();
  });

  it.concurrent('has the last word over a deadline that was extended', async () => {
    const limited = (activeDeadlineSeconds: number) =>
      manifestOf('limited', { runPolicy: { activeDeadlineSeconds } });
    const { job } = await stage.client.apply(limited(3_600));
    await untilPhase(job, 'Running');
    await job.extendDeadline({ seconds: 600 });
    const path = 'spec.runPolicy.activeDeadlineSeconds';
    expect(await stage.client.apply(limited(7_200))).toMatchObject({
      changes: [{ path, from: 4_200, to: 7_200 }],
    });
    expect(await stage.client.apply(limited(7_200))).toMatchObject({ result: 'unchanged' });
    await job.extendDeadline({ seconds: 60 });
    expect(await stage.client.apply(limited(7_200))).toMatchObject({ result: 'unchanged' });
    expect(await stage.client.apply(limited(1))).toMatchObject({ changes: [{ path, from: 7_260, to: 1 }] });
    expect((await job.wait()).cause).toMatchObject({ reason: 'DeadlineExceeded' });
  });

  it.concurrent('is refused with every field that a live job cannot change, and changes nothing', async () => {
    const { job } = await stage.client.apply(manifestOf('kept'));
    await untilPhase(job, 'Running');
    const wanted = manifestOf('kept', { ...workers(5), runPolicy: { backoffLimit: 3 }, gpus: 1 });
    const error = await stage.client.apply(wanted).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error).toMatchObject({
      faults: expect.arrayContaining([
        expect.objectContaining({ path: WORKERS, got: '5' }),
        expect.objectContaining({ path: expect.stringMatching(/Worker.*limits\[nvidia\.com\/gpu\]$/) }),
      ]),
      remedy: expect.stringContaining(`signalbox stop kept -n ${stage.namespace}`),
    });
    expect(await updatesOf('kept')).toEqual([]);
    await job.stop();
  });

  it.concurrent('gives a suspended job other templates, which its source has', async () => {
    const { job } = await stage.client.apply(manifestOf('remade', { runPolicy: { suspend: true } }));
    await untilPhase(job, 'Suspended');
    const annotated = { worker: { annotations: { 'example.com/data': '2' } } };
    expect(await stage.client.apply(manifestOf('remade', annotated))).toMatchObject({ result: 'changed' });
    await untilPhase(job, 'Running');
    const { metadata } = await stage.pod('remade-worker-0');
    expect(metadata.annotations).toMatchObject({ 'example.com/data': '2' });
    const { manifest, revisions } = await job.source();
    expect(revisions).toMatchObject([
      { number: 2, manifest: JSON.parse(JSON.stringify(manifestOf('remade', annotated))) },
    ]);
    expect(manifest).toMatchObject({ spec: { runPolicy: { suspend: true } } });
    await job.stop();
  });

  it.concurrent('does not run an ended job again, unless the manifest has changed', async () => {
    const { client } = stage;
    const ending = (replicas: number) =>
      manifestOf('ending', {
        runPolicy: { suspend: true },
        master: { annotations: SUCCEEDS },
        worker: { replicas, annotations: SUCCEEDS },
      });
    const resumed = (manifest: ReturnType<typeof ending>) => ({
      ...manifest,
      spec: { ...manifest.spec, runPolicy: {} },
    });
    const { job } = await client.apply(ending(2));
    await untilPhase(job, 'Suspended');
    await client.apply(resumed(ending(3)));
    expect((await job.wait()).phase).toBe('Completed');
    expect(await client.apply(resumed(ending(3)))).toMatchObject({ result: 'unchanged', ended: 'Completed' });
    // As it was submitted first, but not as it ran.
    const again = await client.apply(resumed(ending(2)));
    expect(again.result).toBe('started');
    expect(again.job.runId).not.toBe(job.runId);
    expect((await again.job.wait()).phase).toBe('Completed');
  });
});

describe('signalbox apply', () => {
  it.concurrent('prints what it does, for each document, and does it', async () => {
    const [one, other] = ['one', 'other'].map((name) => manifestOf(name, { runPolicy: { suspend: true } }));
    const id = (name: string) => `job/${stage.namespace}/${name}`;
    expect(await applied([one!], '--dry-run')).toMatchObject({
      code: 0,
      stdout: `${id('one')} started (dry run)\n`,
    });
    expect(await applied([one!])).toMatchObject({ code: 0, stdout: `${id('one')} started\n` });
    await untilPhase(stage.client.job({ name: 'one' }), 'Suspended');
    const scaled = manifestOf('one', { ...workers(4), runPolicy: { suspend: true } });
    expect(await applied([scaled, other!])).toMatchObject({
      code: 0,
      stdout: `${id('one')} changed\n  ${WORKERS}: 2 -> 4\n${id('other')} started\n`,
    });
    const { code, stdout } = await applied([scaled], '-o', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { workflowId: id('one'), result: 'unchanged', dryRun: false, changes: [], kept: [] },
    ]);
    await Promise.all(['one', 'other'].map((name) => stage.client.job({ name }).stop()));
  });

  it.concurrent('exits with 4 for a field that a live job cannot change, and applies the other documents', async () => {
    const { job } = await stage.client.apply(manifestOf('fixed', { runPolicy: { suspend: true } }));
    await untilPhase(job, 'Suspended');
    const wanted = { ...manifestOf('fixed', { runPolicy: { suspend: true } }), kind: 'JAXJob' };
    const { Worker } = wanted.spec.pytorchReplicaSpecs as Record<string, object>;
    Object.assign(wanted, { spec: { jaxReplicaSpecs: { Worker } } });
    const beside = manifestOf('beside', { runPolicy: { suspend: true } });
    const { code, stdout, stderr } = await applied([wanted, beside]);
    expect([code, stdout]).toEqual([4, `job/${stage.namespace}/beside started\n`]);
    expect(stderr).toContain(
      'kind: expected "PyTorchJob", which a job keeps from its submission to its end, got "JAXJob"',
    );
    await Promise.all(['fixed', 'beside'].map((name) => stage.client.job({ name }).stop()));
  });
});
