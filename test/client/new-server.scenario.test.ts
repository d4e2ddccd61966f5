import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { eventually } from '../eventually.ts';
import { aManifest, connect } from './client-stage.ts';
import { startTemporal, type TemporalServer } from './temporal-server.ts';

/** A Temporal namespace that no worker has seen: it does not know the search attributes. */

let server: TemporalServer;
let client: SignalboxClient;
beforeAll(async () => {
  server = await startTemporal({ isNew: true });
  client = await connect(server.address);
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

test('a new server lists, counts and finds jobs before the first worker, and the submission warns that none is there', async () => {
  expect(await namesIn('ml')).toEqual([]);
  const { workflowId, warnings } = await client.submit(aManifest('early'));
  expect(warnings).toHaveLength(1);
  await eventually('the job is listed', async () => (await namesIn('ml')).includes('early'));
  expect(await namesIn('other')).toEqual([]);
  expect(await client.count({ namespace: 'ml' })).toMatchObject({ Pending: 1, Running: 0 });
  const job = await client.find({ name: 'early', namespace: 'ml' });
  expect(job.workflowId).toBe(workflowId);
  expect(await job.why()).toMatchObject({ phase: 'Pending', sentence: expect.stringContaining('No worker') });
});

async function namesIn(namespace: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of client.list({ namespace, submittedBy: 'ada@lovelace' })) names.push(name);
  return names;
}
