import { expect, it } from '@jest/globals';
import { IGNORED_SINKS } from '../../../worker/replay/ignored-sinks.ts';
import { collectSteps } from '../../../worker/replay/step-collector.ts';

it.each([true, false])('a replay has every sink that workflows call (entriesOnly: %s)', (entriesOnly) => {
  const { sinks } = collectSteps({ entriesOnly });
  const namesOf = (all: object) =>
    Object.entries(all).flatMap(([sink, calls]) =>
      Object.keys(calls as object).map((call) => `${sink}.${call}`),
    );
  expect(namesOf(sinks)).toEqual(expect.arrayContaining(namesOf(IGNORED_SINKS)));
});
