import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acquireLock } from '../../runtime/lock.mjs';
import { identify } from '../../runtime/process-identity.mjs';

let path: string;

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'signalbox-lock-')), 'lock');
});

afterEach(() => rm(dirname(path), { recursive: true }));

test('only one process holds the lock at a time, and the others see which one', async () => {
  const holders: number[] = [];
  let inside = 0;
  const work = async () => {
    const release = await acquireLock(path, (holder) => holders.push(holder));
    inside += 1;
    expect(inside).toBe(1);
    await readdir(dirname(path));
    inside -= 1;
    await release();
  };
  await Promise.all([work(), work(), work()]);
  expect(new Set(holders)).toEqual(new Set([process.pid]));
});

const dead = spawnSync('true').pid;

test.each([
  ['a dead process', JSON.stringify({ pid: dead, startTime: '1' })],
  ['a pid that was reused', JSON.stringify({ ...identify(process.pid), startTime: '1' })],
  ['nobody: it was cut short', '{"pid":'],
])('a lock held by %s is taken over', async (_who, content) => {
  await writeFile(path, content);
  const release = await acquireLock(path, () => {
    throw new Error('expected no waiting');
  });
  await release();
  expect(await readdir(dirname(path))).toEqual([]);
});
