import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/package/entries.ts';

/** npx, as people type it in a checkout, with the machine's Node. */

let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'npx-cache-'));
});
afterAll(() => rm(cache, { recursive: true }));

it('the first call of npx in a checkout prints only the answer', async () => {
  const outside = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(outside), NODE_OPTIONS: '', npm_config_cache: cache };
  const { stdout, stderr } = await promisify(execFile)('npx', ['signalbox', 'version'], { cwd: ROOT, env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
