import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/package/entries.ts';

interface Folders {
  readonly FREE: readonly string[];
  readonly INNER_ORDER: Readonly<Record<string, readonly string[]>>;
  readonly MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
  unknownFolders(root: string): readonly string[];
}

const { FREE, INNER_ORDER, MAY_IMPORT, unknownFolders } = createRequire(import.meta.url)(
  '../../scripts/folders.cjs',
) as Folders;

test('imports of a folder are checked only where its place is known, so an unknown one is found', () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-folders-'));
  const files = [
    ...['watcher/pods/a.ts', 'watcher/lanes/a.ts', 'watcher/unheard-of/a.ts', 'watcher/texts/a.md'],
    ...['machines/chart/states/a.ts', 'machines/chart/other/deep/a.ts', 'new/a.mjs', 'test/new/a.ts'],
  ];
  try {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    expect([...unknownFolders(root)].sort()).toEqual([
      ...['machines/chart/other', 'machines/chart/other/deep', 'new', 'watcher/unheard-of'],
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const FOLDERS = CONTRIBUTING.split('\n## Folders\n')[1]!.split('\n## ')[0]!;

/** What the tables have of a folder: its row, and the table of its sub-folders. */
function shownOf(folder: string): string {
  const name = folder.split('/').at(-1);
  const row = FOLDERS.split('\n').find(
    (line) => line.startsWith('|') && namesIn(line.split('|')[1]!).includes(name!),
  );
  return `${row}\n${tableOf(folder) ?? ''}`;
}

const tableOf = (folder: string) =>
  new RegExp(`\n\`${folder}/\`, in the order of allowed imports:\n\n((?:\\|.*\n)+)`).exec(FOLDERS)?.[1];

const namesIn = (text: string) =>
  [...text.matchAll(/`(?:packages\/)?([a-z-]+)\/`/g)].map(([, name]) => name!);

/** What is within these is named by its files. */
const IS_SHOWN = /^([a-z]+|client\/use-cases)$/;
const subFolders = (inner: readonly string[]) => inner.filter((name) => !name.includes('.'));
const shown = Object.entries(INNER_ORDER).filter(([folder]) => IS_SHOWN.test(folder));

test('CONTRIBUTING has a row for each folder', () => {
  const names = FOLDERS.split('\n').flatMap((line) =>
    line.startsWith('|') ? namesIn(line.split('|')[1]!) : [],
  );
  const all = [...Object.keys(MAY_IMPORT), ...FREE].map((folder) => folder.split('/').at(-1)!);
  expect(all.filter((name) => name !== 'packages' && !names.includes(name))).toEqual([]);
});

test.each(shown)('CONTRIBUTING names each sub-folder of %s', (folder, inner) => {
  const names = namesIn(shownOf(folder));
  expect(subFolders(inner).filter((name) => !names.includes(name))).toEqual([]);
});

test.each(shown.filter(([folder]) => tableOf(folder)))(
  'CONTRIBUTING has the sub-folders of %s in the order of allowed imports',
  (folder, inner) => {
    const rows = tableOf(folder)!.split('\n').slice(2, -1);
    expect(rows.map((row) => namesIn(row.split('|')[1]!)[0])).toEqual(subFolders(inner));
  },
);
