import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { askAll, type Target } from '../../cli/jobs/ask-jobs.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';

let printed: string[];
beforeEach(() => {
  jest.useFakeTimers();
  printed = [];
  const print = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  jest.spyOn(process.stdout, 'write').mockImplementation(print);
  jest.spyOn(process.stderr, 'write').mockImplementation(print);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const aTarget = (name: string): Target => ({ name, find: async () => ({ workflowId: name }) as JobHandle });

it('shows how many jobs have answered while a worker is busy', async () => {
  const worker = Promise.withResolvers<void>();
  const asking = askAll(
    [aTarget('quick'), aTarget('slow')],
    {
      sentence: 'suspend requested',
      ask: ({ workflowId }) => (workflowId === 'slow' ? worker.promise : Promise.resolve()),
    },
    { output: undefined },
  );
  await jest.advanceTimersByTimeAsync(3_000);
  expect(printed).toEqual([
    'quick: suspend requested\n',
    'waiting for a worker, 1 of 2 jobs have answered (2s)\n',
  ]);
  worker.resolve();
  await asking;
  expect(printed.slice(2)).toEqual(['slow: suspend requested\n', '2 jobs: 2 requested\n']);
});
