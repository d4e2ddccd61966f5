import { CHECKPOINT, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { sumOver } from '../model/role-counts.ts';
import { withTimer } from '../model/timers.ts';

/** The checkpoint that a job may write before it is stopped: asked for by a file first, or by the signal that ends it. */

export const wantsCheckpoint = (context: JobContext) =>
  context.outcome?.checkpoint === true &&
  jobPolicy(context).checkpoint?.file !== undefined &&
  hasPodOnNode(context) &&
  context.deadlines[CHECKPOINT] === undefined;

export const awaitCheckpoint = (context: JobContext, at: number) =>
  withTimer(context, CHECKPOINT, at + (jobPolicy(context).checkpoint?.withinMs ?? 0));

/** It is written, or nobody is left who could write one. `known`: the context with the digest that was just heard. */
export const isCheckpointOver = (known: JobContext) =>
  known.digest?.acknowledged === true || !hasPodOnNode(known);

/** Its pods were told to stop, and have the time of the policy to end. */
export const endsBySignal = ({ outcome, ...context }: JobContext) =>
  outcome?.checkpoint === true && jobPolicy(context).checkpoint?.signal !== undefined;

/** In seconds, instead of the pods' own grace periods. */
export function checkpointGrace(context: JobContext): { readonly graceSeconds?: number } {
  const { withinMs = 0 } = jobPolicy(context).checkpoint ?? {};
  return endsBySignal(context) ? { graceSeconds: Math.ceil(withinMs / 1000) } : {};
}

/** Whoever stops a job once more, and does not ask for the same again, does not want to wait. */
export const isStopWithoutCheckpoint = (event: JobEvent): event is Stop =>
  event.type === 'stop' && !event.checkpoint;

type Stop = Extract<JobEvent, { readonly type: 'stop' }>;

/** A pod without a node has nothing to write down. */
export const hasPodOnNode = (context: JobContext) =>
  sumOver(context, ({ scheduled, ready, terminating }) => scheduled + ready + terminating) > 0;
