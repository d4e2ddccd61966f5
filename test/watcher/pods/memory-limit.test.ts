import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { containerCrashOf } from '../../../watcher/pods/container-crash.ts';
import { podFacts, trimPod } from '../../../watcher/pods/pod-facts.ts';
import { aPod, ended, failed } from '../fixtures.ts';

const limited = (pod: Pod): Pod => ({
  ...pod,
  spec: { ...pod.spec, containers: [{ name: 'pytorch', resources: { limits: { memory: '2Gi' } } }] },
});

describe('the limit of memory of a container', () => {
  it.each([
    ['that ran out of memory', ended('pytorch', 137, { reason: 'OOMKilled' }), '2Gi'],
    ['whose child process did', ended('pytorch', 1, { reason: 'OOMKilled' }), '2Gi'],
    ['that was killed', ended('pytorch', 137), '2Gi'],
    ['that failed otherwise', ended('pytorch', 1), undefined],
    ['without one', ended('sidecar', 137), undefined],
  ])('%s is what its pod says, as far as the watcher keeps it', (_, container, limit) => {
    const { failure } = podFacts(trimPod(limited(aPod({ status: failed(container) }))));
    expect(failure?.ended[0]?.memoryLimit).toBe(limit);
  });

  it('is known while it is restarted in place', () => {
    const lastState = ended('pytorch', 137, { reason: 'OOMKilled' }).state;
    const status = { name: 'pytorch', restartCount: 2, ready: true, state: { running: {} }, lastState };
    const pod = limited(aPod({ status: { phase: 'Running', containerStatuses: [status] } }));
    expect(containerCrashOf(pod)).toMatchObject({ exitCode: 137, memoryLimit: '2Gi' });
  });
});
