import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Temporal keeps ports of its services as SMALLINT in PostgreSQL. The ports that systems give out themselves are higher. */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** A port of 127.0.0.1 on which nobody listens now. */
export async function freeLowPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
