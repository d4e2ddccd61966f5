import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { stringify } from 'yaml';
import { connectTemporal } from '../../temporal/connection.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { freeLowPort } from '../temporal-server/free-low-port.ts';
import { serverConfig } from '../temporal-server/server-config.ts';
import { MeasuredProcess } from './measured-process.ts';
import { POSTGRES_USER, PostgresProcess } from './postgres-process.ts';

export interface MeasuredTemporal {
  readonly address: string;
  /** Its processes by name. */
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

const PLUGIN = 'postgres12';
const DATABASES = ['temporal', 'visibility'] as const;
const SERVICES = ['frontend', 'history', 'matching', 'worker'];
/** Of each service to each of the two databases. */
const CONNECTIONS = 40;

interface ServerOptions {
  /** Each works off its writes one after the other. */
  readonly historyShards: number;
  /** Path of a file. */
  readonly dynamicConfig: string;
}

/**
 * Temporal's server, as a production installation runs it but in one process, with histories and visibility in PostgreSQL.
 */
export async function startTemporalOnPostgres({
  historyShards,
  dynamicConfig,
}: ServerOptions): Promise<MeasuredTemporal> {
  const { 'temporal-server': program, 'temporal-sql-tool': tool } = await ensurePrograms({
    names: ['temporal-server', 'temporal-sql-tool'],
  });
  const postgres = await PostgresProcess.start({
    connections: SERVICES.length * DATABASES.length * CONNECTIONS,
  });
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-temporal-'));
  const remove = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await createDatabases(tool, postgres.port);
    const port = await freeLowPort();
    const config = await writeConfig(folder, {
      ...{ port, postgresPort: postgres.port, historyShards, dynamicConfig },
    });
    const server = await TemporalProcess.start(program, config, port);
    const stop = async () => {
      await server.stop();
      await remove();
    };
    const pids = { temporal: server.pid, postgresql: postgres.pid };
    return { address: `127.0.0.1:${port}`, pids, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function createDatabases(tool: string, port: number): Promise<void> {
  for (const database of DATABASES) {
    const server = [
      '--plugin',
      PLUGIN,
      '--endpoint',
      '127.0.0.1',
      '--port',
      String(port),
      '--user',
      POSTGRES_USER,
    ];
    const sql = (...args: string[]) => run(tool, [...server, '--database', database, ...args]);
    await sql('create-database');
    await sql('setup-schema', '--version', '0.0');
    await sql('update-schema', '--schema-name', `postgresql/v12/${database}`);
  }
}

interface Place extends ServerOptions {
  readonly port: number;
  readonly postgresPort: number;
}

async function writeConfig(
  folder: string,
  { port, postgresPort, historyShards, dynamicConfig }: Place,
): Promise<string> {
  const store = (databaseName: (typeof DATABASES)[number]) => ({
    ...{ pluginName: PLUGIN, databaseName, connectAddr: `127.0.0.1:${postgresPort}`, connectProtocol: 'tcp' },
    ...{
      user: POSTGRES_USER,
      password: '',
      maxConns: CONNECTIONS,
      maxIdleConns: CONNECTIONS,
      maxConnLifetime: '1h',
    },
  });
  const config = await serverConfig({
    ...{ port, services: SERVICES, historyShards, dynamicConfig },
    stores: { main: store('temporal'), visibility: store('visibility') },
  });
  const file = join(folder, 'config.yaml');
  await writeFile(file, stringify(config));
  return file;
}

class TemporalProcess extends MeasuredProcess {
  /** With the namespace `default` and the search attributes. */
  static async start(program: string, configFile: string, port: number): Promise<TemporalProcess> {
    const server = new TemporalProcess(program, configFile);
    await server.untilReady(() => hasNamespace(`127.0.0.1:${port}`));
    return server;
  }

  private constructor(program: string, configFile: string) {
    const services = SERVICES.flatMap((name) => ['--service', name]);
    super({
      name: 'Temporal server',
      program,
      args: ['--config-file', configFile, 'start', ...services],
      env: {},
    });
  }
}

async function hasNamespace(address: string): Promise<boolean> {
  const client = await connectTemporal({ address, namespace: 'default' }).catch(() => undefined);
  if (!client) return false;
  try {
    const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
    await client.workflowService.registerNamespace({
      namespace: 'default',
      workflowExecutionRetentionPeriod,
    });
    // The server knows a new namespace after some seconds.
    await eventually('search attributes can be registered', () => registerSearchAttributes(client));
    return true;
  } finally {
    await client.connection.close();
  }
}
