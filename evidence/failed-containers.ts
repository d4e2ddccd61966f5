import { MESSAGE_LENGTH } from '../contracts/digest.ts';
import type { ContainerStatus, Pod, TerminatedState } from '../contracts/kubernetes.ts';
import { conditionOf } from '../contracts/objects.ts';
import { containersOf, countEnds, deletionRequestedAt, disruptionOf } from '../contracts/pod.ts';
import type { EvidenceSummary } from '../contracts/types.ts';
import { compareText } from '../language/compare-text.ts';
import { shorten } from '../language/shorten.ts';

/** A container with a non-zero exit code, in its present run or the previous one. */
export interface FailedContainer {
  readonly status: ContainerStatus;
  readonly end: TerminatedState;
  /** The container has been restarted in place since. */
  readonly isPrevious: boolean;
}

/**
 * Returns whether a pod has failed: by its phase, or by a container with a non-zero exit code. A pod whose containers
 * ended only because it was deleted has not failed, unless it has the condition DisruptionTarget.
 */
export const isPodFailed = (pod: Pod): boolean => {
  const ends = failedContainers(pod).map(({ end }) => end);
  if (ends.length === 0) return pod.status?.phase === 'Failed';
  return disruptionOf(pod) !== undefined || !ends.every((end) => isByDeletion(pod, end));
};

/** Returns the failed containers: the main container first, then by time. */
export function failedContainers(pod: Pod, mainContainer?: string): FailedContainer[] {
  const isMain = ({ status }: FailedContainer) => status.name === mainContainer;
  return containersOf(pod)
    .flatMap(failuresOfContainer)
    .sort(
      (a, b) =>
        Number(isMain(b)) - Number(isMain(a)) || compareText(a.end.finishedAt ?? '', b.end.finishedAt ?? ''),
    );
}

/** Returns the summary of a failure. What ended the whole pod takes precedence over the end of its containers. */
export function failureFacts(pod: Pod, failed: FailedContainer | undefined): FailureDescription {
  const { status } = pod;
  const disruption = disruptionOf(pod);
  const fromOutside =
    status?.reason ?? disruption?.reason ?? (wasDeleted(pod, failed) ? 'Deleted' : undefined);
  const messages = [status?.message ?? disruption?.message, failed?.end.message];
  const [message] = (fromOutside ? messages : messages.toReversed()).filter(Boolean);
  return {
    container: failed?.status.name,
    exitCode: failed?.end.exitCode,
    signal: failed?.end.signal || undefined,
    reason: fromOutside ?? failed?.end.reason,
    message: message && shorten(message, MESSAGE_LENGTH),
    ends: failed && endsUntil(failed),
    failedAt: failedAt(pod, failed),
  };
}

type FailureDescription = Pick<
  EvidenceSummary,
  'container' | 'exitCode' | 'signal' | 'reason' | 'message' | 'ends' | 'failedAt'
>;

/** Returns how often a container had ended with a failure, that failure included: it may have ended well since. */
export const endsUntil = ({ status, isPrevious }: FailedContainer): number =>
  countEnds(status) - (isPrevious && status.state?.terminated ? 1 : 0);

/** RFC 3339; undefined if the pod has not failed or does not state when. */
export const failedAt = (pod: Pod, failed: FailedContainer | undefined): string | undefined =>
  failed?.end.finishedAt ||
  (pod.status?.phase === 'Failed' ? conditionOf(pod, 'Ready')?.lastTransitionTime : undefined);

function failuresOfContainer(status: ContainerStatus): FailedContainer[] {
  const [now, before] = [status.state?.terminated, status.lastState?.terminated];
  if (now?.exitCode) return [{ status, end: now, isPrevious: false }];
  return before?.exitCode ? [{ status, end: before, isPrevious: true }] : [];
}

/** Exit codes of a program that SIGTERM or SIGKILL ended. */
const STOPPED = new Set([143, 137]);

/** Times have whole seconds: an end in the second of the deletion counts only with the exit code of a signal. */
function isByDeletion(pod: Pod, { finishedAt, exitCode }: TerminatedState): boolean {
  const after = Date.parse(finishedAt ?? '') - deletionRequestedAt(pod);
  return after > 0 || (after === 0 && STOPPED.has(exitCode));
}

/** False if the container had ended before the deletion. */
const wasDeleted = (pod: Pod, failed: FailedContainer | undefined) =>
  pod.metadata.deletionTimestamp !== undefined && (!failed || isByDeletion(pod, failed.end));

/** Returns the ended main container of a pod that was asked to stop and has no failed container. */
export function stoppedContainer(pod: Pod, mainContainer: string | undefined): FailedContainer | undefined {
  if (!pod.metadata.deletionTimestamp && !disruptionOf(pod)) return undefined;
  const status = containersOf(pod).find(({ name }) => name === mainContainer);
  const end = status?.state?.terminated;
  return status && end && { status, end, isPrevious: false };
}
