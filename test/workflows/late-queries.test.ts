import { describe, expect, it } from '@jest/globals';
import { replayAfterLateQueries } from '../../workflows/late-queries.ts';

/** Activations as the SDK passes them on, with the second in which their last workflow task started. */
function anInterceptor() {
  const { activate } = replayAfterLateQueries();
  let passed = 0;
  return (second: number, ...jobs: object[]) => {
    const activation = { timestamp: { seconds: second, nanos: 5 }, jobs };
    activate!({ activation, batchIndex: 0 } as unknown as Parameters<NonNullable<typeof activate>>[0], () => {
      passed++;
    });
    return passed;
  };
}

const signal = { signalWorkflow: { signalName: 'digest' } };
const query = { queryWorkflow: { queryId: 'legacy_query' } };
const update = { doUpdate: { name: 'hold' } };
const completed = { resolveActivity: { seq: 1, result: { completed: {} } } };
const cancelled = { resolveActivity: { seq: 1, result: { cancelled: {} } } };

describe('a workflow is replayed that got with a query, before the workflow task,', () => {
  it.each([
    ['a signal', signal],
    ['a result', completed],
    ['a timer', { fireTimer: { seq: 1 } }],
    ['a cancellation', { cancelWorkflow: {} }],
  ])('%s', (_, job) => {
    const activate = anInterceptor();
    activate(1, signal);
    activate(1, job);
    expect(activate(1, query)).toBe(3);
    expect(() => activate(2, update)).toThrow('replayed');
  });

  it('events twice', () => {
    const activate = anInterceptor();
    activate(1, signal);
    activate(1, signal);
    activate(1, query);
    expect(() => activate(1, signal)).toThrow('replayed');
  });
});

describe('a workflow continues', () => {
  it.each([
    [
      'after a query alone',
      [
        [1, signal],
        [1, query],
        [2, update],
      ],
    ],
    [
      'after a query with the events of its workflow task',
      [
        [1, signal],
        [2, signal],
        [2, query],
        [3, update],
      ],
    ],
    [
      'after a query at its beginning',
      [
        [1, { initializeWorkflow: {} }],
        [1, query],
        [2, signal],
      ],
    ],
    [
      'after an activity that it cancelled',
      [
        [1, signal],
        [1, cancelled],
        [1, query],
        [2, update],
      ],
    ],
  ] as const)('%s', (_, activations) => {
    const activate = anInterceptor();
    const passed = activations.map(([second, job]) => activate(second, job));
    expect(passed.at(-1)).toBe(activations.length);
  });

  it('if it has ended: all of its queries come with its last events', () => {
    const activate = anInterceptor();
    const passed = [signal, signal, query, query].map((job) => activate(1, job));
    expect(passed.at(-1)).toBe(4);
  });
});
