import type { SchedulingPolicy } from '../fields/manifest-schema.ts';
import type { Policies } from '../model/dialect.ts';

/** Returns the gang settings of a schedulingPolicy, whose fields are the same in both dialects. */
export function gangFieldsOf(policy: SchedulingPolicy | undefined): Policies['gang'] {
  if (!policy) return {};
  const { minAvailable, priorityClass, queue, minResources, scheduleTimeoutSeconds } = policy;
  return {
    minMember: minAvailable,
    priorityClass,
    queue,
    minResources: minResources && asText(minResources),
    scheduleTimeoutSeconds,
  };
}

const asText = (quantities: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(Object.entries(quantities).map(([resource, amount]) => [resource, String(amount)]));
