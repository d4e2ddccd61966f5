import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { type StandInCluster, standInCluster } from '../activities/evidence/stand-in-cluster.ts';

let status = 200;
let server: StandInCluster;
let cluster: ClusterClient;

beforeAll(async () => {
  server = await standInCluster(() => ({ breaksOff: status }));
  cluster = server.cluster;
});

afterAll(() => server.close());

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

describe('a truncated answer of the API server', () => {
  it.each([200, 403, 500])('is a connection error, whatever its status: %i', async (code) => {
    status = code;
    await expect(cluster.get(PODS, 'default', 'a')).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  it('is a connection error of a watch and of a log', async () => {
    status = 200;
    const watch = cluster.watch(PODS, { resourceVersion: '1' });
    await expect(drain(watch)).rejects.toMatchObject({ name: 'ConnectionError' });
    const log = await cluster.log('default', 'a');
    await expect(drain(log)).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});
