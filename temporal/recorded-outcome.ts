import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { formatFault } from '../contracts/faults.ts';
import { INVALID_MANIFEST, JOB_FAILED } from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { type FinalPhase, isOutcome, type JobOutcome } from '../contracts/status.ts';
import type { Fault } from '../contracts/types.ts';
import { errorMessage } from '../language/error-message.ts';

/** What a closed workflow says of its job. Callers in workflows read it as well: nothing here needs a client. */

/** The outcome in the failure of a job's workflow; undefined if the workflow could not record one. */
export function outcomeInFailure(cause: unknown): JobOutcome | undefined {
  if (!(cause instanceof ApplicationFailure)) return undefined;
  const [first, second] = cause.details ?? [];
  if (cause.type === JOB_FAILED && isOutcome(first)) return first;
  if (cause.type !== INVALID_MANIFEST || !isOutcome(second)) return undefined;
  return { ...second, cause: { reason: 'InvalidManifest', message: faultsIn(cause) } };
}

/** How a workflow ended that recorded no outcome. */
export interface WorkflowEnding {
  readonly phase: FinalPhase;
  readonly reason: ReasonCode | undefined;
  readonly message: string;
}

export function endingOf(cause: unknown): WorkflowEnding {
  if (cause instanceof CancelledFailure) return stopped('Cancelled', 'The workflow was cancelled.');
  if (cause instanceof TerminatedFailure) return stopped('WorkflowTerminated', cause.message);
  if (cause instanceof TimeoutFailure) return stopped('WorkflowTerminated', 'A Temporal timeout ended it.');
  if (cause instanceof ApplicationFailure && cause.type === INVALID_MANIFEST) {
    return { phase: 'Failed', reason: 'InvalidManifest', message: faultsIn(cause) };
  }
  const message = cause === undefined ? 'The workflow failed.' : errorMessage(cause);
  return { phase: 'Failed', reason: 'EngineFault', message };
}

const stopped = (reason: ReasonCode, message: string): WorkflowEnding => ({
  phase: 'Stopped',
  reason,
  message,
});

function faultsIn(failure: ApplicationFailure): string {
  const faults = failure.details?.[0];
  return Array.isArray(faults) ? (faults as Fault[]).map(formatFault).join('; ') : failure.message;
}
