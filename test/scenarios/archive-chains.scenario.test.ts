import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KeptRuns } from '../../activities/archive/kept-runs.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { runKey } from '../../record/archive/archive-keys.ts';
import { archiveIn } from '../../record/archive/archive-reader.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { WatchedStore } from '../../record/archive/watched-store.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import { readRunChain } from '../../temporal/run-chain.ts';
import { openWorkerArchive } from '../../worker/archiving.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { simulatedJob } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilPhase } from './stage.ts';

/** Jobs whose workflow continued as new: the archive has the histories of all their runs. */

const RUNS = 3;

let stage: ShortHistories;
let store: FileArchiveStore;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-chains-'));
  store = new FileArchiveStore(join(folder, 'archive'));
  stage = await openShortHistories('up', {
    SIGNALBOX_ARCHIVE_STORE: 'files',
    SIGNALBOX_ARCHIVE_DIR: store.location,
  });
});
afterAll(async () => {
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A job that is asked for what it refuses, until its workflow is in its third run. */
async function longJob(name: string): Promise<JobHandle> {
  const job = await stage.client.submit(simulatedJob({ name, namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  const runs = new Set([await stage.runOf(job)]);
  while (runs.size < RUNS) {
    await expect(job.scale({ role: 'Worker', replicas: 3, by: 'ana' })).rejects.toThrow(
      'cannot change its size',
    );
    runs.add(await stage.runOf(job));
  }
  return job;
}

async function archivedAfterStop(job: JobHandle, name: string): Promise<JobArchive> {
  await job.stop({ by: 'bob' });
  await job.wait();
  return eventually(`${name} is archived`, () => archiveIn(store).find({ namespace: stage.namespace, name }));
}

/** What the archiver does when a quarter of a retention time is over; here, none. */
const keep = () =>
  new KeptRuns().keep(
    { temporal: stage.temporal, store: new WatchedStore(store), ready, now: () => Date.now(), log: QUIET },
    { retentionMs: 0, signal: new AbortController().signal },
  );
/** With the key of the engine, which made it. */
async function ready(): Promise<LogSigner> {
  const settings = {
    name: 'signalbox.local/archive',
    store: { store: 'files', directory: store.location },
  } as const;
  return (await openWorkerArchive(settings))!.ready();
}
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

const runsOf = async ({ workflowId }: JobHandle) => (await readRunChain(stage.temporal, { workflowId })).runs;

/** As retention does. */
async function deleteRun({ workflowId }: JobHandle, runId: string): Promise<void> {
  const { workflowService } = stage.temporal;
  await workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
  });
  await eventually('Temporal has deleted a run', async () => {
    const found = await stage.temporal.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((error: unknown) => isAboutMissingRun(error) || Promise.reject(error));
    return found === true;
  });
}

const keptRuns = () => allOf(store.list('runs/'));

/** The archive has these runs, its ledger is that of a replay of them, and nothing is left in `runs/`. */
async function expectWhole(archive: JobArchive, runs: Awaited<ReturnType<typeof runsOf>>): Promise<void> {
  const { job } = archive;
  expect(job.missing).toBeUndefined();
  expect(job.firstRunId).toBe(runs[0]!.runId);
  const before = runs.slice(0, -1).map(({ runId, history }) => ({ runId, events: history.events?.length }));
  expect(job.runs.map(({ runId, events }) => ({ runId, events })).slice(0, before.length)).toEqual(before);
  expect(job.runs.at(-1)?.runId).toBe(job.runId);
  const histories = (await allOf(archive.histories())).map(({ history }) => history);
  expect(histories.map(({ events }) => events?.length)).toEqual(job.runs.map(({ events }) => events));
  const [replayed] = await allOf(replayJobs([{ workflowId: job.workflowId, runs: histories }]));
  expect(replayed?.error).toBeUndefined();
  const entries = await archive.entries();
  expect(entries.map(({ seq, to }) => ({ seq, to }))).toEqual(
    replayed?.entries.map(({ seq, to }) => ({ seq, to })),
  );
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(await keptRuns()).toEqual([]);
}

it('a job of several runs is archived with all of them', async () => {
  const job = await longJob('whole');
  const archive = await archivedAfterStop(job, 'whole');
  await expectWhole(archive, await runsOf(job));
  expect(await archive.entries()).toEqual(await job.history());
});

it('kept runs join the archive, when Temporal has deleted the first one before the job ended', async () => {
  const job = await longJob('kept');
  const runs = await runsOf(job);
  await keep();
  expect(await keptRuns()).toEqual(
    expect.arrayContaining(runs.slice(0, RUNS - 1).map(({ runId }) => runKey(runId))),
  );
  await deleteRun(job, runs[0]!.runId);
  await expectWhole(await archivedAfterStop(job, 'kept'), runs);
});

it('runs of an archived job are not kept again, and left-over files are removed', async () => {
  const [first] = (await archiveIn(store).find({ namespace: stage.namespace, name: 'whole' }))!.job.runs;
  await keep();
  expect(await keptRuns()).toEqual([]);
  // As an archiver that ended between the archive and its clean-up.
  await store.create(runKey(first!.runId), Buffer.from('left'));
  await keep();
  expect(await keptRuns()).toEqual([]);
});

it('an archive names a missing run that was not kept', async () => {
  const job = await longJob('lost');
  const runs = await runsOf(job);
  await deleteRun(job, runs[0]!.runId);
  const archive = await archivedAfterStop(job, 'lost');
  expect(archive.job.missing).toEqual([expect.stringContaining(runs[0]!.runId)]);
  expect(archive.job.firstRunId).toBe(runs[0]!.runId);
  expect(archive.job.runs.map(({ runId }) => runId).slice(0, 2)).toEqual(
    runs.slice(1).map(({ runId }) => runId),
  );
  expect(archive.job.status.phase).toBe('Stopped');
  const entries = await archive.entries();
  expect(entries.at(-1)).toMatchObject({ to: 'Stopped' });
  // The later runs carry on the count.
  expect(entries[0]!.seq).toBeGreaterThan(1);
});
