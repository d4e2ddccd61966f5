import { type InterruptedBy, MESSAGE_LENGTH } from '../../contracts/digest.ts';
import type { Pod, PodStatus } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { deletionRequestedAt, disruptionOf } from '../../contracts/pod.ts';
import { shorten } from '../../language/shorten.ts';
import { earliest } from '../../language/time.ts';

/** A request from outside to stop a pod. How the pod then ends says nothing about its program. */
export interface Interruption {
  readonly by: InterruptedBy;
  /** Kubernetes' reason for it; `Deleted` if there is none. */
  readonly reason: string;
  readonly message?: string;
  /** When it was requested, in epoch milliseconds; undefined if only the order is known: it came before the end. */
  readonly at?: number;
  /** Containers that were seen running after the request. */
  readonly running: readonly string[];
}

/** Reads the interruption from the pod; `before`: what was known of the same pod. */
export function interruptionOf(pod: Pod, before?: Interruption): Interruption | undefined {
  const { metadata, status } = pod;
  const disruption = disruptionOf(pod);
  const isByNode = isEndedByNode(status?.reason) || disruption?.reason === 'TerminationByKubelet';
  if (isRefusedByItsNode(pod)) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (!isByNode && !deletionTimestamp && !disruption) return undefined;
  const disruptedAt = Date.parse(disruption?.lastTransitionTime ?? '');
  // A pod's last update has no grace period, and an arbitrarily late time.
  const deletedAt = deletionGracePeriodSeconds > 0 ? [deletionRequestedAt(pod)] : [];
  const known = [before?.at, disruptedAt, ...deletedAt];
  const times = known.filter((time): time is number => Number.isFinite(time));
  const message = status?.message ?? disruption?.message;
  return {
    by: isByNode ? 'node' : 'deletion',
    reason: status?.reason ?? disruption?.reason ?? 'Deleted',
    message: message && shorten(message, MESSAGE_LENGTH),
    // The kubelet reports this only when the containers have ended.
    at: isByNode ? undefined : earliest(times),
    running: [...new Set([...(before?.running ?? []), ...runningIn(status)])].sort(),
  };
}

/**
 * Whether a container ended before its pod was asked to stop. Kubernetes records whole seconds: an end in the second of
 * the request counts as caused by it, because an extra run is better than an untrained job that counts as trained. So
 * does the end of a container that was seen running later: the clocks of node and API server may differ.
 */
export const endedBefore = (
  { at, running }: Interruption,
  { container, finishedAt }: { readonly container: string; readonly finishedAt?: string },
): boolean =>
  at !== undefined && !running.includes(container) && secondOf(Date.parse(finishedAt ?? '')) < secondOf(at);

const secondOf = (time: number) => Math.floor(time / 1000);

const runningIn = (status: PodStatus | undefined) =>
  (status?.containerStatuses ?? []).flatMap(({ name, state }) => (state?.running ? [name] : []));

/**
 * Whether the pod ended because it cannot run on the node that its template names: the node does not exist, or does not let it
 * in. Another pod would fare the same, so this counts as a failure. Whatever binds a pod, and the kubelet that takes it, writes
 * the condition PodScheduled.
 */
export function isRefusedByItsNode(pod: Pod): boolean {
  const { spec, status } = pod;
  if (!spec.nodeName || status?.phase !== 'Failed' || conditionOf(pod, 'PodScheduled')) return false;
  if ((status.containerStatuses ?? []).some(({ state }) => state?.running || state?.terminated)) return false;
  return isRejection(status.reason) || disruptionOf(pod)?.reason === 'DeletionByPodGC';
}

const isRejection = (reason = '') => reason === 'NodeAffinity' || reason.startsWith('OutOf');

/** Whether the kubelet ended the pod or rejected it. */
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
