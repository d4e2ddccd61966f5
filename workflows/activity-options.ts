import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';

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
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
} as const;

export const {
  admit,
  capture,
  cleanUp,
  createAttempt,
  createGroup,
  drain,
  expire,
  publishHostList,
  requestCheckpoint,
  restorePods,
  scale,
  suspend,
  sweepJob,
} = proxyActivities<Activities>(long);

/** The job is stopped, and does not wait for a cluster that is away. */
export const { admit: admitStopped } = proxyActivities<Activities>({
  ...long,
  scheduleToCloseTimeout: '30s',
});

/** Quick, and retried on failure. */
export const { askWatcher } = proxyActivities<Activities>({ startToCloseTimeout: '30s', retry });

/** The caller of the update waits for the answer. */
export const { amend } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '10s',
  retry,
});

/** Waits for the activity to end when cancelled: a status written late would replace a newer one. */
export const { recordStatus } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
});
