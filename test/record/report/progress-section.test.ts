import { expect, it } from '@jest/globals';
import type { LedgerEntry, LedgerSteps } from '../../../contracts/types.ts';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { reportPartsOf } from '../../../record/report/report.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { SAMPLE } from './sample-job.ts';

/** How far a job came, as its report and the console show it. */

const charts = plotCharts();
const sectionOf = (data: ReportData) =>
  reportPartsOf(data, charts).sections.find(({ id }) => id === 'progress')?.content.text;

/** The last entry of each attempt tells the steps of it. */
function withSteps(data: ReportData, all: readonly LedgerSteps[]): ReportData {
  const lastOf = (attempt: number) => data.entries.findLast((entry) => entry.attempt === attempt);
  const places = new Map<LedgerEntry | undefined, LedgerSteps>(
    all.map((steps) => [lastOf(steps.attempt), steps]),
  );
  return {
    ...data,
    entries: data.entries.map((entry) => {
      const steps = places.get(entry);
      return steps ? { ...entry, steps } : entry;
    }),
  };
}

const FIRST: LedgerSteps = {
  ...{ pod: 'resnet-master-0', attempt: 1 },
  first: { step: 1, at: '2026-11-21T09:00:00.000Z' },
  last: { step: 3601, at: '2026-11-21T10:00:00.000Z' },
  saved: { step: 3000, at: '2026-11-21T09:50:00.000Z' },
};

it('has a line for each attempt, what one step took, and where the attempt went on from', () => {
  const second = { ...FIRST, attempt: 2, resumed: { at: FIRST.last.at, step: 3000 } };
  const text = sectionOf(withSteps(SAMPLE, [FIRST, second]))!;
  expect(text).toContain(', with 2 checkpoints: attempt 1 from 1 to 3,601, attempt 2 from 1 to 3,601."');
  expect(text).toContain('<td class="n">1s');
  expect(text).toContain('went on from 3,000; the last complete one is of 3,000');
  expect(text.match(/role="img"/g)).toHaveLength(2);
  expect(text).toContain('dashed lines where an attempt begins');
});

it('of a running job it has what its log tells now', () => {
  const running = { ...SAMPLE, closed: undefined, entries: SAMPLE.entries.slice(0, -4) };
  const steps = {
    ...{ pod: 'resnet-master-0', sentence: 'step 4000 of 9000, one every 1s', step: 4000, total: 9000 },
    at: '2026-11-21T13:30:00.000Z',
  };
  const text = sectionOf({ ...withSteps(running as ReportData, [FIRST]), steps })!;
  expect(text).toContain('Now: step 4000 of 9000, one every 1s.');
  expect(text).toContain('Steps of 9,000 over ');
  expect(text).toMatch(/attempt \d at 4,000/);
});

it('shows what the job reported where a pattern of its policy reads that', () => {
  const entries = SAMPLE.entries.map((entry, index) => ({
    ...entry,
    progress: { value: `epoch ${index}`, at: entry.at },
  }));
  expect(sectionOf({ ...SAMPLE, entries })).toContain('Progress, as the job reported it.');
});

it('is not there if nothing tells of progress', () => {
  expect(
    sectionOf({ ...SAMPLE, entries: SAMPLE.entries.map(({ progress: _, ...entry }) => entry) }),
  ).toBeUndefined();
});
