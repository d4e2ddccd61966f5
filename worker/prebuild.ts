import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundlePath, bundleWorkflows } from './bundle.ts';

/** `node worker/prebuild.ts [FILE]`: builds the workflow bundle, so that workers of these sources start with it. */

const file = process.argv[2] ?? (await bundlePath());
const { code } = await bundleWorkflows();
await mkdir(dirname(file), { recursive: true });
await writeFile(`${file}.${process.pid}`, code);
await rename(`${file}.${process.pid}`, file);
