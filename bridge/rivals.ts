import { HEEDS_NO_MANAGER, type OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';

/** The field by which a job of this kind tells its operator that signalbox runs it; undefined if none does. */
export function ownManagerField({ apiVersion, kind }: Pick<AskedJob, 'apiVersion' | 'kind'>) {
  const { managedBy } = findFramework(apiVersion, kind)?.dialect ?? {};
  return managedBy?.own === undefined || HEEDS_NO_MANAGER.has(kind) ? undefined : managedBy.field;
}

interface AskedJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  /** Its managedBy names signalbox. */
  readonly isOwn: boolean;
}

/** Returns the operator that would run a job as well. */
export const rivalOf = (
  operators: readonly OriginalOperator[],
  { apiVersion, kind, namespace, isOwn }: AskedJob,
): OriginalOperator | undefined =>
  operators.find(
    (one) =>
      apiVersion.startsWith(`${one.group}/`) &&
      one.kinds.includes(kind.toLowerCase()) &&
      (one.namespace ?? namespace) === namespace &&
      !(isOwn && ownManagerField({ apiVersion, kind }) !== undefined),
  );
