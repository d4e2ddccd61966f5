import { describe, expect, it } from '@jest/globals';
import type { Condition, ContainerStatus, Pod, PodPhase, PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { jobDigest } from '../../../watcher/digest/job-digest.ts';
import { podFacts, trimPod } from '../../../watcher/pods/pod-facts.ts';
import { anAnchor, aPod, ended, type PodChoice } from '../fixtures.ts';

const running = (name: string, ready = true): ContainerStatus => ({ name, ready, state: { running: {} } });
const waiting = (name: string, reason: string): ContainerStatus => ({
  name,
  ready: false,
  state: { waiting: { reason } },
});

const ready = (status: 'True' | 'False', reason?: string): Condition => ({ type: 'Ready', status, reason });
const UNREADY = ready('False', 'ContainersNotReady');

const statusOf = (
  phase: PodPhase,
  containers: readonly ContainerStatus[],
  { condition = UNREADY, reason }: { condition?: Condition; reason?: string } = {},
): PodStatus => ({ phase, reason, conditions: [condition], containerStatuses: containers });

const podOf = (status: PodStatus, more: PodChoice = {}): Pod =>
  aPod({ node: 'gpu-1', restartPolicy: 'Never', status, ...more });

function digestOf(...seen: readonly Pod[]) {
  const facts = seen.reduce<ReturnType<typeof podFacts> | undefined>(
    (before, pod) => podFacts(trimPod(pod), before),
    undefined,
  )!;
  const job = { anchor: anchorFacts(anAnchor())!, pods: new Map([['uid', facts]]), groups: new Map() };
  return jobDigest(job, { pods: 1, groups: {} });
}

/** What is told of a pod, by a watcher that saw all these of it, one after the other. */
function factsText(...seen: readonly Pod[]): string {
  const { roles, failures } = digestOf(...seen);
  const [failure] = failures;
  if (failure) {
    const how = failure.interruptedBy ? 'interrupted' : 'failed';
    return `${how}: ${failure.container} ${failure.exitCode}`;
  }
  const counts = Object.entries(roles.worker!).filter(([, count]) => typeof count === 'number' && count > 0);
  return counts.map(([state]) => state).join();
}

describe('a program', () => {
  const table: readonly [says: string, status: PodStatus, expected: string][] = [
    [
      'runs, though a helper has ended',
      statusOf('Running', [running('pytorch'), ended('helper', 0)]),
      'ready',
    ],
    [
      'runs, though a helper has failed',
      statusOf('Running', [running('pytorch'), ended('helper', 1)]),
      'ready',
    ],
    [
      'runs beside a sidecar that is not ready',
      statusOf('Running', [running('pytorch'), running('proxy', false)]),
      'ready',
    ],
    [
      'runs beside a sidecar without an image',
      statusOf('Pending', [running('pytorch'), waiting('proxy', 'ErrImagePull')]),
      'ready',
    ],
    [
      'runs, whatever readiness gates say',
      statusOf('Running', [running('pytorch')], { condition: ready('False', 'ReadinessGatesNotReady') }),
      'ready',
    ],
    [
      'does not run before its probe says so',
      statusOf('Running', [running('pytorch', false), running('proxy')]),
      'scheduled',
    ],
    [
      'does not run where its node is silent',
      statusOf('Running', [running('pytorch')], { condition: ready('False') }),
      'scheduled',
    ],
    [
      'does not run while its container waits',
      statusOf('Pending', [waiting('pytorch', 'ContainerCreating'), running('proxy')]),
      'scheduled',
    ],
  ];
  it.each(table)('%s', (_, status, expected) => {
    expect(factsText(podOf(status))).toBe(expected);
  });
});

describe('a program that has ended while other containers run', () => {
  const beside = (exitCode: number) => [ended('pytorch', exitCode), running('proxy')];
  const table: readonly [says: string, pod: Pod, expected: string][] = [
    ['has succeeded', podOf(statusOf('Running', beside(0))), 'succeeded'],
    ['has failed', podOf(statusOf('Running', beside(7))), 'failed: pytorch 7'],
    [
      'has succeeded, with OnFailure',
      podOf(statusOf('Running', beside(0)), { restartPolicy: 'OnFailure' }),
      'succeeded',
    ],
    [
      'is restarted, with OnFailure and 7',
      podOf(statusOf('Running', beside(7)), { restartPolicy: 'OnFailure' }),
      'scheduled',
    ],
    [
      'is restarted, with Always',
      podOf(statusOf('Running', beside(0)), { restartPolicy: 'Always' }),
      'scheduled',
    ],
    [
      'has succeeded beside a sidecar that never started',
      podOf(statusOf('Pending', [ended('pytorch', 0), waiting('proxy', 'ErrImagePull')])),
      'succeeded',
    ],
    [
      'is awaited with the sidecar if the job asks for that',
      podOf(statusOf('Running', beside(0)), { waitsForSidecars: true }),
      'ready',
    ],
    [
      'says nothing when its pod exceeds its own deadline',
      podOf(statusOf('Running', beside(0), { reason: 'DeadlineExceeded' })),
      'scheduled',
    ],
    [
      'was interrupted if its pod was told to stop before',
      podOf(statusOf('Running', beside(0)), { deletedAt: '2026-01-01T00:01:20Z', graceSeconds: 30 }),
      'terminating',
    ],
    [
      'has succeeded if its pod was told to stop later',
      podOf(statusOf('Running', beside(0)), { deletedAt: '2026-01-01T00:05:30Z', graceSeconds: 30 }),
      'succeeded',
    ],
  ];
  it.each(table)('%s', (_, pod, expected) => {
    expect(factsText(pod)).toBe(expected);
  });

  it('is reported with what still runs', () => {
    const { failures, outlived } = digestOf(podOf(statusOf('Running', beside(7))));
    expect(failures[0]).toMatchObject({ container: 'pytorch', exitCode: 7, stillRunning: ['proxy'] });
    expect(outlived).toMatchObject({ pod: 'resnet-worker-0', exitCode: 7, running: ['proxy'], pods: 1 });
  });

  it('is listed as terminating while its pod is being deleted', () => {
    const pod = podOf(statusOf('Running', beside(0)), {
      deletedAt: '2026-01-01T00:05:30Z',
      graceSeconds: 30,
    });
    expect(digestOf(pod)).toMatchObject({ terminating: [{ pod: 'resnet-worker-0' }], outlived: undefined });
  });

  it('keeps its result when the others end, however they do', () => {
    const first = podOf(statusOf('Running', beside(0)));
    const killed = podOf(statusOf('Failed', [ended('pytorch', 0), ended('proxy', 137)]));
    expect(factsText(first, killed)).toBe('succeeded');
    const failed = podOf(statusOf('Running', beside(7)));
    const last = podOf(statusOf('Running', [ended('pytorch', 7), ended('proxy', 0)]));
    expect(factsText(failed, last)).toBe('failed: pytorch 7');
  });
});

describe('a container with a restart policy of its own', () => {
  const podWith = (exitCode: number, own: object) => {
    const pod = podOf(statusOf('Running', [ended('pytorch', exitCode), running('proxy')]));
    const containers = pod.spec.containers.map((container) => ({ ...container, ...own }));
    return { ...pod, spec: { ...pod.spec, containers } };
  };

  it.each([
    [{ restartPolicy: 'OnFailure' }, 7, 'scheduled'],
    [{ restartPolicy: 'OnFailure' }, 0, 'succeeded'],
    [
      { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }] },
      42,
      'scheduled',
    ],
  ])('is judged by it: %j, exit code %i', (own, exitCode, expected) => {
    expect(factsText(podWith(exitCode, own))).toBe(expected);
  });
});

describe('a pod that has ended as a whole', () => {
  const both = (main: number, other: number) =>
    statusOf('Failed', [ended('pytorch', main), ended('collector', other)]);
  const table: readonly [says: string, pod: Pod, expected: string][] = [
    ['has succeeded as its program has, whatever else failed', podOf(both(0, 1)), 'succeeded'],
    ['has failed as its program has', podOf(both(7, 1)), 'failed: pytorch 7'],
    [
      'has failed if any container has, if the job asks for that',
      podOf(both(0, 1), { waitsForSidecars: true }),
      'failed: collector 1',
    ],
    [
      'has failed if its own deadline was over',
      podOf({ ...both(0, 137), reason: 'DeadlineExceeded' }),
      'failed: collector 137',
    ],
  ];
  it.each(table)('%s', (_, pod, expected) => {
    expect(factsText(pod)).toBe(expected);
  });
});
