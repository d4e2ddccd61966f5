import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import type { LogLeaf } from '../../../record/archive/log-leaf.ts';
import { updateIndex, verifyIndex } from '../../../record/index/archive-index.ts';
import { listParts } from '../../../record/index/list-parts.ts';
import { choosePartSet } from '../../../record/index/part-set.ts';
import { readPart } from '../../../record/index/read-part.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { allOf } from '../archive/all-of.ts';
import { SOME_ENTRIES, someContents } from '../archive/some-job.ts';
import { aSigner } from '../log/a-log.ts';

let directory: string;
let store: FileArchiveStore;
const signer = aSigner();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-index-'));
  store = new FileArchiveStore(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function archive(...names: readonly string[]): Promise<readonly LogLeaf[]> {
  const leaves: LogLeaf[] = [];
  for (const name of names) leaves.push(await writeArchive(store, await someContents({ name })));
  await appendToLog(store, signer, leaves);
  return leaves;
}

async function rows(table: 'jobs' | 'entries') {
  const { pairs } = choosePartSet(await listParts(store));
  const read = pairs.map(async (pair) => allOf(readPart((await store.read(pair[table].key))!)));
  return (await Promise.all(read)).flat(2);
}

const pathOf = ({ folder }: LogLeaf, name: string) => fileURLToPath(store.refOf(`${folder}/${name}`));

describe('the index of a store', () => {
  test('has the content of the archives, in the order of the log', async () => {
    await archive('b', 'a');
    await archive('c');
    expect(await updateIndex(store)).toMatchObject({ size: 3 });
    expect((await rows('jobs')).map(({ name, leaf, damage }) => ({ name, leaf, damage }))).toEqual([
      { name: 'b', leaf: 0, damage: null },
      { name: 'a', leaf: 1, damage: null },
      { name: 'c', leaf: 2, damage: null },
    ]);
    expect(await rows('entries')).toHaveLength(3 * SOME_ENTRIES.length);
    expect(await allOf(verifyIndex(store))).toEqual([]);
  });

  test('is empty for a store without archives', async () => {
    expect(await updateIndex(store)).toEqual({ size: 0, created: [], removed: [] });
    expect(await allOf(verifyIndex(store))).toEqual([]);
  });

  test('continues after an archive that is missing, changed or of a later version, with a note', async () => {
    const [missing, changed, cut, later] = await archive('missing', 'changed', 'cut', 'later', 'well');
    await rm(pathOf(missing!, 'job.json'));
    await writeFile(pathOf(changed!, 'job.json'), JSON.stringify({ schema: 'signalbox.dev/archive/v1' }));
    await writeFile(pathOf(cut!, 'ledger.jsonl.gz'), 'x');
    await writeFile(pathOf(later!, 'job.json'), JSON.stringify({ schema: 'signalbox.dev/archive/v9' }));
    await updateIndex(store);
    expect((await rows('jobs')).map(({ name, damage }) => [name, damage])).toEqual([
      ['missing', 'missing'],
      ['changed', 'changed'],
      ['cut', 'changed'],
      ['later', 'of a later version'],
      ['well', null],
    ]);
  });

  test('continues after a signed archive with invalid content', async () => {
    const odd = (await someContents({ name: 'odd' })) as { job: object };
    const contents = { ...odd, job: { ...odd.job, submitted: null } } as never;
    await appendToLog(store, signer, [await writeArchive(store, contents)]);
    await archive('well');
    await updateIndex(store);
    expect((await rows('jobs')).map(({ name, damage }) => [name, damage])).toEqual([
      ['odd', 'not understood'],
      ['well', null],
    ]);
  });
});
