import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { updateIndexFrom } from '../../record/index/update-index.ts';
import { madeUpSource } from '../record/index/made-up-jobs.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** Tools of Python read the archive's index as docs/audit.md says. */

const JOBS = 700;
const page = await readFile(new URL('../../docs/audit.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);

let archive: string;
let python: PythonEnvironment | undefined;
beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'signalbox-index-'));
  await updateIndexFrom(new FileArchiveStore(archive), madeUpSource(JOBS));
  const program = await findPython();
  if (program) python = await PythonEnvironment.ensure(program, '.venv-index', 'requirements-index.txt');
}, SET_UP_MS);
afterAll(() => rm(archive, { recursive: true }));

async function run(code: string): Promise<string> {
  if (!python) throw new Error('expected Python 3.10 or later, found none');
  const { code: exit, output } = await python.run([
    '-c',
    code.replaceAll('archive/index', `${archive}/index`),
  ]);
  expect(output).not.toContain('Traceback');
  expect(exit).toBe(0);
  return output;
}

describe('the page about audit', () => {
  test('has a query for DuckDB that counts failures by reason and node', async () => {
    const [query] = blocksOf('sql');
    const output = await run(`import duckdb; print(duckdb.sql("""${query}""").fetchall())`);
    expect(output).toContain("('NodeLost', 'gpu-5', ");
  });

  test.each([
    { title: 'DuckDB', expected: /WaitingForGang/ },
    { title: 'pandas', expected: /ana@laptop +\d/ },
    { title: 'pyarrow', expected: /not needed/ },
  ])('has a program in Python with $title', async ({ title, expected }) => {
    const code = blocksOf('python').find((block) =>
      block.toLowerCase().includes(`import ${title.toLowerCase()}`),
    );
    expect(await run(code!)).toMatch(expected);
  });
});

test('each tool finds the same rows and types, and times with a zone', async () => {
  const code = `
import duckdb, pandas as pd, pyarrow.dataset as ds
for table in ("jobs", "entries"):
    folder = "archive/index/v5/" + table
    print(table, len(pd.read_parquet(folder)), ds.dataset(folder).count_rows(),
          duckdb.sql(f"SELECT count(*) FROM '{folder}/*.parquet'").fetchall()[0][0])
print(pd.read_parquet("archive/index/v5/jobs")["submitted"].dtype)
print(ds.dataset("archive/index/v5/jobs").schema.field("submitted").type)
print(duckdb.sql("SELECT typeof(submitted) FROM 'archive/index/v5/jobs/*.parquet' LIMIT 1").fetchall()[0][0])
`;
  const [jobs, entries, ...types] = (await run(code)).trim().split('\n');
  expect(jobs).toBe(`jobs ${JOBS} ${JOBS} ${JOBS}`);
  expect(entries).toMatch(/^entries (\d+) \1 \1$/);
  expect(types).toEqual(['datetime64[ms, UTC]', 'timestamp[ms, tz=UTC]', 'TIMESTAMP WITH TIME ZONE']);
});
