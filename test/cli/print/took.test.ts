import { expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { jobTable } from '../../../cli/print/job-table.ts';
import { jobText, outcomeText, type SubmittedStatus } from '../../../cli/print/job-text.ts';
import { lifetimeOf } from '../../../cli/print/lifetime.ts';
import { sweepTable } from '../../../cli/print/sweep-text.ts';
import { trialRows } from '../../../cli/print/trial-rows.ts';
import type { JobSummary } from '../../../client/servers/summary.ts';
import type { SweepTrial } from '../../../contracts/parameter-sweep.ts';
import { tookMs } from '../../../contracts/took.ts';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../../record/report/report.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { SAMPLE } from '../../record/report/sample-job.ts';

/** It waited an hour for room, ran for two, and its clean-up took three minutes. */
const LIFE = { startTime: '2026-11-21T09:00:00Z', endTime: '2026-11-21T12:03:00Z' };
const NAMED = { kind: 'PyTorchJob', name: 'train', namespace: 'ml', attempt: 1 } as const;
const STATUS: SubmittedStatus = {
  ...{ ...NAMED, phase: 'Completed', state: 'Completed', restarts: 0 },
  ...{ conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
  ...{ startTime: '2026-11-21T10:00:00Z', completionTime: '2026-11-21T12:00:00Z' },
  ...lifetimeOf(LIFE),
};
const SUMMARY: JobSummary = {
  ...{ ...NAMED, ...LIFE, workflowId: 'job/ml/train', runId: 'run', phase: 'Completed' },
};

it('says the same of how long a job took, wherever it does', async () => {
  expect(await jobText(STATUS, 'job/ml/train')).toMatch(/^ {2}took {6}3h3m$/m);
  expect(outcomeText(STATUS)).toBe('PyTorchJob ml/train Completed after 3h3m');
  expect(await jobTable([SUMMARY], { isWide: false, hasHeadings: true })).toMatch(/TOOK *\n.* 3h3m *$/);
  const trial: SweepTrial = { ...SUMMARY, index: 0, values: {} };
  expect(trialRows([trial]).rows[0]!.at(-1)).toBe('3h3m');
  const counts = { trials: 1, completed: 1, failed: 0, stopped: 0, refused: 0, running: 0, waiting: 0 };
  const sweep = { ...SUMMARY, ...counts, phase: 'Completed' as const };
  expect(await sweepTable([sweep as never], true)).toMatch(/TOOK *\n.* 3h3m *$/);
  const data: ReportData = {
    ...SAMPLE,
    submitted: { ...SAMPLE.submitted, at: LIFE.startTime },
    closed: { at: LIFE.endTime, how: 'Completed' },
  };
  const page = parseHTML(reportOf(data, plotCharts())).document;
  expect(String(page.querySelector('header')?.textContent).replaceAll(/\s+/g, ' ')).toContain('Took3h3m');
});

it('counts until now while a job is open', () => {
  const now = Date.parse('2026-11-21T09:10:00Z');
  expect(tookMs({ startTime: LIFE.startTime }, now)).toBe(600_000);
  // The clock of a server may be ahead.
  expect(tookMs({ startTime: LIFE.startTime }, now - 3_600_000)).toBe(0);
});
