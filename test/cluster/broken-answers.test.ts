import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';

/** A server that dies in the middle of each answer. */
let status = 200;
const server = createServer((_, response) => breakOff(response));
let cluster: ClusterClient;

function breakOff(response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"type": "ADDED", ', () => response.destroy());
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster = new ClusterClient({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    namespace: 'default',
    tls: async () => ({}),
    headers: async () => ({}),
  });
});

afterAll(async () => {
  await cluster.close();
  server.close();
});

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

describe('an answer of the API server that breaks off', () => {
  it.each([200, 403, 500])('is no answer, whatever its status said: %i', async (code) => {
    status = code;
    await expect(cluster.get(PODS, 'default', 'a')).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  it('is none of a watch, nor of a log', async () => {
    status = 200;
    const watch = cluster.watch(PODS, { resourceVersion: '1' });
    await expect(drain(watch)).rejects.toMatchObject({ name: 'ConnectionError' });
    const log = await cluster.log('default', 'a');
    await expect(drain(log)).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});
