import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { ensurePrograms } from '../../sandbox/programs/ensure-programs.ts';
import { freePort } from '../../worker/free-port.ts';

export interface TemporalServer {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A real Temporal server; with a `file` it remembers, and can be started again where it was. */
export async function startTemporal(options: { port?: number; file?: string } = {}): Promise<TemporalServer> {
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  const port = options.port ?? (await freePort());
  const attributes = Object.values(SEARCH_ATTRIBUTES).flatMap(({ name, type }) => [
    '--search-attribute',
    `${name}=${type === 'INT' ? 'Int' : 'Keyword'}`,
  ]);
  const database = options.file ? ['--db-filename', options.file] : [];
  const flags = ['--headless', '--log-level', 'error', '--port', String(port), ...attributes, ...database];
  const child = spawn(temporal, ['server', 'start-dev', ...flags], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  const connection = await Connection.connect({ address, connectTimeout: 30_000 });
  await connection.close();
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { address, port, stop };
}
