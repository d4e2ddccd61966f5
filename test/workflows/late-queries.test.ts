import { describe, expect, it } from '@jest/globals';
import { replayAfterLateQueries } from '../../workflows/late-queries.ts';

type Internals = ReturnType<typeof replayAfterLateQueries>;
type Input<M extends 'activate' | 'concludeActivation'> = Parameters<NonNullable<Internals[M]>>[0];

/**
 * Activations as the SDK passes them on, with the second in which their last workflow task started, and with the workflow's
 * answers. Where the length of the history does not matter, it grows by a hundred events.
 */
function anInterceptor() {
  const { activate, concludeActivation } = replayAfterLateQueries();
  let passed = 0;
  let length = 0;
  const pass = (activation: object) =>
    activate!({ activation, batchIndex: 0 } as unknown as Input<'activate'>, () => {
      passed++;
    });
  return {
    activate: (second: number, ...jobs: object[]) => {
      length += 100;
      pass({ timestamp: { seconds: second, nanos: 5 }, historyLength: length, jobs });
      return passed;
    },
    pass,
    answer: (...commands: object[]) => {
      const input = { commands } as unknown as Input<'concludeActivation'>;
      expect(concludeActivation!(input, (same) => same)).toBe(input);
    },
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
    const { activate } = anInterceptor();
    activate(1, signal);
    activate(1, job);
    expect(activate(1, query)).toBe(3);
    expect(() => activate(2, update)).toThrow('replayed');
  });

  it('a signal, after a query that brought nothing but the start of a task', () => {
    const { activate } = anInterceptor();
    activate(1, signal);
    activate(2, query);
    activate(2, signal);
    expect(() => activate(3, update)).toThrow('replayed');
  });

  it('events twice', () => {
    const { activate } = anInterceptor();
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
    const { activate } = anInterceptor();
    const passed = activations.map(([second, job]) => activate(second, job));
    expect(passed.at(-1)).toBe(activations.length);
  });

  it('if it has ended: all of its queries come with its last events', () => {
    const { activate } = anInterceptor();
    const passed = [signal, signal, query, query].map((job) => activate(1, job));
    expect(passed.at(-1)).toBe(4);
  });
});

describe('a workflow that acted with a workflow task of another worker, which a query brought,', () => {
  const schedule = { scheduleActivity: { seq: 1 } };
  const upsert = { upsertWorkflowSearchAttributes: {} };
  const started = (second: number, historyLength: number, ...jobs: object[]) => ({
    timestamp: { seconds: second, nanos: 5 },
    historyLength,
    jobs,
  });

  /** Of an activation at event 119, and of the next one. */
  function actThenGrow(commands: object[], growth: number, jobs: object[], isReplaying = false) {
    const { pass, answer } = anInterceptor();
    pass({ ...started(1, 119, signal), isReplaying });
    answer(...commands);
    pass(started(1, 119, query));
    answer({ respondToQuery: {} });
    return () => pass(started(2, 119 + growth, ...jobs));
  }

  it.each([
    ['the task has failed, or was not completed in time', [schedule], 3, [update]],
    ['it is offered once more', [schedule, upsert], 4, [signal]],
    ['two results come', [schedule, upsert, schedule], 3 + 4, [completed, completed]],
    ['an activity is cancelled at once', [schedule, schedule, { requestCancelActivity: {} }], 3, [update]],
  ])('is replayed: %s', (_, commands, growth, jobs) => {
    expect(actThenGrow(commands, growth, jobs)).toThrow('replayed');
  });

  it.each([
    ['its task was completed', [schedule], 1 + 1 + 2, [update]],
    ['its task was completed, and more came', [schedule, upsert], 1 + 2 + 1 + 2, [signal]],
    ['it commanded nothing', [], 3, [update]],
    ['it rejected an update, whose task left no event', [{ updateResponse: { rejected: {} } }], 1, [signal]],
    ['it took back what it commanded', [schedule, { requestCancelActivity: {} }], 3, [update]],
  ])('continues: %s', (_, commands, growth, jobs) => {
    expect(actThenGrow(commands, growth, jobs)).not.toThrow();
  });

  it('is never refused by what its history has before: it would be refused for ever', () => {
    expect(actThenGrow([schedule], 3, [update], true)).not.toThrow();
  });
});
