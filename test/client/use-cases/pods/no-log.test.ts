import { describe, expect, it } from '@jest/globals';
import { noPods, notStarted } from '../../../../client/use-cases/pods/explain-no-pods.ts';
import { readAnchor } from '../../../../client/use-cases/pods/read-anchor.ts';
import type { ClusterClient } from '../../../../cluster/client.ts';
import { formatAnchorRecord } from '../../../../contracts/anchor.ts';
import type { CleanUpScope } from '../../../../contracts/clean-up.ts';
import type { ContainerStatus, Pod } from '../../../../contracts/kubernetes.ts';
import type { Phase } from '../../../../contracts/types.ts';

const jobThatIs = (phase: Phase) => ({
  ...{
    name: 'train',
    namespace: 'ml',
    phase,
    firstRunId: 'run-1',
    end: async () => ({ phase: 'Completed' as const }),
  },
  evidence: async function* () {},
});

const aPod = (status: Pod['status'], name = 'train-worker-0'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { nodeName: 'n', containers: [{ name: 'main', image: 'a' }] },
  status,
});

const initialising: ContainerStatus = {
  ...{ name: 'main', restartCount: 0, ready: false },
  state: { waiting: { reason: 'PodInitializing' } },
};
const download = (state: ContainerStatus['state'], lastState?: ContainerStatus['lastState']) => ({
  ...{ name: 'download', restartCount: 2, ready: false, state, lastState },
});
const exited = (exitCode: number) => ({ terminated: { exitCode, reason: 'Error' } });

describe('the error about a job whose program has not begun', () => {
  it('names a failed init container', () => {
    const pod = aPod({
      ...{ phase: 'Failed', initContainerStatuses: [download(exited(9))], containerStatuses: [initialising] },
    });
    expect(notStarted(jobThatIs('Failed'), [aPod({ phase: 'Pending' }, 'a'), pod])).toMatchObject({
      message:
        'train-worker-0 failed before its program began: its init container download failed with code 9, and 1 more pod has no log either; train is Failed.',
      remedy:
        '`signalbox logs train -n ml -c download` prints the log of that container. `signalbox evidence train -n ml` says more.',
    });
  });

  it('names an init container that fails again and again', () => {
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
    const pod = aPod({
      ...{ phase: 'Pending', initContainerStatuses: [download(waiting, exited(9))] },
      containerStatuses: [initialising],
    });
    expect(notStarted(jobThatIs('Starting'), [pod])).toMatchObject({
      message:
        'train-worker-0 has not started yet: its init container download failed with code 9, and is run again; train is Starting.',
      remedy: expect.stringContaining('-c download` prints the log of that container. --follow waits'),
    });
  });

  it('names the reason why the node refused the pod', () => {
    const pod = aPod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' });
    expect(notStarted(jobThatIs('Failed'), [pod])).toMatchObject({
      message:
        'train-worker-0 failed before its program began: Evicted: The node was low on memory; train is Failed.',
      remedy: '`signalbox evidence train -n ml` says more.',
    });
  });

  it('names a running init container, and suggests --follow only for a live job', () => {
    const pod = aPod({ phase: 'Pending', initContainerStatuses: [download({ running: {} })] });
    expect(notStarted(jobThatIs('Starting'), [pod]).message).toContain(
      'has not started yet: its init container download runs;',
    );
    expect(notStarted(jobThatIs('Failed'), [pod]).remedy).not.toContain('--follow');
  });
});

describe('the error about a job whose pods are gone', () => {
  async function remedyFor(
    phase: Phase,
    cleanPodPolicy: string,
    {
      run = 'run-1',
      reason,
      kind,
      ...record
    }: {
      cleanUp: CleanUpScope;
      removedOutlived?: true;
      reason?: string;
      run?: string;
      kind?: { apiVersion: string; kind: string };
    },
  ) {
    const anchor = {
      metadata: { name: 'x', uid: 'u', annotations: formatAnchorRecord({ ...record, firstRunId: run }) },
      data: {
        job: JSON.stringify({ ...kind, plan: { runPolicy: { cleanPodPolicy } } }),
        status: JSON.stringify({ cause: { reason } }),
      },
    };
    const reads: Partial<ClusterClient> = {
      find: async <T>() => anchor as T,
      list: async () => ({ items: [], metadata: { resourceVersion: '1' } }),
    };
    const cluster = reads as ClusterClient;
    const job = jobThatIs(phase);
    return (await noPods(cluster, job, await readAnchor(cluster, job))).remedy;
  }

  it.each([
    [
      'Failed',
      'None',
      { cleanUp: 'Running', reason: 'BackoffLimitExceeded' },
      'cleanPodPolicy: None keeps pods that have ended; a job that ends with BackoffLimitExceeded removes those that still run.',
    ],
    ['Completed', 'All', { cleanUp: 'All' }, 'The job has cleanPodPolicy: All; None keeps them.'],
    ['Failed', 'OnFailure', { cleanUp: 'All' }, 'The job has cleanPodPolicy: OnFailure; Never keeps them.'],
    ['Stopped', 'None', { cleanUp: 'Everything' }, 'A stopped job keeps no pods.'],
    [
      'Completed',
      'None',
      { cleanUp: 'None' },
      'The job removed no pod that had ended; they were deleted otherwise.',
    ],
    [
      'Completed',
      'None',
      { cleanUp: 'None', removedOutlived: true },
      'Their programs had ended while other containers ran on',
    ],
    [
      'Failed',
      'Running',
      { cleanUp: 'Running' },
      'keeps pods that have ended; a job that ends removes those that still run',
    ],
    ['Failed', 'None', { cleanUp: 'Everything' }, 'Its end removed all that was left of it'],
    ['Failed', 'All', { cleanUp: 'All', run: 'later' }, 'another job took its name'],
  ] as const)('says why for %s, under %s: %j', async (phase, policy, anchor, sentence) => {
    expect(await remedyFor(phase, policy, anchor)).toContain(sentence);
  });

  it('names no policy of a kind that has none', async () => {
    const kind = { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob' };
    expect(await remedyFor('Completed', 'Running', { cleanUp: 'Running', kind })).toContain(
      'A job of this kind keeps pods that have ended; a job that ends removes those that still run.',
    );
  });
});
