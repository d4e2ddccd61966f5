import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { acquireLock } from '../lock.ts';
import { identify } from '../process-identity.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

afterAll(removeEmptyDirs);

test('only one holds the lock at a time, and the others are told who', async () => {
  const path = join(await emptyDir(), 'lock');
  const told: number[] = [];
  let inside = 0;
  const work = async () => {
    const lock = await acquireLock(path, (holder) => told.push(holder));
    inside += 1;
    expect(inside).toBe(1);
    await readdir(join(path, '..'));
    inside -= 1;
    await lock.release();
  };
  await Promise.all([work(), work(), work()]);
  expect(new Set(told)).toEqual(new Set([process.pid]));
});

const dead = spawnSync('true').pid;

test.each([
  ['a dead process', JSON.stringify({ pid: dead, startTime: '1' })],
  ['a pid that was reused', JSON.stringify({ ...identify(process.pid), startTime: '1' })],
  ['nobody: it was cut short', '{"pid":'],
])('a lock held by %s is taken over', async (_who, content) => {
  const path = join(await emptyDir(), 'lock');
  await writeFile(path, content);
  const lock = await acquireLock(path, () => {
    throw new Error('expected no waiting');
  });
  await lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});
