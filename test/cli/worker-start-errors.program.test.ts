import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { signalbox } from './process.ts';

const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
afterAll(() => rmSync(home, { recursive: true }));

test('a variable that nothing reads is named in the log', async () => {
  const { stderr } = await signalbox(['worker', '--http-port', '0'], {
    env: { SIGNALBOX_ARCHIVE_BUKET: 'records', TEMPORAL_ADDRESS: '127.0.0.1:1', HOME: home },
  });
  expect(stderr).toContain(
    '"msg":"nothing reads SIGNALBOX_ARCHIVE_BUKET, did you mean SIGNALBOX_ARCHIVE_BUCKET?',
  );
});

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
