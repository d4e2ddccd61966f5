import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { PodCensusTaker } from '../../../watcher/census/pod-census.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

/** What somebody who may write pods and ConfigMaps in namespace `evil` can do to the numbers of others: nothing. */

const withGpus = (pod: Pod): Pod => ({
  ...pod,
  spec: { ...pod.spec, containers: [{ name: 'pytorch', resources: { limits: { 'nvidia.com/gpu': '8' } } }] },
});

function storeOf(...pods: readonly Parameters<typeof aPod>[0][]): JobStore {
  const jobs = new JobStore();
  jobs.anchorsIn().changed(anAnchor({ namespace: 'prod', phase: 'Running' }), 1);
  const all = [{ namespace: 'prod', node: 'a', status: READY }, ...pods];
  for (const [index, pod] of all.entries())
    jobs.podsIn().changed(withGpus(aPod({ uid: `pod-${index}`, ...pod })), 2);
  return jobs;
}

const numbersOf = (jobs: JobStore) => {
  const { pods, gpus, gpusWaiting } = new PodCensusTaker().take(jobs.jobs);
  return { pods: pods.values(), gpus: gpus.values(), gpusWaiting: gpusWaiting.values() };
};

const evil = { namespace: 'evil', node: 'b', status: READY };

describe('pods, GPUs and jobs that are counted', () => {
  it.each([
    ['names the anchor of another namespace', evil],
    ['carries the anchor of another namespace', { ...evil, hasLostOwner: true }],
    ['names an anchor that there never was', { ...evil, owner: 'nobody' }],
    ['carries an anchor that there never was', { ...evil, owner: 'nobody', hasLostOwner: true }],
  ])('are the same with a pod that %s', (_what, pod) => {
    expect(numbersOf(storeOf(pod))).toEqual(numbersOf(storeOf()));
    expect(storeOf(pod).size).toEqual({ jobs: 1, pods: 1 });
  });

  it('count a forged anchor with its pods in its own namespace only', () => {
    const jobs = storeOf({ ...evil, owner: 'forged' });
    jobs.anchorsIn().changed(anAnchor({ namespace: 'evil', uid: 'forged', phase: 'Running' }), 3);
    const ofProd = ({ labels }: { readonly labels: { readonly job_namespace: string } }) =>
      labels.job_namespace === 'prod';
    const { pods, gpus } = numbersOf(jobs);
    expect([pods.filter(ofProd), gpus.filter(ofProd)]).toEqual([
      numbersOf(storeOf()).pods,
      numbersOf(storeOf()).gpus,
    ]);
  });

  it('are the same if a pod loses the reference to its anchor', () => {
    const jobs = storeOf();
    jobs
      .podsIn()
      .changed(
        withGpus(aPod({ uid: 'pod-0', namespace: 'prod', node: 'a', status: READY, hasLostOwner: true })),
        3,
      );
    expect(numbersOf(jobs)).toEqual(numbersOf(storeOf()));
  });
});
