/**
 * The lanes of an installation, as they are now. Amounts are quantities of Kubernetes, by resource; those of lanes to two
 * decimals.
 *
 * @public
 */
export interface LanesAnswer {
  /** When it was computed, RFC 3339. */
  readonly asOf: string;
  /** In the order of the configuration. */
  readonly lanes: readonly LaneAnswer[];
  /** What could not be read, each in a sentence. */
  readonly unknown: readonly string[];
}

/**
 * A lane, with what runs and what waits in it.
 *
 * @public
 */
export interface LaneAnswer {
  readonly lane: string;
  readonly pool: string;
  /** `drains` until nothing runs in it any more. `faulty`: its configuration has a fault. */
  readonly state: 'open' | 'paused' | 'drains' | 'drained' | 'faulty';
  /** Why it is not open. */
  readonly why?: string;
  readonly weight: number;
  readonly priority: number;
  /** What its jobs have. */
  readonly used: Readonly<Record<string, string>>;
  /** Its part of the pool by weight. */
  readonly share: Readonly<Record<string, string>>;
  /** How much it has beyond that. */
  readonly borrowed: Readonly<Record<string, string>>;
  /** When the first job that waits can start, if the ends of those that run are known; RFC 3339. */
  readonly nextStart?: string;
  readonly running: readonly LaneJob[];
  /** In their order. */
  readonly waiting: readonly LaneJob[];
}

/**
 * A job that runs or waits in a lane.
 *
 * @public
 */
export interface LaneJob {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** Of a job that waits: since when it does. Of one that runs: since when it has its place. RFC 3339. */
  readonly since: string;
  readonly needs: Readonly<Record<string, string>>;
  /** By when it ends, as it declares; RFC 3339. */
  readonly ends?: string;
  /** Of a job that waits: from 1; absent if it could not start however much were free. */
  readonly position?: number;
  /** Of a job that waits: why, as a code and in words. */
  readonly reason?: string;
  readonly message?: string;
}
