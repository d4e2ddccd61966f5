import type { TrainingJob } from '../../contracts/training-job.ts';

/**
 * Where signalbox differs from the operator that people know, on purpose. docs/compatibility.md is generated from these
 * tables, and the comparison with what the operator really did (test/golden) lets pass what is listed here and no more.
 */
export interface Difference {
  readonly id: string;
  readonly area: 'manifest' | 'objects' | 'running' | 'ending' | 'status';
  readonly original: string;
  readonly signalbox: string;
  readonly why: string;
  /** What the comparison of objects leaves out for it. */
  readonly leavesOut?: readonly ObjectPart[];
  /** The jobs that differ by it; all of them where it is not said. */
  readonly when?: (job: Pick<TrainingJob, 'roles' | 'options'>) => boolean;
}

/**
 * Objects of a kind, or of those objects what is found under a path, in lists in each of their items; with a name, only
 * what is so named there.
 */
export interface ObjectPart {
  /** `*` for every kind. */
  readonly kind: string;
  readonly path?: readonly string[];
  readonly name?: string;
}

/** How close a kind of job is to its original. */
export interface Compatibility {
  readonly apiVersion: string;
  readonly kind: string;
  /** The operator and its version that the kind is compared with. */
  readonly original: string;
  /** Those of the operator's other kinds apply as well. */
  readonly family: readonly Difference[];
  readonly differences: readonly Difference[];
}
