import { expect, it } from '@jest/globals';
import { anchoredJob } from '../../bridge/anchored-job.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';

const anchor = (phase: string, status: string | undefined) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name: 'train.signalbox', namespace: 'ml', annotations: { [ANNOTATIONS.phase]: phase } },
  data: status === undefined ? undefined : { status },
});

it.each([
  ['it says how', 'Completed', '{"phase":"Completed"}', false],
  ['its status is no JSON', 'Completed', '{"phase":', true],
  ['its status is missing', 'Failed', undefined, true],
  ['its status says that the job runs', 'Stopped', '{"phase":"Running"}', true],
  ['the job runs, and its status is no JSON', 'Running', '{"phase":', false],
])('an anchor has lost the end of its job, or not, if %s', (_, phase, status, hasLostEnd) => {
  expect(anchoredJob(anchor(phase, status)).hasLostEnd).toBe(hasLostEnd);
});

it('an anchor of a job that runs shows no end', () => {
  const conditions = ['Created', 'Running', 'Succeeded', 'Failed'].map((type) => ({ type, status: 'True' }));
  const completionTime = '2026-01-01T00:00:00Z';
  const written = (phase: string) =>
    anchoredJob(anchor(phase, JSON.stringify({ phase, conditions, completionTime }))).status;
  expect(written('Running')).toEqual({ phase: 'Running', conditions: conditions.slice(0, 2) });
  expect(written('Completed')).toEqual({ phase: 'Completed', conditions, completionTime });
});

it('an anchor shows what its job warns of', () => {
  const status = JSON.stringify({ phase: 'Running', warnings: ['it has no effect'] });
  expect(anchoredJob(anchor('Running', status)).status.warnings).toEqual(['it has no effect']);
});
