import { ANNOTATIONS } from '../../contracts/labels.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import type { GangChoice, GangRequest, Plan } from '../../contracts/training-job.ts';
import type { Policies } from '../model/dialect.ts';
import type { Draft, Framework } from '../model/framework.ts';

/** Returns what a job requests from its gang scheduler. Its schedulingPolicy takes precedence over its kind. */
export function gangOf(
  framework: Framework,
  draft: Draft & { readonly plan: Plan },
  { gang }: Policies,
): GangRequest {
  const defaults = framework.gang?.(draft);
  const minMember = gang.minMember ?? framework.minMember?.(draft) ?? totalReplicas(draft.roles);
  return {
    ...gang,
    queue: gang.queue ?? defaults?.queue,
    priorityClass: gang.priorityClass ?? defaults?.priorityClass,
    scheduler: draft.annotations[ANNOTATIONS.gang] as GangChoice | undefined,
    minMember: Math.min(minMember, mostAtOnce(draft.plan)),
  };
}

/** Pods that are created only when others are ready cannot be in the gang: it would wait for them forever. */
function mostAtOnce({ roles }: Plan): number {
  const isHeld = roles.some(({ after }) => after?.length);
  return isHeld ? totalReplicas(roles.filter(({ after }) => !after?.length)) : Number.POSITIVE_INFINITY;
}
