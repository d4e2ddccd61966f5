import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BIN, type Ended, type Options, signalbox } from './process.ts';

const HOOK = new URL('./report-loaded.mjs', import.meta.url);

export interface Loading extends Ended {
  /** The packages of its modules, sorted. */
  readonly packages: readonly string[];
  /** Other modules, by their path in the program's own folder, sorted. */
  readonly ownFiles: readonly string[];
}

/** Runs a command and returns what it loaded. */
export async function loadingOf(args: readonly string[], options: Options = {}): Promise<Loading> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-loaded-'));
  const file = join(dir, 'modules.json');
  try {
    const env = { ...options.env, NODE_OPTIONS: `--import=${HOOK.href}`, LOADED_MODULES: file };
    const ended = await signalbox(args, { ...options, env });
    const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
    const root = new URL('..', pathToFileURL(options.program ?? BIN)).href;
    const files = urls.filter((url) => url.startsWith('file:'));
    return {
      ...ended,
      packages: distinct(files.map(packageOf)),
      ownFiles: files
        .filter((url) => url.startsWith(root) && !packageOf(url))
        .map((url) => url.slice(root.length))
        .sort(),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const packageOf = (url: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

const distinct = (names: readonly (string | undefined)[]) =>
  [...new Set(names.filter((name) => name !== undefined))].sort();
