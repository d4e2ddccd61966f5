import { expect, it } from '@jest/globals';
import { sweepText } from '../../../cli/print/sweep-text.ts';

it('the end of a sweep shows what the logs of failed trials say', async () => {
  const text = await sweepText({
    ...{ name: 'train', namespace: 'ml', phase: 'Failed', trials: 2, atMost: 2, waiting: 0, running: 0 },
    ...{ completed: 0, failed: 1, stopped: 1, refused: 0 },
    failures: [
      {
        name: 'train-0',
        phase: 'Failed',
        why: 'exited with code 1',
        errorLine: 'ValueError: lr must be positive',
      },
      { name: 'train-1', phase: 'Stopped', why: '' },
    ],
  });
  const lines = text.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith('train-0'));
  expect(lines[at + 1]).toBe('error: ValueError: lr must be positive');
  expect(lines[at + 2]).toMatch(/^train-1 /);
});
