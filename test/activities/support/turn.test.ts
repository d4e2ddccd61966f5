import { expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { isTurnOver } from '../../../activities/support/turn.ts';

it('a turn that is over on arrival is told in the log, with how late it came', () => {
  const warnings: unknown[] = [];
  const context = { log: { warn: (...said: readonly unknown[]) => void warnings.push(said) } };
  const judged = asyncLocalStorage.run(context as unknown as Context, () =>
    [10_000, 10_001].map((now) => isTurnOver({ now: () => now }, 10_000)),
  );
  expect(judged).toEqual([false, true]);
  expect(warnings).toEqual([['a turn was over before a worker came to it', { lateMs: 1 }]]);
});
