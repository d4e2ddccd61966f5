import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  ANSWER_MS,
  ARCHIVER_HEARTBEAT,
  FENCE,
  HEARTBEAT,
  LEASE_SHARES,
  LEFT_PODS_MS,
  NOTICES,
  NOTIFIER_HEARTBEAT,
  SILENT_WORKER_MS,
} from '../../contracts/timing.ts';

/** Each must be shorter than the next. */
const ORDER: readonly (readonly [string, readonly number[]])[] = [
  ['a heartbeat that was lost is followed by another in time', [2 * HEARTBEAT.everyMs, HEARTBEAT.timeoutMs]],
  ['the SDK sends each heartbeat', [HEARTBEAT.throttleMs, HEARTBEAT.everyMs]],
  ['an archiver’s heartbeat may be lost', [2 * ARCHIVER_HEARTBEAT.everyMs, ARCHIVER_HEARTBEAT.timeoutMs]],
  ['a notifier’s heartbeat may be lost', [2 * NOTIFIER_HEARTBEAT.everyMs, NOTIFIER_HEARTBEAT.timeoutMs]],
  [
    'a fenced write is renewed before it is refused, and refused before another worker has the activity',
    [FENCE.renewMs, FENCE.trustedMs, HEARTBEAT.timeoutMs],
  ],
  [
    'a request in flight at the last trusted moment has time to arrive',
    [FENCE.trustedMs + FENCE.answerMs, HEARTBEAT.timeoutMs],
  ],
  [
    'a leader tries twice before it gives up, and gives up before others take over',
    [LEASE_SHARES.renew, LEASE_SHARES.giveUp, 1],
  ],
  ['a worker that polls is not called silent', [60_000, SILENT_WORKER_MS]],
  [
    'a node that is sick for a moment is well again before a job leaves it',
    [NOTICES.quietMs, NOTICES.graceMs],
  ],
  ['pods are left only after several workers could have answered', [ANSWER_MS, LEFT_PODS_MS]],
];

it.each(ORDER)('%s', (_why, times) => {
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(new Set(times).size).toBe(times.length);
});

describe('the docs', () => {
  const page = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');

  it('say after what time another worker repeats an activity, and when writes stop', () => {
    expect(page).toContain(`misses its heartbeats after ${HEARTBEAT.timeoutMs / 1000} s`);
    expect(page).toContain(`writes nothing after ${FENCE.trustedMs / 1000} s`);
  });
});
