import type { Condition, KubeObject } from '../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
/** What an original operator was seen to write. */
export interface ObservedStatus {
  readonly replicaStatuses?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly [field: string]: unknown;
}

/** What came of one failed pod: the conditions as they were written one after another. */
export interface ObservedFailure {
  readonly role: string;
  readonly index: number;
  readonly exitCode: number;
  readonly conditions: readonly (readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[])[];
  readonly replicaStatuses: ObservedStatus['replicaStatuses'];
}

export interface Observed {
  /** None where the operator crashed, or where other snapshots were taken. */
  readonly created: readonly KubeObject[];
  readonly objectsLeft?: readonly string[];
  readonly statusWhenRunning?: ObservedStatus;
  readonly statusWhenAllSucceeded?: ObservedStatus;
  readonly failures?: readonly ObservedFailure[];
  readonly [snapshot: string]: unknown;
}

export interface GoldenCase {
  readonly name: string;
  readonly job: TrainingJob;
  readonly observed: Observed;
  /** What signalbox makes of the same manifest. */
  readonly rendered: readonly KubeObject[];
}
