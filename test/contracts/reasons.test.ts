import { describe, expect, it } from '@jest/globals';
import {
  isReasonCode,
  isWaitCode,
  REASON_CODES,
  REASONS,
  type ReasonEntry,
} from '../../contracts/reasons.ts';

describe.each(Object.entries<ReasonEntry>(REASONS))('the reason %s', (code, { sentence, remedy }) => {
  it('is one CamelCase word', () => {
    expect(code).toMatch(/^([A-Z][a-z]+)+$/);
  });

  it('has a sentence about the problem, and one about the remedy', () => {
    for (const text of [sentence, remedy]) expect(text).toMatch(/^([A-Z]|signalbox).*\.$/s);
  });

  it('names commands of signalbox where they help', () => {
    expect(remedy).not.toMatch(/kubectl (logs|get pods|describe pod)/);
  });
});

describe('a code', () => {
  it('that only `why` shows is none of a status', () => {
    expect([isReasonCode('QueueClosed'), isWaitCode('QueueClosed')]).toEqual([false, true]);
    expect([isReasonCode('Unschedulable'), isWaitCode('Unschedulable')]).toEqual([true, false]);
    expect(REASON_CODES).not.toContain('QueueClosed');
    expect(isReasonCode('constructor')).toBe(false);
  });

  it('that `why` shows says who can end the wait', () => {
    const entries = Object.entries<ReasonEntry>(REASONS);
    expect(entries.filter(([code, { who }]) => isWaitCode(code) !== (who !== undefined))).toEqual([]);
  });
});
