import { describe, expect, test } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import type { ObservedJob } from './observation.ts';
import { followPyTorchJobs, type PyTorchJob } from './pytorch-jobs.ts';

const running = { type: 'Running', status: 'True' } as const;

describe('a PyTorchJob of 4 pods', () => {
  test.each<[string, PyTorchJob['status'], string | undefined]>([
    ['was just created', undefined, undefined],
    [
      'has no condition yet',
      { replicaStatuses: { Master: { active: 1 }, Worker: { active: 3 } } },
      undefined,
    ],
    [
      'waits for workers',
      { conditions: [running], replicaStatuses: { Master: { active: 1 }, Worker: { active: 2 } } },
      undefined,
    ],
    [
      'has all of its pods',
      { conditions: [running], replicaStatuses: { Master: { active: 1 }, Worker: { active: 3 } } },
      'Running',
    ],
    [
      'no longer runs',
      { conditions: [{ ...running, status: 'False' }], replicaStatuses: { Worker: { active: 4 } } },
      undefined,
    ],
  ])('%s', async (_, status, phase) => {
    expect(await observed([{ ...JOB, status }])).toEqual([{ name: 'job-0', phase }]);
  });
});

const JOB = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name: 'job-0', resourceVersion: '1' },
};

/** What is told of the jobs that a cluster lists. */
async function observed(items: readonly PyTorchJob[]): Promise<ObservedJob[]> {
  const seenJobs: ObservedJob[] = [];
  const ending = new AbortController();
  const cluster = {
    list: async () => ({ metadata: { resourceVersion: '1' }, items }),
    watch: () => {
      ending.abort();
      return [];
    },
  } as unknown as ClusterClient;
  await followPyTorchJobs(4)(cluster, ending.signal, (job) => seenJobs.push(job));
  return seenJobs;
}
