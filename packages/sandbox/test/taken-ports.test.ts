import { describe, expect, it } from '@jest/globals';
import { SandboxError } from '../errors.ts';
import { retryOnTakenPort } from '../taken-ports.ts';

const TAKEN = new SandboxError(
  'temporal: exit code 1: listen tcp: bind: address already in use',
  'try again',
);

/** Starts of a sandbox that end like this, one after the other. */
function starting(...ends: readonly (SandboxError | 'started')[]) {
  const notes: string[] = [];
  let starts = 0;
  const start = async () => {
    const end = ends[starts++];
    if (end instanceof SandboxError) throw end;
    return end;
  };
  const report = { step: () => undefined, detail: () => undefined, note: (text: string) => notes.push(text) };
  return { run: () => retryOnTakenPort(start, report), notes, starts: () => starts };
}

describe('a sandbox whose port was taken after it was chosen', () => {
  it('starts again, with a note', async () => {
    const { run, notes } = starting(TAKEN, 'started');
    expect(await run()).toBe('started');
    expect(notes).toEqual(['another process took a port meanwhile: trying other ports']);
  });

  it('gives up after three tries', async () => {
    const { run, starts } = starting(TAKEN, TAKEN, TAKEN, 'started');
    await expect(run()).rejects.toBe(TAKEN);
    expect(starts()).toBe(3);
  });
});

it('a sandbox that fails for another reason does not start again', async () => {
  const failure = new SandboxError('etcd: exit code 1', 'read its log');
  const { run, notes } = starting(failure, 'started');
  await expect(run()).rejects.toBe(failure);
  expect(notes).toEqual([]);
});
