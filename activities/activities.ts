import type { SweepRequest } from '../contracts/messages.ts';
import { type AdmitRequest, admit } from './admit.ts';
import { type AmendRequest, amend } from './amend.ts';
import { type CaptureRequest, capture } from './capture.ts';
import { type CleanUpRequest, cleanUp } from './clean-up.ts';
import { type CreateAttemptRequest, createAttempt } from './create-attempt.ts';
import { type CreateGroupRequest, createGroup } from './create-group.ts';
import type { Dependencies } from './dependencies.ts';
import { type DrainRequest, drain } from './drain.ts';
import { type ExpireRequest, expire } from './expire.ts';
import { asFailure } from './failures.ts';
import { keepAlive } from './keep-alive.ts';
import { type PublishRosterRequest, publishRoster } from './publish-roster.ts';
import { type PublishRulesRequest, publishRules } from './publish-rules.ts';
import { type RecordStatusRequest, recordStatus } from './record-status.ts';
import { type CheckpointRequest, requestCheckpoint } from './request-checkpoint.ts';
import { type RestorePodsRequest, restorePods } from './restore-pods.ts';
import { type ScaleRequest, scale } from './scale.ts';
import { type SuspendRequest, suspend } from './suspend.ts';
import { sweepJob } from './sweep-job.ts';

export type Activities = ReturnType<typeof createActivities>;

/** Every write to the world, under the names that workflows call. */
export function createActivities(dependencies: Dependencies) {
  return {
    admit: (request: AdmitRequest) => guarded(admit(dependencies, request)),
    amend: (request: AmendRequest) => guarded(amend(dependencies, request)),
    createAttempt: (request: CreateAttemptRequest) => guarded(createAttempt(dependencies, request)),
    createGroup: (request: CreateGroupRequest) => guarded(createGroup(dependencies, request)),
    publishRoster: (request: PublishRosterRequest) => guarded(publishRoster(dependencies, request)),
    restorePods: (request: RestorePodsRequest) => guarded(restorePods(dependencies, request)),
    capture: (request: CaptureRequest) => guarded(capture(dependencies, request)),
    drain: (request: DrainRequest) => guarded(drain(dependencies, request)),
    scale: (request: ScaleRequest) => guarded(scale(dependencies, request)),
    requestCheckpoint: (request: CheckpointRequest) => guarded(requestCheckpoint(dependencies, request)),
    publishRules: (request: PublishRulesRequest) => guarded(publishRules(dependencies, request)),
    suspend: (request: SuspendRequest) => guarded(suspend(dependencies, request)),
    cleanUp: (request: CleanUpRequest) => guarded(cleanUp(dependencies, request)),
    recordStatus: (request: RecordStatusRequest) => guarded(recordStatus(dependencies, request)),
    expire: (request: ExpireRequest) => guarded(expire(dependencies, request)),
    sweepJob: (request: SweepRequest) => guarded(sweepJob(dependencies, request)),
  };
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await keepAlive(work);
  } catch (error) {
    throw asFailure(error);
  }
}
