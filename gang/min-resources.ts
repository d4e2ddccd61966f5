import { formatQuantity, multiplyQuantity } from '../contracts/quantity.ts';
import type { Role, TrainingJob } from '../contracts/training-job.ts';
import { type Amounts, addAmounts, NOTHING, parseAmounts, podRequests } from './pod-requests.ts';

/**
 * What must be free before the gang can start: what the manifest says, or what its first `minMember` pods ask for. Roles
 * count in the order of their kind.
 */
export function minResourcesOf(job: TrainingJob): Readonly<Record<string, string>> {
  const given = job.gang.minResources;
  return format(given ? parseAmounts(given) : ofFirstMembers(job));
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

/** A gang that waited for what such a pod needs would wait for a pod that waits for the gang. */
const isCreatedLater = ({ roles }: TrainingJob['plan'], role: string) =>
  roles.some(({ name, after = [] }) => name === role && after.length > 0);

function ofPods({ template }: Role, members: number): Amounts {
  if (members === 0) return NOTHING;
  const ofOne = [...podRequests(template.spec)];
  return new Map(ofOne.map(([resource, amount]) => [resource, multiplyQuantity(amount, members)]));
}

const format = (amounts: Amounts) =>
  Object.fromEntries([...amounts].map(([resource, amount]) => [resource, formatQuantity(amount)]));
