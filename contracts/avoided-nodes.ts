/** A node that new pods of a job keep away from. */
export interface AvoidedNode {
  readonly node: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Those that are still to be avoided at a time, in epoch milliseconds. */
export const stillAvoided = (nodes: readonly AvoidedNode[] = [], at: number) =>
  nodes.filter(({ until }) => until > at);
