import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive } from '../../../runtime/process-identity.mjs';
import { type ProcessReaper, startProcessReaper } from '../process-reaper.ts';
import { Child } from '../supervisor/child.ts';
import type { Component } from '../supervisor/component.ts';
import { emptyDir, removeEmptyDirs, until } from './support.ts';

type ChildOptions = ConstructorParameters<typeof Child>[1];

let reaper: ProcessReaper;
let log: string;

beforeEach(async () => {
  reaper = await startProcessReaper();
  log = join(await emptyDir(), 'etcd.log');
});
afterEach(() => reaper.close());

afterAll(removeEmptyDirs);

/** A shell script instead of etcd. */
function child(
  script: string,
  more: Partial<Component> = {},
  { isEndless }: Pick<ChildOptions, 'isEndless'> = {},
): Child {
  const component: Component = {
    name: 'etcd',
    program: '/bin/sh',
    args: ['-c', script],
    isReady: async () => true,
    readyWithinMs: 5_000,
    stopWithinMs: 200,
    ...more,
  };
  return new Child(component, { reaper, log, onChange: () => undefined, backoffMs: [0, 1, 1], isEndless });
}

const never = async () => false;

describe('a component that ends before it is ready', () => {
  test.each([
    ['address already in use', 'a port was taken', 'run `signalbox sandbox up` again'],
    ['write: no space left on device', 'the disk is full', 'free some space'],
    ['panic: something else', 'anything else', 'reset'],
  ])('says %p: %s', async (line, _cause, remedy) => {
    const started = child(`echo '${line}'; exit 3`, { isReady: never }).start();
    await expect(started).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`^etcd: exit code 3.*${line}`, 's')),
      remedy: expect.stringContaining(remedy),
    });
  });

  test('reports that its program does not exist', async () => {
    await expect(child('', { program: '/nowhere/etcd', isReady: never }).start()).rejects.toThrow('ENOENT');
  });
});

test('a component that is not ready in time is ended', async () => {
  const slow = child('sleep 60', { isReady: never, readyWithinMs: 50 });
  await expect(slow.start()).rejects.toThrow('etcd: not ready within 0.05 s');
  expect(slow.state).toMatchObject({ state: 'failed', process: undefined });
});

test('a component that keeps ending is given up, with the last lines of its log', async () => {
  const dying = child('sleep 0.1; echo the end; exit 7');
  await dying.start();
  const { message, restarts } = await until(
    'it has failed',
    () => dying.state.state === 'failed' && dying.state,
  );
  expect(message).toMatch(/^exit code 7, 4 times within a minute.*the end/s);
  expect(restarts).toBe(3);
});

test('a component that keeps ending is restarted without limit, where that is requested', async () => {
  const dying = child('sleep 0.05', {}, { isEndless: true });
  await dying.start();
  await until('it has died more often than others may', () => dying.state.restarts > 5);
  expect(dying.state.state).not.toBe('failed');
  await dying.stop();
});

test('a component that does not listen is killed with its child processes', async () => {
  const listens = async () => (await readFile(log, 'utf8')).includes('deaf now');
  const deaf = child(`trap '' TERM; echo deaf now; sleep 60 & sleep 60; sleep 60`, { isReady: listens });
  await deaf.start();
  const { process: identity } = deaf.state;
  await deaf.stop();
  expect(identity && isAlive(identity)).toBe(false);
  expect(deaf.state.state).toBe('stopped');
});
