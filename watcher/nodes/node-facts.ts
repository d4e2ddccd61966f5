import type { Node } from '../../contracts/kubernetes.ts';
import type { HealthTable } from './health-table.ts';
import { factsOf, isDevice } from './node-notices.ts';

/**
 * Returns what drops everything that `nodeConditions`, the capacity and notices of the table do not read: images, most labels
 * and annotations, and all that is well.
 */
export const nodeTrimmer =
  (table: HealthTable) =>
  (node: Node): Node => {
    const { apiVersion, kind, metadata, spec, status } = node;
    const named = new Set(
      factsOf(node).flatMap((fact) => (table.find(fact) ? [`${fact.kind} ${fact.key}`] : [])),
    );
    const isNamed = (kind: string) => (key: string) => named.has(`${kind} ${key}`);
    const { name } = metadata;
    return {
      ...{ apiVersion, kind },
      metadata: {
        name,
        ...some('labels', metadata.labels, isNamed('label')),
        ...some('annotations', metadata.annotations, isNamed('annotation')),
      },
      spec: { unschedulable: spec?.unschedulable, taints: spec?.taints },
      status: {
        conditions: status?.conditions
          ?.filter(({ type }) => type === 'Ready' || isNamed('condition')(type))
          .map(withoutHeartbeat),
        allocatable: status?.allocatable,
        ...some('capacity', status?.capacity as Values, isDevice),
      },
    };
  };

type Values = Readonly<Record<string, string>> | undefined;

/** Absent where nothing is left. */
function some<K extends string>(field: K, values: Values, isKept: (key: string) => boolean) {
  const kept = Object.entries(values ?? {}).filter(([key]) => isKept(key));
  return kept.length > 0 ? ({ [field]: Object.fromEntries(kept) } as Record<K, NonNullable<Values>>) : {};
}

/** A source renews it every few minutes, whatever it says. */
function withoutHeartbeat(condition: NonNullable<NonNullable<Node['status']>['conditions']>[number]) {
  const { lastHeartbeatTime: _, ...rest } = condition as typeof condition & { lastHeartbeatTime?: string };
  return rest;
}
