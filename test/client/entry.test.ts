import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const ENTRY = new URL('../../client/index.ts', import.meta.url).href;

/** Prints the URLs of all modules that a program loads with the entry. */
const PROGRAM = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
await import(${JSON.stringify(ENTRY)});
console.log(JSON.stringify(loaded));
`;

test('the entry loads none of the libraries that only some calls need', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded).toContain(ENTRY);
  expect(loaded.filter((url) => url.includes('node_modules'))).toEqual([]);
});
