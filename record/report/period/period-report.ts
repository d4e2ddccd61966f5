import type { UseGroup } from '../../uses/grouped-uses.ts';
import type { PaidFor } from '../../uses/paid-for.ts';
import type { CostData } from '../../uses/priced-sums.ts';
import type { PartOfWhole } from '../../uses/use-sums.ts';

/**
 * What became of the jobs of a namespace, or of all, within some days, and of what they held.
 *
 * @public
 */
export interface PeriodReport {
  /** Null for all namespaces. */
  readonly namespace: string | null;
  /** First day in UTC, e.g. 2026-11-01, and the first one that is not in it; null without a limit. */
  readonly since: string | null;
  readonly until: string | null;
  /** When it was made. Jobs that run are counted until then. */
  readonly asOf: string;
  readonly readFrom: readonly string[];
  readonly jobs: JobCounts;
  /** What was held, of each resource, accelerators first. */
  readonly resources: readonly PaidSums[];
  readonly users: readonly UseGroup[];
  readonly reasons: readonly FailureReason[];
  readonly restarts: readonly RestartCount[];
  readonly nodes: readonly NodeFaults[];
  readonly starts: readonly SlowStart[];
  /** Those that held most. */
  readonly largest: readonly LargeJob[];
  /** What could not be read. */
  readonly missing: readonly string[];
}

/**
 * How jobs ended in these days, and how many have not.
 *
 * @public
 */
export interface JobCounts {
  readonly completed: number;
  readonly failed: number;
  readonly stopped: number;
  readonly live: number;
  /** Completed, of those that completed or failed; null if none has. */
  readonly successRate: number | null;
}

/**
 * What the hours of a resource went to; these add up to what was held.
 *
 * @public
 */
export interface PaidSums {
  readonly resource: string;
  /** Devices times milliseconds. */
  readonly ms: number;
  readonly assumedMs: number;
  readonly goodput: PartOfWhole;
  readonly cost?: CostData;
  readonly paidFor: readonly {
    readonly what: PaidFor;
    /** Why jobs restarted, if it was because of that. */
    readonly cause?: string;
    readonly ms: number;
    readonly cost?: CostData;
  }[];
}

/**
 * Why jobs failed: a reason code, null where it is not known.
 *
 * @public
 */
export interface FailureReason {
  readonly reason: string | null;
  readonly jobs: number;
}

/**
 * Restarts for a cause, and how long jobs took to run again; null where none has.
 *
 * @public
 */
export interface RestartCount {
  readonly cause: string;
  readonly restarts: number;
  readonly jobs: number;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

/**
 * What happened on a node. How long pods ran there is not recorded.
 *
 * @public
 */
export interface NodeFaults {
  readonly node: string;
  readonly restarts: number;
  readonly failedJobs: number;
  readonly jobs: number;
  readonly causes: readonly string[];
}

/**
 * A job among others.
 *
 * @public
 */
export interface ReportedJob {
  readonly namespace: string;
  readonly name: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  readonly phase: string;
  readonly user: string | null;
  readonly isArchived: boolean;
}

/**
 * A job that waited until it ran.
 *
 * @public
 */
export interface SlowStart extends ReportedJob {
  readonly submitted: string;
  readonly waitMs: number;
  /** Whether it has run by now. */
  readonly hasRun: boolean;
  /** What it waited for longest: a reason code. */
  readonly waitedFor: string | null;
}

/**
 * A job, and what it held of the first of its resources.
 *
 * @public
 */
export interface LargeJob extends ReportedJob {
  readonly resource: string;
  readonly ms: number;
  readonly goodput: PartOfWhole;
  readonly restarts: number;
  readonly cost?: CostData;
}
