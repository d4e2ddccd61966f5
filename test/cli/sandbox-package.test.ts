import { expect, test } from '@jest/globals';
import { findSandboxPackage, type SandboxPackage } from '../../cli/sandbox-package.ts';

/** What Node says of a package that is not there. */
function missing(name: string): Error {
  const message = `Cannot find package '${name}' imported from /app/cli/sandbox-package.ts`;
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

const failing = (error: Error) => (): Promise<SandboxPackage> => Promise.reject(error);

test('an installation with the sandbox loads it', async () => {
  expect(await findSandboxPackage()).toMatchObject({ ensureSandbox: expect.any(Function) });
});

test('an installation without the sandbox works without it', async () => {
  expect(await findSandboxPackage(failing(missing('@signalbox/sandbox')))).toBeUndefined();
});

test.each([missing('zod'), new Error('disk failure')])('a broken installation reports %s', async (error) => {
  await expect(findSandboxPackage(failing(error))).rejects.toBe(error);
});
