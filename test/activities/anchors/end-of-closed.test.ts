import { describe, expect, it } from '@jest/globals';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TerminatedFailure } from '@temporalio/common';
import { endOfClosed } from '../../../activities/anchors/end-of-closed.ts';
import { INVALID_MANIFEST, JOB_FAILED } from '../../../contracts/messages.ts';
import type { JobOutcome } from '../../../contracts/status.ts';

const RUN = '11111111-2222-3333-4444-555555555555';
const REFUSED: JobOutcome = {
  ...{ kind: 'PyTorchJob', name: 'resnet', namespace: 'ml', phase: 'Failed', state: 'Failed' },
  ...{ attempt: 1, restarts: 0, conditions: [], replicaStatuses: {}, warnings: [] },
  ...{ completionTime: '2026-11-26T10:00:00Z', timeline: [] },
};
const ADMITTED: JobOutcome = {
  ...REFUSED,
  conditions: [{ type: 'Created', status: 'True', reason: 'JobCreated', message: 'created' }],
};

/** How the job ended whose workflow failed with this. */
function endAfter(cause: Error) {
  const failure = new WorkflowFailedError('failed', cause, 'NON_RETRYABLE_FAILURE');
  const describe = async () => ({
    ...{ runId: RUN, status: { name: 'FAILED' }, closeTime: new Date('2026-11-26T11:00:00Z') },
    raw: { workflowExecutionInfo: { firstRunId: RUN } },
  });
  const handle = { describe, result: () => Promise.reject(failure) };
  const temporal = { workflow: { getHandle: () => handle } } as unknown as Client;
  return endOfClosed(temporal, { workflowId: 'job/ml/resnet', firstRunId: RUN });
}

const failed = (type: string, ...details: unknown[]) =>
  ApplicationFailure.create({ type, message: 'refused', nonRetryable: true, details });

const FAULTS = [{ path: 'spec.nprocPerNode', expected: 'an integer', got: '"x"' }];

describe('the recorded end of a job whose workflow failed', () => {
  it('is its outcome, after its clean-up', async () => {
    expect(await endAfter(failed(JOB_FAILED, ADMITTED))).toEqual({ isCut: false, status: ADMITTED });
  });

  it('is the outcome of a refused manifest, with its faults and without a clean-up', async () => {
    expect(await endAfter(failed(INVALID_MANIFEST, FAULTS, REFUSED))).toEqual({
      isCut: true,
      status: {
        ...REFUSED,
        cause: {
          reason: 'InvalidManifest',
          message: expect.stringContaining('spec.nprocPerNode: expected an integer'),
        },
      },
    });
  });

  it('is the outcome of a failed admission, without a clean-up', async () => {
    expect(await endAfter(failed(JOB_FAILED, REFUSED))).toEqual({ isCut: true, status: REFUSED });
  });

  it('is the status in Temporal if there is no outcome', async () => {
    expect(await endAfter(new TerminatedFailure('by hand'))).toMatchObject({
      isCut: true,
      status: {
        ...{ phase: 'Stopped', completionTime: '2026-11-26T11:00:00.000Z' },
        cause: { reason: 'WorkflowTerminated' },
      },
    });
  });
});
