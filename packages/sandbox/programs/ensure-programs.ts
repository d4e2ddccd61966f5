import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { acquireLock } from '../engine.ts';
import { DiskFull } from '../errors.ts';
import { DEFAULT_KUBERNETES_VERSION, type KubernetesVersion } from '../kubernetes-versions.ts';
import { type ProgressReport, silent } from '../report.ts';
import { build } from './build.ts';
import { cacheDir, cachedPath, produceInto } from './cache.ts';
import { createProbe, download, WrongChecksum } from './download.ts';
import { type Origins, officialOrigins, type Platform, type Program, thisPlatform } from './program.ts';
import { type ProgramName, programsWith } from './registry.ts';

interface EnsurePrograms<Name extends ProgramName> {
  readonly names: readonly Name[];
  /** Of the control plane and kubelet. */
  readonly kubernetes?: KubernetesVersion;
  readonly report?: ProgressReport;
  readonly cache?: string;
  readonly origins?: Origins;
  readonly path?: string;
}

/**
 * Returns a path for each program: on PATH in the right version, else in the cache, else its verified official release,
 * else built from its pinned Go module. The last two may take minutes, once.
 */
export async function ensurePrograms<Name extends ProgramName>(
  request: EnsurePrograms<Name>,
): Promise<Record<Name, string>> {
  const setup = new Setup(request);
  const found = await setup.find(request.names);
  const missing = request.names.filter((name) => found[name] === undefined);
  if (missing.length > 0) Object.assign(found, await setup.obtainAll(missing));
  return found as Record<Name, string>;
}

class Setup {
  readonly #programs: Readonly<Record<ProgramName, Program>>;
  readonly #report: ProgressReport;
  readonly #cache: string;
  readonly #origins: Origins;
  readonly #path: string | undefined;
  readonly #platform: Platform = thisPlatform();
  readonly #probe = createProbe();

  constructor(request: EnsurePrograms<ProgramName>) {
    this.#programs = programsWith(request.kubernetes ?? DEFAULT_KUBERNETES_VERSION);
    this.#report = request.report ?? silent;
    this.#cache = request.cache ?? cacheDir();
    this.#origins = request.origins ?? officialOrigins;
    this.#path = request.path;
  }

  async find(names: readonly ProgramName[]): Promise<Partial<Record<ProgramName, string>>> {
    const entries = await Promise.all(
      names.map(async (name) => [name, await this.#findOne(this.#programs[name])] as const),
    );
    return Object.fromEntries(entries.filter(([, path]) => path !== undefined));
  }

  /** One set-up at a time: the next one finds the programs in the cache. */
  async obtainAll(names: readonly ProgramName[]): Promise<Partial<Record<ProgramName, string>>> {
    const release = await acquireLock(join(this.#cache, 'programs.lock'), (holder) =>
      this.#report.note(
        `another set-up (pid ${holder}) is preparing programs in ${this.#cache}: waiting for it`,
      ),
    );
    try {
      const found: Partial<Record<ProgramName, string>> = {};
      for (const [index, name] of names.entries()) {
        const program = this.#programs[name];
        found[name] =
          (await this.#findOne(program)) ??
          (await this.#obtain(program, `program ${index + 1} of ${names.length}`));
      }
      return found;
    } finally {
      await release();
    }
  }

  async #findOne(program: Program): Promise<string | undefined> {
    const cached = cachedPath(this.#cache, program, this.#platform);
    return (await findOnPath(program, this.#path)) ?? ((await isExecutable(cached)) ? cached : undefined);
  }

  async #obtain(program: Program, count: string): Promise<string> {
    const path = cachedPath(this.#cache, program, this.#platform);
    const title = `${count}: ${program.name} ${program.version}`;
    return (await this.#tryDownload(program, path, title)) ?? (await this.#build(program, path, title));
  }

  async #tryDownload(program: Program, path: string, title: string): Promise<string | undefined> {
    const release = program.release(this.#platform, this.#origins);
    if (release === undefined) return undefined;
    this.#report.step(`${title}: looking for its release`);
    if (!((await this.#probe(release.url)) && (await this.#probe(release.checksum.url)))) return undefined;
    this.#report.step(`${title}: downloading`);
    try {
      return await produceInto(path, (draft) => download(release, draft, this.#report));
    } catch (error) {
      if (error instanceof WrongChecksum || error instanceof DiskFull) throw error;
      this.#report.note(`${title}: not downloaded (${reason(error)}), building it instead`);
      return undefined;
    }
  }

  async #build(program: Program, path: string, title: string): Promise<string> {
    this.#report.step(`${title}: building with go, about ${program.build.minutes} min the first time`);
    return produceInto(path, (draft) => build(program, draft, this.#report));
  }
}

/** The message of fetch is only "fetch failed"; its cause has the reason. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const run = promisify(execFile);

/** A program that hangs on `--version` must not hang the sandbox. */
const TIMEOUT_MS = 5_000;

/** Returns the first program of this name on PATH with the right version. */
async function findOnPath(program: Program, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, program.name);
    if (folder !== '' && (await isExecutable(file)) && (await askVersion(program, file)) === program.version)
      return file;
  }
  return undefined;
}

async function askVersion(program: Program, file: string): Promise<string | undefined> {
  if (program.versionArgs === undefined) return undefined;
  try {
    const { stdout, stderr } = await run(file, [...program.versionArgs], {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    return program.parseVersion(`${stdout}\n${stderr}`);
  } catch {
    return undefined; // it does not run here
  }
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
