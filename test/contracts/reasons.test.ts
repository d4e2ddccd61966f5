import { describe, expect, it } from '@jest/globals';
import { REASONS, type ReasonEntry } from '../../contracts/reasons.ts';

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
