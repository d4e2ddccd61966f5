import {
  type Amounts,
  addAmounts,
  formatAmounts,
  multiplyAmounts,
  NOTHING,
  parseAmounts,
  podRequests,
} from '../contracts/pod-requests.ts';
import { isCreatedLater } from '../contracts/roles.ts';
import type { Role, TrainingJob } from '../contracts/training-job.ts';

/**
 * Returns what must be free before the gang can start: the manifest's minResources, or what the first `minMember` pods
 * request. The kind defines the order of the roles.
 */
export function minResourcesOf(job: TrainingJob): Readonly<Record<string, string>> {
  const given = job.gang.minResources;
  return formatAmounts(given ? parseAmounts(given) : ofFirstMembers(job));
}

function ofFirstMembers({ gang, roles, plan }: TrainingJob): Amounts {
  let left = gang.minMember;
  let sum = NOTHING;
  for (const role of roles.filter(({ name }) => !isCreatedLater(plan, name))) {
    const members = Math.min(left, role.replicas);
    sum = addAmounts(sum, ofPods(role, members));
    left -= members;
  }
  return sum;
}

function ofPods({ template }: Role, members: number): Amounts {
  if (members === 0) return NOTHING;
  return multiplyAmounts(podRequests(template.spec), members);
}
