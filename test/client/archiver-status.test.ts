import { describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { JobArchiver } from '../../client/handles/job-archiver.ts';
import { type ArchiveFailure, FIRST_BEAT } from '../../contracts/archiver.ts';

const MINUTE = 60_000;

interface State {
  /** How long ago the archiver said something. */
  readonly saidMs?: number;
  readonly attempt?: number;
  readonly failure?: string;
  readonly scheduledMs?: number;
  /** How long ago a worker asked for tasks; none if absent. */
  readonly polledMs?: number;
  readonly failed?: readonly ArchiveFailure[];
}

const ago = (ms: number) => msToTs(Date.now() - ms);

/** A Temporal with an archiver, whose workflow answers if a worker has polled just now. */
function archiverIn({
  saidMs,
  attempt = 1,
  failure,
  scheduledMs = 0,
  polledMs,
  failed = [],
}: State): JobArchiver {
  const at = new Date(Date.now() - (saidMs ?? 0)).toISOString();
  const beat = saidMs !== undefined && { ...FIRST_BEAT, failed, at };
  const activity = {
    activityType: { name: 'archiveClosed' },
    ...{ attempt, scheduledTime: ago(scheduledMs) },
    heartbeatDetails: beat ? { payloads: [defaultPayloadConverter.toPayload(beat)] } : undefined,
    lastFailure: failure === undefined ? undefined : { message: failure },
  };
  const within = <T>(_limit: unknown, call: () => Promise<T>) => call();
  const pollers = polledMs === undefined ? [] : [{ lastAccessTime: ago(polledMs) }];
  const temporal = {
    options: {
      namespace: 'default',
      loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] },
    },
    ...{ withDeadline: within, withAbortSignal: within },
    workflow: {
      getHandle: () => ({
        describe: async () => ({
          ...{
            taskQueue: 'signalbox',
            status: { name: 'RUNNING' },
            startTime: new Date(Date.now() - 600 * MINUTE),
          },
          raw: { pendingActivities: [activity] },
        }),
        query: () =>
          pollers.length === 0 ? new Promise(() => undefined) : Promise.resolve({ requests: [] }),
      }),
    },
    workflowService: {
      describeNamespace: async () => ({ namespaceInfo: { id: 'installation' } }),
      describeTaskQueue: async () => ({ pollers }),
    },
  } as unknown as Client;
  return new JobArchiver({ temporal, temporalAddress: 'localhost:7233' });
}

const failureOf = async (state: State) => (await archiverIn(state).status()).failure;

describe('the state of the archiver', () => {
  it('is good although its worker has just restarted, which failed the last try', async () => {
    const failure = 'This operation was aborted';
    expect(await failureOf({ saidMs: 40_000, attempt: 2, failure, polledMs: 1_000 })).toBeUndefined();
  });

  it('is good while one activity follows the other', async () => {
    expect(await failureOf({ scheduledMs: 5_000, polledMs: 1_000 })).toBeUndefined();
  });

  it.each([
    ['no worker runs', {}, /for 12m\S*: no worker polls the task queue signalbox/],
    [
      'its tries fail',
      { polledMs: 1_000, failure: 'no archive' },
      /for 12m\S*: its last try failed: no archive$/,
    ],
    ['nobody takes its tasks', { polledMs: 1_000 }, /for 12m\S*: no worker takes its tasks/],
  ])('is bad when its last scan is old: %s', async (_, state, message) => {
    expect(await failureOf({ saidMs: 12 * MINUTE, ...state })).toMatch(message);
  });

  it('is bad if it has never scanned, however often an activity is retried', async () => {
    const state = { attempt: 200, failure: 'this worker has no archive', polledMs: 1_000 };
    expect(await failureOf(state)).toMatch(/has not looked for ended jobs for 10h\S*: .* no archive$/);
  });

  it('does not wait for a missing worker, and then shows no requests', async () => {
    const status = await archiverIn({ saidMs: 30_000 }).status();
    expect(status.requests).toBeUndefined();
    expect(status.failure).toBeUndefined();
  });
});

it('the error about an unarchived run is not that of another run of its name', async () => {
  const failed = [{ workflowId: 'job/ml/train', runId: 'run-2', why: 'no place' }];
  const archiver = archiverIn({ saidMs: 0, polledMs: 0, failed });
  expect(await archiver.whyNotArchived({ workflowId: 'job/ml/train', runId: 'run-2' })).toBe('no place');
  expect(await archiver.whyNotArchived({ workflowId: 'job/ml/train', runId: 'run-3' })).toBeUndefined();
});
