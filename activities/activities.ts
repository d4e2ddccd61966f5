import { Context } from '@temporalio/activity';
import type { ExpireRequest } from '../contracts/messages.ts';
import { type AdmitRequest, admit } from './admit.ts';
import { type AmendActivityRequest, amend } from './amend.ts';
import { type AskWatcherRequest, askWatcher } from './ask-watcher.ts';
import { type CaptureRequest, capture } from './capture.ts';
import { type CleanUpRequest, cleanUp } from './clean-up.ts';
import { type CreateAttemptRequest, createAttempt } from './create-attempt.ts';
import { type CreateGroupRequest, createGroup } from './create-group.ts';
import { type DrainRequest, drain } from './drain.ts';
import { expire } from './expire.ts';
import { type PublishHostListRequest, publishHostList } from './publish-host-list.ts';
import { type PublishRulesRequest, publishRules } from './publish-rules.ts';
import { type RecordStatusRequest, recordStatus } from './record-status.ts';
import { type CheckpointRequest, requestCheckpoint } from './request-checkpoint.ts';
import { type RestorePodsRequest, restorePods } from './restore-pods.ts';
import { type ScaleActivityRequest, scale } from './scale.ts';
import type { Dependencies } from './support/dependencies.ts';
import { asAnswer, asFailure, asFailureToRetry } from './support/failures.ts';
import { heartbeatWhile } from './support/heartbeat.ts';
import { verifyCluster } from './support/verify-cluster.ts';
import { type SuspendRequest, suspend } from './suspend.ts';
import { type SweepAttempt, sweepJobObjects } from './sweep-job.ts';

export type Activities = ReturnType<typeof createActivities>;

/** All activities, under the names that workflows call. */
export function createActivities(dependencies: Dependencies) {
  /** Adds the cluster check and heartbeats to an activity, and converts its errors with `failureOf`. */
  const failing =
    (failureOf: (error: unknown) => unknown) =>
    <R extends object, T>(work: Work<R, T>, request: R): Promise<T> =>
      alive(workHere(dependencies, work, request), failureOf);
  /** Temporal retries these until they succeed or fail for good; no job shows why. */
  const guarded = failing(asFailure);
  /** For activities that a job waits for: it shows temporary refusals as its cause. */
  const answered = failing((error) => asAnswer(error, Context.current().info.attempt));
  /** For activities that must succeed in the end: no error is final. */
  const tireless = failing(asFailureToRetry);
  return {
    admit: (request: AdmitRequest) => answered(admit, request),
    amend: (request: AmendActivityRequest) => guarded(amend, request),
    askWatcher: (request: AskWatcherRequest) => guarded(askWatcher, request),
    createAttempt: (request: CreateAttemptRequest) => answered(createAttempt, request),
    createGroup: (request: CreateGroupRequest) => answered(createGroup, request),
    publishHostList: (request: PublishHostListRequest) => answered(publishHostList, request),
    restorePods: (request: RestorePodsRequest) => answered(restorePods, request),
    capture: (request: CaptureRequest) => answered(capture, request),
    drain: (request: DrainRequest) => answered(drain, request),
    scale: (request: ScaleActivityRequest) => answered(scale, request),
    requestCheckpoint: (request: CheckpointRequest) => answered(requestCheckpoint, request),
    publishRules: (request: PublishRulesRequest) => answered(publishRules, request),
    suspend: (request: SuspendRequest) => answered(suspend, request),
    cleanUp: (request: CleanUpRequest) => answered(cleanUp, request),
    recordStatus: (request: RecordStatusRequest) => tireless(recordStatus, request),
    expire: (request: ExpireRequest) => guarded(expire, request),
    sweepJob: (request: SweepAttempt) => guarded(sweepJobObjects, request),
  };
}

type Work<R, T> = (dependencies: Dependencies, request: R) => Promise<T>;

async function workHere<R extends object, T>(
  dependencies: Dependencies,
  work: Work<R, T>,
  request: R,
): Promise<T> {
  await verifyCluster(dependencies, request);
  return work(dependencies, request);
}

async function alive<T>(work: Promise<T>, failureOf: (error: unknown) => unknown): Promise<T> {
  try {
    return await heartbeatWhile(work);
  } catch (error) {
    throw failureOf(error);
  }
}
