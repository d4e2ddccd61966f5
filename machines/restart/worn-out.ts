import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { explainCrash } from '../failures/crash.ts';
import { placeOfEnd } from '../failures/place-of-end.ts';
import type { FailedPodIdentity } from '../model/effects.ts';
import { countInPlace, type JobContext } from '../model/job-context.ts';
import { digestOf, roleOfFailure } from '../model/role-counts.ts';
import { reactionToWorn } from './reactions.ts';
import { containerRung } from './restart-ladder.ts';

/** Programs that the kubelet has restarted in place as often as the ladder of the policy, or a rule of the manifest, allows. */

/** Returns the pods whose containers are not restarted in place any more. */
export function wornOut(context: JobContext): readonly FailedPodIdentity[] {
  const { times } = containerRung(context) ?? {};
  const inPlace = countInPlace(context.restarts) - (context.forgottenInPlace ?? 0);
  const isUsedUp = times !== undefined && inPlace > times;
  return (context.digest?.restarted ?? [])
    .filter((pod) => isUsedUp || exceedsInPlace(context, roleOfFailure(context, pod)))
    .map(({ pod, uid }) => ({ pod, uid }));
}

const exceedsInPlace = (context: JobContext, role: PlannedRole | undefined): boolean =>
  role?.inPlace !== undefined && (digestOf(context, role).restarts ?? 0) > role.inPlace.most;

/** Returns the roles of such pods that have used up a limit of their own: else the ladder decides. */
export function limitedRoles(
  context: JobContext,
  worn: readonly FailedPodIdentity[],
): readonly PlannedRole[] {
  const uids = new Set(worn.map(({ uid }) => uid));
  const pods = (context.digest?.restarted ?? []).filter(({ uid }) => uids.has(uid));
  return context.plan.roles.filter(
    (role) => exceedsInPlace(context, role) && pods.some((pod) => roleOfFailure(context, pod) === role),
  );
}

/** Returns why the job ends, if the manifest has no restart left for such a pod. */
export function failedByWear(
  context: JobContext,
  { worn }: { readonly worn: readonly FailedPodIdentity[] },
): Cause | undefined {
  for (const role of limitedRoles(context, worn)) {
    const reaction = reactionToWorn(context, role);
    if (reaction?.do !== 'fail') continue;
    const rule = `${role.inPlace!.rule}; ${reaction.rule}`;
    const { crash } = context.digest!;
    const what = crash ? explainCrash(crash) : `containers of ${worn[0]!.pod} were restarted in place`;
    return {
      ...{ reason: 'BackoffLimitExceeded', rule, message: `${what}; ${rule}` },
      ...(crash ? placeOfEnd(crash) : {}),
    };
  }
  return undefined;
}
