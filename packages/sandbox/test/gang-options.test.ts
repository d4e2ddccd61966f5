import { describe, expect, test } from '@jest/globals';
import { signalbox } from '../../../test/cli/process.ts';
import { explainPending, mergeOptions, withNewGangSchedulers } from '../options.ts';
import { type Ports, portsSchema } from '../state.ts';

const ports = Object.fromEntries(
  Object.keys(portsSchema.shape).map((name, index) => [name, 20_000 + index]),
) as Ports;
const running = mergeOptions({ gang: ['coscheduling'], permitWaitingTimeSeconds: 5 });

describe('an up that names gang schedulers', () => {
  test('has those, of a sandbox that does not run', () => {
    expect(mergeOptions({ gang: ['volcano'] }, running)).toMatchObject({ gang: ['volcano'] });
    expect(mergeOptions({ gang: [] }, running)).toMatchObject({ gang: [] });
  });

  test('adds them to one that runs, and says what stays', () => {
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

  test('configures Coscheduling when it is new', () => {
    const asked = { gang: ['coscheduling'], permitWaitingTimeSeconds: 20 } as const;
    expect(withNewGangSchedulers(asked, mergeOptions({}))).toEqual(asked);
  });
});

test('an up that names none keeps those of last time', () => {
  expect(mergeOptions({}, running)).toEqual(running);
  expect(withNewGangSchedulers({}, running)).toEqual({ gang: ['coscheduling'], permitWaitingTimeSeconds: 5 });
  expect(explainPending({}, { options: running, ports })).toEqual([]);
});

test.each([
  ['volcano,kueue', 'expected some of volcano,coscheduling,kube-batch, got kueue'],
  ['', 'expected some of volcano,coscheduling,kube-batch, got nothing'],
])('--gang "%s" is told what there is', async (names, sentence) => {
  const { code, stderr } = await signalbox(['sandbox', 'up', '--gang', names]);
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});
