import type { Digest, Endangered } from '../../contracts/digest.ts';
import type { GangFence } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { countDone, countMembers, sumOver } from '../model/role-counts.ts';

/**
 * Pods that a gang leaves behind on silent nodes: they are deleted by force, and may run beside the next attempt. They make
 * no step, as each step needs all ranks and some are gone; and they cannot join, as the next attempt meets elsewhere.
 */

/** Whether the pods on silent nodes may be deleted by force when the gang goes, without a time in the policy. */
export const mayLeavePods = (context: JobContext): boolean =>
  jobPolicy(context).nodes.forceDeleteAfterMs === undefined && isFenced(context);

/** Whether a pod is lost, without a time in the policy: Kubernetes deletes it, and its node does not answer. */
export const isLostUntold = (context: JobContext, pod: Endangered): boolean =>
  jobPolicy(context).nodes.lostAfterMs === undefined &&
  isFenced(context) &&
  !isWholeGangSilent(context) &&
  isUnanswered(context.digest, pod);

/** Whether the loss of these pods restarts their gang, whatever the ladder says: single pods cannot be left behind. */
export function needsGang(context: JobContext, lost: readonly Pick<Endangered, 'isSilent'>[]): boolean {
  const { lostAfterMs, forceDeleteAfterMs } = jobPolicy(context).nodes;
  const isByPolicy = lostAfterMs !== undefined && forceDeleteAfterMs !== undefined;
  return !isByPolicy && isFenced(context) && lost.some(({ isSilent }) => isSilent);
}

/**
 * Returns since when nothing of a gang that goes is left but pods on silent nodes; undefined if a look that began later has
 * not removed them.
 */
export function onlySilentLeftSince(context: JobContext): number | undefined {
  const { digest, terminating, outcome } = context;
  if (!digest || outcome || terminating?.nextLookAt === undefined) return undefined;
  if (!goesAsGang(context) || !mayLeavePods(context) || isWholeGangSilent(context)) return undefined;
  const isNews = digest.resourceVersions.pods > terminating.seen;
  const present = sumOver(
    context,
    (role) => role.unscheduled + role.scheduled + role.ready + role.terminating,
  );
  const left = silentIn(digest).filter((pod) => isUnanswered(digest, pod)).length;
  return isNews && left > 0 && left === present ? terminating.since : undefined;
}

/**
 * Records that pods of the attempt on silent nodes were told to stop, by whomever; or, if the gang goes, that they are told
 * now. Before any of them is deleted by force, so that the next attempt meets elsewhere whatever happens then.
 */
export function withUnanswered(
  context: JobContext,
  { areTold = false } = {},
): Pick<JobContext, 'isUnanswered'> {
  const { plan, digest } = context;
  if (context.isUnanswered || plan.fence !== 'port') return {};
  return silentIn(digest).some((pod) => areTold || isUnanswered(digest, pod)) ? { isUnanswered: true } : {};
}

/** Says why the job waits for its pods on silent nodes; undefined if it does not. */
export function whyNoneIsLeft(context: JobContext): string | undefined {
  const { forceDeleteAfterMs, waitForSilent } = jobPolicy(context).nodes;
  const { fence } = context.plan;
  if (forceDeleteAfterMs !== undefined || fence === undefined) return undefined;
  if (waitForSilent) return policyRule('nodes.waitForSilent', true);
  if (fence !== 'port') return WITHOUT_FENCE[fence];
  if (hasFinished(context)) return 'some ranks have succeeded, and the others may be writing their results';
  return isWholeGangSilent(context) ? 'all its pods are on silent nodes, and may train on there' : undefined;
}

const isFenced = (context: JobContext): boolean =>
  context.plan.fence === 'port' && !jobPolicy(context).nodes.waitForSilent && !hasFinished(context);

/** Who has finished makes no steps, and leaves the others nothing to wait for: they may write alone. */
const hasFinished = (context: JobContext): boolean =>
  sumOver(context, ({ succeeded }) => succeeded) > 0 ||
  context.plan.roles.some((role) => countDone(context, role) > 0);

/** All ranks may go on together where nobody sees them. */
const isWholeGangSilent = (context: JobContext): boolean =>
  silentIn(context.digest).length >= countMembers(context);

const silentIn = (digest: Digest | undefined): readonly Endangered[] =>
  (digest?.endangered ?? []).filter(({ isSilent }) => isSilent);

/** It was told to stop, and nobody is there to end it. */
const isUnanswered = (digest: Digest | undefined, { uid, isSilent }: Endangered): boolean =>
  isSilent === true && (digest?.terminating ?? []).some((pod) => pod.uid === uid);

const goesAsGang = ({ restarting, suspension }: JobContext): boolean =>
  suspension !== undefined || restarting?.scope === 'gang' || restarting?.scope === 'gangElsewhere';

const WITHOUT_FENCE: Readonly<Record<Exclude<GangFence, 'port'>, string>> = {
  onePod: 'the job has one pod, which needs no other to go on',
  elastic: 'the job is elastic: its pods go on without one another',
  servers: 'the job has parameter servers: its workers go on without one another',
  launcher: 'its launcher starts processes in all pods, also from a silent node',
  ownAddress: 'the manifest says where its ranks meet, so an old one could join a new attempt',
  unknown: 'nothing is known of where its ranks meet, so an old one could join a new attempt',
};
