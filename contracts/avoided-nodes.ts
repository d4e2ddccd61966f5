/** A node that new pods of a job avoid. */
export interface AvoidedNode {
  readonly node: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Returns the nodes that are still avoided `at` a time in epoch milliseconds. */
export const stillAvoided = (nodes: readonly AvoidedNode[] = [], at: number) =>
  nodes.filter(({ until }) => until > at);
