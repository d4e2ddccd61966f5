import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SandboxError } from '../errors.ts';
import { type ProgressReport, silent } from '../report.ts';
import { goEnvironment, moduleFolder, requireGo } from './build.ts';
import type { ModuleFiles } from './cache.ts';
import { cacheDir, cachedFilesPath, produceInto } from './cache.ts';

const run = promisify(execFile);

export interface FromModule {
  readonly report?: ProgressReport;
  readonly cache?: string;
}

/** Returns the path of one YAML file with all of them, from the cache, else from the module, which go.sum verifies. */
export async function ensureModuleFiles(
  wanted: ModuleFiles,
  { report = silent, cache = cacheDir() }: FromModule = {},
): Promise<string> {
  const path = cachedFilesPath(cache, wanted);
  if (existsSync(path)) return path;
  report.step(`${wanted.name} ${wanted.version}: taking them from ${wanted.path}`);
  return produceInto(path, async (draft) => {
    const folder = await sourceOfModule(wanted);
    const texts = await Promise.all(wanted.files.map((file) => readFile(join(folder, file), 'utf8')));
    await writeFile(draft, texts.join('\n---\n'));
  });
}

/** A folder that comes with a program's source, such as its Helm chart. */
export interface ModuleFolder extends Omit<ModuleFiles, 'files'> {
  readonly folder: string;
}

/** Returns the path of a folder of a module, which go.sum verifies. Nothing may be written there. */
export const ensureModuleFolder = async (wanted: ModuleFolder): Promise<string> =>
  join(await sourceOfModule(wanted), wanted.folder);

async function sourceOfModule({ name, version, module, path }: Omit<ModuleFiles, 'files'>): Promise<string> {
  await requireGo(`${name} ${version}: not in the cache, and Go to fetch ${path} is not installed`);
  const args = ['mod', 'download', '-json', path];
  const { stdout } = await run('go', args, { cwd: moduleFolder(module), env: goEnvironment() }).catch(
    (cause: unknown) => {
      throw new SandboxError(
        `${name} ${version}: go mod download ${path} failed: ${String(cause)}`,
        'without a connection Go needs a module proxy it can reach (GOPROXY)',
        { cause },
      );
    },
  );
  return z.object({ Dir: z.string() }).parse(JSON.parse(stdout)).Dir;
}
