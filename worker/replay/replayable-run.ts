import type { temporal } from '@temporalio/proto';

/** A run of a workflow: decoded, or as protobuf JSON, which the SDK tells apart. */
export type ReplayableRun = temporal.api.history.v1.IHistory | { readonly events: readonly object[] };

/** Returns the history. Throws for what is none: the SDK would not say what is wrong with it. */
export function checkedRun(given: ReplayableRun): temporal.api.history.v1.IHistory {
  const { events } = given ?? {};
  if (Array.isArray(events) && events.length > 0) return given as temporal.api.history.v1.IHistory;
  throw new TypeError('expected the history of a workflow, {"events": [...]}, got no events');
}
