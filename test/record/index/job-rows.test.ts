import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { FIGURE_COLUMNS, jobFiguresOf } from '../../../record/index/job-figures.ts';
import { archivedJobRows } from '../../../record/index/job-rows.ts';
import { listParts } from '../../../record/index/list-parts.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { archiveOnGpus } from '../../cli/archive-on-gpus.ts';
import { allOf } from '../archive/all-of.ts';
import { someContents } from '../archive/some-job.ts';
import { aSigner } from '../log/a-log.ts';

/** Jobs as figures of many jobs need them, from the index and from archives. */

let directory: string;
let store: FileArchiveStore;
const signer = aSigner();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-job-rows-'));
  store = new FileArchiveStore(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function archive(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await appendToLog(store, signer, [await writeArchive(store, await someContents({ name }))]);
}

const warnings: string[] = [];
const jobs = async () =>
  (
    await allOf(
      archivedJobRows(store, { columns: FIGURE_COLUMNS, warn: (message) => warnings.push(message) }),
    )
  ).map(jobFiguresOf);

it('are the same from archives, from an index of some of them, and from one of all', async () => {
  await archiveOnGpus(directory, signer);
  await archive('b', 'c');
  const fromArchives = await jobs();
  expect(fromArchives.map(({ name, uses, restarts }) => [name, uses.length > 0, restarts.length])).toEqual([
    ['train', true, 1],
    ['b', false, 0],
    ['c', false, 0],
  ]);
  await updateIndex(store);
  expect(await jobs()).toEqual(fromArchives);
  await archive('d');
  expect((await jobs()).map(({ name }) => name)).toEqual(['train', 'b', 'c', 'd']);
  expect(warnings).toEqual([]);
});

it('are read from the archives where a part of the index was changed', async () => {
  await archive('a', 'b');
  const before = await jobs();
  await updateIndex(store);
  for (const { key } of await listParts(store)) await writeFile(fileURLToPath(store.refOf(key)), 'PAR1');
  expect(await jobs()).toEqual(before);
});
