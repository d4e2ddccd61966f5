import type { Digest } from '../contracts/digest.ts';
import type { Condition, KubeObject } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { cut, numberOf } from './pod-facts.ts';

export interface GroupFacts {
  readonly attempt: number;
  readonly gang: NonNullable<Digest['gang']>;
}

export function groupFacts(group: KubeObject): GroupFacts {
  const { conditions = [] } = (group.status ?? {}) as { conditions?: readonly Condition[] };
  const scheduled = CONDITIONS.map((type) => conditions.find((condition) => condition.type === type)).find(
    Boolean,
  );
  return {
    attempt: numberOf(group.metadata.labels?.[LABELS.attempt]),
    gang: {
      scheduled: scheduled?.status ?? 'Unknown',
      reason: scheduled?.reason,
      message: cut(scheduled?.message),
    },
  };
}

/** The first is what Kubernetes 1.36 writes; the second is the name of a later API version. */
const CONDITIONS = ['PodGroupScheduled', 'PodGroupInitiallyScheduled'];
