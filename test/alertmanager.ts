import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { freePort } from '../worker/free-port.ts';
import { debianFolder, debianProgram, hasDebianProgram } from './debian-package.ts';
import { eventually } from './eventually.ts';

const [PACKAGE, PROGRAM] = ['prometheus-alertmanager', 'prometheus-alertmanager'];

/** It looks for its templates in /usr/share: a mount of its own has there what is in the package. */
const inItsMounts = (...command: readonly string[]): string[] => [
  ...['--mount', 'sh', '-c', 'mount --bind "$0" /usr/share && exec "$@"'],
  ...[join(debianFolder(PACKAGE), 'usr', 'share'), ...command],
];

/** Whether Debian's package can be had, and this user may make mounts. */
export async function hasAlertmanager(): Promise<boolean> {
  if (!(await hasDebianProgram(PACKAGE, PROGRAM))) return false;
  return promisify(execFile)('unshare', inItsMounts('true')).then(
    () => true,
    () => false,
  );
}

interface AlertGroup {
  readonly labels: Readonly<Record<string, string>>;
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

/** A real Alertmanager that groups by name and reason, and tells nobody. */
export class Alertmanager {
  readonly address: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(address: string, folder: string, process: ChildProcess) {
    this.address = address;
    this.#folder = folder;
    this.#process = process;
  }

  static async start(): Promise<Alertmanager> {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-alertmanager-'));
    const config = {
      route: { receiver: 'nobody', group_by: ['alertname', 'reason'] },
      receivers: [{ name: 'nobody' }],
    };
    await writeFile(join(folder, 'config.yaml'), stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const args = [
      `--config.file=${folder}/config.yaml`,
      `--storage.path=${folder}/data`,
      '--cluster.listen-address=',
    ];
    const program = debianProgram(PACKAGE, PROGRAM);
    const command = inItsMounts(program, ...args, `--web.listen-address=${address}`);
    const child = spawn('unshare', command, { stdio: 'ignore' });
    const started = new Alertmanager(`http://${address}`, folder, child);
    await eventually('Alertmanager answers', async () => (await fetch(`${started.address}/-/ready`)).ok, {
      withinMs: 30_000,
    });
    return started;
  }

  async groups(): Promise<readonly AlertGroup[]> {
    return (await (await fetch(`${this.address}/api/v2/alerts/groups`)).json()) as AlertGroup[];
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
