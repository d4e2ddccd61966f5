import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { archiverIdOf } from '../../contracts/archiver.ts';
import type { Engine } from '../../demo/engine.ts';
import { nameKey } from '../../record/archive/archive-keys.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { readArchiveLog } from '../../record/log/read-archive-log.ts';
import { installationOf } from '../../temporal/installation.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';

let on: ArchiveStage;
let engine: Engine;
let blocked: string;
beforeAll(async () => {
  on = await openArchiveStage();
  blocked = dirname(on.directory);
  // A file where the archive's directory should be: no directory can be made below it.
  await rm(blocked, { recursive: true });
  await writeFile(blocked, '');
  engine = await on.engine().start(on.settings);
});
afterAll(() => on?.close());

const DONE = { master: { annotations: SUCCEEDS }, worker: false } as const;
const submit = (name: string, options: object = DONE) =>
  on.client.submit(simulatedJob({ name, namespace: on.stage.namespace, ...options }));
const run = (...args: string[]) => signalbox(args, { env: on.settings });

const archived = (name: string, withinMs?: number) =>
  eventually(
    `${name} is archived`,
    async () => {
      const found = await on.archive.find({ namespace: on.stage.namespace, name });
      if (!found) throw new Error('it is not');
      return found;
    },
    { withinMs },
  );

/** Every archive is in the log once, and nothing else is. */
async function expectLogOf(names: readonly string[]): Promise<void> {
  const folders = await eventually('all archives are in the log', async () => {
    const log = await readArchiveLog(new FileArchiveStore(on.directory));
    const leaves = await allOf(log.leaves(0, log.size));
    if (leaves.length < names.length) throw new Error(`there are ${leaves.length}`);
    return leaves.map(({ leaf }) => leaf.folder);
  });
  const archives = await Promise.all(names.map((name) => archived(name)));
  expect(folders.sort()).toEqual(archives.map(({ folder }) => folder).sort());
}

it('a job does not wait for an unavailable store, and is archived when it is back', async () => {
  const job = await submit('early');
  expect(await job.wait()).toMatchObject({ phase: 'Completed' });
  const status = await eventually('the archiver says what is wrong', async () => {
    const said = await run('archive', 'status');
    if (!said.stdout.includes('problem')) throw new Error(said.stdout + said.stderr);
    return said;
  });
  expect(status).toMatchObject({ code: 9, stdout: expect.stringMatching(/ENOTDIR|EEXIST/) });
  await rm(blocked);
  await archived('early');
  await eventually('nothing is wrong any more', async () => {
    const said = await run('archive', 'status');
    if (said.code !== 0) throw new Error(said.stdout + said.stderr);
    return true;
  });
  await expectLogOf(['early']);
});

const TWICE = Array.from({ length: 6 }, (_, index) => `twice-${index}`);

it('two archivers at once, one of which is killed, archive each job once', async () => {
  const other = await on.engine('worker').start(on.settings);
  const jobs = await Promise.all(TWICE.map((name) => submit(name)));
  await Promise.all(jobs.map((job) => job.wait()));
  const asked = ['archive', '--all', '--wait'];
  const [first] = await Promise.all([run(...asked), engine.kill()]);
  await engine.start(on.settings);
  if (first.code !== 0) await run(...asked);
  await expectLogOf(['early', ...TWICE]);
  await other.stop();
});

it('an archiver that was frozen during its work, and continues beside its successor, duplicates nothing', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `frozen-${index}`);
  const jobs = await Promise.all(names.map((name) => submit(name)));
  // The log is written after the archives, so most of the time an archive is there that has no leaf yet.
  await Promise.any(names.map((name) => archived(name)));
  process.kill(engine.pid!, 'SIGSTOP');
  const other = await on.engine().start(on.settings);
  try {
    await Promise.all(jobs.map((job) => job.wait()));
    // Temporal gives tasks to the frozen worker, too, as long as it believes that this one polls.
    await Promise.all(names.map((name) => archived(name, 240_000)));
  } finally {
    process.kill(engine.pid!, 'SIGCONT');
  }
  await submit('thawed').then((job) => job.wait());
  await expectLogOf(['early', ...TWICE, ...names, 'thawed']);
  await other.stop();
});

it('an archive with a truncated file is completed', async () => {
  const { job, folder } = await archived('twice-0');
  const store = new FileArchiveStore(on.directory);
  await engine.stop();
  const late = await on.engine().start({ ...on.settings, SIGNALBOX_ARCHIVE_STORE: 'none' });
  const cut = await submit('cut');
  await cut.wait();
  const { runId, closeTime } = await on.temporal.workflow.getHandle(cut.workflowId).describe();
  const identity = { ...job, name: 'cut', firstRunId: runId, closed: closeTime!.toISOString() };
  const left = folder
    .replace(/[^/]+$/, `cut-${runId}`)
    .replace(/day=[^/]+/, `day=${identity.closed.slice(0, 10)}`);
  await store.create(`${left}/ledger.jsonl.gz`, Buffer.from('half of it'));
  await store.create(nameKey(identity), Buffer.from(''));
  await late.stop();
  await engine.start(on.settings);
  const archive = await archived('cut');
  expect(archive.folder).toBe(left);
  expect(await archive.ledger()).not.toEqual([]);
  expect(await store.read(`${left}/ledger.jsonl.gz`)).toBeUndefined();
});

it('the archiver’s own history stays small, and it restarts after a manual termination', async () => {
  const id = archiverIdOf(await installationOf(on.temporal));
  const { historyLength } = await on.temporal.workflow.getHandle(id).describe();
  expect(historyLength).toBeLessThan(60);
  await on.temporal.workflow.getHandle(id).terminate('a test');
  await engine.stop();
  await engine.start(on.settings);
  const job = await submit('after');
  await job.wait();
  await archived('after');
});
