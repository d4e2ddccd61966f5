import { expect, test } from '@jest/globals';
import { sandboxDir, sandboxLayout } from '../layout.ts';

test.each([
  ['--dir, before all', '/given', { SIGNALBOX_SANDBOX_DIR: '/from/env' }, '/given'],
  ['SIGNALBOX_SANDBOX_DIR', undefined, { SIGNALBOX_SANDBOX_DIR: '/from/env' }, '/from/env'],
  ['the ignored folder of this checkout', undefined, {}, expect.stringMatching(/\/\.signalbox\/sandbox$/)],
])('the sandbox folder is %s', (_what, given, env, expected) => {
  expect(sandboxDir(given, env)).toEqual(expected);
});

test('the control socket is in the folder while its path is short enough for the system', () => {
  expect(sandboxLayout('/short').controlSocket).toBe('/short/control.sock');
  const long = sandboxLayout(`/${'long/'.repeat(30)}`).controlSocket;
  expect(long).toMatch(/signalbox-[0-9a-f]{16}\.sock$/);
  expect(Buffer.byteLength(long)).toBeLessThan(104);
});
