import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UseGroup } from '../../../record/uses/grouped-uses.ts';
import { archiveOnGpus } from '../archive-on-gpus.ts';
import { commandLine } from '../in-process.ts';

/** `signalbox audit cost`, which needs DuckDB. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-audit-cost-'));
  await archiveOnGpus(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...args: readonly string[]) => {
  const { stdout } = await commandLine([...args, '-o', 'json', '--archived', '--archive-dir', folder]);
  return JSON.parse(stdout) as unknown[];
};

test('jobs have the GPU-seconds and the amounts that `cost` has, and no amounts without prices', async () => {
  const prices = join(folder, 'prices.yaml');
  writeFileSync(
    prices,
    'currency: EUR\nprices:\n  - {resource: nvidia.com/gpu, perHour: "3.60", from: 2020-01-01}\n',
  );
  const [group] = (await run('cost', '--by', 'job', '--prices', prices)) as UseGroup[];
  const { ms, cost } = group!.resources[0]!;
  expect(Number(cost!.least)).toBeGreaterThan(0);
  expect(await run('audit', 'cost', '--prices', prices)).toMatchObject([
    {
      ...{ name: 'train', gpu_seconds: ms / 1000, currency: 'EUR', unpriced_seconds: null },
      ...{ cost_least: cost!.least, cost_most: cost!.most },
    },
  ]);
  const [plain] = (await run('audit', 'cost')) as object[];
  expect(Object.keys(plain!)).not.toContain('cost_least');
});

test('they are those that there were at the time', async () => {
  expect(await run('audit', 'cost', '--until', '2020-01-01')).toEqual([]);
  expect(await run('audit', 'cost', '--since', '2020-01-01', '--phase', 'completed')).toHaveLength(1);
});

test('keys of `cost --by` group as that does; other questions say that --by is a person', async () => {
  for (const keys of ['namespace', 'namespace,use', 'user,kind'])
    expect(await run('audit', 'cost', '--by', keys)).toEqual(await run('cost', '--by', keys));
  expect(await run('audit', 'cost', '--by', 'nobody')).toEqual([]);
  const where = ['--archived', '--archive-dir', folder];
  const together = await commandLine([
    'audit',
    'cost',
    '--by',
    'namespace',
    '--phase',
    'completed',
    ...where,
  ]);
  expect(together.stderr).toContain('--by namespace adds up all jobs. Expected no --phase with it.');
  const other = await commandLine(['audit', 'failures', '--by', 'namespace', ...where]);
  expect(other.stderr).toMatch(
    /--by: expected a person, e\.g\. ana, got namespace\n.*audit failures --count COLUMN/,
  );
  expect([together.code, other.code]).toEqual([2, 2]);
});
