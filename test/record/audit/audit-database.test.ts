import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditDatabase } from '../../../record/audit/audit-database.ts';
import type { AuditFilter } from '../../../record/audit/audit-filter.ts';
import { QUESTIONS, type Question, type QuestionName, statementOf } from '../../../record/audit/questions.ts';
import { TABLES } from '../../../record/index/columns.ts';
import { indexRowsOf } from '../../../record/index/index-rows.ts';
import { allOf } from '../archive/all-of.ts';
import { madeUpJob } from '../index/made-up-jobs.ts';
import { madeUpIndex, openedIndex } from './made-up-index.ts';

const JOBS = 500;
const ROWS = Array.from({ length: JOBS }, (_, number) => {
  const { job, ledger } = madeUpJob(number);
  return indexRowsOf(job, ledger, { place: { folder: '', leaf: number } });
});
const ALL = { jobs: ROWS.flatMap(({ jobs }) => jobs), entries: ROWS.flatMap(({ entries }) => entries) };

let index: Awaited<ReturnType<typeof madeUpIndex>>;
let database: AuditDatabase;
beforeAll(async () => {
  index = await madeUpIndex(JOBS);
  database = await openedIndex(index.store);
});
afterAll(async () => {
  database.close();
  await index.remove();
});

async function ask(name: QuestionName, filter: AuditFilter = {}, count?: readonly string[]) {
  const { columns, rows } = await database.ask(statementOf(name, { filter, count }));
  return (await allOf(rows)).map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
}
const own = async (sql: string) => allOf((await database.askOwn(sql)).rows);

describe('a question', () => {
  test('about `who` finds requests by name, by whole name, and by authenticated name', async () => {
    const stops = ALL.entries.filter(({ request }) => request === 'stop');
    for (const by of ['bob', 'bob@desk'])
      expect(await ask('who', { by, request: 'stop' })).toHaveLength(stops.length);
    expect(await ask('who', { by: 'bo' })).toEqual([]);
    expect(await ask('who', { by: 'bob@laptop' })).toEqual([]);
    const [last] = await ask('who', { by: 'bob', request: 'stop' });
    expect(last).toMatchObject({ asked_by: 'bob@desk', authenticated_as: 'bob', why: 'not needed' });
  });

  test('about `failures` finds which jobs failed for which reason on which node', async () => {
    const lost = ALL.jobs.filter(({ reason, node }) => reason === 'NodeLost' && node === 'gpu-5');
    const found = await ask('failures', { reason: 'NodeLost', node: 'gpu-5' });
    expect(found.map(({ name }) => name).sort()).toEqual(lost.map(({ name }) => name).sort());
    expect(found[0]).toMatchObject({ exit_code: 1, rule: 'runPolicy.backoffLimit: 3' });
  });

  test('about `failures` counts by columns', async () => {
    const counts = await ask('failures', {}, ['reason']);
    const failed = ALL.jobs.filter(({ phase }) => phase === 'Failed').length;
    expect(counts.reduce((sum, { count }) => sum + Number(count), 0)).toBe(failed);
    expect(counts.map(({ reason }) => reason).sort()).toEqual(['BackoffLimitExceeded', 'NodeLost']);
  });

  test('about `waits` finds waits longer than an hour, with their causes', async () => {
    const long = ALL.entries.filter(({ wait_seconds }) => (wait_seconds ?? 0) >= 3600);
    const found = await ask('waits', { waited: 3600 });
    expect(found).toHaveLength(long.length);
    expect(found[0]).toMatchObject({ waiting_for: 'WaitingForGang', wait_seconds: 7200 });
  });

  test('about `restarts` finds restarts by rule, in a time', async () => {
    const since = new Date('2026-01-01T12:00:00Z');
    const until = new Date('2026-01-02T00:00:00Z');
    const fitting = ALL.entries.filter(
      ({ new_restarts, time }) => new_restarts !== null && time! >= since && time! < until,
    );
    expect(fitting.length).toBeGreaterThan(10);
    expect(await ask('restarts', { since, until, rule: 'ONFAILURE' })).toHaveLength(fitting.length);
  });

  test('about `jobs` and `entries` finds one job by any of its names, in its namespace', async () => {
    for (const job of ['train-6', 'ml/train-6', 'job/ml/train-6']) {
      expect(await ask('jobs', { job })).toHaveLength(1);
      expect(await ask('entries', { job })).toHaveLength(madeUpJob(6).ledger.length);
    }
    expect(await ask('jobs', { job: 'train-6', namespace: 'nlp' })).toEqual([]);
    expect(await ask('jobs', { restarted: true, phase: 'Stopped' })).toHaveLength(
      ALL.jobs.filter(({ phase, restarts }) => phase === 'Stopped' && restarts! > 0).length,
    );
  });

  test('returns times in RFC 3339 in UTC, for any time zone of the machine', async () => {
    const [job] = await ask('jobs', { job: 'train-0' });
    expect(job).toMatchObject({ submitted: '2026-01-01T00:00:00.000Z' });
  });
});

