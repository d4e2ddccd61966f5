import { EVENTS, type KubeObject, type Pod } from '../../contracts/kubernetes.ts';
import type { EventEvidence } from '../../contracts/types.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** Clusters usually keep events for an hour, and count the repeated events of a crashing pod. */
const MOST_EVENTS = 100;

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
}

/** Returns the Kubernetes events of a pod, the latest last. */
export async function eventsOf(
  { cluster, bulk }: Pick<Dependencies, 'cluster' | 'bulk'>,
  { metadata }: Pod,
): Promise<EventEvidence[]> {
  const selection = {
    namespace: metadata.namespace,
    fieldSelector: `involvedObject.uid=${metadata.uid}`,
    limit: MOST_EVENTS,
  };
  const { items } = await bulk.run(() => cluster.list(EVENTS, selection));
  return (items as readonly Event[])
    .map(evidenceOfEvent)
    .sort((a, b) => (a.lastAt ?? '').localeCompare(b.lastAt ?? ''));
}

const evidenceOfEvent = (event: Event): EventEvidence => ({
  type: event.type,
  reason: event.reason,
  message: event.message,
  count: event.series?.count ?? event.count ?? 1,
  firstAt: event.firstTimestamp || event.eventTime || event.metadata.creationTimestamp,
  lastAt:
    event.series?.lastObservedTime ||
    event.lastTimestamp ||
    event.eventTime ||
    event.metadata.creationTimestamp,
  source: event.source?.component || event.reportingComponent || undefined,
});
