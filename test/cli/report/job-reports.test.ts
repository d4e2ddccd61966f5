import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeJobReports } from '../../../cli/report/job-reports.ts';
import { SAMPLE } from '../../record/report/sample-job.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-reports-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reports of jobs lie beside their page, whatever the jobs are called', async () => {
  const status = { ...SAMPLE.status, name: '../../train' };
  const reports = new Map([['0123456789', { ...SAMPLE, status }]]);
  const files = await writeJobReports(reports, join(folder, 'month.html'));
  expect([...files]).toEqual([['0123456789', 'month-jobs/.._.._train-01234567.html']]);
  expect(await readdir(folder, { recursive: true })).toEqual([
    'month-jobs',
    'month-jobs/.._.._train-01234567.html',
  ]);
});
