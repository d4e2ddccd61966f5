// Messages between two pods over a socket: a line of JSON each.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const PAUSE_MS = 100;

/** Pods start in any order, so it tries again and again, for a minute; `where` is as `connect` of node:net takes it. */
export async function dial(where) {
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    const socket = connect(where);
    try {
      await once(socket, 'connect');
      return openChannel(socket);
    } catch (error) {
      socket.destroy();
      const place = where.path ?? `${where.host}:${where.port}`;
      if (Date.now() > until) throw new Error(`nobody answers at ${place}: ${error.message}`);
      await delay(PAUSE_MS);
    }
  }
}

export function openChannel(socket) {
  socket.on('error', () => undefined); // the reader hears that it is over
  const reader = createInterface(socket);
  socket.once('close', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  return {
    socket,
    send: (message) => socket.write(`${JSON.stringify(message)}\n`),
    receive: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error('the other side hung up');
      return JSON.parse(value);
    },
    close: () => socket.end().resume(),
  };
}
