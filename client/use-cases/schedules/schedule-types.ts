import type { CallOptions } from '../../servers/client-settings.ts';

/**
 * What happens when a job is due while an earlier one of the schedule still runs:
 *
 * - `skip`: it is not started;
 * - `queue-one`: it starts when the earlier one has ended; at most one waits;
 * - `queue-all`: each starts when the one before it has ended;
 * - `stop-running`: the earlier one is stopped, cleans up, and then it starts;
 * - `allow`: both run.
 *
 * @public
 */
export type OverlapPolicy = 'skip' | 'queue-one' | 'queue-all' | 'stop-running' | 'allow';

/**
 * When jobs are due, and what else a schedule does. At least one of `cron` and `every`.
 *
 * @public
 */
export interface ScheduleRequest extends CallOptions {
  /** Name of the schedule; default: that of the manifest. */
  readonly name?: string;
  /** Namespace of a job whose manifest has none. */
  readonly namespace?: string;
  /** Cron expressions of five, six or seven fields, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  readonly cron?: readonly string[];
  /** Interval in milliseconds, counted from the epoch. */
  readonly every?: number;
  /** Shifts the interval, in milliseconds: `every` 6 hours with an `offset` of 1 hour is 01:00, 07:00, … UTC. */
  readonly offset?: number;
  /** IANA name of the zone of `cron`, e.g. `Europe/Berlin`; default: UTC. */
  readonly timeZone?: string;
  /** Each start is delayed by a random time up to this, in milliseconds. */
  readonly jitter?: number;
  /** Default: `skip`. */
  readonly overlap?: OverlapPolicy;
  /** How late a start may be that Temporal missed while it was away, in milliseconds; default: one hour. */
  readonly catchUp?: number;
  /** Nothing is due before this time. */
  readonly startAt?: Date;
  /** Nothing is due after this time. */
  readonly endAt?: Date;
  /** Pause the schedule when one of its jobs has failed. */
  readonly pauseOnFailure?: boolean;
  /** Create the schedule paused. */
  readonly paused?: boolean;
  /** A note that is shown with the schedule. */
  readonly note?: string;
  /** Added to the manifest's metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Refuse a manifest with unknown fields; default: true. */
  readonly strict?: boolean;
}

/**
 * Names a schedule: by name and namespace of its jobs, or by the id that Temporal knows it by.
 *
 * @public
 */
export type ScheduleSelector =
  | { readonly name: string; readonly namespace?: string }
  | { readonly scheduleId: string };

/**
 * A start by a schedule.
 *
 * @public
 */
export interface ScheduledRun {
  /** When it was due, RFC 3339. */
  readonly dueAt: string;
  readonly workflowId: string;
  readonly runId: string;
}

/**
 * What a list shows of a schedule.
 *
 * @public
 */
export interface ScheduleSummary {
  readonly scheduleId: string;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  /** In words, e.g. `0 2 * * * (Europe/Berlin)` or `every 6h`. */
  readonly when: readonly string[];
  readonly paused: boolean;
  readonly note?: string;
  /** The next times at which a job is due, RFC 3339. */
  readonly nextRuns: readonly string[];
  /** The latest starts, latest first. */
  readonly lastRuns: readonly ScheduledRun[];
}

/**
 * A schedule with all that Temporal knows of it.
 *
 * @public
 */
export interface ScheduleDetails extends ScheduleSummary {
  /** `terminate` only if another tool chose it. */
  readonly overlap: OverlapPolicy | 'terminate';
  /** Milliseconds. */
  readonly catchUp: number;
  readonly pauseOnFailure: boolean;
  /** Jobs that run now. */
  readonly running: readonly Omit<ScheduledRun, 'dueAt'>[];
  /** How many jobs were started, skipped because of an earlier one, or missed while Temporal was away. */
  readonly counts: { readonly started: number; readonly skipped: number; readonly missed: number };
  readonly submittedBy?: string;
  readonly createdAt: string;
  readonly manifest: unknown;
}
