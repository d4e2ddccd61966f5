import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';

/**
 * All activities are idempotent, so all are tried again for as long as it takes: an API server that is away for a night
 * loses nothing. What is final says so itself (activities/support/failures.ts).
 */
const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * A killed worker is noticed after the heartbeat time-out. None of these waits for the world, but for a moment: what waits
 * for days is a timer of the workflow, which holds no slot of a worker.
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
  publishRules,
  requestCheckpoint,
  restorePods,
  scale,
  suspend,
  sweepJob,
} = proxyActivities<Activities>(long);

/** Quick, and asked again where it fails. */
export const { askWatcher } = proxyActivities<Activities>({ startToCloseTimeout: '30s', retry });

/** Somebody waits for the answer. */
export const { amend } = proxyActivities<Activities>({ startToCloseTimeout: '30s', retry });

/** Waited for when it is given up: a status that is written late would replace a newer one. */
export const { recordStatus } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
});
