import type { PodFailure } from '../../contracts/digest.ts';
import type { Reaction } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import type { SimilarFailures } from '../failures/more-failures.ts';
import type { FailedPodIdentity } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import type { Restart } from '../model/restart.ts';
import { roleOfFailure } from '../model/role-counts.ts';
import { reactionTo, reactionToWorn } from './reactions.ts';
import { limitedRoles } from './worn-out.ts';

interface TroubledPods {
  readonly failures: readonly PodFailure[];
  readonly vanished: readonly PodFailure[];
  readonly alike: readonly SimilarFailures[];
  readonly worn: readonly FailedPodIdentity[];
}

interface RuleOfPods {
  readonly reaction: Reaction | undefined;
  readonly pods: number;
}

/** Returns what the manifest's rules make of failed pods, and of those that were restarted in place too often. */
export function reactionsTo(
  context: JobContext,
  { failures, vanished, alike, worn }: TroubledPods,
): readonly RuleOfPods[] {
  const failed = [...failures, ...vanished].map((failure) => ({ failure, pods: 1 }));
  const similar = alike.map(({ like, count }) => ({ failure: like, pods: count }));
  const ofFailures = [...failed, ...similar].map(({ failure, pods }) => {
    const role = roleOfFailure(context, failure);
    return { reaction: role && reactionTo(context, role, failure), pods };
  });
  const ofWorn = limitedRoles(context, worn).map((role) => ({
    reaction: reactionToWorn(context, role),
    pods: 1,
  }));
  return [...ofFailures, ...ofWorn];
}

/** Counts the restarts by rules that have a limit; those of a gang or role together are one. */
export function followedBy(
  context: JobContext,
  troubles: TroubledPods,
  scope: Restart['scope'],
): Pick<Restart, 'followed'> {
  const followed: Record<string, number> = {};
  for (const { reaction, pods } of reactionsTo(context, troubles)) {
    if (reaction?.atMost === undefined) continue;
    const { rule } = reaction;
    followed[rule] = scope === 'pod' ? (ownValue(followed, rule) ?? 0) + pods : 1;
  }
  return Object.keys(followed).length > 0 ? { followed } : {};
}
