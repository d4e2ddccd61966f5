import { describe, expect, it } from '@jest/globals';
import { createMachine } from 'xstate';
import { readSteps } from '../../scripts/docs/machine-steps.ts';

const DONE = { type: 'final', description: 'It is done.' } as const;
const stepsOf = (states: Readonly<Record<string, object>>, on: object = {}) =>
  readSteps(createMachine({ id: 'm', initial: Object.keys(states)[0], on, states }).root);

describe('the page of states', () => {
  it('has every transition with its description', () => {
    const on = { stop: { target: '.Done', description: 'stop' } };
    const idle = { description: 'Idle.', on: { go: { target: 'Done', description: 'go' } } };
    expect(stepsOf({ Idle: idle, Done: DONE }, on)).toMatchObject({
      states: [{ name: 'Idle' }, { name: 'Done' }],
      steps: [{ from: 'Idle', to: 'Done', label: 'go' }],
      fromEverywhere: [{ to: 'Done', label: 'stop' }],
    });
  });

  it('has the transitions of compound states, but not those that repeat one of the root', () => {
    const on = { stop: { target: '.Done', description: 'stop' } };
    const busy = {
      initial: 'First',
      on: {
        stop: { target: '#m.Done', description: 'stop' },
        skip: { target: '#m.Done', description: 'skip' },
      },
      states: { First: { description: 'First.' } },
    };
    expect(stepsOf({ Busy: busy, Done: DONE }, on).steps).toEqual([
      { from: 'Busy', to: 'Done', label: 'skip' },
    ]);
  });

  const undescribed = { on: { go: { target: 'Done' } } };
  it.each([
    ['state', { Idle: {}, Done: DONE }, 'expected a description of the state Idle'],
    [
      'transition',
      { Idle: { description: 'Idle.', ...undescribed }, Done: DONE },
      'expected a description of the transition from Idle to Done',
    ],
    [
      'transition of a compound state',
      { Busy: { initial: 'A', states: { A: { description: 'A.' } }, ...undescribed }, Done: DONE },
      'expected a description of the transition from Busy to Done',
    ],
  ])('is refused without the description of a %s', (_, states, message) => {
    expect(() => stepsOf(states)).toThrow(message);
  });
});
