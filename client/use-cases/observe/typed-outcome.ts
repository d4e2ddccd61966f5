import { jobArguments } from '../../../contracts/job-arguments.ts';
import { REASONS, type ReasonCode, type ReasonEntry } from '../../../contracts/reasons.ts';
import { remedyOfCause } from '../../../contracts/remedies.ts';
import type { JobOutcome } from '../../../contracts/status.ts';
import type { EvidenceSummary, JobStatus } from '../../../contracts/types.ts';
import { withoutUndefined } from '../../../language/fields.ts';

/**
 * How a job ended. Narrow it by `phase`.
 *
 * @public
 */
export type Outcome = CompletedOutcome | FailedOutcome | StoppedOutcome;

/**
 * Every replica that decides the outcome has succeeded.
 *
 * @public
 */
export interface CompletedOutcome extends JobStatus {
  readonly phase: 'Completed';
}

/**
 * The job failed, and its rules allow no further restart.
 *
 * @public
 */
export interface FailedOutcome extends JobStatus {
  readonly phase: 'Failed';
  readonly reason: ReasonCode;
  /** The kind of reason, e.g. `program` or `infrastructure`. */
  readonly class: ReasonEntry['class'];
  /** What happened, for people. */
  readonly message: string;
  /** What the user can do about it. */
  readonly remedy: string;
  /** Failed pods of the last attempt, the first failure first; empty if no pod failed. */
  readonly failures: readonly FirstFailure[];
}

/**
 * A request ended the job, or its workflow was cancelled or terminated.
 *
 * @public
 */
export interface StoppedOutcome extends JobStatus {
  readonly phase: 'Stopped';
  readonly reason: ReasonCode;
  readonly message: string;
  /** Who stopped it, as far as that is recorded; not verified. */
  readonly by?: string;
  readonly why?: string;
}

/**
 * A failed pod.
 *
 * @public
 */
export interface FirstFailure {
  readonly pod: string;
  readonly node?: string;
  readonly container?: string;
  readonly exitCode?: number;
  readonly signal?: number;
  /** Kubernetes' reason, e.g. `OOMKilled`. */
  readonly reason?: string;
  readonly message?: string;
  /** The line of its log that says best why, without what looks like a secret. */
  readonly errorLine?: string;
  /** What kind of failure that line tells of, e.g. `GpuOutOfMemory`. */
  readonly signature?: string;
  /** URL of the evidence, which `job.evidence()` reads. */
  readonly evidence?: string;
}

/** Returns the outcome with what its phase adds. */
export function typedOutcome(outcome: JobOutcome): Outcome {
  const { cause } = outcome;
  switch (outcome.phase) {
    case 'Completed':
      return { ...outcome, phase: 'Completed' };
    case 'Failed': {
      const { reason = 'EngineFault', message = 'no cause was recorded' } = cause ?? {};
      const { class: reasonClass } = REASONS[reason];
      const remedy = cause?.remedy ?? remedyOfCause({ ...cause, reason, message }, jobArguments(outcome));
      const failures = failuresOfStatus(outcome);
      return { ...outcome, phase: 'Failed', reason, class: reasonClass, message, remedy, failures };
    }
    case 'Stopped': {
      const { reason = 'StopRequested', message = REASONS.StopRequested.sentence, by, why } = cause ?? {};
      const who = { ...(by === undefined ? {} : { by }), ...(why === undefined ? {} : { why }) };
      return { ...outcome, phase: 'Stopped', reason, message, ...who };
    }
  }
}

/** The status lists the latest failure first. The cause names a pod even if its evidence could not be taken. */
function failuresOfStatus({ cause, evidence = [], attempt }: JobOutcome): readonly FirstFailure[] {
  const failures = evidence
    .filter((one) => one.attempt === attempt)
    .toReversed()
    .map(failureOfPod);
  if (cause?.pod === undefined || failures.some(({ pod }) => pod === cause.pod)) return failures;
  const { pod, node, container, exitCode, signal } = cause;
  return [withoutUndefined({ pod, node, container, exitCode, signal }), ...failures];
}

const failureOfPod = ({ ref, ...summary }: EvidenceSummary): FirstFailure => {
  const { pod, node, container, exitCode, signal, reason, message, errorLine, signature } = summary;
  return withoutUndefined({
    ...{ pod, node, container, exitCode, signal, reason, message },
    ...{ errorLine, signature, evidence: ref },
  });
};
