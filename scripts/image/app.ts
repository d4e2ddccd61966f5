import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../package/entries.ts';
import { noticesFor } from '../package/notices.ts';
import { buildProgram } from '../package/program.ts';

const FILES = [
  ...['package.json', 'LICENSE', 'cli/bin.mjs', 'runtime/node-runtime.mjs'],
  'deploy/image/health-check.mjs',
];

/** Fills a folder with signalbox itself, as its npm package has it but without the library: for any platform. */
export async function makeApp(app: string): Promise<void> {
  for (const file of FILES) cpSync(join(ROOT, file), join(app, file));
  // As deep as dist/, so that maps name sources as there.
  const dist = mkdtempSync(join(ROOT, 'dist-image-'));
  try {
    writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesFor(await buildProgram(dist)));
    cpSync(dist, join(app, 'dist'), { recursive: true });
  } finally {
    rmSync(dist, { recursive: true });
  }
}
