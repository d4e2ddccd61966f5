import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingOf } from '../../scripts/image/requirements.ts';

const execute = promisify(execFile);

/** Says, a line for each, what this machine lacks to run containers. */
export const missingForPodman = (): readonly string[] => [
  ...(process.getuid?.() === 0 ? [] : ['containers need root here: run the command with sudo']),
  ...missingOf({ podman: 'podman', runc: 'runc' }),
];

/** What every container gets that Kubernetes' restricted pod security asks for, and the network of this machine. */
const RESTRICTED = [
  ...['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges'],
  ...['--network=host', '--rm'],
];

/** Podman with images and containers of its own. */
export class Podman {
  /** Short: podman refuses long paths. */
  readonly #dir = mkdtempSync(join(tmpdir(), 'podman-'));
  readonly #config = join(this.#dir, 'containers.conf');

  constructor() {
    // Root may lack the right to raise limits.
    writeFileSync(this.#config, '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n');
  }

  /** Returns what it prints. */
  async do(...args: readonly string[]): Promise<string> {
    const own = [
      `--root=${join(this.#dir, 'root')}`,
      `--runroot=${join(this.#dir, 'run')}`,
      '--runtime=runc',
    ];
    // Else it leaves its folder mounted on itself.
    const storage = ['--storage-driver=overlay', '--storage-opt=overlay.skip_mount_home=true'];
    const env = { ...process.env, CONTAINERS_CONF: this.#config };
    const { stdout } = await execute('podman', [...own, ...storage, ...args], { env });
    return stdout.trim();
  }

  /** Runs a container to its end, with nothing that it does not need. */
  run(...args: readonly string[]): Promise<string> {
    return this.do('run', ...RESTRICTED, ...args);
  }

  /** Ends all containers, and removes all that is left of them. */
  async close(): Promise<void> {
    await this.do('rm', '--all', '--force', '--time=0');
    await rm(this.#dir, { recursive: true });
  }
}
