import { describe, expect, it } from '@jest/globals';
import { meaningOf } from '../../../machines/report/scheduler-words.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const WORDS = '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.';
const waiting = { reason: 'Unschedulable', message: WORDS, pod: 'resnet-worker-0', pods: 2 };
const lastCause = (run: ReturnType<typeof aRun>) => run.status.timeline.at(-1)?.cause;

const twoPods = () => aRun(aPlan().workers(2)).does('createAttempt', 10);
const unplaced = (version: number) => aDigest(version).workers({ unscheduled: 2 }).waiting(waiting);

describe('a job that waits for nodes', () => {
  it('says what it waits for, then quotes the scheduler', () => {
    expect(twoPods().receives(unplaced(10)).status.cause?.message).toBe(
      `not enough free nvidia.com/gpu; 0 of 2 pods have a node, 0 are ready; 2 wait with Unschedulable (resnet-worker-0: ${WORDS})`,
    );
  });

  it('says what it needs and what the cluster has, if that is too little', () => {
    const gpus = { resource: 'nvidia.com/gpu', needs: '4', has: '0' };
    const run = twoPods().receives(unplaced(10).shortages(gpus));
    expect(run.status.cause?.message).toBe(
      `needs 4 nvidia.com/gpu, the cluster has 0; 0 of 2 pods have a node, 0 are ready; 2 wait with Unschedulable (resnet-worker-0: ${WORDS})`,
    );
    run.waits(199).receives(aDigest(11).workers({ ready: 2 }));
    expect(lastCause(run)).toBe(
      `all 2 pods are ready; waited 3m20s: needs 4 nvidia.com/gpu, the cluster has 0; Unschedulable: ${WORDS}`,
    );
  });

  it('never fits if one pod needs more than any node has', () => {
    const gpus = { resource: 'nvidia.com/gpu', needs: '16', has: '8', role: 'worker' };
    const { cause } = twoPods().receives(unplaced(10).shortages(gpus)).status;
    expect(cause?.reason).toBe('NeverFits');
    expect(cause?.message).toMatch(
      /^each worker pod requests 16 nvidia\.com\/gpu, the largest node has 8; 0 of 2 /,
    );
  });

  it('keeps its causes of waiting in its history, with their times', () => {
    const run = twoPods().receives(unplaced(10)).waits(199);
    run.receives(aDigest(11).workers({ ready: 2 }));
    expect(lastCause(run)).toBe(
      `all 2 pods are ready; waited 3m20s: not enough free nvidia.com/gpu; Unschedulable: ${WORDS}`,
    );
  });

  it('does not mention that afterwards, or a very short wait', () => {
    const run = twoPods().receives(unplaced(10));
    run.receives(aDigest(11).workers({ scheduled: 1, ready: 1 }));
    expect(lastCause(run)).toBe('every pod has a node; 1 of 2 are ready');
    expect(lastCause(run.waits(60).receives(aDigest(12).workers({ ready: 2 })))).toBe('all 2 pods are ready');
  });
});

it.each([
  [WORDS, 'not enough free nvidia.com/gpu'],
  ['resourceclaim.resource.k8s.io "gpu" not found', 'the ResourceClaim gpu does not exist'],
  ['0/2 nodes are available: 2 cannot allocate all claims.', 'no node has the devices of its ResourceClaims'],
  [
    "0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match pod anti-affinity rules.",
    'podAntiAffinity keeps pods from nodes, not enough free nvidia.com/gpu',
  ],
  [
    "0/3 nodes: 2 node(s) didn't match pod topology spread constraints.",
    'nodes do not match topologySpreadConstraints',
  ],
  ["2 node(s) didn't have free ports for the requested pod ports", 'host ports of nodes are in use'],
  ['0/4 nodes: 2 Insufficient cpu, 2 Insufficient memory.', 'not enough free cpu, not enough free memory'],
  ['1 node(s) had untolerated taint {gpu: yes}', 'nodes have taints that the pods do not tolerate'],
  ['persistentvolumeclaim "data" not found', 'the PersistentVolumeClaim data does not exist'],
  ['configmap "settings" not found', 'the configmap settings does not exist'],
  ['ErrImageNeverPull', 'the image is not on the node, and imagePullPolicy Never forbids to pull it'],
  ['RunContainerError failed to start', 'the container cannot be started'],
  [
    'CreateContainerConfigError configmap "later" not found',
    'the container cannot be configured, the configmap later does not exist',
  ],
  ['ErrImagePull Back-off pulling image "a"', 'the image cannot be pulled'],
  ['ContainerCreating', undefined],
  ['the queue is full', undefined],
])('%s means %s', (words, meaning) => {
  expect(meaningOf(words)).toBe(meaning);
});

it('numbers stand before the scheduler’s message about other resources', () => {
  const gpus = { resource: 'nvidia.com/gpu', needs: '4', has: '0' };
  expect(meaningOf('2 Insufficient nvidia.com/gpu, 1 Insufficient cpu, 1 were unschedulable', [gpus])).toBe(
    'needs 4 nvidia.com/gpu, the cluster has 0; not enough free cpu, nodes are cordoned',
  );
  expect(meaningOf('', [gpus])).toBe('needs 4 nvidia.com/gpu, the cluster has 0');
});
