import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { diskFull, isDiskFull } from '../errors.ts';
import type { Platform, Program } from './program.ts';

/** SIGNALBOX_CACHE, else the user's cache folder: programs are shared by every checkout and sandbox. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.SIGNALBOX_CACHE) return env.SIGNALBOX_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox');
}

export function cachedPath(dir: string, program: Program, { os, arch }: Platform): string {
  return join(dir, 'programs', `${program.name}-${program.version}-${os}-${arch}`);
}

export function cachedFilesPath(dir: string, { name, version }: ModuleFiles): string {
  return join(dir, 'programs', `${name}-${version}.yaml`);
}

/**
 * Lets `produce` write the program to a temporary file, and renames it when it is complete, so that every file in the
 * cache is usable.
 */
export async function produceInto(path: string, produce: (draft: string) => Promise<void>): Promise<string> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await produce(draft);
    await chmod(draft, 0o755);
    await rename(draft, path);
    return path;
  } catch (error) {
    throw isDiskFull(error) ? diskFull(dirname(path), error) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** YAML files that come with a program's source, such as the definitions of its custom resources. */
export interface ModuleFiles {
  readonly name: string;
  /** Without a leading v. */
  readonly version: string;
  /** The folder with the go.mod that pins it. */
  readonly module: string;
  /** The Go module, and the files in it. */
  readonly path: string;
  readonly files: readonly string[];
}
