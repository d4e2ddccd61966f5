import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';

/** Returns how long failed pods are kept, in milliseconds; 0: not at all. */
export const holdTime = (context: JobContext) => context.holdMs ?? jobPolicy(context).holdOnFailureMs ?? 0;

/** Returns until when failed pods are kept. */
export const holdEndsAt = (context: JobContext): number | undefined =>
  context.held && context.held.since + (context.held.ms ?? holdTime(context));

/** Whether there are failed pods to inspect that have not been released. */
export const isHeldOnFailure = (context: JobContext) =>
  holdTime(context) > 0 && !context.released && context.assessment.troubles?.hasFailedPod === true;
