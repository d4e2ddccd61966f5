import { describe, expect, test } from '@jest/globals';
import type { PodChoice } from '../../../../client/use-cases/pods/log-options.ts';
import {
  containerOf,
  hasLog,
  hasRank,
  selectionOf,
} from '../../../../client/use-cases/pods/pod-selection.ts';
import type { LogAnchor } from '../../../../client/use-cases/pods/read-anchor.ts';
import type { ContainerStatus, Pod } from '../../../../contracts/kubernetes.ts';

const job = { name: 'resnet', namespace: 'ml' };
const anchor: LogAnchor = {
  ...{
    workflowId: undefined,
    firstRunId: undefined,
    progress: undefined,
    cleanUp: undefined,
    cleanPodPolicy: undefined,
    kind: { apiVersion: undefined, kind: undefined },
    reason: undefined,
  },
  uid: '1',
  removedOutlived: false,
  mainPod: 'resnet-launcher',
  containers: new Map([
    ['launcher', 'mpi'],
    ['worker', 'train'],
  ]),
};
const ours = 'signalbox.dev/job=resnet';
const members = '!signalbox.dev/spare';

describe('the log is that of', () => {
  test.each<[string, PodChoice, string, string | undefined]>([
    ['the job’s main one', {}, ours, 'metadata.name=resnet-launcher'],
    ['all of them', { all: true }, `${ours},${members}`, undefined],
    ['those of a role', { role: 'Worker' }, `${ours},signalbox.dev/role=worker,${members}`, undefined],
    [
      'that of an index',
      { role: 'ps', index: 0 },
      `${ours},signalbox.dev/role=ps,signalbox.dev/index=0,${members}`,
      undefined,
    ],
    ['all that may have a rank', { rank: 2 }, `${ours},${members}`, undefined],
    ['the one that is named', { pod: 'resnet-worker-7' }, ours, 'metadata.name=resnet-worker-7'],
  ])('%s', (_which, choice, labelSelector, fieldSelector) => {
    const selection = selectionOf(job, choice, anchor);
    expect(selection).toEqual({
      namespace: 'ml',
      labelSelector,
      ...(fieldSelector ? { fieldSelector } : {}),
    });
  });

  test('the master, where no anchor can be read', () => {
    expect(selectionOf(job, {}).labelSelector).toBe(
      `${ours},training.kubeflow.org/job-role=master,${members}`,
    );
  });
});

test('a rank is that of the variable in which the kind passes it', () => {
  const ranked = (name: string, value: string): Pod => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    spec: { containers: [{ name: 'proxy' }, { name: 'train', env: [{ name, value }] }] },
  });
  expect(hasRank(ranked('RANK', '2'), 2)).toBe(true);
  expect(hasRank(ranked('PROCESS_ID', '12'), 2)).toBe(false);
  expect(hasRank(ranked('OTHER', '2'), 2)).toBe(false);
  expect(hasRank(ranked('OTHER', '2'), undefined)).toBe(true);
});

describe('the container is', () => {
  const pod = (role: string, annotations = {}): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { 'signalbox.dev/role': role }, annotations },
    spec: { containers: [{ name: 'proxy' }, { name: 'train' }] },
  });
  const chosen = { 'kubectl.kubernetes.io/default-container': 'chosen' };

  test.each<[string, string, Pod, string | undefined, LogAnchor | undefined]>([
    ['the one that is named', 'proxy', pod('worker'), 'proxy', anchor],
    ['else the one that trains in the pod’s role', 'train', pod('worker', chosen), undefined, anchor],
    ['else the pod’s own default', 'chosen', pod('worker', chosen), undefined, undefined],
    ['else the first', 'proxy', pod('worker'), undefined, undefined],
  ])('%s: %s', (_which, expected, given, name, facts) => {
    expect(containerOf(given, name, facts)).toBe(expected);
  });
});

describe('there is a log', () => {
  const withStatus = (node: string | undefined, status?: Partial<ContainerStatus>): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'train' }], nodeName: node },
    status: status && { containerStatuses: [{ name: 'train', ...status } as ContainerStatus] },
  });
  const creating = { waiting: { reason: 'ContainerCreating' } };
  const backOff = { waiting: { reason: 'CrashLoopBackOff' } };

  test.each<[string, boolean, Pod]>([
    ['of a container that runs', true, withStatus('n', { state: { running: {} } })],
    ['of one that has ended', true, withStatus('n', { state: { terminated: { exitCode: 1 } } })],
    [
      'of one that waits for its next run',
      true,
      withStatus('n', { state: backOff, lastState: { terminated: { exitCode: 1 } } }),
    ],
    ['not before a pod has a node', false, withStatus(undefined)],
    ['not before the first run', false, withStatus('n', { state: creating })],
  ])('%s', (_which, expected, pod) => {
    expect(hasLog(pod, undefined)).toBe(expected);
  });
});
