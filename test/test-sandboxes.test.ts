import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { reserveTestSandboxes } from './test-sandboxes.ts';

let parent: string;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'signalbox-reserved-'));
});

afterAll(() => rmSync(parent, { recursive: true }));

it('a second run of tests is refused while another one has the sandboxes, and takes them after it', async () => {
  const folder = join(parent, 'test-sandbox');
  const giveBack = await reserveTestSandboxes(folder);
  await expect(reserveTestSandboxes(folder)).rejects.toMatchObject({
    message: `another run of tests (pid ${process.pid}) uses the sandboxes ${folder}-*`,
    remedy: expect.stringContaining('git worktree add'),
  });
  await giveBack();
  expect(existsSync(`${folder}.lock`)).toBe(false);
  await (await reserveTestSandboxes(folder))();
});
