import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../deploy/manifests.ts';

/** What a Node that is too old prints, in a checkout and in an installed package. */

const AS_OLD =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-old-node-'));
  for (const file of ['cli/bin.mjs', 'runtime/node-runtime.mjs'])
    await cp(join(ROOT, file), join(folder, file));
});
afterAll(() => rm(folder, { recursive: true }));

const run = () =>
  new Promise<string>((resolve) =>
    execFile(process.execPath, ['--import', AS_OLD, join(folder, 'cli/bin.mjs')], (_, __, stderr) =>
      resolve(stderr),
    ),
  );

it('a package says how to get another Node, and names no file that it does not have', async () => {
  const said = await run();
  expect(said).toMatch(/^error: signalbox needs Node 22\.19\.0 or later; this is 20\.1\.0\.\n/);
  expect(said).toContain('https://nodejs.org');
  expect(said).not.toContain('setup.mjs');
});

it('a checkout installs one', async () => {
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'scripts/setup.mjs'), '');
  expect(await run()).toContain('Run `node scripts/setup.mjs` once');
});
