import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eachJob, failedJob } from '../../cli/jobs/each-job.ts';
import { ServerAwayError } from '../../client/errors/errors.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  const print = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  jest.spyOn(process.stderr, 'write').mockImplementation(print);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

const manifestsOf = (...names: string[]): Manifest[] =>
  names.map((name) => ({ kind: 'PyTorchJob', metadata: { name, namespace: 'ml' } }));

type Tried = { readonly index: number } & (
  | { readonly said: string; readonly error?: undefined }
  | { readonly error: Error }
);

async function* tried(...ended: readonly (Tried | Error)[]): AsyncGenerator<Tried> {
  for (const one of ended) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

const EACH = {
  step: 'submitting',
  warningsOf: () => ['no worker'],
  print: ({ said }: { said: string }) => void printed.push(said),
  resultOf: ({ said }: { said: string }) => said,
};

const run = (names: readonly string[], ...ended: readonly (Tried | Error)[]) =>
  eachJob(tried(...ended), { ...EACH, manifests: manifestsOf(...names) });

describe('what becomes of each of several jobs', () => {
  it('is printed as soon as those before it are known', async () => {
    const last = Promise.withResolvers<Tried>();
    async function* slowly() {
      yield { index: 1, said: 'b' };
      yield { index: 0, said: 'a' };
      yield await last.promise;
    }
    const ending = eachJob(slowly(), { ...EACH, manifests: manifestsOf('a', 'b', 'c') });
    await new Promise((resolve) => setImmediate(resolve));
    expect(printed.slice(1)).toEqual(['a', 'b']);
    last.resolve({ index: 2, said: 'c' });
    await ending;
  });

  it('is printed and returned in the given order, and counted', async () => {
    const ended = await run(
      ['a', 'b', 'c'],
      { index: 2, said: 'started' },
      { index: 0, said: 'already running' },
      { index: 1, said: 'started' },
    );
    expect(printed).toEqual([
      'warning: no worker\n',
      'already running',
      'started',
      'started',
      '3 jobs: 1 already running, 2 started\n',
    ]);
    expect(ended.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(process.exitCode).toBeUndefined();
  });

  it('is the error of that job, whose exit code the first in the given order decides', async () => {
    const error = Object.assign(new Error('The name is taken.'), { code: 'NameTaken' });
    const other = new Error('boom');
    await run(
      ['a', 'b', 'c'],
      { index: 2, error: other },
      { index: 1, error },
      { index: 0, said: 'started' },
    );
    expect(printed).toContain('PyTorchJob ml/b: error: The name is taken.\n');
    expect(printed.at(-1)).toBe('3 jobs: 1 started, 2 failed\n');
    expect(process.exitCode).toBe(5);
  });

  it('is counted when Ctrl-C ends the command', async () => {
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const last = Promise.withResolvers<Tried>();
    async function* slowly() {
      yield { index: 1, said: 'started' };
      yield await last.promise;
    }
    const ending = eachJob(slowly(), { ...EACH, manifests: manifestsOf('a', 'b') });
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => process.emit('SIGINT')).toThrow('exit 130');
    expect(printed.slice(-2)).toEqual([
      'started',
      '2 jobs: 1 started, 1 left; the same command continues with those\n',
    ]);
    last.resolve({ index: 0, said: 'started' });
    await ending;
  });

  it('is counted as left, if a server goes away before', async () => {
    const away = new ServerAwayError('Temporal', 'here');
    await expect(run(['a', 'b', 'c'], { index: 1, said: 'started' }, away)).rejects.toBe(away);
    expect(printed.slice(-2)).toEqual([
      'started',
      '3 jobs: 1 started, 2 left; the same command continues with those\n',
    ]);
  });
});

it('a terminal shows how far it is', async () => {
  jest.useFakeTimers();
  const wasTerminal = process.stderr.isTTY;
  process.stderr.isTTY = true;
  const second = Promise.withResolvers<Tried>();
  async function* slowly() {
    yield { index: 0, said: 'started' };
    yield await second.promise;
  }
  const ending = eachJob(slowly(), { ...EACH, manifests: manifestsOf('a', 'b') });
  await jest.advanceTimersByTimeAsync(3_000);
  expect(printed.at(-1)).toContain('submitting, 1 of 2 jobs (3s)');
  second.resolve({ index: 1, said: 'started' });
  await ending;
  process.stderr.isTTY = wasTerminal;
  jest.useRealTimers();
});

it('what becomes of one job is not counted, and its error is thrown', async () => {
  await run(['a'], { index: 0, said: 'started' });
  expect(printed).toEqual(['warning: no worker\n', 'started']);
  const error = new Error('boom');
  await expect(run(['a'], { index: 0, error })).rejects.toBe(error);
});

it('a job that failed has its workflow id and its error in data', () => {
  expect(failedJob(manifestsOf('a')[0]!, new Error('boom'), { submission: 'failed' })).toEqual({
    workflowId: 'job/ml/a',
    submission: 'failed',
    error: { code: 'Unexpected', message: 'boom' },
  });
});
