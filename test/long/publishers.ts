import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { ROOT } from '../../scripts/package/entries.ts';
import type { Ended } from '../cli/process.ts';
import { ImageRegistry } from './image-registry.ts';
import { makeSmallRelease } from './small-release.ts';

const page = readFileSync(join(ROOT, 'docs/releasing.md'), 'utf8');
const blocks = [...page.matchAll(/```bash\n([^`]*)\n```/g)].map(([, block]) => block!);
const PUBLISHING = blockWith('npm run publish:registry');
const OF_A_RELEASE = blockWith('repository=');
const WITH_A_KEY = blockWith('signer=(--key');

/** The commands of the page that verify a release. */
export const VERIFYING_COMMANDS: readonly string[] = blockWith('cosign verify ').split(/(?<!\\|&&)\n/);

/** What publishers of releases share: a registry on loopback, programs, and no server elsewhere. */
export class Publishers {
  readonly registry: ImageRegistry;
  /** How often a program asked a server elsewhere. Each is refused. */
  asked = 0;
  readonly #dir: string;
  readonly #elsewhere: Server;

  static async open(): Promise<Publishers> {
    const programs = await ensurePrograms({ names: ['cosign', 'crane', 'helm'] });
    const dir = mkdtempSync(join(tmpdir(), 'signalbox-supply-chain-'));
    mkdirSync(join(dir, 'bin'));
    for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(dir, 'bin', name));
    await makeSmallRelease(join(dir, 'release'));
    const elsewhere = createServer().listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    return new Publishers(dir, elsewhere, await ImageRegistry.open(programs.crane));
  }

  private constructor(dir: string, elsewhere: Server, registry: ImageRegistry) {
    this.#dir = dir;
    this.#elsewhere = elsewhere;
    this.registry = registry;
    elsewhere.on('connection', (socket) => {
      this.asked += 1;
      socket.destroy();
    });
  }

  async close(): Promise<void> {
    this.#elsewhere.close();
    await this.registry.close();
    rmSync(this.#dir, { recursive: true });
  }

  /** Returns somebody with a release that is not published yet. */
  newPublisher(name: string): Publisher {
    const home = join(this.#dir, name);
    cpSync(join(this.#dir, 'release'), join(home, 'release'), { recursive: true });
    return new Publisher(home, `${this.registry.host}/${name}`, (script, input) =>
      this.#type(script, home, input),
    );
  }

  #type(script: string, home: string, input = ''): Promise<Ended> {
    const { port } = this.#elsewhere.address() as AddressInfo;
    // No program asks a proxy for what is on loopback.
    const proxy = `http://127.0.0.1:${port}`;
    const env = {
      PATH: `${join(this.#dir, 'bin')}:${process.env.PATH}`,
      HOME: home,
      ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      NO_UPDATE_NOTIFIER: '1',
    };
    const child = spawn('bash', ['-c', script], { cwd: join(home, 'release'), env });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    // It may end without having read it.
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...said }));
    });
  }
}

/** Somebody with a home, a key of cosign's, a release in a folder, and a path in the registry. */
export class Publisher {
  readonly home: string;
  /** Host and path. */
  readonly registry: string;
  readonly #run: (script: string, input?: string) => Promise<Ended>;

  constructor(home: string, registry: string, run: (script: string, input?: string) => Promise<Ended>) {
    this.home = home;
    this.registry = registry;
    this.#run = run;
  }

  get release(): string {
    return join(this.home, 'release');
  }

  /** Types what the page shows for who publishes with a key, which is new unless told otherwise, and `before` that. */
  publish({ newKey = true, before = '' } = {}): Promise<Ended> {
    const lines = this.#own(PUBLISHING).split('\n');
    const preparing = lines
      .slice(0, -1)
      .filter((line) => newKey || !line.startsWith('cosign generate-key-pair'));
    const script = [
      `cd '${ROOT}'`,
      'set -e',
      ...preparing,
      before,
      `${lines.at(-1)} --folder ${this.release}`,
    ];
    return this.type(script.join('\n'), 'of the key\n');
  }

  /** Types each command of the page that verifies a release, in the folder of the release. */
  async verify(): Promise<ReadonlyMap<string, Ended>> {
    const results = new Map<string, Ended>();
    for (const command of VERIFYING_COMMANDS) results.set(command, await this.verifyBy(command));
    return results;
  }

  /** Types a command with the variables of the page. */
  verifyBy(command: string): Promise<Ended> {
    return this.type(`${OF_A_RELEASE}\n${this.#own(WITH_A_KEY)}\n${command}`);
  }

  /** Types something into a shell in the folder of the release. */
  type(script: string, input?: string): Promise<Ended> {
    return this.#run(script, input);
  }

  #own(block: string): string {
    return block.replace('HOST/PATH', this.registry);
  }
}

function blockWith(mark: string): string {
  const block = blocks.find((one) => one.includes(mark));
  if (block === undefined)
    throw new Error(`docs/releasing.md: expected a block of bash with ${mark}, got none`);
  return block;
}
