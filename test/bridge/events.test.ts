import { describe, expect, it } from '@jest/globals';
import { eventOf, noticesOf } from '../../bridge/events.ts';
import { unshownWarnings } from '../../bridge/warnings.ts';
import type { EvidenceSummary } from '../../contracts/types.ts';
import { aResource } from './fixtures.ts';

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const JOB = {
  timeline: [
    { at: at(1), phase: 'Pending', state: 'Pending.Scheduling', attempt: 1, cause: 'no node' },
    { at: at(3), phase: 'Failed', state: 'Failed', attempt: 2, cause: 'a pod failed' },
  ],
  evidence: [
    {
      ...{
        pod: 'train-master-0',
        uid: 'p',
        role: 'master',
        index: 0,
        attempt: 1,
        takenAt: '2026-01-01T00:00:02.863Z',
      },
      ...{ node: 'n1', container: 'pytorch', exitCode: 3, reason: 'Error' },
    } satisfies EvidenceSummary,
  ],
} as const;

describe('the events of a resource', () => {
  it('are the states of its job and the failed pods, in order', () => {
    expect(noticesOf(JOB, undefined).map(({ type, reason, message }) => [type, reason, message])).toEqual([
      ['Normal', 'Scheduling', 'no node'],
      ['Warning', 'PodFailed', 'train-master-0 on n1: container pytorch exited with 3 (Error)'],
      ['Warning', 'Failed', 'a pod failed'],
    ]);
  });

  it('are compared by their times, some of which have milliseconds', () => {
    expect(noticesOf(JOB, at(2)).map(({ reason }) => reason)).toEqual(['PodFailed', 'Failed']);
  });

  it('are those since the state that the resource shows', () => {
    expect(noticesOf(JOB, at(3)).map(({ reason }) => reason)).toEqual(['Failed']);
  });

  it('have one name for one notice, also of a bridge that looks again', () => {
    const [notice, other] = noticesOf(JOB, undefined);
    const name = (of: typeof notice, resource = aResource()) => eventOf(resource, of!).metadata.name;
    expect(name(notice)).toBe(name(notice, aResource({ resourceVersion: '8' })));
    expect(new Set([name(notice), name(other), name(notice, aResource({ uid: 'u2' }))]).size).toBe(3);
    const longest = `${'a'.repeat(235)}.${'b'.repeat(17)}`;
    expect(name(notice, aResource({ name: longest }))).toMatch(/^a{235}\.[0-9a-f]{16}$/);
    const once = { ...notice!, once: '2' };
    expect(name(once)).toBe(name({ ...once, at: at(9) }));
  });
});

describe('warnings of a manifest', () => {
  const told = (wanted: readonly string[], shown?: readonly string[]) =>
    unshownWarnings({ warnings: wanted }, shown ? { warnings: shown } : {}).map(
      ({ type, reason, message }) => [...[type, reason, message]],
    );

  it('are told once each: what the resource shows was told', () => {
    expect(told(['RANK is overridden', 'no spares'])).toEqual([
      ['Warning', 'ManifestWarning', 'RANK is overridden'],
      ['Warning', 'ManifestWarning', 'no spares'],
    ]);
    expect(told(['RANK is overridden', 'no spares'], ['RANK is overridden'])).toHaveLength(1);
    expect(told([], ['RANK is overridden'])).toEqual([]);
  });
});
