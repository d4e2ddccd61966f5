import { describe, expect, it } from '@jest/globals';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { CancelledFailure, TerminatedFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import type { ArchiverDependencies } from '../../../activities/archive/archiver-dependencies.ts';
import type { ClosedJob } from '../../../activities/archive/closed-jobs.ts';
import { lastStatusOf } from '../../../activities/archive/last-status.ts';
import { isAwaitingCleanUp } from '../../../activities/archive/look-for-archive.ts';
import { withStored } from '../../../activities/archive/stored-records.ts';
import type { JobStatus } from '../../../contracts/types.ts';
import { someContents, someRecord } from '../../record/archive/some-job.ts';
import { anAnchor } from '../../watcher/fixtures.ts';

const CLOSED = '2026-11-23T10:05:01.000Z';
const NOW = Date.parse(CLOSED) + 60_000;
const job = (close: ClosedJob['close']) =>
  ({
    ...{ workflowId: 'job/default/resnet', runId: 'run-1', name: 'resnet', namespace: 'default' },
    ...{ kind: 'PyTorchJob', closed: CLOSED, close, anchorUid: 'anchor-1' },
  }) as ClosedJob;

const statusIn = async (phase: JobStatus['phase'], more: Partial<JobStatus> = {}): Promise<JobStatus> => ({
  ...(await someContents()).job.status,
  ...{ phase, state: phase, startTime: '2026-11-23T10:00:00.000Z' },
  ...more,
});

/** A Temporal whose workflow has failed, and answers with what it knew last, if it can. */
const closedBy = (cause: Error, last?: JobStatus) =>
  ({
    temporal: {
      withDeadline: (_: number, work: () => unknown) => work(),
      workflow: {
        getHandle: () => ({
          result: () =>
            Promise.reject(new WorkflowFailedError('failed', cause, 'NON_RETRYABLE_FAILURE' as never)),
          query: async () => last ?? Promise.reject(new Error('it does not replay')),
        }),
      },
    },
  }) as unknown as ArchiverDependencies;

const terminated = new TerminatedFailure('ben ended it');
const timedOut = new TimeoutFailure('timed out', undefined, TimeoutType.START_TO_CLOSE);

describe('the last status of a job that could not record its end', () => {
  it.each([
    ['Terminated', terminated, 'ben ended it'],
    ['TimedOut', timedOut, 'A Temporal timeout ended it.'],
  ] as const)('is the status in Temporal with what the workflow knew: %s', async (close, cause, message) => {
    const last = await statusIn('Running', { cause: { reason: 'PodFailed', message: 'an older cause' } });
    expect(await lastStatusOf(closedBy(cause, last), job(close))).toMatchObject({
      ...{ phase: 'Stopped', state: 'Stopped', startTime: last.startTime, completionTime: CLOSED },
      cause: { reason: 'WorkflowTerminated', message },
      timeline: [{ at: CLOSED, phase: 'Stopped' }],
    });
  });

  it('is not the status that the workflow was about to publish', async () => {
    const last = await statusIn('Completed', { completionTime: '2026-11-23T10:05:00.000Z' });
    expect(await lastStatusOf(closedBy(terminated, last), job('Terminated'))).toMatchObject({
      ...{ phase: 'Stopped', completionTime: CLOSED, cause: { reason: 'WorkflowTerminated' } },
    });
  });

  it('is the status of a cancelled workflow that completed its clean-up', async () => {
    const last = await statusIn('Stopped', { cause: { reason: 'Cancelled', message: 'by ana' } });
    expect(await lastStatusOf(closedBy(new CancelledFailure('cancelled'), last), job('Canceled'))).toEqual(
      last,
    );
  });

  it('is known also if the workflow does not replay', async () => {
    expect(await lastStatusOf(closedBy(terminated), job('Terminated'))).toMatchObject({
      ...{ phase: 'Stopped', completionTime: CLOSED, name: 'resnet' },
    });
  });

  it('has the evidence that the orphan clean-up has stored', async () => {
    const status = await lastStatusOf(closedBy(terminated), job('Terminated'));
    const stored = { evidence: [someRecord()], pods: [], missing: [] };
    expect(withStored(status, stored).evidence).toEqual([someRecord().summary]);
    const other = await statusIn('Completed');
    expect(withStored(other, stored)).toEqual(other);
  });
});

describe('a terminated job', () => {
  const looking = (phase: string, cleanUp?: { readonly status: string; readonly closeTime?: Date }) =>
    ({
      now: () => NOW,
      clusterId: async () => undefined,
      cluster: { find: async () => anAnchor({ phase, firstRunId: 'run-1' }) },
      temporal: {
        workflow: {
          getHandle: (id: string) => ({
            describe: async () => {
              if (!cleanUp) throw new WorkflowNotFoundError('no orphan clean-up', id, undefined);
              return { ...cleanUp, status: { name: cleanUp.status } };
            },
          }),
        },
      },
    }) as unknown as ArchiverDependencies;
  const isAwaiting = (...state: Parameters<typeof looking>) =>
    isAwaitingCleanUp(looking(...state), job('Terminated'), 'run-1');
  const later = (ms: number) => new Date(Date.parse(CLOSED) + ms);

  it.each(['Running', 'Completed'])(
    'waits for the clean-up of orphans, whatever its anchor says: %s',
    async (phase) => {
      expect(await isAwaiting(phase)).toBe(true);
      expect(await isAwaiting(phase, { status: 'RUNNING' })).toBe(true);
      expect(await isAwaiting(phase, { status: 'COMPLETED', closeTime: later(-1) })).toBe(true);
      expect(await isAwaiting(phase, { status: 'COMPLETED', closeTime: later(5_000) })).toBe(false);
    },
  );
});
