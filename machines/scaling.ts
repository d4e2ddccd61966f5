import type { Plan } from '../contracts/training-job.ts';
import type { JobContext } from './job-context.ts';

/** Sizes that were asked for and are not in effect yet take effect. */
export const amended = ({ plan, amended: wanted }: JobContext): Partial<JobContext> =>
  wanted ? { plan: { ...wanted, runPolicy: plan.runPolicy }, amended: undefined } : { plan };

/** What is known after an amendment: rules hold at once, sizes when pods can follow. */
export function withAmendment({ plan }: JobContext, wanted: Plan): Partial<JobContext> {
  // No amendment changes it, but a deadline may have been extended.
  const { runPolicy } = plan;
  if (resizedRoles(plan, wanted).length === 0) return { plan: { ...wanted, runPolicy }, amended: undefined };
  return { plan: { ...plan, policy: wanted.policy }, amended: wanted };
}

/** All roles that change can do so while they run; else the gang has to start again. */
export const scalesLive = ({ plan, amended: wanted }: JobContext) =>
  wanted !== undefined && resizedRoles(plan, wanted).every(({ scales }) => scales !== undefined);

const resizedRoles = (plan: Plan, wanted: Plan) =>
  wanted.roles.filter(({ name, replicas }) => {
    const present = plan.roles.find((role) => role.name === name);
    return present?.replicas !== replicas;
  });
