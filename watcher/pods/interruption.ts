import { type InterruptedBy, MESSAGE_LENGTH } from '../../contracts/digest.ts';
import type { Condition, ContainerStatus, Pod, PodStatus } from '../../contracts/kubernetes.ts';
import { shorten } from '../../contracts/shorten.ts';

/** That a pod was told to stop by somebody, so that how it ended says nothing about its program. */
export interface Interruption {
  readonly by: InterruptedBy;
  /** Kubernetes' word for who did it; `Deleted` where it has none. */
  readonly reason: string;
  readonly message?: string;
  /** When, in epoch milliseconds; undefined where that it was told to stop before it ended is all that is known. */
  readonly at?: number;
  /** Containers that were seen running although the pod had been told to stop. */
  readonly running: readonly string[];
}

/** What Kubernetes says of it; `before`: what was known of the same pod. */
export function interruptionOf({ metadata, status }: Pod, before?: Interruption): Interruption | undefined {
  const disruption = disruptionOf(status);
  const isByNode = isEndedByNode(status?.reason) || disruption?.reason === 'TerminationByKubelet';
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (!isByNode && !deletionTimestamp && !disruption) return undefined;
  // A deletion is due after the grace period. The last update of a pod has none, and is later than the request by any time.
  const deletedAt = Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000;
  const disruptedAt = Date.parse(disruption?.lastTransitionTime ?? '');
  const known = [before?.at, disruptedAt, ...(deletionGracePeriodSeconds > 0 ? [deletedAt] : [])];
  const times = known.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
  const said = status?.message ?? disruption?.message;
  return {
    by: isByNode ? 'node' : 'deletion',
    reason: status?.reason ?? disruption?.reason ?? 'Deleted',
    message: said && shorten(said, MESSAGE_LENGTH),
    // A kubelet says so only when the containers have ended.
    at: isByNode || times.length === 0 ? undefined : Math.min(...times),
    running: [...new Set([...(before?.running ?? []), ...runningIn(status)])].sort(),
  };
}

/**
 * Whether a container ended before its pod was told to stop. Kubernetes tells times in whole seconds: what ended in the
 * second of the request was ended by it, as to run once more is better than to take a job for trained that is not. So is
 * a container that was seen running after it: the clocks of node and API server may differ.
 */
export const endedBefore = (
  { at, running }: Interruption,
  { container, finishedAt }: { readonly container: string; readonly finishedAt?: string },
): boolean =>
  at !== undefined && !running.includes(container) && secondOf(Date.parse(finishedAt ?? '')) < secondOf(at);

const secondOf = (time: number) => Math.floor(time / 1000);

/** Set by whoever is about to end the pod from outside: preemption, eviction, a taint, a node's shutdown. */
function disruptionOf(status: PodStatus | undefined): Condition | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return condition?.status === 'True' ? condition : undefined;
}

const runningIn = (status: PodStatus | undefined) =>
  ((status?.containerStatuses ?? []) as readonly ContainerStatus[]).flatMap(({ name, state }) =>
    state?.running ? [name] : [],
  );

/** A kubelet ended the pod, or did not let it begin. */
const isEndedByNode = (reason = '') => BY_NODE.has(reason) || reason.startsWith('OutOf');

const BY_NODE: ReadonlySet<string> = new Set([
  'Evicted',
  'Preempting',
  'Terminated',
  'Shutdown',
  'NodeShutdown',
  'NodeAffinity',
  'NodeLost',
  'UnexpectedAdmissionError',
]);
