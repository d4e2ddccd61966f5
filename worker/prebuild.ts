import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { acquireLock } from '../runtime/lock.mjs';
import { bundlePath, bundleWorkflows } from './bundle.ts';

/**
 * `node worker/prebuild.ts [FILE]`: builds the workflow bundle, so that workers of these sources start with it. Processes that
 * start at the same time build it once.
 */

const file = process.argv[2] ?? (await bundlePath());
const release = await acquireLock(`${file}.lock`, () => undefined);
try {
  if (!existsSync(file)) {
    await writeFile(`${file}.${process.pid}`, (await bundleWorkflows()).code);
    await rename(`${file}.${process.pid}`, file);
  }
} finally {
  await release();
}
