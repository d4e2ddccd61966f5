import type { PodFailure } from '../../contracts/digest.ts';
import type { RestartScope } from '../../contracts/policy.ts';
import type { PlannedRole, Reaction } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import { classOf, rulesFor } from '../failures/failure-class.ts';
import type { JobContext } from '../model/job-context.ts';
import { isCharged, roleOfFailure } from '../model/role-counts.ts';

/** What follows from a pod's end, where the manifest itself has rules for that. */

/** Returns the first rule that fits a pod that has failed, was interrupted, or is gone. */
export const reactionTo = (
  context: JobContext,
  role: PlannedRole,
  failure: PodFailure,
): Reaction | undefined =>
  role.reactions?.find((reaction) => isLeft(context, reaction) && fits(reaction, failure));

/** Returns the rule for a pod whose containers were restarted in place too often. */
export const reactionToWorn = (context: JobContext, { reactions }: PlannedRole): Reaction | undefined =>
  reactions?.find((reaction) => isLeft(context, reaction) && reaction.on === 'worn');

/** Whether a rule has not been followed as often as it may be. */
const isLeft = ({ followed, followedByPods }: JobContext, { atMost, do: done, rule }: Reaction): boolean => {
  const counts = done === 'restartPod' ? followedByPods : followed;
  return atMost === undefined || (ownValue(counts ?? {}, rule) ?? 0) < atMost;
};

/** A pod that its node has ended is both gone and failed. */
function fits({ on, exitCode }: Reaction, failure: PodFailure): boolean {
  const { interruptedBy } = failure;
  if (exitCode !== undefined) return !interruptedBy && failure.exitCode === exitCode;
  return on === 'gone' ? interruptedBy !== undefined : on === 'failed' && interruptedBy !== 'deletion';
}

/** Returns the rule for a pod that is missing: it was deleted. */
export const reactionToLoss = ({ reactions }: PlannedRole): Reaction | undefined =>
  reactions?.find(({ on, exitCode }) => on === 'gone' && exitCode === undefined);

const SCOPES: Readonly<Partial<Record<Reaction['do'], RestartScope>>> = {
  restartPod: 'pod',
  restartPartition: 'pod',
  restartRole: 'role',
  restartGang: 'gang',
};

/** Returns what a rule starts again, at a cost; undefined if it does something else. */
export const scopeOfReaction = (reaction: Reaction | undefined): RestartScope | undefined =>
  reaction && SCOPES[reaction.do];

/** Whether a failed, interrupted or vanished pod asks for a restart that counts. */
export function isCounted(context: JobContext, failure: PodFailure): boolean {
  const role = roleOfFailure(context, failure);
  if (!role || !isCharged(role)) return false;
  const reaction = reactionTo(context, role, failure);
  return (
    !reaction ||
    reaction.do === 'fail' ||
    scopeOfReaction(reaction) !== undefined ||
    isClassed(context, classOf(context, failure))
  );
}

/** Whether pods of a role that are missing do. */
export function isLossCounted(context: JobContext, role: PlannedRole): boolean {
  if (!isCharged(role)) return false;
  const reaction = reactionToLoss(role);
  return !reaction || scopeOfReaction(reaction) !== undefined || isClassed(context, 'infrastructure');
}

/** Whether the policy says itself what becomes of failures of a class. */
export function isClassed(context: JobContext, name: string): boolean {
  const { final, free, budget } = rulesFor(context, name);
  return final === true || free === true || budget !== undefined;
}
