import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { type Prices, parsePrices } from '../../../contracts/schemas/prices.ts';
import type { JobFigures } from '../../../record/index/job-figures.ts';
import { periodReportOf } from '../../../record/report/period/period-facts.ts';
import { periodPageOf } from '../../../record/report/period/period-page.ts';
import type { DeviceUse } from '../../../record/uses/job-uses.ts';
import { pricedSumsOf } from '../../../record/uses/priced-sums.ts';

const HOUR = 3_600_000;
const GPU = 'nvidia.com/gpu';
const at = (time: string) => Date.parse(`${time}Z`);

const use = (hours: number, more: Partial<DeviceUse>): DeviceUse => ({
  ...{ day: '2026-11-10', attempt: 1, use: 'productive', resource: GPU, ms: hours * HOUR, assumedMs: 0 },
  ...more,
});

const job = (name: string, more: Partial<JobFigures> = {}): JobFigures => ({
  ...{ namespace: 'ml', name, kind: 'PyTorchJob', workflowId: `job/ml/${name}`, firstRunId: `${name}-run` },
  ...{ user: 'ana', labels: {}, uses: [], restarts: [], phase: 'Completed', reason: null, node: null },
  ...{ submitted: at('2026-11-10T08:00:00'), started: at('2026-11-10T08:10:00') },
  ...{ ended: at('2026-11-10T20:00:00'), waitMs: 600_000, longestWaitFor: null, isArchived: true },
  ...more,
});

const restart = (hour: number, cause: string, ranAfter: number | undefined, node?: string) => {
  const begun = at('2026-11-10T00:00:00') + hour * HOUR;
  const ranAt = ranAfter === undefined ? {} : { ranAt: begun + ranAfter };
  return { seq: hour, at: begun, attempt: 1, cause, ...ranAt, ...(node ? { node } : {}) };
};

const JOBS = [
  job('long', {
    uses: [
      use(1, { use: 'gang' }),
      use(2, { use: 'starting' }),
      use(60, { product: 'H100' }),
      use(4, { use: 'repeated', cause: 'infrastructure' }),
      use(1, { use: 'restarting', cause: 'infrastructure' }),
      use(2, { use: 'starting', cause: 'infrastructure' }),
      use(3, { use: 'stalled', cause: 'userCode' }),
      use(5, { use: 'unknown' }),
      use(2, { use: 'finishing' }),
    ],
    restarts: [
      restart(9, 'infrastructure', 60_000, 'gpu-7'),
      restart(12, 'infrastructure', 180_000, 'gpu-7'),
      restart(15, 'userCode', undefined, 'gpu-1'),
      // Before the period.
      restart(-240, 'infrastructure', 60_000, 'gpu-9'),
    ],
  }),
  job('lost', {
    ...{ phase: 'Failed', reason: 'BackoffLimitExceeded', node: 'gpu-7', user: 'bob' },
    uses: [use(10, { use: 'unknown' })],
    ...{ waitMs: 7_200_000, longestWaitFor: 'Unschedulable' },
  }),
  job('waiting', { phase: 'Pending', started: null, ended: null, waitMs: 9_000_000, isArchived: false }),
  // Ended before the period began, but for its clean-up.
  job('older', { ended: at('2026-10-31T00:00:00'), started: at('2026-10-30T00:00:00'), waitMs: 9_999_999 }),
];

const read = parsePrices({ currency: 'EUR', prices: [{ resource: GPU, perHour: '2', from: '2026-01-01' }] });
const PRICES: Prices | undefined = 'prices' in read ? read.prices : undefined;

const reportOf = (prices?: Prices) =>
  periodReportOf({
    ...{ namespace: 'ml', since: '2026-11-01', until: '2026-12-01', asOf: '2026-12-01T08:00:00.000Z' },
    ...{ readFrom: ['/archive'], missing: [], jobs: JOBS, prices },
  });

