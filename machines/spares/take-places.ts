import type { PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { describeTaken, spareRoleOf, type TakenPlace } from '../../contracts/spares.ts';
import { findVanished } from '../failures/vanished.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import { isToLeave } from '../nodes/leaving-nodes.ts';
import { findLost } from '../nodes/lost-nodes.ts';
import { wantedSpares } from './keep-spares.ts';

/**
 * Returns which pods take the places of which spares: pods that cannot have their own again, those of the spares' role
 * first. Expects a context that already avoids the nodes that the restart blames.
 */
export function placesToTake(context: JobContext): readonly TakenPlace[] | undefined {
  const { spares: rules } = jobPolicy(context);
  const free = spareNodes(context);
  if (!rules || free.length === 0) return undefined;
  const own = spareRoleOf(context.plan.roles, rules);
  const isOwn = ({ role }: PodFailure) => own !== undefined && roleKey(own.name) === role;
  const displaced = findDisplaced(context).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const taken = displaced.slice(0, free.length).map(
    ({ pod, node }, index): TakenPlace => ({
      pod,
      ...(node === undefined ? {} : { from: node }),
      ...free[index]!,
    }),
  );
  return taken.length > 0 ? taken : undefined;
}

function spareNodes(context: JobContext) {
  const { digest, avoided = [], at } = context;
  const isAvoided = (name: string) => avoided.some(({ node, until }) => node === name && until > at);
  return (digest?.spares ?? []).flatMap(({ pod, uid, node, state, isEndangered }) =>
    state === 'ready' && node !== undefined && !isEndangered && !isAvoided(node) && !isToLeave(context, node)
      ? [{ spare: pod, uid, node }]
      : [],
  );
}

/** Each pod counts once, however much is known of its end. */
function findDisplaced(context: JobContext): readonly PodFailure[] {
  const troubled = [...findLost(context), ...(context.digest?.failures ?? []), ...findVanished(context)];
  const avoided = new Set(context.avoided?.map(({ node }) => node));
  const displaced = troubled.filter(
    (failure) => isForcedOut(failure) || (failure.node !== undefined && avoided.has(failure.node)),
  );
  return [...new Map(displaced.map((failure) => [failure.pod, failure])).values()];
}

/** A user who deletes a pod by hand may get it back where it was; a node or Kubernetes itself wants it elsewhere. */
const isForcedOut = ({ interruptedBy, reason }: PodFailure) =>
  reason === 'NodeLost' || (interruptedBy !== undefined && reason !== 'Deleted');

/** Where a restart begins: when something was lost. */
export const withLossTimed = (context: JobContext): Partial<JobContext> =>
  wantedSpares(context) > 0 && context.lostAt === undefined ? { lostAt: context.at } : {};

/** Remembers taken places until the job runs again. */
export const withTaken = (
  { taken = [] }: JobContext,
  places: readonly TakenPlace[] | undefined,
): Partial<JobContext> => (places ? { taken: [...taken, ...places] } : {});

/** The job runs, or has no pods: what was lost is made good, or does not matter. */
export const withoutTaken = ({ lostAt, taken }: JobContext): Partial<JobContext> =>
  lostAt === undefined && taken === undefined ? {} : { lostAt: undefined, taken: undefined };

/** Says, when the job runs again, whose places were taken, and how long that took. */
export function explainTaken({ taken, lostAt }: JobContext, at: number): string | undefined {
  if (!taken) return undefined;
  const seconds = lostAt === undefined ? '' : `${((at - lostAt) / 1000).toFixed(1)} s after the loss; `;
  return `${seconds}${describeTaken(taken)}`;
}
