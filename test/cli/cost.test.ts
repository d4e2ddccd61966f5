import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { openArchive } from '../../client/handles/open-archive.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { UseGroup } from '../../record/uses/grouped-uses.ts';
import { moneyText } from '../../record/uses/money-text.ts';
import type { CostData } from '../../record/uses/priced-sums.ts';
import { archiveOnGpus } from './archive-on-gpus.ts';
import { commandLine } from './in-process.ts';

/** `signalbox cost` of an archived job: no server is there. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-cost-'));
  await archiveOnGpus(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const cost = (...args: readonly string[]) =>
  commandLine(['cost', ...args, '-n', 'ml', '--archived'], {
    env: { SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: folder, TEMPORAL_ADDRESS: '127.0.0.1:1' },
  });

const report = (...args: readonly string[]) =>
  commandLine(['report', ...args, '-n', 'ml', '--archived'], {
    env: { SIGNALBOX_ARCHIVE_STORE: 'files', SIGNALBOX_ARCHIVE_DIR: folder, TEMPORAL_ADDRESS: '127.0.0.1:1' },
  });

const PRICES = `currency: EUR
prices:
  - {resource: nvidia.com/gpu, perHour: "2.10", from: 2020-01-01}
`;

describe('the cost of a job', () => {
  it('says what its GPUs were used for, with sums, goodput and restarts', async () => {
    const { code, stdout } = await cost('train');
    expect(stdout).toMatch(
      /^PyTorchJob ml\/train: Stopped\nRESOURCE +USE +BECAUSE OF +HOURS +SHARE\nnvidia\.com\/gpu +/,
    );
    // Two digits, also of seconds.
    expect(stdout).toMatch(/nvidia\.com\/gpu +together +0\.00[1-9]\d +100\.0 %/);
    expect(stdout).toMatch(/\nThe record has no progress of the job: `progress: \{log: …\}` in its policy/);
    expect(stdout).toMatch(/goodput of nvidia\.com\/gpu: 0\.0 % to /);
    expect(stdout).toMatch(/ETTR: .* since it was submitted, .* since its first pod had a node/);
    expect(stdout).toMatch(/RESTART +ATTEMPT +BECAUSE OF +NODE +RAN AGAIN AFTER +WHAT\n20/);
    expect(code).toBe(0);
  });

  it('agrees to the last unit as text, JSON and CSV', async () => {
    const path = file('prices.yaml', PRICES);
    const [text, json, csv] = await Promise.all([
      cost('train', '--prices', path),
      cost('train', '--prices', path, '-o', 'json'),
      cost('train', '--prices', path, '-o', 'csv'),
    ]);
    const { resources, uses } = JSON.parse(json.stdout) as {
      resources: { ms: number; cost: { least: string; most: string }; uses: { ms: number }[] }[];
      uses: { ms: number }[];
    };
    const [gpus] = resources;
    const sum = (some: readonly { ms: number }[]) => some.reduce((all, { ms }) => all + ms, 0);
    expect(sum(gpus!.uses)).toBe(gpus!.ms);
    expect(sum(uses)).toBe(gpus!.ms);
    const [head, ...rows] = csv.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    expect(head!.join()).toBe(
      'day,attempt,use,cause,resource,product,ms,assumedMs,currency,least,most,unpricedMs',
    );
    expect(rows.reduce((all, row) => all + Number(row[6]), 0)).toBe(gpus!.ms);
    const archived = await (await openArchive(folder)).find({ namespace: 'ml', name: 'train' });
    expect((await archived.uses()).uses).toEqual(uses);
    expect(gpus!.cost.least).toBe(gpus!.cost.most);
    expect(Number(gpus!.cost.least)).toBeCloseTo((2.1 * gpus!.ms) / 3_600_000, 5);
    expect(text.stdout).toMatch(/SHARE +EUR\n/);
    expect(text.stdout).toContain(Number(gpus!.cost.least).toFixed(2));
  });

  it('names hours without a price', async () => {
    const path = file('later.yaml', PRICES.replace('2020-01-01', '2999-01-01'));
    expect((await cost('train', '--prices', path)).stdout).toMatch(
      /no price\n.*hours of nvidia\.com\/gpu have no price on their day/s,
    );
  });

  it('refuses prices with faults, a file that is not there, and what is no job', async () => {
    const path = file('wrong.yaml', PRICES.replace('"2.10"', 'much'));
    const wrong = await cost('train', '--prices', path);
    expect(wrong.stderr).toContain('prices[0].perHour: expected a number >= 0');
    expect(wrong.stderr).toContain('got "much"');
    expect(wrong.code).toBe(2);
    expect((await cost('train', '--prices', join(folder, 'none.yaml'))).stderr).toContain('no such file');
    expect((await cost()).stderr).toContain('No job given. Expected its NAME, --workflow-id, or --by');
  });
});

describe('the cost of all jobs', () => {
  it('is added up by label and use, and agrees with that of the job to the last unit', async () => {
    const path = file('prices.yaml', PRICES);
    const [one, all] = await Promise.all([
      cost('train', '--prices', path, '-o', 'json'),
      cost('--by', 'namespace,user', '--since', '2020-01-01', '--prices', path, '-o', 'json'),
    ]);
    const { resources } = JSON.parse(one.stdout) as { resources: unknown };
    expect(JSON.parse(all.stdout)).toEqual([{ by: { namespace: 'ml', user: 'ana' }, jobs: 1, resources }]);
    const { stdout } = await cost('--by', 'use', '--prices', path);
    expect(stdout).toMatch(/^USE +JOBS +RESOURCE +HOURS +PRODUCTIVE +EUR\n/);
    expect((await cost('--by', 'use', '-o', 'csv')).stdout).toMatch(
      /^use,jobs,resource,ms,productiveMs,unknownMs,assumedMs\nunknown,1,nvidia\.com\/gpu,\d+,0,\d+,/,
    );
  });

  it('has only days that were asked for', async () => {
    const { stdout, stderr, code } = await cost('--by', 'day', '--until', '2020-01-01');
    expect([stdout, stderr, code]).toEqual(['', 'No job held devices then.\n', 0]);
  });

  it('refuses a key that is no label of any job, a name beside it, and days without it', async () => {
    const wrong = await cost('--by', 'naemspace');
    expect(wrong.stderr).toMatch(
      /--by: expected one of namespace, user, .*, or a label of the jobs, got naemspace; did you mean namespace\?/,
    );
    expect(wrong.code).toBe(2);
    expect((await cost('train', '--by', 'user')).stderr).toContain('Expected no name with it, got train.');
    expect((await cost('train', '--since', '1d')).stderr).toContain('Expected --by with them, got none.');
  });
});

describe('the report of a namespace', () => {
  it('has the figures of `cost --by`, as data and in the library', async () => {
    const prices = file('prices.yaml', PRICES);
    const [data, all] = await Promise.all([
      report('--since', '2020-01-01', '--prices', prices, '-o', 'json'),
      cost('--by', 'namespace', '--prices', prices, '-o', 'json'),
    ]);
    const found = JSON.parse(data.stdout) as PeriodReport;
    const [group] = JSON.parse(all.stdout) as UseGroup[];
    const [sums] = found.resources;
    expect(sums).toMatchObject({ ms: group!.resources[0]!.ms, cost: group!.resources[0]!.cost });
    expect(found.jobs).toMatchObject({ completed: 1, successRate: 1 });
    expect(found.restarts).toMatchObject([{ restarts: 1, jobs: 1 }]);
    const archive = await openArchive(folder);
    const since = new Date('2020-01-01');
    const { asOf: _, ...inLibrary } = await archive.report({ namespace: 'ml', since, prices: parse(PRICES) });
    expect(found).toMatchObject(inLibrary);
    archive.close();
  });

  it('is a page, with the reports of its jobs beside it', async () => {
    const page = join(folder, 'november.html');
    const prices = file('prices.yaml', PRICES);
    const { code } = await report('--since', '2020-01-01', '--prices', prices, '--with-jobs', '-o', page);
    expect(code).toBe(0);
    const [, href] = /<a href="(november-jobs[^"]*)">/.exec(readFileSync(page, 'utf8')) ?? [];
    expect(readFileSync(join(folder, href!), 'utf8')).toContain('<th scope="col" class="n">EUR</th>');
  });

  it('has at least a day', async () => {
    const asked = await report('--since', '2026-12-01', '--until', '2026-11-01');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain(
      '--until: expected a day after 2026-12-01, the first one, got 2026-11-01.',
    );
    expect((await report('--since', '2026-12-01', '--until', '2026-12-01')).code).toBe(2);
    expect((await cost('--by', 'user', '--since', '2026-12-01', '--until', '2026-11-01')).code).toBe(2);
    const archive = await openArchive(folder);
    const [since, until] = [new Date('2026-12-01'), new Date('2026-11-01')];
    await expect(archive.report({ since, until })).rejects.toMatchObject({ code: 'Refused' });
    archive.close();
  });

  it('is not mistaken for that of a job', async () => {
    expect((await report()).stderr).toContain('Expected its NAME, --workflow-id, or --since');
    expect((await report('train', '--since', '1d')).stderr).toContain(
      'Expected no name with them, got train.',
    );
    expect((await report('train', '-o', 'json')).stderr).toContain('Expected --since with it, got none.');
    expect((await report('train', '--with-jobs')).stderr).toContain('Expected --since with it, got none.');
    expect((await report('--since', '1d', '--with-jobs', '-o', '-')).stderr).toContain('got -o -.');
  });
});

describe('the report of a job', () => {
  it('says what it cost if prices are given', async () => {
    const prices = file('prices.yaml', PRICES);
    const [priced, plain, answer] = await Promise.all([
      report('train', '--prices', prices, '-o', '-'),
      report('train', '-o', '-'),
      cost('train', '--prices', prices, '-o', 'json'),
    ]);
    const { resources } = JSON.parse(answer.stdout) as { resources: { cost: CostData }[] };
    expect(priced.stdout).toContain(`<td class="n">${moneyText(resources[0]!.cost)}`);
    expect(priced.stdout).toContain('EUR');
    expect(plain.stdout).not.toContain('EUR');
  });
});
