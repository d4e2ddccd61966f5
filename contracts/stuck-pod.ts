/** A pod that was asked to stop and still exists. */
export interface StuckPod {
  readonly pod: string;
  readonly uid?: string;
  readonly node?: string;
  /** When its node should have reported its end, in epoch milliseconds; absent if that time has passed. */
  readonly until?: number;
  /** The finalizers that keep it, if its containers have ended. Who added them removes them. */
  readonly heldBy?: readonly string[];
}

/** Formats the finalizers that keep a pod. */
export const formatFinalizers = (names: readonly string[]): string =>
  `the finalizer${names.length > 1 ? 's' : ''} ${names.join(', ')}`;

/** Describes the remaining pods: how many, and the nodes of the first three. */
export function describeStuckPods(pods: readonly StuckPod[]): string {
  const named = pods.slice(0, MOST_NAMED).map(describeStuckPod);
  const more = pods.length > MOST_NAMED ? ', …' : '';
  const those =
    pods.length === 1
      ? '1 pod that was asked to stop still exists'
      : `${pods.length} pods that were asked to stop still exist`;
  return `${those} (${named.join(', ')}${more})`;
}

function describeStuckPod({ pod, node, heldBy }: StuckPod): string {
  if (heldBy) return `${pod}, which has ${formatFinalizers(heldBy)}`;
  return node ? `${pod} on node ${node}` : pod;
}

const MOST_NAMED = 3;

/** What finally removes such pods. */
export const HOW_THEY_GO =
  'they disappear when their node answers again or is removed, or when their finalizers are removed';
