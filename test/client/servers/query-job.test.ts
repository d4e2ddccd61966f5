import { describe, expect, it } from '@jest/globals';
import { type Client, ServiceError } from '@temporalio/client';
import { queryJob } from '../../../client/servers/query-job.ts';
import { GRPC } from '../../../client/servers/temporal-errors.ts';

/** Temporal refuses a query, in its own words. */
function clientRefusing(details: string): Client {
  const cause = Object.assign(new Error(details), { code: GRPC.failedPrecondition, details, metadata: {} });
  const query = () => Promise.reject(new ServiceError('Failed to query Workflow', { cause }));
  const client = {
    workflow: { getHandle: () => ({ query }) },
    withDeadline: (_: unknown, call: () => unknown) => call(),
  };
  return client as never as Client;
}

const errorAfter = (details: string) =>
  queryJob(clientRefusing(details), { workflowId: 'job/ml/train' }, { name: 'status', timeoutMs: 1 }).catch(
    (error: Error) => error.message,
  );

describe('a query that no worker answers', () => {
  it('says that no worker is there', async () => {
    const details = 'no poller seen for task queue recently, worker may be down';
    expect(await errorAfter(details)).toBe('No worker answers for job/ml/train.');
  });

  it('says that Temporal asks none, where the workflow task fails again and again', async () => {
    const details = 'Unable to query workflow due to Workflow Task in failed state.';
    expect(await errorAfter(details)).toBe(
      'Temporal asks no worker about job/ml/train: its last workflow task failed or timed out again and again.',
    );
  });
});
