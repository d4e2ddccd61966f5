import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';

it('all requests of a client share its connection, also deletes with options', async () => {
  let connections = 0;
  const bodies: string[] = [];
  const server = createServer(async (message, answer) => {
    let body = '';
    for await (const chunk of message) body += chunk;
    bodies.push(`${message.method} ${body && JSON.parse(body).preconditions?.uid}`);
    answer.setHeader('content-type', 'application/json').end('{}');
  }).on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const access = {
    server: `http://127.0.0.1:${port}`,
    namespace: 'default',
    tls: async () => ({}),
    headers: async () => ({}),
  };
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
