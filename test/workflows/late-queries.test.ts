import { describe, expect, it } from 'vitest';
import { refuseLateQueries } from '../../workflows/late-queries.ts';

/** Activations as the SDK passes them on, with the second in which their last workflow task started. */
function anInterceptor() {
  const { activate } = refuseLateQueries();
  let activations = 0;
  return (second: number, ...jobs: object[]) => {
    const activation = { timestamp: { seconds: second, nanos: 5 }, jobs };
    activate!({ activation, batchIndex: 0 } as unknown as Parameters<NonNullable<typeof activate>>[0], () => {
      activations++;
    });
    return activations;
  };
}

const signal = { signalWorkflow: { signalName: 'digest' } };
const query = { queryWorkflow: { queryId: 'legacy_query' } };
const completed = { resolveActivity: { seq: 1, result: { completed: {} } } };
const cancelled = { resolveActivity: { seq: 1, result: { cancelled: {} } } };

describe('a query is refused', () => {
  it.each([
    ['a signal', signal],
    ['a result', completed],
    ['a timer', { fireTimer: { seq: 1 } }],
    ['a cancellation', { cancelWorkflow: {} }],
  ])('that comes with %s before its workflow task', (_, job) => {
    const activate = anInterceptor();
    activate(1, signal);
    activate(1, job);
    expect(() => activate(1, query)).toThrow('query again');
  });
});

describe('a query is answered', () => {
  it.each([
    [
      'alone',
      [
        [1, signal],
        [1, query],
      ],
    ],
    [
      'with the events of its workflow task',
      [
        [1, signal],
        [2, signal],
        [2, query],
      ],
    ],
    [
      'of a run that has just begun',
      [
        [1, { initializeWorkflow: {} }],
        [1, query],
      ],
    ],
    [
      'after an activity that its workflow cancelled',
      [
        [1, signal],
        [1, cancelled],
        [1, query],
      ],
    ],
    [
      'after the workflow task of the events',
      [
        [1, signal],
        [1, signal],
        [2, signal],
        [2, query],
      ],
    ],
  ] as const)('that comes %s', (_, activations) => {
    const activate = anInterceptor();
    const passed = activations.map(([second, job]) => activate(second, job));
    expect(passed.at(-1)).toBe(activations.length);
  });
});
