import { bindWithinMs } from '../../contracts/gated-gang.ts';
import type { Cause } from '../../contracts/types.ts';
import { doubledPause } from '../../language/back-off.ts';
import { BIND, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { sumOver } from '../model/role-counts.ts';
import { countGang, withoutBindLimit } from './lift.ts';

/** Waits between roll-backs in a row: the job that has the capacity keeps it for a while. */
const BACK_OFF = { firstMs: 10_000, mostMs: 300_000 } as const;

/** Returns when the attempt has waited for its nodes for as long as it may; undefined without a limit. */
export function placementEndsAt(context: JobContext): number | undefined {
  const limit = jobPolicy(context).gang?.placedWithinMs;
  const { waitsSince } = context;
  return limit === undefined || waitsSince === undefined ? undefined : waitsSince + limit;
}

/** From now on whatever the pods do is not judged any more. */
export function withRollBackBegun(context: JobContext, event: JobEvent): Partial<JobContext> {
  const isBind = event.type === 'deadline' && event.name === BIND;
  return {
    ...withoutBindLimit(context),
    waitsSince: undefined,
    deletingSince: context.at,
    rollBack: isBind ? notBound(context) : notPlaced(context),
    // What its lane granted is for others while it has no pods.
    holdsPlace: undefined,
  };
}

/** Whether the job ends, because its gang has not got its nodes in time. */
export const failsUnplaced = (context: JobContext): boolean =>
  context.rollBack?.reason === 'NotPlacedInTime' && jobPolicy(context).gang?.otherwise !== 'requeue';

export function withRollBack({ rollBacks = 0 }: JobContext, at: number): Partial<JobContext> {
  const made = rollBacks + 1;
  return { rollBacks: made, backsOffUntil: at + doubledPause(BACK_OFF, made) };
}

/** Says that a gated gang has not got its nodes, and who has them as far as the watcher knows. */
function notBound(context: JobContext): Cause {
  const seconds = bindWithinMs(countGang(context)) / 1000;
  const [reason, since] = context.lift?.onQuota
    ? (['TooFewNewNodes', 'the first of them had one'] as const)
    : (['CapacityTaken', 'their gates were lifted'] as const);
  const message = `${lacking(context)} ${seconds} s after ${since}${said(context)}; the gang gives back what it held`;
  return { reason, message };
}

function notPlaced(context: JobContext): Cause {
  const { placedWithinMs = 0 } = jobPolicy(context).gang ?? {};
  const rule = policyRule('gang.placedWithin', `${placedWithinMs / 1000}s`);
  return { reason: 'NotPlacedInTime', rule, message: `${lacking(context)} in time${said(context)}; ${rule}` };
}

function lacking(context: JobContext): string {
  const members = countGang(context);
  const hasPods = context.digest !== undefined && context.minResourceVersion > 0;
  const unplaced = hasPods ? sumOver(context, ({ unscheduled }) => unscheduled) : members;
  return `${unplaced} of ${members} pods had no node`;
}

function said({ digest }: JobContext): string {
  const message = digest?.gang?.message;
  return message ? `; ${message}` : '';
}
