import type { LaneView } from '../../../queue/lanes/lanes-decision.ts';

/** Amounts by resource, as Kubernetes writes quantities. */
type Written = Readonly<Record<string, string>>;

/** The lanes of an installation, as they are now. */
export interface LanesAnswer {
  /** RFC 3339 */
  readonly asOf: string;
  /** In the order of the configuration. */
  readonly lanes: readonly LaneAnswer[];
  /** What could not be read, each in a sentence. */
  readonly unknown: readonly string[];
}

export interface LaneAnswer
  extends Pick<LaneView, 'lane' | 'pool' | 'state' | 'why' | 'weight' | 'priority'> {
  /** What its jobs have, its part of the pool by weight, and how much it has beyond that. */
  readonly used: Written;
  readonly share: Written;
  readonly borrowed: Written;
  /** When the first job that waits can start, if the ends of those that run are known; RFC 3339. */
  readonly nextStart?: string;
  readonly running: readonly JobAnswer[];
  /** In their order. */
  readonly waiting: readonly JobAnswer[];
}

export interface JobAnswer {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** Of a job that waits: since when it does. Of one that runs: since when it has its place. RFC 3339. */
  readonly since: string;
  readonly needs: Written;
  /** By when it ends, as it declares; RFC 3339. */
  readonly ends?: string;
  /** Of a job that waits: from 1; absent if it could not start however much were free. */
  readonly position?: number;
  /** Of a job that waits: why, as a code and in words. */
  readonly reason?: string;
  readonly message?: string;
}
