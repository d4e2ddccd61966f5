import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobFilter } from '../../client/use-cases/find/job-filter.ts';
import { eventually } from '../eventually.ts';
import { aManifest, type ClientStage, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
  for (const [name, phases] of [
    ['one', 'Running'],
    ['two', 'Failed'],
    ['three', 'Running'],
  ] as const) {
    await stage.client.submit(aManifest(name, phases));
  }
  const manifest = { ...aManifest('four', 'Running'), kind: 'MPIJob' };
  const metadata = { ...manifest.metadata, namespace: 'vision' };
  const labels = { team: 'vision', tier: '1' };
  await stage.client.submit({ ...manifest, metadata }, { labels, why: 'nightly', key: 'monday' });
  await stage.temporal.workflow.getHandle('job/ml/three').terminate('gone');
  await seen({}, ['four', 'one', 'three', 'two']);
  await seen({ phase: 'Running' }, ['four', 'one']);
});
afterAll(() => stage.close());

test.each<[string, JobFilter, string[]]>([
  ['all of them', {}, ['four', 'one', 'three', 'two']],
  ['those of a namespace', { namespace: 'ml' }, ['one', 'three', 'two']],
  ['those of a kind', { kind: 'MPIJob' }, ['four']],
  ['those of a kind in any letter case', { kind: 'mpijob' }, ['four']],
  ['those in a phase', { phase: 'Failed' }, ['two']],
  ['those in one of several phases, in any letter case', { phase: ['failed', 'stopped'] }, ['three', 'two']],
  ['those with a reason, also where Temporal ended them', { reason: 'workflowterminated' }, ['three']],
  ['those of a submitter', { submittedBy: 'ada@lovelace' }, ['four', 'one', 'three', 'two']],
  ['none of another submitter', { submittedBy: 'nobody' }, []],
  ['those with a label', { labels: { team: 'vision' } }, ['four']],
  ['those with all labels', { labels: { team: 'vision', tier: '2' } }, []],
  ['those since a time', { since: new Date(Date.now() - 3_600_000) }, ['four', 'one', 'three', 'two']],
  ['none before a time', { until: '2026-01-01T00:00:00Z' }, []],
  ['a terminated one as Stopped, whatever it recorded last', { phase: 'Stopped' }, ['three']],
  ['none for a name with quotes and backslashes in it', { name: `o'ne\\' OR '1'='1` }, []],
])('a list has %s', async (_what, filter, names) => {
  expect(await namesOf(filter)).toEqual(names);
});

test('a list has every job once, for any page size', async () => {
  expect(await namesOf({ pageSize: 1 })).toEqual(['four', 'one', 'three', 'two']);
});

test('a count is grouped by phase', async () => {
  const none = { Pending: 0, Starting: 0, Restarting: 0, Suspended: 0, Completed: 0 };
  expect(await stage.client.count()).toEqual({ ...none, Running: 2, Failed: 1, Stopped: 1 });
  expect(await stage.client.count({ namespace: 'ml', phase: 'running' })).toEqual({
    ...none,
    ...{ Running: 1, Failed: 0, Stopped: 0 },
  });
});

test.each<[string, JobFilter, string]>([
  ['phase', { phase: 'Runing' as 'Running' }, 'filter.phase: expected one of Pending, Starting, '],
  ['kind', { kind: 'PodJob' }, 'filter.kind: expected one of PyTorchJob, '],
  ['time', { since: 'yesterday' }, 'filter.since: expected a Date or a time as '],
])('an invalid %s is refused', async (_what, filter, message) => {
  await expect(namesOf(filter)).rejects.toMatchObject({
    code: 'Refused',
    message: expect.stringContaining(message),
  });
});

test('a list says who submitted a job, why, and with which labels', async () => {
  for await (const job of stage.client.list({ name: 'four' })) {
    expect(job).toMatchObject({
      ...{ submittedBy: 'ada@lovelace', why: 'nightly', key: 'monday' },
      labels: { team: 'vision', tier: '1' },
    });
  }
});

test('a list ends at its limit', async () => {
  expect(await namesOf({ limit: 2 })).toHaveLength(2);
});

test('a list has the current cause of each job', async () => {
  for await (const job of stage.client.list({ name: 'two' })) {
    expect(job).toMatchObject({ workflowId: 'job/ml/two', kind: 'PyTorchJob', phase: 'Failed' });
    expect(Date.parse(job.endTime ?? '')).toBeGreaterThanOrEqual(Date.parse(job.startTime));
  }
});

async function namesOf(filter: JobFilter): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of stage.client.list(filter)) names.push(name);
  return names.sort();
}

/** Visibility is eventually consistent. */
async function seen(filter: JobFilter, names: string[]): Promise<void> {
  await eventually(`${names} are listed`, async () => String(await namesOf(filter)) === String(names));
}
