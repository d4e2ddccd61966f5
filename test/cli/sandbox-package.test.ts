import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ifInstalled } from '../../cli/shell/sandbox-package.ts';
import { ROOT } from '../deploy/manifests.ts';

/** What Node says of a package that is not there. */
function missing(name: string): Error {
  const message = `Cannot find package '${name}' imported from /app/cli/session/session.ts`;
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);

test('an installation with the sandbox loads it', async () => {
  expect(await ifInstalled(() => import('@signalbox/sandbox/running'))).toMatchObject({
    runningSandbox: expect.any(Function),
  });
});

test('an installation without the sandbox works without it', async () => {
  expect(await ifInstalled(failing(missing('@signalbox/sandbox')))).toBeUndefined();
});

test.each([missing('zod'), new Error('disk failure')])('a broken installation reports %s', async (error) => {
  await expect(ifInstalled(failing(error))).rejects.toBe(error);
});

test('no message of the packages recommends a sandbox without saying that a checkout has one', () => {
  const files = ['client', 'cluster', 'temporal', 'cli/doctor'].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: ROOT }),
  );
  const lines = files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'));
  const recommending = lines.filter((line) => line.includes('`signalbox sandbox up`'));
  expect(recommending.length).toBeGreaterThan(0);
  expect(recommending.filter((line) => !/in a checkout, `signalbox sandbox up`/i.test(line))).toEqual([]);
});
