import { describe, expect, it } from '@jest/globals';
import type { NotifiedChange } from '../../contracts/notifications.ts';
import { MessagesDue } from '../../notify/news/messages-due.ts';

const notice = (
  number: number,
  more: { readonly node?: string; readonly reason?: 'NodeLost' | 'PodFailed'; readonly owner?: string } = {},
): NotifiedChange => ({
  key: `run-${number}/9`,
  at: new Date(number * 1000).toISOString(),
  message: 'it failed',
  job: {
    ...{ workflowId: `job/ml/${number}`, runId: `run-${number}`, namespace: 'ml', name: String(number) },
    ...{ kind: 'PyTorchJob', phase: 'Failed', reason: 'NodeLost', attempt: 1, ...more },
  },
});

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => notice(from + index, { node: 'n1' }));
const ofRoute = (notices: readonly NotifiedChange[], route = 'ops') =>
  notices.map((one) => ({ route, notice: one }));

/** Sizes of the messages that are made at a time. */
function madeAt(due: MessagesDue, seconds: number): number[] {
  const now = seconds * 1000;
  return due.take(now).map((message) => {
    due.made(message, now);
    return message.notices.length;
  });
}

describe('messages', () => {
  it('are one for each notice, while there are few', () => {
    const due = new MessagesDue();
    due.add(ofRoute(many(3)));
    expect(madeAt(due, 0)).toEqual([1, 1, 1]);
  });

  it('are one for many of one cause, and what comes later waits a minute', () => {
    const due = new MessagesDue();
    due.add(ofRoute(many(100)));
    expect(madeAt(due, 0)).toEqual([100]);
    due.add(ofRoute(many(40, 100)));
    expect(madeAt(due, 30)).toEqual([]);
    expect(due.oldestWaiting).toBe(new Date(100_000).toISOString());
    expect(madeAt(due, 61)).toEqual([40]);
    expect(due.oldestWaiting).toBeUndefined();
  });

  it('do not wait for those of another cause, or of another route', () => {
    const due = new MessagesDue();
    due.add(ofRoute(many(100)));
    madeAt(due, 0);
    due.add(ofRoute([notice(500, { reason: 'PodFailed' })]));
    due.add(ofRoute([notice(0, { node: 'n1' })], 'others'));
    expect(madeAt(due, 1)).toEqual([1, 1]);
  });

  it('are made once for each notice, however often it is found', () => {
    const due = new MessagesDue();
    for (const seconds of [0, 2, 4]) {
      due.add(ofRoute(many(2)));
      expect(madeAt(due, seconds)).toEqual(seconds === 0 ? [1, 1] : []);
    }
  });

  it('are found again, if they could not be started', () => {
    const due = new MessagesDue();
    due.add(ofRoute(many(2)));
    expect(due.take(0)).toHaveLength(2);
    expect(due.take(0)).toHaveLength(2);
  });

  it('are ten of a route in a minute at most: the last one tells the rest', () => {
    const due = new MessagesDue();
    const different = Array.from({ length: 50 }, (_, index) => notice(index, { node: `n${index}` }));
    due.add(ofRoute(different));
    expect(madeAt(due, 0)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 41]);
    due.add(ofRoute([notice(900, { node: 'late' })]));
    expect(madeAt(due, 30)).toEqual([]);
    expect(madeAt(due, 61)).toEqual([1]);
  });

  it('tell no owner of the jobs of another one, however many there are', () => {
    const due = new MessagesDue();
    const different = Array.from({ length: 60 }, (_, index) =>
      notice(index, { node: `n${index}`, owner: index % 2 ? 'ana@example.com' : 'bo@example.com' }),
    );
    due.add(ofRoute([...different, ...many(100, 100)]));
    const messages = due.take(0);
    const owners = messages.map(({ notices }) => new Set(notices.map(({ job }) => job?.owner)));
    expect(owners.filter(({ size }) => size > 1)).toEqual([]);
    expect(messages.map(({ notices }) => notices.length)).toEqual(
      [[1, 1, 1, 1, 1, 1, 1, 1, 1, 21], [1, 1, 1, 1, 1, 1, 1, 1, 1, 21], [100]].flat(),
    );
  });

  it('have room for some hundred jobs each', () => {
    const due = new MessagesDue();
    due.add(ofRoute(many(1_000)));
    expect(madeAt(due, 0)).toEqual([200, 200, 200, 200, 200]);
  });
});
