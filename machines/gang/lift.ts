import type { GateLift } from '../../contracts/digest.ts';
import { bindWithinMs } from '../../contracts/gated-gang.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';
import { waitsForOthers } from './launch-order.ts';

/** Waits between roll-backs in a row: whoever took the capacity keeps it for a while. */
const BACK_OFF_MS = { first: 10_000, most: 300_000 } as const;

/** Returns the turn that a gated gang has by the newest digest, if its gates hold and the turn is not over. */
export function turnOf(context: JobContext): GateLift | undefined {
  const { gang, lift, digest, attempt, at, passedTurn } = context;
  const turn = gang === 'gated' && lift === undefined ? digest?.gang?.lift : undefined;
  const isUsable = turn?.attempt === attempt && at <= turn.until && turn.until !== passedTurn;
  return isUsable ? turn : undefined;
}

/** From now on members may hold nodes without each other. */
export function withLift(context: JobContext, at: number): Partial<JobContext> {
  const turn = turnOf(context);
  if (!turn) return {};
  const { recovery } = context;
  return {
    lift: { turn: turn.until, at, bindsUntil: at + bindWithinMs(countGang(context)) },
    // Until now the pods could not come back.
    ...(recovery ? { recovery: { ...recovery, since: at } } : {}),
  };
}

/** Whether its pods still have their gates, or there are none. */
export const isHeldByGate = ({ gang, lift }: JobContext): boolean => gang === 'gated' && lift === undefined;

export const bindEndsAt = ({ lift }: JobContext): number | undefined => lift?.bindsUntil;

/** Whether all members have had nodes at once: replacements of single ones are then as with any gang. */
export function withGangPlaced({ lift, assessment: { is } }: JobContext): Partial<JobContext> {
  const isPlaced = is === 'starting' || is === 'running' || is === 'launchable' || is === 'succeeded';
  return lift?.bindsUntil !== undefined && isPlaced ? placed(lift) : {};
}

export const placed = ({
  bindsUntil: _,
  failed: _why,
  ...lift
}: NonNullable<JobContext['lift']>): Partial<JobContext> => ({
  lift,
  rollBacks: undefined,
});

/** The gang goes: whatever its pods do is not judged any more. */
export function withRollBackBegun(context: JobContext): Partial<JobContext> {
  const { lift } = context;
  if (!lift) return {};
  const { bindsUntil: _, ...rest } = lift;
  return { lift: { ...rest, failed: explainRollBack(context) } };
}

export function withRollBack({ rollBacks = 0 }: JobContext, at: number): Partial<JobContext> {
  const waitMs = Math.min(BACK_OFF_MS.first * 2 ** rollBacks, BACK_OFF_MS.most);
  return { rollBacks: rollBacks + 1, backsOffUntil: at + waitMs };
}

/** Says that a gang has not got its nodes in time, and who has them as far as the watcher knows. */
export function explainRollBack(context: JobContext): string {
  if (context.lift?.failed) return context.lift.failed;
  const unplaced = sumOver(context, ({ unscheduled }) => unscheduled);
  const seconds = bindWithinMs(countGang(context)) / 1000;
  const said = context.digest?.gang?.message;
  const how = `${unplaced} of ${countGang(context)} pods had no node ${seconds} s after their gates were lifted`;
  return [how, ...(said ? [said] : []), 'the gang gives back what it held'].join('; ');
}

/** How many members must be placed together. */
export const enoughMembers = (context: JobContext): number =>
  Math.min(context.plan.minMember ?? Number.POSITIVE_INFINITY, countGang(context));

/** How many members there are. */
const countGang = ({ plan }: JobContext): number =>
  plan.roles.filter((role) => !waitsForOthers(role)).reduce((sum, { replicas }) => sum + replicas, 0);
