import type { GateLift } from '../../contracts/digest.ts';
import { bindWithinMs } from '../../contracts/gated-gang.ts';
import { waitsForOthers } from '../../contracts/roles.ts';
import { gangTraits } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';

/**
 * Returns the turn that a gated gang has by the newest digest, if its gates hold and it did not come too late for it. Who lifts
 * them knows whether the turn is over, by the clock of the API server.
 */
export function turnOf(context: JobContext): GateLift | undefined {
  const { digest, attempt, passedTurn } = context;
  const turn = isHeldByGate(context) ? digest?.gang?.lift : undefined;
  const isUsable = turn?.attempt === attempt && turn.until !== passedTurn;
  return isUsable ? turn : undefined;
}

/** From now on members may hold nodes without each other. */
export function withLift(context: JobContext, at: number): Partial<JobContext> {
  const turn = turnOf(context);
  if (!turn) return {};
  const lift = { turn: turn.until, at };
  if (turn.onQuota) return { lift: { ...lift, onQuota: 'unplaced' } };
  return {
    lift: { ...lift, bindsUntil: at + bindWithinMs(countGang(context)) },
    ...recoversFrom(context, at),
  };
}

/** A gang that was lifted without room may wait for nodes as long as it holds none. */
export function withFirstPlaced(context: JobContext): Partial<JobContext> {
  const { lift, at } = context;
  const hasPlaced = sumOver(context, ({ scheduled, ready, succeeded }) => scheduled + ready + succeeded) > 0;
  if (lift?.onQuota !== 'unplaced' || !hasPlaced) return {};
  const bindsUntil = at + bindWithinMs(countGang(context));
  return { lift: { ...lift, onQuota: 'placing', bindsUntil }, ...recoversFrom(context, at) };
}

/** Until now the pods could not come back. */
const recoversFrom = ({ recovery }: JobContext, since: number): Partial<JobContext> =>
  recovery ? { recovery: { ...recovery, since } } : {};

/** Whether its pods still have their gates, or there are none. */
export const isHeldByGate = ({ gang, lift }: Pick<JobContext, 'gang' | 'lift'>): boolean =>
  gangTraits(gang).isGated === true && lift === undefined;

/** Whether its pods cannot have nodes yet: behind their gates, or because there are none for them. */
export const isKeptFromNodes = (context: JobContext): boolean =>
  isHeldByGate(context) || context.lift?.onQuota === 'unplaced';

/** Whether pods that join the gang from now on need no gate. */
export const isLifted = ({ gang, lift }: JobContext): boolean =>
  gangTraits(gang).isGated === true && lift !== undefined;

export const bindEndsAt = ({ lift }: JobContext): number | undefined => lift?.bindsUntil;

/** Whether all members have had nodes at once: replacements of single ones are then as with any gang. */
export function withGangPlaced(context: JobContext): Partial<JobContext> {
  const { lift, waitsSince, assessment } = context;
  const waits = lift?.bindsUntil !== undefined || waitsSince !== undefined;
  return waits && PLACED.has(assessment.is) ? placed(context) : {};
}

const PLACED: ReadonlySet<JobContext['assessment']['is']> = new Set([
  ...(['starting', 'running', 'launchable', 'succeeded'] as const),
]);

/** No deadline runs for the members any more. */
export const withoutBindLimit = ({ lift }: JobContext): Pick<JobContext, 'lift'> =>
  lift ? { lift: { turn: lift.turn, at: lift.at } } : {};

export const placed = (context: JobContext): Partial<JobContext> => ({
  ...withoutBindLimit(context),
  rollBacks: undefined,
  rollBack: undefined,
  waitsSince: undefined,
});

/** How many members must be placed together. */
export const enoughMembers = (context: JobContext): number =>
  Math.min(context.plan.minMember ?? Number.POSITIVE_INFINITY, countGang(context));

/** How many members there are. */
export const countGang = ({ plan }: JobContext): number =>
  plan.roles.filter((role) => !waitsForOthers(role)).reduce((sum, { replicas }) => sum + replicas, 0);
