import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SandboxError } from '@signalbox/sandbox';
import { freePort } from '../../worker/free-port.ts';
import { MeasuredProcess, type SystemUser } from './measured-process.ts';

const run = promisify(execFile);

export const POSTGRES_USER = 'temporal';
/** For the superuser, and whoever sets the databases up. */
const RESERVED = 10;
/** Where Debian's packages put each version. */
const VERSIONS = '/usr/lib/postgresql';

/** PostgreSQL as it is installed, with a new data folder and its defaults for all but connections. It syncs its writes to disk. */
export class PostgresProcess extends MeasuredProcess {
  readonly port: number;
  readonly #folder: string;

  /** `connections`: how many its clients may open; where there are too few, Temporal's tasks fail and wait for seconds. */
  static async start({ connections }: { readonly connections: number }): Promise<PostgresProcess> {
    const programs = await findPrograms();
    const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-postgresql-'));
    try {
      if (user) await chown(folder, user.uid, user.gid);
      const data = join(folder, 'data');
      const args = ['-D', data, '-U', POSTGRES_USER, '--auth=trust', '--encoding=UTF8', '--locale=C'];
      await run(join(programs, 'initdb'), args, user);
      const port = await freePort();
      const postgres = new PostgresProcess({
        ...{ program: join(programs, 'postgres'), data, port, folder, user, connections },
      });
      const address = ['-h', '127.0.0.1', '-p', String(port)];
      await postgres.untilReady(() => succeeds(join(programs, 'pg_isready'), address));
      return postgres;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(settings: {
    readonly program: string;
    readonly data: string;
    readonly port: number;
    readonly folder: string;
    readonly user?: SystemUser;
    readonly connections: number;
  }) {
    const { program, data, port, folder, user, connections } = settings;
    const onlyTcp = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const limit = ['-c', `max_connections=${connections + RESERVED}`];
    const args = ['-D', data, '-p', String(port), ...onlyTcp, ...limit];
    super({ name: 'postgres', program, args, env: {}, user });
    this.port = port;
    this.#folder = folder;
  }

  override async stop(): Promise<void> {
    await super.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function findPrograms(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (newest) return join(VERSIONS, String(newest), 'bin');
  throw new SandboxError(
    `PostgreSQL is not installed: expected a version in ${VERSIONS}`,
    "install Debian's package postgresql",
  );
}

/** PostgreSQL refuses to run as root; its packages make a user. */
async function unprivilegedUser(): Promise<SystemUser> {
  const users = await readFile('/etc/passwd', 'utf8');
  const [, , uid, gid] =
    users
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':') ?? [];
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  throw new SandboxError(
    'PostgreSQL does not run as root: expected a user postgres in /etc/passwd',
    'run the bench as another user',
  );
}

const succeeds = (program: string, args: readonly string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  );
