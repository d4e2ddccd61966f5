import { expect, it } from '@jest/globals';
import { explanationOf } from '../../client/use-cases/observe/explanation.ts';
import { aStatus } from '../workflows/some-status.ts';

const ENTERED = '2026-01-01T00:00:00Z';

it('an explanation says since when a job is in its state, also if its timeline was cut', () => {
  const at = '2026-01-01T00:10:00Z';
  const asked = { at, phase: 'Running', state: 'Running', attempt: 1, cause: 'hold by ana' } as const;
  const status = aStatus('Running', { since: ENTERED, timeline: Array(10).fill(asked) });
  expect(explanationOf(status).since).toBe(ENTERED);
});

it('an explanation says when an ended job was complete, not when it was cleaned up', () => {
  const status = aStatus('Failed', { since: '2026-01-01T00:00:30Z', completionTime: ENTERED });
  expect(explanationOf(status).since).toBe(ENTERED);
});

it('an explanation has the start time of a job that only Temporal knows', () => {
  expect(explanationOf(aStatus('Running', { startTime: ENTERED })).since).toBe(ENTERED);
});
