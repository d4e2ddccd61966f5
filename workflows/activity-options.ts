import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import { firstLocally } from './local-activities.ts';

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

const ordinary = proxyActivities<Activities>(long);

export const {
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
} = ordinary;

/** Quick, and retried on failure. */
export const { askWatcher } = proxyActivities<Activities>({ startToCloseTimeout: '30s', retry });

/** The caller of the update waits for the answer. */
export const { amend } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '10s',
  retry,
});

/** Waits for the activity to end when cancelled: a status written late would replace a newer one. */
const { recordStatus: recordRemotely } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
});

/** The limit is below that of a workflow task, which waits for them. */
const { admit: admitLocally, recordStatus: recordLocally } = proxyLocalActivities<Activities>({
  scheduleToCloseTimeout: '5s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
});

export const { admit, recordStatus } = {
  // The history has the manifest already, and need not have it twice: only the local activity gets it.
  admit: firstLocally(admitLocally, ({ manifest: _, ...request }) => ordinary.admit(request)),
  recordStatus: firstLocally(recordLocally, recordRemotely),
};
