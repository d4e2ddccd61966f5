import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../../record/report/report.ts';
import { largeJob } from './large-job.ts';

/** A job of 1,000 pods and 20,000 entries: the report can be sent around, and is there at once. */

const MOST_BYTES = 5_000_000;

let text: string;
let tookMs: number;
let data: ReturnType<typeof largeJob>;

beforeAll(() => {
  data = largeJob();
  const charts = plotCharts();
  const begun = performance.now();
  text = reportOf(data, charts);
  tookMs = performance.now() - begun;
});

it('a large report stays below 5 MB', () => {
  const bytes = Buffer.byteLength(text);
  const rawMs = rawLimit();
  process.stderr.write(
    `report of 1,000 pods and 20,000 entries: ${(bytes / 1e6).toFixed(2)} MB in ${tookMs.toFixed(0)} ms; ` +
      `to write its data as JSON and hash it: ${rawMs.toFixed(0)} ms\n`,
  );
  expect(bytes).toBeLessThan(MOST_BYTES);
});

/** What no report could be faster than: its data go through memory once. */
function rawLimit(): number {
  const begun = performance.now();
  createHash('sha256').update(JSON.stringify(data)).digest();
  return performance.now() - begun;
}

it('a large report has every entry and every pod', () => {
  expect([...text.matchAll(/<tr id=e/g)].length).toBe(20_000);
  expect(text.includes('4,000 pods of all attempts as a table')).toBe(true);
  expect([...text.matchAll(/<th scope="row">llm-worker-/g)].length).toBe(4_000);
});

it('a large report shows failed pods separately, and the others in groups', () => {
  const labels = [...text.matchAll(/>(llm-worker-\d+|\d+ others|worker, [\d,]+ pods)<\/text>/g)].map(
    ([, label]) => label,
  );
  // In the wide chart and in the narrow one.
  expect(new Set(labels).size * 2).toBe(labels.length);
  expect(labels).toContain('worker, 1,000 pods');
  expect(labels).toContain('984 others');
  expect(new Set(labels).size).toBe(18);
});

it('a large report leaves out most log lines, and says where they are', () => {
  expect(text.includes('the record has 40 earlier ones')).toBe(true);
  expect(text.includes('Further failures, without their evidence')).toBe(true);
});
