import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { contentOf } from '../../../watcher/digest/digest-content.ts';
import { jobDigest } from '../../../watcher/digest/job-digest.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

const end = (exitCode: number, more: object = {}) => ({ terminated: { exitCode, reason: 'Error', ...more } });
const container = (fields: Partial<ContainerStatus>): ContainerStatus => ({ name: 'pytorch', ...fields });
const status = (...containers: ContainerStatus[]): PodStatus => ({
  phase: 'Running',
  containerStatuses: containers,
});

const digestOf = (...statuses: PodStatus[]) => {
  const pods = statuses.map((one, index) => aPod({ index, node: 'gpu-1', status: one }));
  const facts = new Map(pods.map((pod) => [pod.metadata.uid!, podFacts(pod)]));
  const anchor = anchorFacts(anAnchor())!;
  return jobDigest({ anchor, pods: facts, groups: new Map() }, { pods: 1, groups: {} });
};

const worker0 = { pod: 'resnet-worker-0', uid: 'resnet-worker-0-1', role: 'worker', index: 0, node: 'gpu-1' };
const crash = { ...worker0, container: 'pytorch', exitCode: 1, signal: undefined, reason: 'Error', pods: 1 };

describe('a container that is restarted in place', () => {
  it.each([
    ['has ended and waits', container({ restartCount: 3, state: end(1), lastState: end(7) })],
    [
      'is said to wait',
      container({ restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: end(1) }),
    ],
    ['runs again', container({ restartCount: 3, state: { running: {} }, lastState: end(1) })],
  ])('is reported with its last end, when it %s', (_, one) => {
    expect(digestOf(status(one)).crash).toEqual({ ...crash, restarts: 3 });
  });

  it('is reported also if its pod is ready, or if it is an init container', () => {
    const again = container({ restartCount: 2, state: { running: {} }, lastState: end(1) });
    expect(digestOf({ ...READY, containerStatuses: [again] }).crash).toMatchObject({ restarts: 2 });
    const init = container({ name: 'init', restartCount: 1, state: end(7) });
    expect(digestOf({ phase: 'Pending', initContainerStatuses: [init] }).crash).toMatchObject({
      ...{ container: 'init', exitCode: 7, restarts: 1 },
    });
  });

  it('is reported with why the kubelet could not start it', () => {
    const message = 'exec: "torchrun": executable file not found in $PATH';
    const terminated = { exitCode: 128, reason: 'StartError', message };
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const one = container({ restartCount: 1, state, lastState: { terminated } });
    expect(digestOf(status(one)).crash).toMatchObject({ reason: 'StartError', message });
    const long = { ...terminated, message: 'x '.repeat(1_000) };
    const cut = digestOf(status({ ...one, lastState: { terminated: long } })).crash?.message;
    expect(cut).toHaveLength(256);
  });

  it('is not reported if it was never restarted, or ended well', () => {
    expect(digestOf(status(container({ restartCount: 0, state: end(1) }))).crash).toBeUndefined();
    expect(digestOf(status(container({ restartCount: 2, lastState: end(0) }))).crash).toBeUndefined();
  });

  it('is the one that was restarted most often', () => {
    const times = (restartCount: number) => status(container({ restartCount, state: end(1) }));
    expect(digestOf(times(1), times(5), times(5)).crash).toMatchObject({ index: 1, restarts: 5, pods: 3 });
  });
});

describe('a program that has ended', () => {
  const crashOf = (restartPolicy: 'Always' | 'OnFailure' | 'Never', exitCode: number) => {
    const one = status(container({ ready: false, state: end(exitCode) }));
    return podFacts(aPod({ node: 'gpu-1', restartPolicy, status: one })).programCrash;
  };

  it('is reported while the kubelet restarts it', () => {
    expect(crashOf('OnFailure', 1)).toMatchObject({ container: 'pytorch', exitCode: 1, ends: 1 });
    expect(crashOf('Always', 1)).toMatchObject({ ends: 1 });
  });

  it('is not if nothing restarts it: the next update fails its pod', () => {
    expect(crashOf('Never', 1)).toBeUndefined();
  });
});

describe('the number of its restarts', () => {
  const contentAfter = (restartCount: number) =>
    contentOf(digestOf(status(container({ restartCount, state: end(1) }))));

  it('is a fact while it is small; later it is a detail', () => {
    const facts = new Set(Array.from({ length: 1_000 }, (_, index) => contentAfter(index + 1).facts));
    expect(facts.size).toBeLessThan(35);
    expect(contentAfter(9).facts).not.toBe(contentAfter(10).facts);
    expect(contentAfter(900).facts).toBe(contentAfter(901).facts);
    expect(contentAfter(900).details).not.toBe(contentAfter(901).details);
  });
});
