import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { workflowIdOf } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { archiveFolder } from '../../record/archive/archive-keys.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { type Manifest, SUCCEEDS, simulatedJob } from './manifests.ts';

/** What one job does to the archive of all others. */

const CASES = join(import.meta.dirname, '../cases/archive-stops');

let on: ArchiveStage;
beforeAll(async () => {
  on = await openArchiveStage({ localNode: true });
  await on.engine().start(on.settings);
});
afterAll(() => on?.close());

const caseOf = async (file: string): Promise<Manifest> =>
  parse(await readFile(join(CASES, file), 'utf8')) as Manifest;
const run = (...args: string[]) =>
  signalbox(args, { env: { ...on.settings, SIGNALBOX_EVIDENCE_DIR: on.directory } });
const untilSaid = (words: RegExp, ...args: string[]) =>
  eventually(`${args.join(' ')} says ${words}`, async () => {
    const { code, stdout, stderr } = await run(...args);
    if (!words.test(stdout)) throw new Error(stdout + stderr);
    return { code, stdout };
  });

const archived = (name: string): Promise<JobArchive> =>
  eventually(`${name} is archived`, async () => {
    const found = await on.archive.find({ namespace: on.stage.namespace, name });
    if (!found) throw new Error('it is not');
    return found;
  });

it('a progress line of many characters is cut between two characters, and its job and the next one are archived', async () => {
  const first = await on.client.submit(await caseOf('progress-with-emoji.json'));
  expect(await first.wait()).toMatchObject({ phase: 'Failed' });
  const next = await on.client.submit(await caseOf('next-job.yaml'));
  expect(await next.wait()).toMatchObject({ phase: 'Completed' });
  const { job } = await archived('emoji1');
  expect(job.status.progress).toMatch(/^x🚀+$/u);
  expect(job.status.progress?.isWellFormed()).toBe(true);
  await archived('par');
});

it('a manifest with half a surrogate pair is refused, and its job is archived', async () => {
  const manifest = simulatedJob({ name: 'torn', namespace: on.stage.namespace, worker: false });
  const torn = { ...manifest, metadata: { ...manifest.metadata, labels: { file: 'caf\udce9.txt' } } };
  const fault = 'metadata.labels.file: expected text in valid Unicode';
  // The engine itself, not the client before it.
  const workflowId = workflowIdOf(manifest.metadata);
  const options = { args: [torn], workflowId, taskQueue: 'signalbox' };
  await on.temporal.workflow.start(TRAINING_JOB, options);
  const outcome = await on.client.job({ workflowId }).wait();
  expect(outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'InvalidManifest' } });
  expect(outcome.cause?.message).toContain(fault);
  const { job } = await archived('torn');
  expect(job.manifest).toMatchObject({ metadata: { labels: { file: 'caf\ufffd.txt' } } });
});

it('a job whose archive cannot be written is set aside by name, and archived later', async () => {
  const { namespace } = on.stage;
  const job = await on.client.submit(
    simulatedJob({
      name: 'aside',
      namespace,
      master: { annotations: { 'signalbox.dev/simulate': 'running' } },
      worker: false,
    }),
  );
  const { workflowId, runId } = job;
  // A file lies where the folder of its archive belongs; the day is that of its end.
  const folder = archiveFolder({
    namespace,
    name: 'aside',
    firstRunId: runId!,
    closed: new Date().toISOString(),
  });
  const blocked = join(on.directory, folder);
  await mkdir(join(blocked, '..'), { recursive: true });
  await writeFile(blocked, '');
  await job.stop();
  await job.wait();
  const next = await on.client.submit(
    simulatedJob({ name: 'next', namespace, master: { annotations: SUCCEEDS }, worker: false }),
  );
  await next.wait();
  await archived('next');

  const named = new RegExp(`not archived +${workflowId}: .*ENOTDIR`);
  expect(await untilSaid(named, 'archive', 'status')).toMatchObject({ code: 9 });
  await untilSaid(/archived +not yet: .*ENOTDIR/, 'get', 'aside');
  const { stdout } = await untilSaid(/archiver/, 'doctor');
  expect(stdout).toMatch(new RegExp(`1 of the ended jobs cannot be archived, e.g. ${workflowId}`));

  await rm(blocked);
  await archived('aside');
  const { code } = await untilSaid(/waiting +no job/, 'archive', 'status');
  expect(code).toBe(0);
});

it('a foreign workflow with an undecodable memo hides no job from the archive or a list', async () => {
  const { namespace } = on.stage;
  const workflowId = `job/${namespace}/odd`;
  await on.temporal.workflowService.startWorkflowExecution({
    ...{ namespace: on.temporalNamespace, workflowId, requestId: randomUUID(), identity: 'a stranger' },
    ...{ workflowType: { name: TRAINING_JOB }, taskQueue: { name: 'signalbox' } },
    memo: {
      fields: { key: { metadata: { encoding: Buffer.from('json/protobuf') }, data: Buffer.from('{}') } },
    },
  });
  // No worker can run it either.
  await on.temporal.workflow.getHandle(workflowId).terminate('a test');
  await archived('odd');
  const next = await on.client.submit(
    simulatedJob({ name: 'after-odd', namespace, master: { annotations: SUCCEEDS }, worker: false }),
  );
  await next.wait();
  await archived('after-odd');
  await untilSaid(/after-odd/, 'list');
  const { stdout } = await untilSaid(/waiting +no job/, 'archive', 'status');
  expect(stdout).not.toContain('problem');
});
