import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { noteMissingWorker } from '../../cli/jobs/no-worker-yet.ts';
import { waitForAll } from '../../cli/jobs/wait.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { KnownStatus } from '../../client/servers/recorded-status.ts';
import type { JobOutcome } from '../../contracts/status.ts';

let printed: string[];
let over: AbortController;
beforeEach(() => {
  jest.useFakeTimers();
  printed = [];
  over = new AbortController();
  const print = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  jest.spyOn(process.stderr, 'write').mockImplementation(print);
});
afterEach(() => {
  over.abort();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const SAID = 'job/ml/a: no worker has taken the job yet. It starts when one does: signalbox up\n';

/** Answers in this order, the last one for ever: who has the status, or that nothing could be read. */
function aJob(...answers: readonly (KnownStatus['recordedIn'] | 'worker' | 'error')[]) {
  let asked = 0;
  const status = jest.fn(async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer === 'error') throw new Error('away');
    return { ...(answer === 'worker' ? {} : { recordedIn: answer }) } as KnownStatus;
  });
  return { workflowId: 'job/ml/a', status };
}

it.each([
  ['nothing, if a worker has it', ['worker'], [], 1],
  ['once that none has it, and stops when one has', ['temporal', 'temporal', 'worker'], [SAID], 3],
  [
    'it also after a while, when Temporal has forgotten one that is gone',
    ['error', 'temporal', 'worker'],
    [SAID],
    3,
  ],
  ['nothing of one that had it, and is gone', ['anchor', 'worker'], [], 2],
] as const)('whoever waits is told %s', async (_what, answers, said, asked) => {
  const job = aJob(...answers);
  const looking = noteMissingWorker(job, over.signal);
  await jest.advanceTimersByTimeAsync(60_000);
  await looking;
  expect(printed).toEqual(said);
  expect(job.status).toHaveBeenCalledTimes(asked);
});

it('it looks until the wait is over', async () => {
  const looking = noteMissingWorker(aJob('temporal'), over.signal);
  await jest.advanceTimersByTimeAsync(60_000);
  over.abort();
  await looking;
  expect(printed).toEqual([SAID]);
});

it('a command that waits for jobs tells it', async () => {
  const ended = Promise.withResolvers<JobOutcome>();
  const job = { ...aJob('temporal', 'worker'), wait: () => ended.promise, summary: async () => ({}) };
  const waiting = waitForAll([job as unknown as JobHandle]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(printed).toEqual([SAID]);
  ended.resolve({ phase: 'Completed' } as JobOutcome);
  await waiting;
});
