import { describe, expect, it } from '@jest/globals';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ArchiverDependencies } from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import type { ClosedJob } from '../../../activities/archive/closed-jobs.ts';
import { isAwaitingCleanUp } from '../../../activities/archive/look-for-archive.ts';
import { FIRST_BEAT } from '../../../contracts/archiver.ts';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import { temporalClock } from '../../../temporal/temporal-clock.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';
import { listed } from '../../temporal/raw-workflows.ts';

/** Temporal's time is in 2001: none of these would be the same by the clock of the machine that runs the tests. */
const TEMPORALS = Date.parse('2001-09-09T01:46:40Z');
const HOUR = 3_600_000;
const RETENTION_HOURS = 24;

const describing = (pendingActivities: readonly object[]) =>
  ({
    workflow: { getHandle: () => ({ describe: async () => ({ raw: { pendingActivities } }) }) },
  }) as unknown as Client;

describe('the clock of an activity', () => {
  const activity = {
    activityId: '7',
    workflowExecution: { workflowId: 'archiver/x', runId: 'r' },
    currentAttemptScheduledTimestampMs: TEMPORALS - HOUR,
  };
  const started = { activityId: '7', lastStartedTime: { seconds: TEMPORALS / 1000, nanos: 5_000_000 } };

  it('starts at the time of Temporal, and continues by a monotonic clock', async () => {
    let elapsed = 100;
    const now = await temporalClock(describing([{ activityId: '6' }, started]), activity, () => elapsed);
    expect(now()).toBe(TEMPORALS + 5);
    elapsed += HOUR;
    expect(now()).toBe(TEMPORALS + 5 + HOUR);
  });

  it('starts at the scheduled time if Temporal has no other', async () => {
    const now = await temporalClock(describing([]), activity, () => 0);
    expect(now()).toBe(TEMPORALS - HOUR);
  });
});

/** A namespace with one ended job that cannot be archived. */
function dependencies({ closedAt, queries }: { closedAt: number; queries: string[] }): ArchiverDependencies {
  const temporal = {
    options: { namespace: 'default', loadedDataConverter: {} },
    workflowService: {
      describeNamespace: async () => ({
        config: { workflowExecutionRetentionTtl: { seconds: RETENTION_HOURS * 3_600 } },
      }),
      describeWorkflowExecution: () => Promise.reject(new Error('not now')),
      listWorkflowExecutions: async ({ query }: { query: string }) => {
        queries.push(query);
        if (query.includes('ContinuedAsNew')) return listed();
        return listed({ workflowId: 'job/ml/train', runId: 'r', closedAt });
      },
    },
  };
  return {
    ...{ temporal, store: new WatchedStore(new MemoryStore()), ready: async () => ({}) },
    observe: () => undefined,
    countUses: () => undefined,
    ledgersOf: async function* (jobs: AsyncIterable<unknown>) {
      for await (const _ of jobs) yield { entries: [] };
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: () => TEMPORALS,
  } as unknown as ArchiverDependencies;
}

async function shiftAfter(hours: number, last = FIRST_BEAT) {
  const queries: string[] = [];
  const given = dependencies({ closedAt: TEMPORALS - hours * HOUR, queries });
  const signal = new AbortController().signal;
  const session = new ArchiverSession(given, { cache: new ArchiverCache(), last, signal });
  await session.round();
  return { beat: session.beat(), queries };
}

describe('by Temporal’s clock, whatever the worker’s clock says', () => {
  it.each([
    [17, 0],
    [19, 1],
  ])('a job that ended %i of 24 hours ago: endangered are %i', async (hours, endangered) => {
    const { beat } = await shiftAfter(hours);
    expect(beat).toMatchObject({ waiting: 1, endangered, problem: expect.stringContaining('not now') });
    expect(beat.at).toBe(new Date(TEMPORALS).toISOString());
  });

  it('runs are kept when a quarter of the retention time is over', async () => {
    const { queries } = await shiftAfter(1);
    const quarter = new Date(TEMPORALS - (RETENTION_HOURS / 4) * HOUR).toISOString();
    const kept = `ContinuedAsNew' AND CloseTime < '${quarter}'`;
    expect(queries).toContainEqual(expect.stringContaining(kept));
  });

  it('all jobs are scanned again after an eighth of the retention time, also by another activity', async () => {
    const { beat } = await shiftAfter(1);
    expect(beat.fullRoundAfter).toBe(new Date(TEMPORALS + (RETENTION_HOURS / 8) * HOUR).toISOString());
    const next = await shiftAfter(1, beat);
    expect(next.queries).toHaveLength(1);
    expect(next.queries[0]).toContain('CloseTime >=');
    const late = await shiftAfter(1, { ...beat, fullRoundAfter: new Date(TEMPORALS).toISOString() });
    expect(late.queries).toHaveLength(2);
    // Temporal's clock was wrong by days when that was said.
    const wrong = await shiftAfter(1, {
      ...beat,
      fullRoundAfter: new Date(TEMPORALS + 99 * HOUR).toISOString(),
    });
    expect(wrong.queries).toHaveLength(2);
  });

  it.each([
    [5, true],
    [11, false],
  ])('a job that was terminated %i minutes ago waits for the watcher: %s', async (minutes, isAwaiting) => {
    const closed = new Date(TEMPORALS - minutes * 60_000).toISOString();
    const job = { close: 'Terminated', anchorUid: 'a', namespace: 'ml', name: 'train', closed } as ClosedJob;
    const metadata = { annotations: { 'signalbox.dev/first-run-id': 'r' } };
    const cluster = { find: async () => ({ metadata }) };
    const noCleanUp = () => Promise.reject(new WorkflowNotFoundError('not found', 'orphan', undefined));
    const temporal = { workflow: { getHandle: () => ({ describe: noCleanUp }) } };
    const given = { temporal, cluster, clusterId: async () => 'c', now: () => TEMPORALS } as never;
    expect(await isAwaitingCleanUp(given, job, 'r')).toBe(isAwaiting);
  });
});
