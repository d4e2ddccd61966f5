import {
  ActivityFailure,
  CancelledFailure,
  defaultFailureConverter as failures,
  defaultPayloadConverter as payloads,
  RetryState,
} from '@temporalio/common';
import { decodeActivityCancellationType } from '@temporalio/common/lib/activity-options.js';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { type ActivityResult, type Command, decode, decodeOne } from './workflow-messages.ts';

/** An activity in progress. The test decides how it ends. */
export class PendingActivity {
  readonly type: string;
  /** Its only argument. */
  readonly request: unknown;
  /** What Temporal's tools show beside it. */
  readonly summary: string;
  /** In milliseconds. */
  readonly timeouts: {
    readonly startToClose?: number;
    readonly heartbeat?: number;
    readonly scheduleToClose?: number;
  };
  /** Whether the workflow waits until it has handled a cancellation. */
  readonly waitsForCancellation: boolean;
  /** Whether the workflow has cancelled it. */
  isCancelled = false;
  readonly #resolve: (result: ActivityResult) => Promise<void>;

  constructor(
    { scheduleActivity, userMetadata }: Command,
    resolve: (result: ActivityResult) => Promise<void>,
  ) {
    const { activityType, arguments: args, cancellationType } = scheduleActivity!;
    this.type = activityType!;
    this.summary = String(decodeOne(userMetadata?.summary) ?? '');
    [this.request] = decode(args);
    this.timeouts = {
      startToClose: optionalTsToMs(scheduleActivity!.startToCloseTimeout),
      heartbeat: optionalTsToMs(scheduleActivity!.heartbeatTimeout) || undefined,
      scheduleToClose: optionalTsToMs(scheduleActivity!.scheduleToCloseTimeout) || undefined,
    };
    this.waitsForCancellation =
      decodeActivityCancellationType(cancellationType) === 'WAIT_CANCELLATION_COMPLETED';
    this.#resolve = resolve;
  }

  /** A cancelled activity may complete, too, before it notices. */
  completes(result?: unknown): Promise<void> {
    return this.#resolve({ completed: { result: payloads.toPayload(result) } });
  }

  /** `retryState`: why Temporal does not retry it. */
  fails(cause: Error, retryState: RetryState = RetryState.NON_RETRYABLE_FAILURE): Promise<void> {
    return this.#resolve({ failed: { failure: failureOf(this.type, retryState, cause) } });
  }

  /** Reports that it has ended because it was cancelled. */
  confirmsCancellation(): Promise<void> {
    if (!this.isCancelled) throw new Error(`${this.type} is not cancelled`);
    return this.#resolve(cancelled(this.type));
  }
}

export const cancelled = (type: string): ActivityResult => {
  const failure = failureOf(type, RetryState.CANCEL_REQUESTED, new CancelledFailure('CANCELLED'));
  return { cancelled: { failure } };
};

function failureOf(type: string, retryState: RetryState, cause: Error) {
  const failure = new ActivityFailure('Activity task failed', type, undefined, retryState, undefined, cause);
  return failures.errorToFailure(failure, payloads);
}
