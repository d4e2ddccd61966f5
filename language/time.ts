/** RFC 3339 in whole seconds, as Kubernetes writes it. */
export const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Returns the first of some times; undefined of none. */
export const earliest = (times: readonly number[]): number | undefined =>
  times.length > 0 ? Math.min(...times) : undefined;
