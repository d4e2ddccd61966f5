import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import { archiveFolder } from '../../record/archive/archive-keys.ts';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { deletionPlaceKey } from '../../record/log/log-keys.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { someContents } from '../record/archive/some-job.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** What the record says does not depend on who may write to the store, or edit ConfigMaps. */

let on: ArchiveStage;
let store: FileArchiveStore;
beforeAll(async () => {
  on = await openArchiveStage();
  store = new FileArchiveStore(on.directory);
  await on.engine().start(on.settings);
  const first = await submit('first', { master: { annotations: SUCCEEDS }, worker: false });
  await first.wait();
  await archived('first');
});
afterAll(() => on?.close());

const run = (...args: string[]) => signalbox(args, { env: { ...on.settings, HOME: on.directory } });
const submit = (name: string, options: object = {}) =>
  on.client.submit(simulatedJob({ name, namespace: on.stage.namespace, ...options }));

const archived = (name: string) =>
  eventually(`${name} is archived`, () => on.archive.find({ namespace: on.stage.namespace, name }));

async function running(name: string): Promise<JobHandle> {
  const job = await submit(name);
  await untilPhase(job, 'Running');
  return job;
}

/** What is known of a job while it runs, if it ends today. */
async function identityOf(job: JobHandle, name: string) {
  const { runId } = await on.temporal.workflow.getHandle(job.workflowId).describe();
  const { namespace } = on.stage;
  return { namespace, name, firstRunId: runId, closed: new Date().toISOString() };
}

async function terminate({ workflowId }: JobHandle): Promise<void> {
  await on.temporal.workflow.getHandle(workflowId).terminate('a test');
}

async function patchAnchor(name: string, phase: string): Promise<void> {
  const { cluster, namespace } = on.stage;
  const status = { phase, state: phase, cause: { reason: 'PodFailed', message: 'forged' }, evidence: [] };
  await cluster.patch(
    CONFIG_MAPS,
    { namespace, name: anchorNameOf(name) },
    {
      metadata: { annotations: { [ANNOTATIONS.phase]: phase, [ANNOTATIONS.cleanUp]: 'None' } },
      data: { status: JSON.stringify(status) },
    },
  );
}

it('an archive that a stranger writes while its job runs is reported, and never signed', async () => {
  const job = await running('victim');
  const identity = await identityOf(job, 'victim');
  const folder = archiveFolder(identity);
  await writeArchive(store, await someContents({ ...identity, workflowId: job.workflowId }));
  await terminate(job);
  const status = await eventually('the job is named', async () => {
    const { code, stdout } = await run('archive', 'status');
    if (!stdout.includes('victim')) throw new Error(stdout);
    return { code, stdout };
  });
  expect(status).toEqual({ code: 9, stdout: expect.stringContaining("without the archive's key") });
  const verified = await run('audit', 'verify');
  expect(verified.stdout).toContain(`unlogged       ${folder}`);
  for (const key of await allOf(store.list(`${folder}/`))) await store.remove(key);
  const { job: recorded } = await archived('victim');
  expect(recorded).toMatchObject({ close: 'Terminated', status: { phase: 'Stopped' } });
  await eventually('nothing is wrong any more', async () => {
    const { code, stdout } = await run('audit', 'verify');
    return code === 0 || Promise.reject(new Error(stdout));
  });
});

it('a deletion that is not in the log does not keep a job from the archive', async () => {
  const job = await running('hidden');
  const key = deletionPlaceKey(archiveFolder(await identityOf(job, 'hidden')));
  await store.create(key, Buffer.from(`0 ${'0'.repeat(64)}\n`));
  await job.stop({ by: 'bob' });
  await job.wait();
  expect((await archived('hidden')).job.status.phase).toBe('Stopped');
  expect((await run('audit', 'verify')).stdout).toContain(`unlogged       ${key}`);
  await store.remove(key);
});

it('a job whose anchor says Completed is cleaned up when it is terminated, and recorded as terminated', async () => {
  const job = await running('patched');
  await patchAnchor('patched', 'Completed');
  await terminate(job);
  await eventually('its pods are gone', async () => (await on.stage.pods('patched')).length === 0);
  const { job: recorded } = await archived('patched');
  const { closeTime } = await on.temporal.workflow.getHandle(job.workflowId).describe();
  expect(recorded).toMatchObject({
    close: 'Terminated',
    status: {
      phase: 'Stopped',
      cause: { reason: 'WorkflowTerminated', message: 'a test' },
      completionTime: closeTime!.toISOString(),
    },
  });
  const anchor = await on.stage.cluster.get(CONFIG_MAPS, on.stage.namespace, anchorNameOf('patched'));
  expect(anchor.metadata.annotations?.[ANNOTATIONS.phase]).toBe('Stopped');
  expect(JSON.parse(anchor.data!.status!)).toMatchObject({
    cause: { reason: 'WorkflowTerminated' },
    completionTime: closeTime!.toISOString(),
  });
});

it('a running job whose anchor says Completed is still followed', async () => {
  const job = await running('alive');
  await patchAnchor('alive', 'Completed');
  await on.stage.endPod('alive-master-0', { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
});
