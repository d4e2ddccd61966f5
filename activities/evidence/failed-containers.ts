import { MESSAGE_LENGTH } from '../../contracts/digest.ts';
import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { Condition, ContainerStatus, Pod, TerminatedState } from '../../contracts/kubernetes.ts';
import { shorten } from '../../contracts/shorten.ts';

/** A container that ended with a code other than 0, in its present run or in the one before it. */
export interface FailedContainer {
  readonly status: ContainerStatus;
  readonly end: TerminatedState;
  /** It was started again in place since. */
  readonly isPrevious: boolean;
}

/**
 * Those that count as failed: by their phase, or by a container that ended with a code other than 0. One that ended only
 * because it was deleted has not failed, unless something else than a deletion was at work.
 */
export const isPodFailed = (pod: Pod): boolean => {
  const ends = failedContainers(pod).map(({ end }) => end);
  if (ends.length === 0) return pod.status?.phase === 'Failed';
  return disruptionOf(pod) !== undefined || !ends.every((end) => isByDeletion(pod, end));
};

/** The first that failed is the first of them, but the container that trains is before all others. */
export function failedContainers(pod: Pod, mainContainer?: string): FailedContainer[] {
  const isMain = ({ status }: FailedContainer) => status.name === mainContainer;
  return containersOf(pod)
    .flatMap(failureOf)
    .sort((a, b) => Number(isMain(b)) - Number(isMain(a)) || order(a.end.finishedAt, b.end.finishedAt));
}

export const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** What history says of a failure. What ended the whole pod outweighs what its containers then ended with. */
export function messageOnFailure(pod: Pod, failed: FailedContainer | undefined): WordsOnFailure {
  const { status } = pod;
  const disruption = disruptionOf(pod);
  const fromOutside =
    status?.reason ?? disruption?.reason ?? (wasDeleted(pod, failed) ? 'Deleted' : undefined);
  const said = [status?.message ?? disruption?.message, failed?.end.message];
  const [message] = (fromOutside ? said : said.toReversed()).filter(Boolean);
  return {
    container: failed?.status.name,
    exitCode: failed?.end.exitCode,
    signal: failed?.end.signal || undefined,
    reason: fromOutside ?? failed?.end.reason,
    message: message && shorten(message, MESSAGE_LENGTH),
  };
}

type WordsOnFailure = Pick<EvidenceSummary, 'container' | 'exitCode' | 'signal' | 'reason' | 'message'>;

/** RFC 3339; undefined of a pod that has not failed, or does not say when. */
export const failedAt = (pod: Pod, failed: FailedContainer | undefined): string | undefined =>
  failed?.end.finishedAt ||
  (pod.status?.phase === 'Failed' ? conditionOf(pod, 'Ready')?.lastTransitionTime : undefined);

const order = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);

function failureOf(status: ContainerStatus): FailedContainer[] {
  const [now, before] = [status.state?.terminated, status.lastState?.terminated];
  if (now?.exitCode) return [{ status, end: now, isPrevious: false }];
  return before?.exitCode ? [{ status, end: before, isPrevious: true }] : [];
}

/** Set by whoever ended the pod from outside: preemption, eviction, a taint, a node's shutdown. */
function disruptionOf(pod: Pod): Condition | undefined {
  const condition = conditionOf(pod, 'DisruptionTarget');
  return condition?.status === 'True' ? condition : undefined;
}

const conditionOf = ({ status }: Pod, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

/** Exit codes of a program that SIGTERM or SIGKILL ended. */
const STOPPED = new Set([143, 137]);

/** Times are in whole seconds: what ended in the second of the deletion was ended by it if it looks like it. */
function isByDeletion({ metadata }: Pod, { finishedAt, exitCode }: TerminatedState): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (!deletionTimestamp || !finishedAt) return false;
  const deletedAt = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const after = Date.parse(finishedAt) - deletedAt;
  return after > 0 || (after === 0 && STOPPED.has(exitCode));
}

/** Before it had ended otherwise. */
const wasDeleted = (pod: Pod, failed: FailedContainer | undefined) =>
  pod.metadata.deletionTimestamp !== undefined && (!failed || isByDeletion(pod, failed.end));

/** Of a pod that was told to stop, and in which nothing failed: the container that trains has ended with 0. */
export function stoppedContainer(pod: Pod, mainContainer: string | undefined): FailedContainer | undefined {
  if (!pod.metadata.deletionTimestamp && !disruptionOf(pod)) return undefined;
  const status = containersOf(pod).find(({ name }) => name === mainContainer);
  const end = status?.state?.terminated;
  return status && end && { status, end, isPrevious: false };
}
