import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Node, PodSpec } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { trimPod } from '../../../watcher/pods/pod-facts.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { aNode, anAnchor, aPod, type PodChoice, READY, SUCCEEDED, trimNode } from '../fixtures.ts';

/** A job that needs more than the cluster has. */

let jobs: JobStore;
beforeEach(() => {
  jobs = new JobStore();
  jobs.anchorsIn().changed(anAnchor(), 1);
});

const gpus = (count: number) => ({ limits: { 'nvidia.com/gpu': String(count) } });

function seesPod(
  index: number,
  resources: unknown,
  more: Pick<PodChoice, 'status' | 'deletedAt'> & { spec?: object } = {},
): void {
  const { spec: fields, ...choice } = more;
  const pod = aPod({ index, ...choice });
  const [container] = pod.spec.containers;
  const spec = { ...pod.spec, containers: [{ ...container!, resources }], ...fields } as PodSpec;
  jobs.podsIn().changed(trimPod({ ...pod, spec }), 2);
}

function seesNodes(...allocatable: Record<string, string>[]): void {
  const nodes = allocatable.map(
    (one, index): Node => ({ ...aNode({ name: `gpu-${index}` }), status: { allocatable: one } }),
  );
  jobs.nodes.handlers.replaced(nodes.map(trimNode), 3);
}

const shortages = () =>
  jobs.digestOf(jobs.job({ namespace: 'default', uid: 'anchor-1' })!, anchorFacts(anAnchor())!).shortages;

describe('the resources that a job lacks', () => {
  it('are the requests of one pod, if no node has so much', () => {
    for (const index of [0, 1, 2, 3]) seesPod(index, gpus(1));
    seesNodes({ cpu: '8', memory: '16Gi' });
    expect(shortages()).toEqual([{ resource: 'nvidia.com/gpu', needs: '1', has: '0', role: 'worker' }]);
    seesNodes({ 'nvidia.com/gpu': '4' });
    expect(shortages()).toBeUndefined();
  });

  it('are of one pod also where all nodes together have enough', () => {
    seesPod(0, gpus(8));
    seesNodes({ 'nvidia.com/gpu': '4' }, { 'nvidia.com/gpu': '6' });
    expect(shortages()).toEqual([{ resource: 'nvidia.com/gpu', needs: '8', has: '6', role: 'worker' }]);
  });

  it('are more than all nodes have together, including scheduled pods', () => {
    seesPod(0, gpus(8), { status: READY });
    seesPod(1, gpus(8));
    seesNodes({ 'nvidia.com/gpu': '8' }, { 'nvidia.com/gpu': '4' });
    expect(shortages()).toEqual([{ resource: 'nvidia.com/gpu', needs: '16', has: '12' }]);
  });

  it('have rounded numbers, which never hide the shortage', () => {
    seesPod(0, { requests: { cpu: '1500m', memory: '64Gi' } });
    seesNodes({ cpu: '1', memory: '16393212Ki' }, { cpu: '500m', memory: '16393212Ki' });
    expect(shortages()).toEqual([
      { resource: 'cpu', needs: '1500m', has: '1', role: 'worker' },
      { resource: 'memory', needs: '64Gi', has: '15Gi', role: 'worker' },
    ]);
  });

  it('include custom resources as plain numbers', () => {
    seesPod(0, gpus(2_000));
    seesNodes({ 'nvidia.com/gpu': '1000' });
    expect(shortages()).toMatchObject([{ needs: '2000', has: '1000' }]);
  });

  it('include init containers and overhead, as the scheduler does', () => {
    const initContainers = [{ name: 'stage', resources: { requests: { cpu: '3' } } }];
    seesPod(0, { requests: { cpu: '1' } }, { spec: { initContainers, overhead: { cpu: '1' } } });
    seesNodes({ cpu: '3' });
    expect(shortages()).toEqual([{ resource: 'cpu', needs: '4', has: '3', role: 'worker' }]);
  });

  it('follow nodes that are added and removed', () => {
    seesPod(0, gpus(1));
    seesNodes({}, { 'nvidia.com/gpu': '1' });
    expect(shortages()).toBeUndefined();
    jobs.nodes.handlers.deleted(aNode({ name: 'gpu-1' }), 4);
    expect(shortages()).toMatchObject([{ has: '0' }]);
  });
});

describe('no shortage is reported', () => {
  it('while nodes cannot be read', () => {
    seesPod(0, gpus(1));
    expect(shortages()).toBeUndefined();
    seesNodes({});
    jobs.nodes.forget();
    expect(shortages()).toBeUndefined();
  });

  it('once every pod has a node', () => {
    seesPod(0, gpus(1), { status: READY });
    seesNodes({});
    expect(shortages()).toBeUndefined();
  });

  it('for pods that have ended, or are being deleted', () => {
    seesPod(0, gpus(1));
    seesPod(0, gpus(1), { status: SUCCEEDED });
    seesPod(1, gpus(1));
    seesPod(2, gpus(1), { deletedAt: '2026-01-01T00:05:00Z' });
    seesNodes({ 'nvidia.com/gpu': '1' });
    expect(shortages()).toBeUndefined();
  });

  it('for quantities that cannot be parsed', () => {
    seesPod(0, { requests: { cpu: 'many' } });
    seesPod(1, {});
    seesNodes({ cpu: 'some' });
    expect(shortages()).toBeUndefined();
  });
});
