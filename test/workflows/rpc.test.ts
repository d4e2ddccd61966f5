import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { rpc } from '../../workflows/rpc.ts';
import { startWorkflow } from './workflow-host.ts';

const REQUEST = { method: 'find', arguments: { workflowId: 'job/ml/train' } };
const start = () => startWorkflow(rpc, { args: [REQUEST] });

describe('the workflow rpc', () => {
  it('returns what its activity answers', async () => {
    const flow = await start();
    expect(flow.activity('answerRpc').request).toEqual(REQUEST);
    await flow.activity('answerRpc').completes({ result: [1], cursor: 'more' });
    expect(flow.ending).toEqual({ type: 'completed', result: { result: [1], cursor: 'more' } });
  });

  it('fails as its activity does, with type, message and details', async () => {
    const flow = await start();
    const details = [{ remedy: 'Look again.', workflowId: 'job/ml/train' }];
    const failure = ApplicationFailure.nonRetryable('There is no job.', 'JobNotFound', ...details);
    await flow.activity('answerRpc').fails(failure);
    expect(flow.ending).toMatchObject({
      type: 'failed',
      error: { type: 'JobNotFound', message: 'There is no job.', details, nonRetryable: true },
    });
  });

  it('says that no worker answered, if none did in time', async () => {
    const flow = await start();
    const failure = new TimeoutFailure('heartbeat timeout', undefined, TimeoutType.HEARTBEAT);
    await flow.activity('answerRpc').fails(failure, RetryState.MAXIMUM_ATTEMPTS_REACHED);
    expect(flow.ending).toMatchObject({
      type: 'failed',
      error: { type: 'WorkerAway', message: expect.stringContaining('No worker answered in time') },
    });
  });
});
