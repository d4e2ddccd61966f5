import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { checking } from '../../cluster/checked-dispatch.ts';

it('a request that expired in its queue is not sent', async () => {
  const received: (string | undefined)[] = [];
  const first = Promise.withResolvers<ServerResponse>();
  const server = createServer((message, answer) => {
    received.push(message.url);
    if (message.url === '/first') first.resolve(answer);
    else answer.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const pool = new Agent({ connections: 1 });
  let isAllowed = true;
  const check = () => {
    if (!isAllowed) throw new Error('too late');
  };
  const ask = (path: string) =>
    request(`http://127.0.0.1:${port}${path}`, { method: 'POST', dispatcher: checking(pool, check) });
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
