import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { checking } from '../../cluster/checked-dispatch.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';

async function aServer(answers: RequestListener) {
  const server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('all requests of a client share its connection, also deletes with options', async () => {
  let connections = 0;
  const bodies: string[] = [];
  const { server, url } = await aServer(async (message, answer) => {
    let body = '';
    for await (const chunk of message) body += chunk;
    bodies.push(`${message.method} ${body && JSON.parse(body).preconditions?.uid}`);
    answer.setHeader('content-type', 'application/json').end('{}');
  });
  server.on('connection', () => {
    connections += 1;
  });
  const access = { server: url, namespace: 'default', tls: async () => ({}), headers: async () => ({}) };
  const cluster = new ClusterClient(access, { connections: 1 });
  try {
    await cluster.list(PODS, { namespace: 'default' });
    await cluster.delete(PODS, 'default', 'a', { uid: 'one' });
    await cluster.delete(PODS, 'default', 'b', { uid: 'two' });
    expect(bodies).toEqual(['GET ', 'DELETE one', 'DELETE two']);
    expect(connections).toBe(1);
  } finally {
    await cluster.close();
    server.close();
  }
});

it('a request that expired in its queue is not sent', async () => {
  const received: (string | undefined)[] = [];
  const first = Promise.withResolvers<ServerResponse>();
  const { server, url } = await aServer((message, answer) => {
    received.push(message.url);
    if (message.url === '/first') first.resolve(answer);
    else answer.end();
  });
  const pool = new Agent({ connections: 1 });
  let isAllowed = true;
  const check = () => {
    if (!isAllowed) throw new Error('too late');
  };
  const ask = (path: string) =>
    request(`${url}${path}`, { method: 'POST', dispatcher: checking(pool, check) });
  try {
    const slow = ask('/first');
    const answer = await first.promise;
    const late = ask('/second');
    isAllowed = false;
    const refused = expect(late).rejects.toThrow('too late');
    answer.end();
    await (await slow).body.dump();
    await refused;
    isAllowed = true;
    await (await ask('/third')).body.dump();
    expect(received).toEqual(['/first', '/third']);
  } finally {
    await pool.destroy();
    server.close();
  }
});
