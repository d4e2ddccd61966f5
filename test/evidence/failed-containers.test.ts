import { describe, expect, test } from '@jest/globals';
import { failedOf } from '../../activities/evidence/take-evidence.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { failedContainers, failureFacts, stoppedContainer } from '../../evidence/failed-containers.ts';
import { aPod, disrupted, ended, restarted, running } from '../activities/evidence/pods.ts';

const at = '2026-11-21T10:00:00Z';
const later = '2026-11-21T10:00:05Z';

describe('a pod needs evidence before it is deleted', () => {
  test.each<[string, Pod]>([
    ['if it failed', aPod({ phase: 'Failed' })],
    ['if a container of it failed', aPod({ containers: [running('sidecar'), ended(1)] })],
    ['if a container failed and was started again in place', aPod({ containers: [restarted(1)] })],
    [
      'if an init container failed',
      aPod({ phase: 'Pending', status: { initContainerStatuses: [ended(2, { name: 'wait' })] } }),
    ],
    [
      'if it failed before it was deleted',
      aPod({ phase: 'Failed', containers: [ended(1)], deletedAt: later }),
    ],
    [
      'if it failed in the second of its deletion, and not by it',
      aPod({ phase: 'Failed', containers: [ended(1, { at })], deletedAt: at }),
    ],
    [
      'if it was deleted by a preemption',
      aPod({
        phase: 'Failed',
        containers: [ended(143, { at: later })],
        deletedAt: at,
        status: disrupted('PreemptionByScheduler'),
      }),
    ],
  ])('%s', (_when, pod) => {
    expect(failedOf([pod])).toEqual([pod]);
  });
});

describe('a pod needs no evidence', () => {
  test.each<[string, Pod]>([
    ['while it runs', aPod({ containers: [running()] })],
    ['while it waits', aPod({ phase: 'Pending' })],
    ['if it succeeded', aPod({ phase: 'Succeeded', containers: [ended(0)] })],
    [
      'if it failed by its deletion',
      aPod({ phase: 'Failed', containers: [ended(1, { at: later })], deletedAt: at }),
    ],
    [
      'if its deletion ended it at once',
      aPod({ phase: 'Failed', containers: [ended(143, { at })], deletedAt: at }),
    ],
  ])('%s', (_when, pod) => {
    expect(failedOf([pod])).toEqual([]);
  });
});

describe('of several failed containers', () => {
  const first = ended(9, { name: 'sidecar', at: '2026-11-21T09:59:00Z' });

  test('the main container counts', () => {
    const names = failedContainers(aPod({ containers: [first, ended(1)] }), 'pytorch');
    expect(names.map(({ status }) => status.name)).toEqual(['pytorch', 'sidecar']);
  });

  test('the first counts if the main container has not failed', () => {
    const containers = [running(), ended(1, { name: 'other' }), first];
    const [counts] = failedContainers(aPod({ containers }), 'pytorch');
    expect(counts?.status.name).toBe('sidecar');
  });
});

describe('the summary of a failure in the history', () => {
  const summaryOf = (pod: Pod) => failureFacts(pod, failedContainers(pod)[0]);

  test('says how the container ended', () => {
    const containers = [ended(137, { signal: 9, reason: 'OOMKilled', message: 'out of memory' })];
    expect(summaryOf(aPod({ containers }))).toEqual({
      container: 'pytorch',
      exitCode: 137,
      signal: 9,
      reason: 'OOMKilled',
      message: 'out of memory',
      ends: 1,
      failedAt: '2026-11-21T10:00:00Z',
    });
  });

  test('says how its previous run ended, if it was restarted, and which end that was', () => {
    expect(summaryOf(aPod({ containers: [restarted(3)] }))).toMatchObject({ exitCode: 3, ends: 1 });
    const endedWell = { ...restarted(3), ...ended(0), restartCount: 2 };
    expect(summaryOf(aPod({ containers: [endedWell] }))).toMatchObject({ exitCode: 3, ends: 2 });
    const waits = { ...restarted(3), state: { waiting: { reason: 'CrashLoopBackOff' } } };
    expect(summaryOf(aPod({ containers: [waits] }))).toMatchObject({ exitCode: 3, ends: 2 });
  });

  test('says why the whole pod ended, if there is such a reason', () => {
    const containers = [ended(143, { reason: 'Error', message: 'terminated' })];
    const evicted = { reason: 'Evicted', message: 'The node was low on resource: memory.' };
    expect(summaryOf(aPod({ phase: 'Failed', containers, status: evicted }))).toMatchObject(evicted);
    expect(summaryOf(aPod({ containers, status: disrupted('PreemptionByScheduler') }))).toMatchObject({
      reason: 'PreemptionByScheduler',
      message: 'because of PreemptionByScheduler',
    });
  });

  test('says that it was deleted, if nothing says by whom', () => {
    const killed = aPod({ phase: 'Failed', containers: [ended(143, { at: later })], deletedAt: at });
    expect(summaryOf(killed)).toMatchObject({ exitCode: 143, reason: 'Deleted' });
    const failed = aPod({ phase: 'Failed', containers: [ended(1, { at })], deletedAt: later });
    expect(summaryOf(failed)).toMatchObject({ exitCode: 1, reason: undefined });
  });

  test('has code 0 for a pod that ended well when it was stopped', () => {
    const containers = [ended(0, { at: later })];
    const stopped = aPod({ phase: 'Succeeded', containers, deletedAt: at });
    expect(failureFacts(stopped, stoppedContainer(stopped, 'pytorch'))).toMatchObject({
      container: 'pytorch',
      exitCode: 0,
      reason: 'Deleted',
    });
    expect(stoppedContainer(aPod({ phase: 'Succeeded', containers }), 'pytorch')).toBeUndefined();
  });

  test('has at most 256 characters of the message', () => {
    const { message } = summaryOf(aPod({ containers: [ended(1, { message: 'x'.repeat(4_096) })] }));
    expect(message).toHaveLength(256);
  });
});
