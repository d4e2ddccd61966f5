import { describe, expect, test } from '@jest/globals';
import { signalbox } from '../../../test/cli/process.ts';
import { explainPending, mergeOptions, withNewGangSchedulers } from '../options.ts';
import { type Ports, portsSchema } from '../state.ts';

const ports = Object.fromEntries(
  Object.keys(portsSchema.shape).map((name, index) => [name, 20_000 + index]),
) as Ports;
const running = mergeOptions({ gang: ['coscheduling'], permitWaitingTimeSeconds: 5 });

describe('`sandbox up` with gang schedulers', () => {
  test('replaces those of a stopped sandbox', () => {
    expect(mergeOptions({ gang: ['volcano'] }, running)).toMatchObject({ gang: ['volcano'] });
    expect(mergeOptions({ gang: [] }, running)).toMatchObject({ gang: [] });
  });

  test('adds them to those of a running sandbox, and says what does not change', () => {
    const asked = { gang: ['volcano'], permitWaitingTimeSeconds: 20 } as const;
    expect(withNewGangSchedulers(asked, running)).toEqual({
      gang: ['volcano', 'coscheduling'],
      permitWaitingTimeSeconds: 5,
    });
    expect(explainPending(asked, { options: running, ports })).toEqual([
      expect.stringContaining('has coscheduling: to change that'),
      expect.stringContaining('has a permit waiting time of 5 s: to change that'),
    ]);
  });

  test('sets the permit waiting time if Coscheduling is new', () => {
    const asked = { gang: ['coscheduling'], permitWaitingTimeSeconds: 20 } as const;
    expect(withNewGangSchedulers(asked, mergeOptions({}))).toEqual(asked);
  });
});

test('`sandbox up` without gang schedulers keeps those of the last start', () => {
  expect(mergeOptions({}, running)).toEqual(running);
  expect(withNewGangSchedulers({}, running)).toEqual({ gang: ['coscheduling'], permitWaitingTimeSeconds: 5 });
  expect(explainPending({}, { options: running, ports })).toEqual([]);
});

test.each([
  ['volcano,kueue', 'expected some of volcano,coscheduling, got kueue'],
  ['', 'expected some of volcano,coscheduling, got nothing'],
])('--gang "%s" is refused with the names of all gang schedulers', async (names, sentence) => {
  const { code, stderr } = await signalbox(['sandbox', 'up', '--gang', names]);
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});