describe('a value of an option is bound, never inserted into a statement:', () => {
  const HOSTILE = [
    "x' OR '1'='1",
    "'; DROP VIEW jobs; --",
    '" OR 1=1 --',
    "%' OR name LIKE '%",
    "') UNION SELECT * FROM read_text('/etc/passwd') --",
    '$1',
    '?',
    '\\',
  ];
  const CASES = Object.entries<Question>(QUESTIONS).flatMap(([name, { filters }]) =>
    Object.keys(filters).map((filter) => ({
      name: name as QuestionName,
      filter: filter as keyof AuditFilter,
    })),
  );

  const OF_TEXTS = CASES.filter(
    ({ filter }) => !['since', 'until', 'waited', 'restarted'].includes(filter),
  ).map((one, index) => ({ ...one, asked: HOSTILE[index % HOSTILE.length]! }));

  test.each(OF_TEXTS)('$name $filter', async ({ name, filter, asked }) => {
    for (const value of HOSTILE)
      expect(statementOf(name, { filter: { [filter]: value } }).sql).not.toContain(
        value.length > 1 ? value : '\\',
      );
    // The statement is the same for all.
    expect(await ask(name, { [filter]: asked } as AuditFilter)).toEqual([]);
    expect(await own('SELECT count(*) FROM jobs')).toEqual([[JOBS]]);
  });

  test.each(CASES)('$name $filter is bound as often as it is used', ({ name, filter }) => {
    const { sql, values } = statementOf(name, { filter: { [filter]: filter === 'restarted' ? true : 'x' } });
    expect(sql.split('?')).toHaveLength(values.length + 1);
  });
});

describe('a custom statement', () => {
  test('reads both tables', async () => {
    expect(await own('SELECT count(*) FROM entries')).toEqual([[ALL.entries.length]]);
    expect(await own('DESCRIBE jobs')).toHaveLength(Object.keys(TABLES.jobs).length);
    expect(await own("SELECT [1, 2], {'a': 1.5}, 2::HUGEINT ** 70, 'NaN'::DOUBLE, NULL, true")).toEqual([
      [[1, 2], { a: 1.5 }, expect.anything(), 'NaN', null, true],
    ]);
  });

  test.each([
    'DROP VIEW jobs',
    'CREATE TABLE x AS SELECT 1',
    'INSERT INTO jobs VALUES (1)',
    "COPY jobs TO '/tmp/stolen.csv'",
    "ATTACH '/tmp/other.db'",
    'SET threads = 1',
    'RESET enable_external_access',
    'INSTALL httpfs',
    'LOAD httpfs',
    'CALL pragma_version()',
    "EXPLAIN ANALYZE COPY jobs TO 'x.parquet'",
    'SELECT 1; SELECT 2',
    '',
    'SELEC 1',
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('s3://bucket/x.csv')",
    "SELECT * FROM 'https://example.com/x.parquet'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT getenv('HOME')",
  ])('that does more is refused: %s', async (sql) => {
    await expect(own(sql)).rejects.toThrow(expect.objectContaining({ name: 'AuditSqlError' }));
    expect(await own('SELECT count(*) FROM jobs')).toEqual([[JOBS]]);
  });
});

test.each(Object.entries(TABLES))('no column of %s needs quotes', async (table, columns) => {
  const names = Object.keys(columns);
  const sql = `SELECT ${names.map((name) => `${name} AS ${name}`).join(', ')} FROM ${table} ORDER BY ${names[0]}`;
  expect((await database.askOwn(sql)).columns).toEqual(names);
});

test('every column of a question exists in its table', () => {
  for (const { table, columns } of Object.values<Question>(QUESTIONS))
    expect(Object.keys(TABLES[table])).toEqual(expect.arrayContaining([...columns]));
});
