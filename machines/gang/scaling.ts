import type { PlannedRevision } from '../../contracts/job-revision.ts';
import { roleKey } from '../../contracts/roles.ts';
import { givesQuota, type Plan, type PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, runPolicyOf } from '../model/policy.ts';
import { digestOf } from '../model/role-counts.ts';
import { onFirstRung } from '../restart/restart-ladder.ts';
import { isHeldByGate } from './lift.ts';

/** Puts requested sizes into effect. */
export const withAmendedPlan = ({ amended }: Pick<JobContext, 'amended'>): Partial<JobContext> =>
  amended ? { ...amended, amended: undefined } : {};

/**
 * Applies an amendment: rules take effect at once, sizes when pods can follow. A manifest with another deadline has the last word
 * over what requests added to the old one.
 */
export function withAmendment(context: JobContext, { plan, revision }: PlannedRevision): Partial<JobContext> {
  const amended = { plan, revision };
  const isSameDeadline = runPolicyOf(context).activeDeadlineSeconds === plan.runPolicy.activeDeadlineSeconds;
  const next = {
    ...(resizes(context, plan) ? { amended } : withAmendedPlan({ amended })),
    ...(isSameDeadline ? {} : { extendedSeconds: undefined }),
  };
  const isSameLadder = ladderOf(context) === ladderOf({ ...context, ...next });
  return isSameLadder ? next : { ...onFirstRung(context), ...next };
}

const ladderOf = (context: JobContext) => JSON.stringify(jobPolicy(context).restart.ladder);

/** Whether an amendment changes the size of a role, or that of the gang. */
export const resizes = (context: JobContext, wanted: Plan) =>
  resizedRoles(context.plan, wanted).length > 0 || regroups(context, wanted);

/** Whether the group of the gang is to be another one than it is; a job that is placed pod by pod has none. */
const regroups = ({ plan, gang }: JobContext, wanted: Plan): boolean =>
  gang !== 'none' &&
  (plan.minMember !== wanted.minMember ||
    JSON.stringify(plan.minResources) !== JSON.stringify(wanted.minResources));

/** Whether all roles that an amendment resizes can scale while they run; otherwise the gang has to restart. */
export const scalesLive = ({ plan, gang, lift }: JobContext, wanted: Plan) =>
  // The pods of a gated gang say how many there are.
  !isHeldByGate({ gang, lift }) &&
  !(givesQuota(gang) && grows(plan, wanted)) &&
  resizedRoles(plan, wanted).every(({ scales }) => scales !== undefined);

/** Whether a digest has pods beyond the size of their role: it predates their removal, so how they ended is ignored. */
export const hasExcessPods = (context: JobContext): boolean =>
  context.plan.roles.some((role) => {
    const { unscheduled, scheduled, ready, succeeded, failed, terminating } = digestOf(context, role);
    const present = unscheduled + scheduled + ready + succeeded + failed + terminating;
    const size = role.replicas;
    return present > size || namedPods(context).some((pod) => isOfRole(role, pod) && pod.index >= size);
  });

/** Pods that exist and are named; those that vanished do not make a digest out of date. */
const namedPods = ({ digest }: JobContext) => [
  ...(digest?.failures ?? []),
  ...(digest?.terminating ?? []),
  ...(digest?.restarted ?? []),
];

const isOfRole = ({ name }: PlannedRole, pod: { readonly role: string }) =>
  roleKey(pod.role) === roleKey(name);

/** More pods need more quota, which a job with pods cannot ask for. */
const grows = (plan: Plan, wanted: Plan): boolean =>
  wanted.roles.some(({ name, replicas }) => {
    const present = plan.roles.find((role) => role.name === name);
    return replicas > (present?.replicas ?? 0);
  });

const resizedRoles = (plan: Plan, wanted: Plan) =>
  wanted.roles.filter(({ name, replicas }) => {
    const present = plan.roles.find((role) => role.name === name);
    return present?.replicas !== replicas;
  });
