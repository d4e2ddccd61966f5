import { describe, expect, it } from '@jest/globals';
import { sweepText } from '../../../cli/print/sweep-text.ts';
import { withErrorLines } from '../../../cli/sweeps/failed-trials.ts';
import type { SignalboxClient } from '../../../client/handles/client.ts';
import type { SweepSummary } from '../../../contracts/parameter-sweep.ts';

const SUMMARY: SweepSummary = {
  ...{ name: 'train', namespace: 'ml', phase: 'Failed', trials: 3, atMost: 3, waiting: 0, running: 0 },
  ...{ completed: 0, failed: 2, stopped: 1, refused: 0 },
  failures: [
    { name: 'train-0', phase: 'Failed', why: 'pod train-0-master-0: exited with code 1' },
    { name: 'train-1', phase: 'Failed', why: 'pod train-1-master-0: exited with code 1' },
    { name: 'train-2', phase: 'Stopped', why: '' },
  ],
};

/** A client whose first trial has evidence; the second one's status is away, and nothing may ask for the third. */
const CLIENT = {
  job: ({ name, namespace }: { readonly name: string; readonly namespace: string }) => ({
    status: async () => {
      if (`${namespace}/${name}` !== 'ml/train-0') throw new Error(`${name} is away`);
      return {};
    },
    errorLine: async () => 'ValueError: lr must be positive',
  }),
} as unknown as SignalboxClient;

describe('the end of a sweep', () => {
  it('shows what the log of a failed trial says, and the others as they are', async () => {
    const shown = await withErrorLines(CLIENT, SUMMARY);
    expect(shown.failures.map(({ errorLine }) => errorLine)).toEqual([
      ...['ValueError: lr must be positive', undefined, undefined],
    ]);
    const lines = (await sweepText(shown)).split('\n').map((line) => line.trim());
    const at = lines.findIndex((line) => line.startsWith('train-0'));
    expect(lines[at + 1]).toBe('error: ValueError: lr must be positive');
    expect(lines[at + 2]).toMatch(/^train-1 /);
  });
});