describe('the report of some days', () => {
  it('divides what was held, to the millisecond, and gives restarts their causes', () => {
    const [sums] = reportOf(PRICES).resources;
    const brief = sums!.paidFor.map(({ what, cause, ms, cost }) => [what, cause, ms / HOUR, cost?.least]);
    expect(brief).toEqual([
      ['productive', undefined, 60, '120.000000'],
      ['start', undefined, 3, '6.000000'],
      ['recovery', 'infrastructure', 3, '6.000000'],
      ['repeated', 'infrastructure', 4, '8.000000'],
      ['idle', 'userCode', 3, '6.000000'],
      ['idle', undefined, 2, '4.000000'],
      ['unknown', undefined, 15, '30.000000'],
    ]);
    expect(sums!.paidFor.reduce((all, { ms }) => all + ms, 0)).toBe(sums!.ms);
    const [same] = pricedSumsOf(
      JOBS.flatMap(({ uses }) => uses),
      PRICES,
    );
    expect(sums).toMatchObject({ ms: same!.ms, goodput: same!.goodput, cost: same!.cost });
  });

  it('counts jobs that ended in them, why they failed, and those that have not ended', () => {
    const { jobs, reasons } = reportOf();
    expect(jobs).toEqual({ completed: 1, failed: 1, stopped: 0, live: 1, successRate: 0.5 });
    expect(reasons).toEqual([{ reason: 'BackoffLimitExceeded', jobs: 1 }]);
  });

  it('counts restarts of these days by cause and by node, and failed jobs of a node', () => {
    const { restarts, nodes } = reportOf();
    expect(restarts).toEqual([
      { cause: 'infrastructure', restarts: 2, jobs: 1, medianMs: 60_000, longestMs: 180_000 },
      { cause: 'userCode', restarts: 1, jobs: 1, medianMs: null, longestMs: null },
    ]);
    expect(nodes).toEqual([
      {
        node: 'gpu-7',
        restarts: 2,
        failedJobs: 1,
        jobs: 2,
        causes: ['BackoffLimitExceeded', 'infrastructure'],
      },
      { node: 'gpu-1', restarts: 1, failedJobs: 0, jobs: 1, causes: ['userCode'] },
    ]);
  });

  it('has the slowest starts, also of what still waits, and the jobs that held most', () => {
    const { starts, largest } = reportOf();
    expect(starts.map(({ name, waitMs, hasRun }) => [name, waitMs, hasRun])).toEqual([
      ['waiting', 9_000_000, false],
      ['lost', 7_200_000, true],
      ['long', 600_000, true],
    ]);
    expect(largest.map(({ name, ms }) => [name, ms / HOUR])).toEqual([
      ['long', 80],
      ['lost', 10],
    ]);
  });

  it('says what is not known as not known', () => {
    const none = periodReportOf({
      ...{ namespace: null, since: null, until: null, asOf: '2026-12-01T08:00:00.000Z' },
      ...{ readFrom: [], missing: [], jobs: [], prices: PRICES },
    });
    expect(none.jobs.successRate).toBeNull();
    expect(none.resources).toEqual([]);
    const { document } = parseHTML(periodPageOf(none));
    expect(document.querySelector('.facts')?.textContent).toContain('not known');
    expect(document.querySelector('section')?.textContent).toContain('No pod of a job had a node.');
  });
});

describe('its page', () => {
  const textOf = (page: string, selector: string) =>
    [...parseHTML(page).document.querySelectorAll(selector)]
      .map(({ textContent }) => String(textContent).replaceAll(/\s+/g, ' '))
      .join(' ');

  it('has the same figures in words', () => {
    const page = periodPageOf(reportOf(PRICES));
    expect(textOf(page, 'header')).toContain('Namespace ml 2026-11-01 to 2026-11-30');
    for (const fact of ['Hours of nvidia.com/gpu90.0', 'productive66.7 % to 83.3 %', '180.00 EUR', '50 %'])
      expect(textOf(page, '.facts')).toContain(fact);
    const text = textOf(page, 'main');
    for (const part of [
      'recovery',
      'infrastructure',
      'gpu-7',
      'Unschedulable',
      'not run',
      'BackoffLimitExceeded',
    ])
      expect(text).toContain(part);
  });

  it('has no column for money without prices', () => {
    expect(textOf(periodPageOf(reportOf()), 'thead')).not.toContain('EUR');
    expect(textOf(periodPageOf(reportOf(PRICES)), 'thead')).toContain('EUR');
  });

  it('links the reports of jobs where there are any, else says how to write one', () => {
    const links = parseHTML(
      periodPageOf(reportOf(), new Map([['long-run', 'page-jobs/long.html']])),
    ).document;
    expect([...links.querySelectorAll('main a')].map((link) => link.getAttribute('href'))).toEqual([
      'page-jobs/long.html',
      'page-jobs/long.html',
    ]);
    expect(textOf(periodPageOf(reportOf()), 'main')).toContain('signalbox report NAME@RUN');
  });

  it('runs no script that a name smuggles in', () => {
    const named = { ...JOBS[0]!, name: '<script>alert(1)</script>', user: '"><img src=x>' };
    const page = periodPageOf(
      periodReportOf({
        ...{ namespace: 'ml', since: null, until: null, asOf: '2026-12-01T08:00:00.000Z' },
        ...{ readFrom: [], missing: [], jobs: [named], prices: undefined },
      }),
    );
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<img');
  });
});
