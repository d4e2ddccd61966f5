import { once } from 'node:events';
import { createConnection, createServer, type Server } from 'node:net';

/** Forwards connections to `host:port` to the same port of 127.0.0.1, where the control plane listens. */
export async function forwardPort(host: string, port: number): Promise<Server> {
  const server = createServer((from) => {
    const to = createConnection(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    from.pipe(to).pipe(from);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
