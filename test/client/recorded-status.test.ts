import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { recordedStatus } from '../../client/servers/recorded-status.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { formatAnchorRecord } from '../../contracts/anchor.ts';

const CLUSTER_MS = 50;

const described = {
  workflowId: 'job/ml/train',
  runId: 'run-1',
  status: { name: 'RUNNING' },
  startTime: new Date('2026-01-01T00:00:00Z'),
  typedSearchAttributes: new TypedSearchAttributes([]),
  raw: { workflowExecutionInfo: { firstRunId: 'run-1' } },
} as unknown as WorkflowExecutionDescription;

const ANCHOR = {
  metadata: { annotations: formatAnchorRecord({ firstRunId: 'run-1' }) },
  data: { status: JSON.stringify({ phase: 'Running', attempt: 2 }) },
};

const clusterWith = (find: () => Promise<unknown>) => ({ find }) as unknown as ClusterClient;

describe('the recorded status of a job', () => {
  it('is that of its anchor', async () => {
    const cluster = async () => clusterWith(async () => ANCHOR);
    expect(await recordedStatus(described, cluster, CLUSTER_MS)).toMatchObject({
      ...{ recordedIn: 'anchor', phase: 'Running', attempt: 2 },
    });
  });

  it('is that of its anchor, also if the Kubernetes client loads slowly', async () => {
    const cluster = async () => {
      await delay(4 * CLUSTER_MS);
      return clusterWith(async () => ANCHOR);
    };
    expect(await recordedStatus(described, cluster, CLUSTER_MS)).toMatchObject({ recordedIn: 'anchor' });
  });

  it.each([
    ['does not answer in time', () => new Promise<never>(() => undefined)],
    ['refuses', () => Promise.reject(new Error('forbidden'))],
    ['has no anchor', () => Promise.resolve(undefined)],
    [
      'has the anchor of another run',
      () => Promise.resolve({ metadata: { annotations: formatAnchorRecord({ firstRunId: 'run-2' }) } }),
    ],
  ])('is that of Temporal, if the cluster %s', async (_, find) => {
    const cluster = async () => clusterWith(find);
    expect(await recordedStatus(described, cluster, CLUSTER_MS)).toMatchObject({
      ...{ recordedIn: 'temporal', name: 'train', namespace: 'ml' },
    });
  });
});
