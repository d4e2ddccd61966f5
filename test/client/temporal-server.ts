import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensurePrograms } from '@signalbox/sandbox';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { freePort } from '../../worker/free-port.ts';

export interface TemporalServer {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

interface TemporalOptions {
  readonly port?: number;
  readonly file?: string;
  /** As a worker finds it that is the first. */
  readonly isNew?: boolean;
}

/** A real Temporal server; with a `file` it remembers, and can be started again where it was. */
export async function startTemporal(options: TemporalOptions = {}): Promise<TemporalServer> {
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  // It takes more ports than the one that it is given, and another process may be quicker.
  for (let tries = 1; ; tries++) {
    const started = await tryToStart(temporal, options);
    if (started) return started;
    if (tries === TRIES)
      throw new Error(`temporal server start-dev ended ${TRIES} times as soon as it began`);
  }
}

const TRIES = 3;

/** Undefined if it ends instead of answering. */
async function tryToStart(temporal: string, options: TemporalOptions): Promise<TemporalServer | undefined> {
  const port = options.port ?? (await freePort());
  const child = spawn(temporal, ['server', 'start-dev', ...flagsFor(port, options)], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const address = `127.0.0.1:${port}`;
  const answers = Connection.connect({ address, connectTimeout: 60_000 });
  const connection = await Promise.race([answers, ended.then(() => undefined)]);
  if (!connection) {
    answers.then((late) => late.close()).catch(() => undefined);
    return undefined;
  }
  await connection.close();
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await ended;
  };
  return { address, port, stop };
}

function flagsFor(port: number, { file, isNew = false }: TemporalOptions): string[] {
  const attributes = (isNew ? [] : Object.values(SEARCH_ATTRIBUTES)).flatMap(({ name, type }) => [
    '--search-attribute',
    `${name}=${FLAG_TYPES[type as keyof typeof FLAG_TYPES]}`,
  ]);
  const database = file ? ['--db-filename', file] : [];
  return ['--headless', '--log-level', 'error', '--port', String(port), ...attributes, ...database];
}

const FLAG_TYPES = { INT: 'Int', KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList' } as const;
