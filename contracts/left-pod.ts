/** A pod that was told to end, and is still there. */
export interface LeftPod {
  readonly pod: string;
  readonly uid?: string;
  readonly node?: string;
  /** When its grace period is over, and its node should have said so, in epoch milliseconds; absent: it should have. */
  readonly until?: number;
}

/** What is left, in words: how many pods, and where the first of them are. */
export function describeLeft(left: readonly LeftPod[]): string {
  const named = left.slice(0, MOST_NAMED).map(({ pod, node }) => (node ? `${pod} on node ${node}` : pod));
  const more = left.length > MOST_NAMED ? ', …' : '';
  const those =
    left.length === 1 ? '1 pod that was told to stop is' : `${left.length} pods that were told to stop are`;
  return `${those} still there (${named.join(', ')}${more})`;
}

const MOST_NAMED = 3;

/** What makes them go in the end. */
export const HOW_THEY_GO =
  'they go when their node answers again or is removed, or when their finalizers are';
