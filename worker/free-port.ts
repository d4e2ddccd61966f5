import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port of the loopback address that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const TRIES = 5;

/** Calls `listen` with a free port, and with another one if a process takes that port first. */
export async function onFreePort<T>(listen: (port: number) => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return listen(port);
    } catch (error) {
      if (tries === TRIES || !/address already in use/i.test(String(error))) throw error;
    }
  }
}
