import type { temporal } from '@temporalio/proto';

/** A run of a workflow: decoded, or as protobuf JSON, which the SDK tells apart. */
export type RunHistory = temporal.api.history.v1.IHistory | { readonly events: readonly object[] };

/** Throws for what is no history: the SDK would not say what is wrong with it. */
export function readHistory(given: RunHistory): temporal.api.history.v1.IHistory {
  const { events } = given ?? {};
  if (Array.isArray(events) && events.length > 0) return given as temporal.api.history.v1.IHistory;
  throw new TypeError('expected the history of a workflow, {"events": [...]}, got no events');
}
