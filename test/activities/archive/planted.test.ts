import { beforeEach, describe, expect, it } from '@jest/globals';
import { archiveFolder, nameKey, runKey } from '../../../record/archive/archive-keys.ts';
import { sealedRun } from '../../../record/archive/archive-seal.ts';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { gzipped } from '../../../record/archive/gz-file.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { deletionPlaceKey, leafPlaceKey } from '../../../record/log/log-keys.ts';
import { readArchiveLog } from '../../../record/log/read-archive-log.ts';
import { sealOf } from '../../../record/log/seal-of.ts';
import { allOf } from '../../record/archive/all-of.ts';
import { someContents } from '../../record/archive/some-job.ts';
import { aPrivateKey, aSigner } from '../../record/log/a-log.ts';
import { findingsIn } from '../../record/verify/a-store.ts';
import { anArchiver, CLOSED, type StandInArchiver } from './stand-in-archiver.ts';

/** What somebody puts into the store who may write to it, and does not have the archive's key. */

const identity = { namespace: 'ml', name: 'victim', firstRunId: 'run-victim', closed: CLOSED };
const folder = archiveFolder(identity);

let archiver: StandInArchiver;
beforeEach(() => {
  archiver = anArchiver(['victim', 'other']);
});

const forged = () =>
  someContents({ ...identity, runId: 'run-victim', status: { phase: 'Completed' } as never });

const logged = async () => {
  const log = await readArchiveLog(archiver.store);
  return (await allOf(log.leaves())).map(({ leaf }) => leaf.folder);
};
const otherFolder = archiveFolder({ ...identity, name: 'other', firstRunId: 'run-other' });

async function expectRefused(why: RegExp): Promise<void> {
  expect(await archiver.round()).toMatchObject({
    ...{ archived: 1, waiting: 1, failures: 1 },
    failed: [{ workflowId: 'job/ml/victim', runId: expect.any(String), why: expect.stringMatching(why) }],
  });
  expect(await logged()).toEqual([otherFolder]);
}

describe('an archive written by a stranger before the job has ended', () => {
  it('is not signed: the job is reported, and archived once it is removed', async () => {
    await writeArchive(archiver.store, await forged());
    await expectRefused(/^a program without the archive's key wrote memory:jobs\/.*victim/);
    for (const key of await allOf(archiver.store.list(folder))) await archiver.store.remove(key);
    expect(await archiver.round()).toMatchObject({ archived: 1, waiting: 0, failures: 0 });
    expect((await logged()).sort()).toEqual([otherFolder, folder].sort());
    expect(await findingsIn(archiver.store, archiver.signer)).toEqual([]);
  });

  it('is not signed if another key has signed it', async () => {
    await writeArchive(archiver.store, await forged(), sealOf(aSigner()));
    await expectRefused(/^a program without/);
  });

  it('is not signed if it was signed for another job', async () => {
    const contents = await someContents({ ...identity, name: 'decoy' });
    const { folder: decoy } = await writeArchive(archiver.store, contents, sealOf(archiver.signer));
    for (const key of await allOf(archiver.store.list(decoy)))
      await archiver.store.create(key.replace(decoy, folder), (await archiver.store.read(key))!);
    await expectRefused(/^a program without/);
  });

  it('is not signed if it appears while the job is being archived', async () => {
    const contents = await forged();
    archiver.beforeWriting(nameKey(identity), () => writeArchive(archiver.store, contents));
    await expectRefused(/^a program without/);
  });
});

it('interrupted work of an archiver is continued', async () => {
  await writeArchive(archiver.store, await forged(), sealOf(archiver.signer));
  expect(await archiver.round()).toMatchObject({ waiting: 0, failures: 0 });
  expect((await logged()).sort()).toEqual([otherFolder, folder].sort());
});

it('an archive in the log counts without a signature of its own', async () => {
  const { store, signer } = archiver;
  await appendToLog(store, signer, [await writeArchive(store, await forged())]);
  expect(await archiver.round()).toMatchObject({ archived: 1, waiting: 0, failures: 0 });
});

describe('a forged place in the log', () => {
  it('of a deletion does not block the archive of a job', async () => {
    await archiver.store.create(deletionPlaceKey(folder), Buffer.from(`0 ${'0'.repeat(64)}\n`));
    expect(await archiver.round()).toMatchObject({ archived: 2, waiting: 0, failures: 0 });
    expect(await logged()).toContain(folder);
  });

  it('of a deletion of another archive does not block the archive of a job', async () => {
    const two = anArchiver(['other'], archiver);
    await two.round();
    const place = (await archiver.store.read(leafPlaceKey(otherFolder)))!;
    await archiver.store.create(deletionPlaceKey(folder), place);
    expect(await archiver.round()).toMatchObject({ waiting: 0, failures: 0 });
    expect(await logged()).toContain(folder);
  });

  it.each([`0 ${'0'.repeat(64)}\n`, 'anything'])('of an archive is reported: %j', async (place) => {
    await archiver.store.create(leafPlaceKey(folder), Buffer.from(place));
    await expectRefused(/not in the log: log\/leaves\/.*victim/);
  });
});

describe('a kept run', () => {
  const history = async () => gzipped('{"events":[\n]}\n');

  it('is archived if the archive’s key has signed it for this run', async () => {
    const { signer, keptRun } = archiver;
    await archiver.store.create(runKey('a'), sealedRun(sealOf(signer), 'a', await history()));
    expect(await keptRun('a')).toEqual({ events: [] });
  });

  it('is ignored otherwise', async () => {
    const { signer, keptRun, store } = archiver;
    await store.create(runKey('a'), await history());
    await store.create(runKey('b'), sealedRun(sealOf(signer), 'a', await history()));
    await store.create(runKey('c'), sealedRun(sealOf(aSigner()), 'c', await history()));
    await store.create(runKey('d'), Buffer.from('anything'));
    for (const runId of ['a', 'b', 'c', 'd', 'none']) expect(await keptRun(runId)).toBeUndefined();
  });
});

describe.each([
  ['name', () => aSigner(aPrivateKey(), 'other/ml'), /this is the log signalbox.example.*, not other\/ml/],
  ['key', () => aSigner(), /expected a signature of/],
])('an archive whose log has another %s', (_, signerOfOther, why) => {
  it.each([[['late']], [[]]])('gets no file of the jobs %j, and the archiver says why', async (names) => {
    await archiver.round();
    const { store, signer } = archiver;
    const before = new Map(store.files);
    const other = anArchiver(names, { store, signer: signerOfOther() });
    expect(await other.round()).toMatchObject({
      ...{ archived: 0, waiting: names.length, isStuck: true },
      problem: expect.stringMatching(why),
    });
    expect(store.files).toEqual(before);
    expect(await findingsIn(store, signer)).toEqual([]);
  });
});
