import type { Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, GANG_GATE, LABELS, podNameOf } from '../../contracts/labels.ts';
import { specOf } from '../explain/situations.ts';

export const NOW = Date.parse('2026-11-27T12:00:00Z');

export interface MemberChoice {
  readonly job: string;
  readonly index: number;
  readonly size?: string;
  readonly attempt?: number;
  readonly gpus?: number;
  readonly role?: string;
  readonly priority?: number;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
  readonly queuedSince?: number;
  readonly isLifted?: boolean;
  readonly node?: string;
  readonly isLeaving?: boolean;
  /** A gate of somebody else. */
  readonly gate?: string;
  /** May be lifted without room, or was. */
  readonly onQuota?: boolean;
  /** For how many seconds its scheduler has found no place for it. */
  readonly unschedulableFor?: number;
}

/** A member of a gated gang in the namespace ml. */
export function aMember(choice: MemberChoice): Pod {
  const { job, index, size = '2-of-2', attempt = 1, gpus = 1, role = 'worker', createdAt = NOW } = choice;
  const name = podNameOf(job, role, index);
  const gates = [
    ...(choice.isLifted || choice.node ? [] : [GANG_GATE]),
    ...(choice.gate ? [choice.gate] : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, namespace: 'ml', uid: `${name}.${attempt}` },
      creationTimestamp: new Date(createdAt).toISOString(),
      labels: {
        ...{ [LABELS.job]: job, [LABELS.pod]: name, [LABELS.gated]: size },
        ...{ [LABELS.attempt]: String(attempt), [LABELS.role]: role },
      },
      annotations: {
        ...(choice.queuedSince ? { [ANNOTATIONS.queuedSince]: String(choice.queuedSince) } : {}),
        ...(choice.onQuota ? { [ANNOTATIONS.lift]: 'onQuota' } : {}),
      },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: anchorNameOf(job),
          uid: `anchor-${job}`,
          controller: true,
        },
      ],
      ...(choice.isLeaving ? { deletionTimestamp: new Date(NOW).toISOString() } : {}),
    },
    spec: {
      ...specOf(gpus, { priority: choice.priority ?? 0 }),
      ...(gates.length > 0 ? { schedulingGates: gates.map((gate) => ({ name: gate })) } : {}),
      ...(choice.node ? { nodeName: choice.node } : {}),
    },
    ...(choice.unschedulableFor ? { status: unschedulableSince(NOW - choice.unschedulableFor * 1_000) } : {}),
  };
}

const unschedulableSince = (at: number): Pod['status'] => ({
  conditions: [
    {
      ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
      lastTransitionTime: new Date(at).toISOString(),
    },
  ],
});

/** All members of a gang that differ only in their index. */
export const aGang = (job: string, pods: number, choice: Partial<MemberChoice> = {}): Pod[] =>
  Array.from({ length: pods }, (_, index) => aMember({ job, index, size: `${pods}-of-${pods}`, ...choice }));
