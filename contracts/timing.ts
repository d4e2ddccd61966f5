/** Times in milliseconds that must agree with others, or that several folders share. A test has what must hold. */

/** How long Temporal, or a worker that it asks, may take for an answer. */
export const ANSWER_MS = 10_000;

/** Heartbeats of activities. */
export const HEARTBEAT = {
  /** Temporal gives an activity to another worker this long after its last heartbeat. */
  timeoutMs: 10_000,
  everyMs: 2_500,
  /** The SDK sends at most one in this time. An activity hears with it that it is cancelled: a user waits for a stop. */
  throttleMs: 2_000,
} as const;

/** Heartbeats of the archiver, which report what it does. */
export const ARCHIVER_HEARTBEAT = { timeoutMs: 30_000, everyMs: 5_000 } as const;

/** Of the notifier: another process looks for news so long after one was killed. */
export const NOTIFIER_HEARTBEAT = { timeoutMs: 15_000, everyMs: 3_000 } as const;

/** A worker writes only while Temporal has lately confirmed that the activity is still its own. */
export const FENCE = {
  /**
   * Writes stop this long after the last confirmation: requests in flight have the rest of the heartbeat's time-out to
   * reach the API server.
   */
  trustedMs: 6_000,
  /** Renewed after this time, in parallel with the work. */
  renewMs: 4_000,
  answerMs: 3_000,
} as const;

/** Shares of a lease's duration, after which others take over. */
export const LEASE_SHARES = {
  renew: 1 / 3,
  /** The leader gives up without a renewal. */
  giveUp: 2 / 3,
} as const;

/** A worker polls at least once in this time, a minute by Temporal's default; the rest is for clocks. Temporal
 * remembers a poll for five. */
export const SILENT_WORKER_MS = 75_000;

/**
 * How long pods may take at a job's end after their nodes should have reported that they ended. Pods of a dead node may
 * stay forever.
 */
export const LEFT_PODS_MS = 80_000;

/** What sources of health say of nodes. */
export const NOTICES = {
  /** A notice ends when its source has not given it for so long: one that comes and goes each second is one notice. */
  quietMs: 30_000,
  /** That time doubles while a notice comes again and again, up to this. */
  longestQuietMs: 3_600_000,
  /** A node must be sick for so long before a job leaves it; more than that, so that one that is sick for a moment stays. */
  graceMs: 60_000,
} as const;
