import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { listParts } from '../../../record/index/list-parts.ts';
import { appendToLog } from '../../../record/log/append.ts';
import { someContents } from '../../record/archive/some-job.ts';
import { aSigner } from '../../record/log/a-log.ts';
import { commandLine } from '../in-process.ts';
import { loadingOf } from '../loaded-modules.ts';
import { signalbox } from '../process.ts';

let directory: string;
let store: FileArchiveStore;
const signer = aSigner();

async function archive(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await appendToLog(store, signer, [await writeArchive(store, await someContents({ name }))]);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-audit-program-'));
  store = new FileArchiveStore(directory);
  await archive('train', '=evil()');
  await updateIndex(store);
  // The archiver is a moment behind with its index.
  await archive('last');
});
afterAll(() => rm(directory, { recursive: true }));

const audit = (...args: readonly string[]) =>
  commandLine(['audit', ...args, '--archived', '--archive-dir', directory]);

describe('signalbox audit', () => {
  test('shows who asked for what, also in archives that the index does not have yet', async () => {
    const { code, stdout } = await audit('--by', 'bob', '-o', 'json');
    expect(code).toBe(0);
    const found = JSON.parse(stdout) as { readonly name: string }[];
    expect(found.map(({ name }) => name).sort()).toEqual(['=evil()', 'last', 'train']);
    expect(found[0]).toMatchObject({ request: 'stop', asked_by: 'bob', time: '2026-11-23T10:05:00.000Z' });
  });

  test('prints a table without empty columns, and says when there is more', async () => {
    const { stdout, stderr } = await audit('who', '--request', 'stop', '--limit', '2');
    const [heading, ...lines] = stdout.trimEnd().split('\n');
    expect(heading?.split(/ {2,}/)).toEqual(['TIME', 'ASKED BY', 'REQUEST', 'NAMESPACE', 'NAME', 'RUN']);
    expect(lines).toHaveLength(2);
    expect(stderr).toContain('There are more than 2 rows; raise --limit to see them.');
  });

  test('distinguishes jobs of one name by their first run', async () => {
    const named = async (job: string) =>
      JSON.parse((await audit('jobs', '--job', job, '-o', 'json')).stdout) as unknown[];
    expect(await named('train@5f0')).toMatchObject([{ name: 'train', first_run_id: '5f0c' }]);
    expect(await named('ml/train@5f0c')).toHaveLength(1);
    expect(await named('train@7a')).toEqual([]);
    expect(await audit('jobs', '--job', 'train@-1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('An audit counts no jobs back'),
    });
  });

  test('prints CSV without spreadsheet formulas, and JSON lines', async () => {
    expect((await audit('jobs', '--job', '=evil()', '-o', 'csv')).stdout).toContain(",'=evil(),");
    const { stdout } = await audit('jobs', '-o', 'jsonl');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { name: string }).name),
    ).toHaveLength(3);
  });

  test('answers a custom SQL statement', async () => {
    const { stdout } = await audit(
      'sql',
      'SELECT phase, count(*) AS jobs FROM jobs GROUP BY ALL',
      '-o',
      'csv',
    );
    expect(stdout).toBe('phase,jobs\nStopped,3\n');
  });

  test.each([
    { args: ['sql', 'DROP VIEW jobs'], says: 'Expected a statement that reads, got one of type DROP' },
    {
      args: ['failures', '--count', 'reason,nothing'],
      says: '--count: expected columns of jobs, got nothing',
    },
    { args: ['failures', '--count', 'a;b'], says: 'Expected columns separated by commas' },
    { args: ['--since', 'yesterday'], says: 'Expected a time like' },
    { args: ['nonsense'], says: 'unknown command "nonsense"' },
    { args: ['who', '--waited', '1h'], says: "unknown option '--waited'" },
  ])('refuses $args', async ({ args, says }) => {
    const { code, stderr } = await audit(...args);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
  });

  test('leaves no files behind', async () => {
    const temporary = await mkdtemp(join(directory, '.temporary-'));
    await signalbox(['audit', '--by', 'bob', '--archived', '--archive-dir', directory], {
      env: { TMPDIR: temporary },
    });
    expect((await readdir(temporary)).filter((name) => name.startsWith('signalbox'))).toEqual([]);
  });

  test('loads DuckDB for a query, and not for help', async () => {
    const asked = await loadingOf(['audit', '--by', 'x', '--archived', '--archive-dir', directory]);
    expect(asked.packages).toContain('@duckdb/node-api');
    const help = await loadingOf(['audit', '--help']);
    expect(help.packages.filter((name) => /duckdb|hyparquet|csv/.test(name))).toEqual([]);
  });
});

test('an index that was changed is refused, and can be rebuilt', async () => {
  await updateIndex(store);
  const [part] = await listParts(store);
  await writeFile(fileURLToPath(store.refOf(part!.key)), 'forged');
  const refused = await audit('jobs');
  expect(refused).toMatchObject({
    code: 13,
    stderr: expect.stringContaining('the content is not what the name says'),
  });
  const made = await commandLine(['audit', 'index', '--again', '--archive-dir', directory]);
  expect(made).toMatchObject({ code: 0, stdout: 'The index covers 3 archives.\n' });
  expect((await audit('jobs', '-o', 'jsonl')).stdout.trimEnd().split('\n')).toHaveLength(3);
});
