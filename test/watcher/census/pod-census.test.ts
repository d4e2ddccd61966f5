import { expect, it } from '@jest/globals';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { PodCensusTaker } from '../../../watcher/census/pod-census.ts';
import { newJob, storePod, type WatchedJob } from '../../../watcher/jobs/job.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

const GPUS = {
  containers: [{ name: 'pytorch', resources: { limits: { 'nvidia.com/gpu': '8', cpu: '4' } } }],
};

function aJob(...pods: readonly Parameters<typeof aPod>[0][]): WatchedJob {
  const job = newJob({ namespace: 'ml', uid: 'anchor-1' });
  job.anchor = anchorFacts(anAnchor({ namespace: 'ml' }))!;
  for (const [index, pod] of pods.entries()) {
    const facts = podFacts({ ...aPod(pod), spec: GPUS });
    storePod(job, `pod-${index}`, facts);
  }
  return job;
}

it('counts pods by state, and the GPUs that they hold or wait for', () => {
  const census = new PodCensusTaker().take([aJob({ status: READY }, { status: READY }, {})]);
  expect(census.pods.values()).toEqual([
    { labels: { job_namespace: 'ml', state: 'unscheduled' }, value: 1 },
    { labels: { job_namespace: 'ml', state: 'ready' }, value: 2 },
  ]);
  expect(census.gpus.values()).toEqual([{ labels: { job_namespace: 'ml', phase: 'Pending' }, value: 16 }]);
  expect(census.gpusWaiting.values()).toEqual([{ labels: { job_namespace: 'ml' }, value: 8 }]);
});

it('counts nothing of pods whose anchor it does not know', () => {
  const job = { ...aJob({ status: READY }, {}), anchor: undefined };
  const census = new PodCensusTaker().take([job]);
  expect([census.pods, census.gpus, census.gpusWaiting].flatMap((sums) => sums.values())).toEqual([]);
});
