import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobFilter } from '../../client/list.ts';
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
  await stage.client.submit({ ...manifest, metadata: { ...manifest.metadata, namespace: 'vision' } });
  await stage.temporal.workflow.getHandle('job/ml/three').terminate('gone');
  await seen({}, ['four', 'one', 'three', 'two']);
  await seen({ phase: 'Running' }, ['four', 'one']);
}, 120_000);
afterAll(() => stage.close());

test.each<[string, JobFilter, string[]]>([
  ['all of them', {}, ['four', 'one', 'three', 'two']],
  ['those of a namespace', { namespace: 'ml' }, ['one', 'three', 'two']],
  ['those of a kind', { kind: 'MPIJob' }, ['four']],
  ['those in a phase', { phase: 'Failed' }, ['two']],
  ['a terminated one as Stopped, whatever it recorded last', { phase: 'Stopped' }, ['three']],
  ['none for a name with quotes and backslashes in it', { name: `o'ne\\' OR '1'='1` }, []],
])('a list has %s', async (_what, filter, names) => {
  expect(await namesOf(filter)).toEqual(names);
});

test('a list ends at its limit', async () => {
  expect(await namesOf({ limit: 2 })).toHaveLength(2);
});

test('a list says what each job is doing', async () => {
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
  while (String(await namesOf(filter)) !== String(names)) await delay(100);
}
