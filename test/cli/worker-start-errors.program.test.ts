import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { signalbox } from './process.ts';

const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Without the lines of the log. */
const errorOf = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');

test.each([
  ['an unreadable kubeconfig', { SIGNALBOX_KUBECONFIG: '/nowhere/kubeconfig' }, 'kubeconfig'],
  ['an unreadable certificate', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere/ca.pem' }, '/nowhere/ca.pem'],
])('%s ends several processes with the error and the exit code of one', async (_what, env, words) => {
  const run = (...flags: string[]) =>
    signalbox(['worker', '--http-port', '0', ...flags], { env: { HOME: home, ...env } });
  const [one, several] = await Promise.all([run(), run('--processes', '2')]);
  expect({ code: several.code, error: errorOf(several.stderr) }).toEqual({
    code: one.code,
    error: errorOf(one.stderr),
  });
  expect(errorOf(several.stderr)).toContain(words);
  expect(several.stderr).not.toContain('another one starts');
});

test('a wrong number of processes is an invalid setting', async () => {
  const { code, stderr } = await signalbox(['worker', '--processes', 'many']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--processes: expected auto, or an integer from 1 to 256, got "many"'),
  ]);
});
