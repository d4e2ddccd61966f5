import type { Plan, PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import { digestOf } from '../model/role-counts.ts';
import { onFirstRung } from '../restart/restart-ladder.ts';

/** Applies requested sizes that are not in effect yet. */
export const withAmendedPlan = ({ plan, amended: wanted }: JobContext): Partial<JobContext> =>
  wanted ? { plan: { ...wanted, runPolicy: plan.runPolicy }, amended: undefined } : { plan };

/** Applies an amendment: rules take effect at once, sizes when pods can follow. */
export function withAmendment(context: JobContext, wanted: Plan): Partial<JobContext> {
  const { plan, amended } = context;
  // Amendments do not change these, but the deadline may have been extended, and the group may have kept its size.
  const { runPolicy, minMember } = plan;
  // Pods may already exist for sizes that were requested and then reverted.
  const isResized = amended !== undefined || resizedRoles(plan, wanted).length > 0;
  const begunAnew = hasOtherLadder(plan, wanted) ? onFirstRung(context) : {};
  if (!isResized) return { ...begunAnew, plan: { ...wanted, runPolicy, minMember } };
  return { ...begunAnew, plan: { ...plan, policy: wanted.policy }, amended: wanted };
}

const hasOtherLadder = (plan: Plan, wanted: Plan) => ladderOf(plan) !== ladderOf(wanted);

const ladderOf = (plan: Plan) => JSON.stringify(jobPolicy({ plan }).restart.ladder);

/** Whether all resized roles can scale while they run; otherwise the gang has to restart. */
export const scalesLive = ({ plan, amended: wanted }: JobContext) =>
  wanted !== undefined && resizedRoles(plan, wanted).every(({ scales }) => scales !== undefined);

/** Whether a digest has pods beyond the size of their role: it predates their removal, so how they ended is ignored. */
export const hasExcessPods = (context: JobContext): boolean =>
  context.plan.roles.some((role) => {
    const { unscheduled, scheduled, ready, succeeded, failed, terminating } = digestOf(context, role);
    const present = unscheduled + scheduled + ready + succeeded + failed + terminating;
    const size = Math.max(role.replicas, sizeIn(context.amended, role));
    return present > size || namedPods(context).some((pod) => isOf(role, pod) && pod.index >= size);
  });

const sizeIn = (plan: Plan | undefined, { name }: PlannedRole) =>
  plan?.roles.find((role) => role.name === name)?.replicas ?? 0;

const namedPods = ({ digest }: JobContext) => [...(digest?.failures ?? []), ...(digest?.terminating ?? [])];

const isOf = ({ name }: PlannedRole, pod: { readonly role: string }) =>
  pod.role.toLowerCase() === name.toLowerCase();

const resizedRoles = (plan: Plan, wanted: Plan) =>
  wanted.roles.filter(({ name, replicas }) => {
    const present = plan.roles.find((role) => role.name === name);
    return present?.replicas !== replicas;
  });
