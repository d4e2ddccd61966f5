import type { LaneRequest } from '../contracts/lane-request.ts';
import { addAmounts, formatAmounts, multiplyAmounts, NOTHING, podUsage } from '../contracts/pod-requests.ts';
import { spareRoleOf } from '../contracts/spares.ts';
import type { TrainingJob } from '../contracts/training-job.ts';

/** Returns what a job asks of its lane; undefined for a job without one. */
export function laneRequestOf(job: TrainingJob): LaneRequest | undefined {
  const { lane, roles, plan } = job;
  const { spares } = plan.policy ?? {};
  const spareRole = spares && spareRoleOf(roles, spares);
  if (lane === undefined) return undefined;
  const { priority = 0, runsForMs } = plan.policy?.lane ?? {};
  const { checkpoint } = plan.policy ?? {};
  const all = roles.map(({ template, replicas }) => multiplyAmounts(podUsage(template.spec), replicas));
  if (spareRole) all.push(multiplyAmounts(podUsage(spareRole.template.spec), spares.count));
  return {
    lane,
    priority,
    ...(runsForMs === undefined ? {} : { runsForMs }),
    demand: formatAmounts(all.reduce(addAmounts, NOTHING)),
    labels: roles[0]?.template.metadata?.labels ?? {},
    savesFirst: checkpoint?.file !== undefined || checkpoint?.signal !== undefined,
  };
}
