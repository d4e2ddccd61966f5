import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './entries.ts';

/** Copies what npm takes of the checkout into the package `signalbox`, beside what the build makes. */
export function copyPackageFiles(dir: string): void {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  for (const path of ['package.json', 'README.md', 'LICENSE', ...files.filter((file) => file !== 'dist')])
    cpSync(join(ROOT, path), join(dir, path), { recursive: true });
}
