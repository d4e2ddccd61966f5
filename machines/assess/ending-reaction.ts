import type { PodFailure } from '../../contracts/digest.ts';
import type { Reaction } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { classOf } from '../failures/failure-class.ts';
import { placeOfEnd } from '../failures/place-of-end.ts';
import { findVanished } from '../failures/vanished.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, countMissing, digestOf, roleOfFailure } from '../model/role-counts.ts';
import { isClassed, reactionTo, reactionToLoss, reactionToWorn } from '../restart/reactions.ts';
import { describeFailure } from '../restart/restart-policy.ts';
import { limitedRoles, wornOut } from '../restart/worn-out.ts';

interface EndingReaction {
  readonly do: 'suspend' | 'stop' | 'complete';
  /** Without a reason: that follows from what is done. */
  readonly cause: Omit<Cause, 'reason'>;
}

/** Returns what a rule of the manifest makes of the whole job: pods first, then roles, each in order. */
export function endingReaction(context: JobContext): EndingReaction | undefined {
  for (const { reaction, what, failure } of happened(context)) {
    const { do: done, rule } = reaction;
    if (done !== 'suspend' && done !== 'stop' && done !== 'complete') continue;
    const place = failure ? placeOfEnd(failure) : {};
    return { do: done, cause: { rule, message: `${what}; ${rule}`, ...place } };
  }
  return undefined;
}

interface Happened {
  readonly reaction: Reaction;
  readonly what: string;
  readonly failure?: PodFailure;
}

function happened(context: JobContext): readonly Happened[] {
  const { roles } = context.plan;
  if (roles.every(({ reactions }) => !reactions)) return [];
  const failures = [...(context.digest?.failures ?? []), ...findVanished(context)];
  const ofPods = failures.flatMap((failure) => {
    const role = roleOfFailure(context, failure);
    // Those of a role that was made smaller were deleted for that.
    const reaction = role && failure.index < role.replicas ? reactionTo(context, role, failure) : undefined;
    const decides = reaction && !isClassed(context, classOf(context, failure));
    return decides ? [{ reaction, what: describeFailure(failure), failure }] : [];
  });
  const ofRoles = roles.flatMap((role) => {
    const lost = countMissing(context, role) > 0 ? reactionToLoss(role) : undefined;
    const done = countDone(context, role) >= role.replicas ? successReaction(role) : undefined;
    return [
      ...(lost ? [{ reaction: lost, what: `a pod of ${role.name} was deleted` }] : []),
      ...(done ? [{ reaction: done, what: `all pods of ${role.name} have succeeded` }] : []),
    ];
  });
  return [...ofPods, ...ofRoles, ...ofWornPods(context)];
}

/** Containers of a role that were restarted in place more often than a rule allows. */
const ofWornPods = (context: JobContext): readonly Happened[] =>
  limitedRoles(context, wornOut(context)).flatMap((role) => {
    const reaction = reactionToWorn(context, role);
    const what = `containers of ${role.name} were restarted in place ${digestOf(context, role).restarts} times; ${role.inPlace!.rule}`;
    return reaction ? [{ reaction, what }] : [];
  });

const successReaction = ({ reactions, replicas }: JobContext['plan']['roles'][number]) =>
  replicas > 0 ? reactions?.find(({ on }) => on === 'succeeded') : undefined;
