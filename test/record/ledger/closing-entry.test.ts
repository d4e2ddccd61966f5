import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { withClosingEntry } from '../../../record/ledger/closing-entry.ts';
import type { RunEvent, RunHistory } from '../../../temporal/run-chain.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const plain = (value: unknown) => ({
  metadata: { encoding: bytes('json/plain') },
  data: bytes(JSON.stringify(value)),
});
const at = (seconds: number) => ({ seconds: seconds as never, nanos: 250_000_000 });
const runOf = (...events: object[]): RunHistory => ({ events: events as RunEvent[] });

const START = {
  eventTime: at(0),
  workflowExecutionStartedEventAttributes: {
    memo: { fields: { submittedBy: plain('ana'), why: plain('a trial'), key: plain(7) } },
  },
};
const TERMINATED = {
  eventTime: at(60),
  workflowExecutionTerminatedEventAttributes: { reason: 'wrong data', identity: 'ben@laptop' },
};
const TIMED_OUT = { eventTime: at(60), workflowExecutionTimedOutEventAttributes: {} };

const RUNNING: LedgerEntry = {
  seq: 4,
  at: '1970-01-01T00:00:30.000Z',
  attempt: 2,
  from: 'Pending.Scheduling',
  to: 'Running',
  phase: 'Running',
  cause: { type: 'digest' },
  message: 'the pod is ready',
  revision: 3,
  counts: { Worker: { wanted: 1, ready: 1 } },
};

describe('the ledger of a workflow', () => {
  it('that was terminated ends with who did it, and why', () => {
    expect(withClosingEntry([RUNNING], [runOf(START, TERMINATED)])).toEqual([
      RUNNING,
      {
        seq: 5,
        at: '1970-01-01T00:01:00.250Z',
        attempt: 2,
        from: 'Running',
        to: 'Stopped',
        phase: 'Stopped',
        cause: { type: 'closed', how: 'terminated', who: {}, why: 'wrong data' },
        message: 'the workflow was terminated: wrong data',
        reason: 'WorkflowTerminated',
        decided: { reason: 'WorkflowTerminated', message: 'the workflow was terminated: wrong data' },
        revision: 3,
        counts: { Worker: { wanted: 1, ready: 1 } },
      },
    ]);
  });

  it('that timed out ends with that', () => {
    const [, closing] = withClosingEntry([RUNNING], [runOf(START, TIMED_OUT)]);
    expect(closing).toMatchObject({
      cause: { type: 'closed', how: 'timed out', who: {} },
      message: 'the workflow was ended by a timeout of Temporal',
    });
  });

  it('that no worker started still begins with its submission', () => {
    expect(withClosingEntry([], [runOf(START, TERMINATED)])).toMatchObject([
      {
        seq: 1,
        at: '1970-01-01T00:00:00.250Z',
        to: 'Pending.Admitting',
        cause: { type: 'submitted', who: { given: 'ana' }, why: 'a trial' },
      },
      { seq: 2, from: 'Pending.Admitting', to: 'Stopped' },
    ]);
  });

  it.each([
    ['completed', { workflowExecutionCompletedEventAttributes: {} }],
    ['is still open', { workflowTaskScheduledEventAttributes: {} }],
  ])('that %s is already complete', (_, last) => {
    expect(withClosingEntry([RUNNING], [runOf(START, last)])).toEqual([RUNNING]);
  });

  it('is closed by the last of its runs', () => {
    const first = runOf(START, { workflowExecutionContinuedAsNewEventAttributes: {} });
    expect(withClosingEntry([RUNNING], [first, runOf({}, TERMINATED)])).toHaveLength(2);
  });
});
