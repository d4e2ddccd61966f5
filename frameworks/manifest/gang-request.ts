import { ANNOTATIONS } from '../../contracts/labels.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import {
  type GangChoice,
  type GangProvider,
  type GangRequest,
  givesQuota,
  type KueueRequest,
  type Plan,
  type TrainingJob,
} from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { Policies } from '../model/dialect.ts';
import type { Draft, Framework } from '../model/framework.ts';
import { POLICY_PATH } from '../policy/document.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns what a job requests from its gang scheduler. Its schedulingPolicy takes precedence over its kind. `labels`: of the
 * job.
 */
export function gangOf(
  framework: Framework,
  draft: Draft & { readonly plan: Plan },
  { policies: { gang }, labels }: { readonly policies: Policies; readonly labels: Labels },
): GangRequest {
  const defaults = framework.gang?.(draft);
  const minMember = gang.minMember ?? framework.minMember?.(draft) ?? totalReplicas(draft.roles);
  return {
    ...gang,
    queue: gang.queue ?? defaults?.queue,
    priorityClass: gang.priorityClass ?? defaults?.priorityClass,
    scheduler: draft.annotations[ANNOTATIONS.gang] as GangChoice | undefined,
    minMember: Math.min(minMember, mostAtOnce(draft.plan)),
    ...kueueOf(labels),
  };
}

/** Labels by which people name a queue of Kueue on an object, and the priority of the object in it. */
export const KUEUE_QUEUE = 'kueue.x-k8s.io/queue-name';
const KUEUE_PRIORITY = 'kueue.x-k8s.io/priority-class';

function kueueOf(labels: Labels): { readonly kueue?: KueueRequest } {
  const { [KUEUE_QUEUE]: queue, [KUEUE_PRIORITY]: priorityClass } = labels;
  if (!queue && !priorityClass) return {};
  return {
    kueue: withoutUndefined({ queue: queue || undefined, priorityClass: priorityClass || undefined }),
  };
}

/** A manifest that asks for Kueue itself can have no spares. */
export function sparesInKueue(labels: Labels, annotations: Draft['annotations']): Fault[] {
  if (annotations[ANNOTATIONS.gang] === 'kueue') return [faultOfSpares(`${ANNOTATIONS.gang}: kueue`)];
  const queue = labels[KUEUE_QUEUE];
  return queue ? [faultOfSpares(`the label ${KUEUE_QUEUE}: ${queue}`)] : [];
}

/** Nor can a job for which the configuration of the installation has chosen Kueue. */
export const sparesUnderQuota = (gang: GangProvider, { plan }: TrainingJob): Fault[] =>
  givesQuota(gang) && plan.policy?.spares ? [faultOfSpares('Kueue, which this installation uses')] : [];

/** Kueue counts the pods of a job by its roles: spares would hold what nobody has granted. */
const faultOfSpares = (got: string): Fault => ({
  path: `${POLICY_PATH}.spares`,
  expected: 'no spares in a job that Kueue admits, because it would not count them',
  got,
});

/** Pods that are created only when others are ready cannot be in the gang: it would wait for them forever. */
function mostAtOnce({ roles }: Plan): number {
  const isHeld = roles.some(({ after }) => after?.length);
  return isHeld ? totalReplicas(roles.filter(({ after }) => !after?.length)) : Number.POSITIVE_INFINITY;
}
