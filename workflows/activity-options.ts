import {
  ActivityCancellationType,
  type ActivityFunctionWithOptions,
  type ActivityOptions,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import { HEARTBEAT, SILENT_WORKER_MS } from '../contracts/timing.ts';
import { keysOf } from '../language/fields.ts';
import { ACTIVITY_SUMMARIES, summarised } from './summaries.ts';

/**
 * All activities are idempotent and retried without limit: nothing is lost if the API server is unavailable overnight.
 * Activities mark final errors themselves (activities/support/failures.ts).
 */
const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * The heartbeat timeout detects a killed worker. These activities wait only briefly: longer waits are timers of the
 * workflow, which hold no worker slot.
 */
const long = {
  startToCloseTimeout: '30m',
  heartbeatTimeout: HEARTBEAT.timeoutMs,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
} as const;

/** All activities, among them those of the effects. */
export const longActivities = withSummaries(long);

export const { admit, expire, cleanUpOrphan } = longActivities;

/**
 * The job is stopped, and does not wait for an unavailable cluster. But Temporal may hand the task to a worker that is
 * paused, as often as that has polls open, and notices each time after the heartbeat timeout.
 */
export const { admit: admitStopped } = withSummaries({ ...long, scheduleToCloseTimeout: SILENT_WORKER_MS });

/** Quick, and retried on failure. */
export const { askWatcher } = withSummaries({ startToCloseTimeout: '30s', retry });

/** The caller of the update waits for the answer. */
export const { amend, revise } = withSummaries({
  startToCloseTimeout: '30s',
  heartbeatTimeout: HEARTBEAT.timeoutMs,
  retry,
});

/** Waits for the activity to end when cancelled: what is written late would replace something newer. */
export const { recordStatus, restoreRevision } = withSummaries({
  startToCloseTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
});

type Name = keyof Activities;
type Call = ActivityFunctionWithOptions<(request: unknown) => Promise<unknown>>;

/** Returns the activities. Temporal's tools show each call with a summary of what it does. */
function withSummaries(options: ActivityOptions): Activities {
  const activities = proxyActivities(options) as unknown as Readonly<Record<Name, Call>>;
  const summaryOf = ACTIVITY_SUMMARIES as Readonly<Record<Name, (request: never) => string>>;
  const names = keysOf(ACTIVITY_SUMMARIES);
  const calls = names.map((name) => {
    const call = (request: never) =>
      activities[name].executeWithOptions({ summary: summarised(summaryOf[name](request)) }, [request]);
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Activities;
}
