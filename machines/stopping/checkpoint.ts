import { CHECKPOINT, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { policyOf } from '../model/policy.ts';
import { sumOver } from '../model/role-counts.ts';
import { withTimer } from '../model/timers.ts';

/** The checkpoint that a job may write before it is stopped: asked for by a file first, or by the signal that ends it. */

export const wantsCheckpoint = (context: JobContext) =>
  context.outcome?.checkpoint === true &&
  policyOf(context).checkpoint?.file !== undefined &&
  hasLive(context) &&
  context.deadlines[CHECKPOINT] === undefined;

export const awaitCheckpoint = (context: JobContext, at: number) =>
  withTimer(context, CHECKPOINT, at + (policyOf(context).checkpoint?.withinMs ?? 0));

/** It is written, or nobody is left who could write one. `known`: the context with the digest that was just heard. */
export const isWritten = (known: JobContext) => known.digest?.acknowledged === true || !hasLive(known);

/** Its pods were told to stop, and have the time of the policy to end. */
export const endsBySignal = ({ outcome, ...context }: JobContext) =>
  outcome?.checkpoint === true && policyOf(context).checkpoint?.signal !== undefined;

/** In seconds, instead of the pods' own grace periods. */
export function checkpointGrace(context: JobContext): { readonly graceSeconds?: number } {
  const { withinMs = 0 } = policyOf(context).checkpoint ?? {};
  return endsBySignal(context) ? { graceSeconds: Math.ceil(withinMs / 1000) } : {};
}

/** Whoever stops a job once more, and does not ask for the same again, does not want to wait. */
export const isImpatient = (event: JobEvent): event is Stop => event.type === 'stop' && !event.checkpoint;

type Stop = Extract<JobEvent, { readonly type: 'stop' }>;

/** A pod without a node has nothing to write down. */
export const hasLive = (context: JobContext) =>
  sumOver(context, ({ placed, ready, leaving }) => placed + ready + leaving) > 0;
