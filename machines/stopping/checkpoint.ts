import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { sumOver } from '../model/role-counts.ts';

/** The checkpoint before a job stops, requested by a file first, or by the signal that ends its pods. */

export const wantsCheckpoint = (context: JobContext) =>
  context.outcome?.checkpoint === true &&
  jobPolicy(context).checkpoint?.file !== undefined &&
  hasPodOnNode(context) &&
  context.outcome.checkpointAskedAt === undefined;

export const awaitCheckpoint = ({ outcome }: JobContext, at: number): Pick<JobContext, 'outcome'> => ({
  outcome: outcome && { ...outcome, checkpointAskedAt: at },
});

/** Returns how long the job waits for the requested checkpoint. */
export function checkpointEndsAt(context: JobContext): number | undefined {
  const { outcome, eviction, departure } = context;
  const askedAt = outcome?.checkpointAskedAt ?? eviction?.checkpointAskedAt;
  if (askedAt !== undefined) return askedAt + (jobPolicy(context).checkpoint?.withinMs ?? 0);
  return departure?.isAsked ? departure.until : undefined;
}

/** Whether it is written, or no pods remain to write it. `known`: the context with the digest just received. */
export const isCheckpointOver = (known: JobContext) =>
  known.digest?.acknowledged === true || !hasPodOnNode(known);

/** Whether the pods are stopped by the checkpoint signal, with the policy's time to end. */
export const endsBySignal = ({ outcome, ...context }: JobContext) =>
  outcome?.checkpoint === true && jobPolicy(context).checkpoint?.signal !== undefined;

/** Grace period in seconds that overrides the pods' own. */
export function checkpointGrace(context: JobContext): { readonly graceSeconds?: number } {
  const { withinMs = 0 } = jobPolicy(context).checkpoint ?? {};
  return endsBySignal(context) ? { graceSeconds: Math.ceil(withinMs / 1000) } : {};
}

/** A second stop that does not request a checkpoint ends the wait for it. */
export const isStopWithoutCheckpoint = (event: JobEvent): event is Stop =>
  event.type === 'stop' && !event.checkpoint;

type Stop = Extract<JobEvent, { readonly type: 'stop' }>;

/** A pod without a node has nothing to save. Those of a suspended job go anyway; the digest may still count them. */
export const hasPodOnNode = (context: JobContext) =>
  context.suspension === undefined &&
  sumOver(context, ({ scheduled, ready, terminating }) => scheduled + ready + terminating) > 0;
