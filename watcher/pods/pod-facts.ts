import { MESSAGE_LENGTH } from '../../contracts/digest.ts';
import type { ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { attemptOf, conditionOf, numberLabel, ownerUidOf } from '../../contracts/objects.ts';
import { containersOf, indexOf, isInGatedGang, isReplica, roleOf } from '../../contracts/pod.ts';
import { programNameOf, trimContainers } from '../../contracts/program.ts';
import { isPassingWait } from '../../contracts/waits.ts';
import { shorten } from '../../language/shorten.ts';
import {
  type ContainerCrash,
  type CrashedProgram,
  containerCrashOf,
  type EndedContainer,
  programCrashOf,
} from './container-crash.ts';
import { endedBefore, type Interruption, interruptionOf, isRefusedByItsNode } from './interruption.ts';
import { memoryLimitOf } from './memory-limit.ts';
import { type PodReport, podReport, trimReportMetadata } from './pod-report.ts';
import { type OutlivedProgram, outlivedOf, type PodState, stateOf } from './pod-state.ts';
import { type Requested, requestedBy, trimRequests } from './requested.ts';
import { missingClaims } from './resource-claims.ts';

/** What a digest needs to know of a pod: about 400 bytes instead of the pod's 10 to 20 kilobytes. */
export interface PodFacts {
  readonly name: string;
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  /** False for a copy of a replica. */
  readonly isReplica: boolean;
  /** The container that its program runs in. */
  readonly mainContainer?: string;
  readonly state: PodState;
  readonly node?: string;
  /** Pod IP; empty until it has one. */
  readonly address: string;
  /** Restarts in place, summed over its containers. */
  readonly restarts: number;
  /** Why it is not ready yet, if Kubernetes gives a reason. */
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly failure?: FailureFacts;
  /** Its program has ended for good, but the pod goes on. */
  readonly outlived?: OutlivedProgram;
  /** Absent if the pod has ended. */
  readonly crash?: ContainerCrash;
  /** Absent if the pod has ended, or is being deleted: its program then ends for that. */
  readonly programCrash?: CrashedProgram;
  /** The request to stop the pod; if the pod has ended, one from before its end. */
  readonly interruption?: Interruption;
  readonly report?: PodReport;
  /** Absent if the pod has ended. */
  readonly requested?: Requested;
  /** It has no node, and is a member of a gated gang. */
  readonly waitsInGatedGang?: true;
  /** A user removed the reference to its anchor. */
  readonly hasLostOwner?: true;
  /** If the pod has no node: when it may use all nodes again, in epoch milliseconds. */
  readonly avoidsUntil?: number;
}

export interface FailureFacts {
  readonly phase: 'Succeeded' | 'Failed';
  readonly node?: string;
  /** What happened to the whole pod, e.g. DeadlineExceeded. It takes precedence over the ends of the containers. */
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  /**
   * Containers that ended with an exit code other than 0, in the order of the pod's status; in an interrupted pod, all
   * containers that ended.
   */
  readonly ended: readonly ContainerEnd[];
}

interface ContainerEnd extends EndedContainer {
  readonly finishedAt?: string;
}

/** Extracts a pod's facts; `before`: the earlier ones. A pod that ended by itself keeps that result for good. */
export function podFacts(pod: Pod, before?: PodFacts): PodFacts {
  const isOwnEnd = before !== undefined && hasEnded(before) && !before.interruption;
  const interruption = isOwnEnd ? undefined : interruptionOf(pod, before?.interruption);
  const state = before?.state === 'succeeded' ? before.state : stateOf(pod, interruption);
  return judged({
    name: pod.metadata.name,
    role: roleOf(pod),
    index: indexOf(pod),
    attempt: attemptOf(pod),
    isReplica: isReplica(pod),
    mainContainer: programNameOf(pod),
    state,
    node: pod.spec.nodeName,
    address: pod.status?.podIP ?? '',
    restarts: containersOf(pod).reduce((sum, container) => sum + restartsOfPod(container, pod), 0),
    waiting: state === 'unscheduled' || state === 'scheduled' ? waitingOf(pod) : undefined,
    failure: state === 'failed' ? failureOfPod(pod, interruption) : undefined,
    outlived: outlivedOf(pod),
    crash: state === 'failed' || state === 'succeeded' ? undefined : containerCrashOf(pod),
    programCrash: state === 'ready' || state === 'scheduled' ? programCrashOf(pod) : undefined,
    interruption: state === 'failed' || state === 'terminating' ? interruption : undefined,
    report: podReport(pod),
    requested:
      state === 'failed' || state === 'succeeded' ? undefined : (before?.requested ?? requestedBy(pod)),
    hasLostOwner: ownerUidOf(pod) === undefined ? true : undefined,
    waitsInGatedGang: state === 'unscheduled' && isInGatedGang(pod) ? true : undefined,
    avoidsUntil: state === 'unscheduled' ? numberLabel(pod, LABELS.avoidsUntil) || undefined : undefined,
  });
}

/**
 * Drops the interruption of a pod whose program had already ended. If the main container is unknown or has no recorded
 * end, a success needs all containers, and a failure only those that failed.
 */
function judged(pod: PodFacts): PodFacts {
  const { state, failure, interruption, mainContainer } = pod;
  if (state !== 'failed' || !failure || !interruption) return pod;
  const main = failure.ended.filter(({ container }) => container === mainContainer);
  const failed = (main.length > 0 ? main : failure.ended).filter(({ exitCode }) => exitCode !== 0);
  const hasSucceeded = failed.length === 0 && (main.length > 0 || failure.phase === 'Succeeded');
  const program = failed.length > 0 ? failed : hasSucceeded ? failure.ended.filter(isOfMain(main)) : [];
  if (program.length === 0 || !program.every((end) => endedBefore(interruption, end))) return pod;
  const own = { ...pod, interruption: undefined };
  const ended = failure.ended.filter(({ exitCode }) => exitCode !== 0);
  return hasSucceeded
    ? { ...own, state: 'succeeded', failure: undefined }
    : { ...own, failure: { ...failure, ended } };
}

const isOfMain = (main: readonly ContainerEnd[]) => (end: ContainerEnd) =>
  main.length === 0 || main.includes(end);

/** Drops everything that `podFacts` does not read: mostly the spec and `managedFields`. */
export const trimPod = ({ apiVersion, kind, metadata, spec, status }: Pod): Pod => ({
  apiVersion,
  kind,
  metadata: { ...metadata, ...trimReportMetadata(metadata) },
  spec: {
    containers: trimContainers(spec.containers),
    nodeName: spec.nodeName,
    restartPolicy: spec.restartPolicy,
    ...trimRequests(spec),
    ...(spec.resourceClaims ? { resourceClaims: spec.resourceClaims } : {}),
  },
  status,
});

export const hasEnded = ({ state }: PodFacts) => state === 'succeeded' || state === 'failed';

const cut = (text: string | undefined) => (text ? shorten(text, MESSAGE_LENGTH) : undefined);

/**
 * The kubelet may remove the container of an evicted pod before it has read how it ended. It then counts a restart that
 * never happens, because the pod has ended (kubernetes/kubernetes#122160).
 */
function restartsOfPod({ restartCount = 0, state, lastState }: ContainerStatus, { status }: Pod): number {
  const isLost = lastState?.terminated?.reason === LOST && (state?.terminated?.reason ?? LOST) === LOST;
  return status?.phase === 'Failed' && isLost ? Math.max(0, restartCount - 1) : restartCount;
}

const LOST = 'ContainerStatusUnknown';

/** Returns the scheduler's reason first, then that of a container in trouble, of any container, of the kubelet. */
function waitingOf(pod: Pod): PodFacts['waiting'] {
  const scheduled = conditionOf(pod, 'PodScheduled');
  // Of a gated gang more is known than that.
  if (scheduled?.reason === 'SchedulingGated' && isInGatedGang(pod)) return undefined;
  if (scheduled?.status === 'False') return waitOf(scheduled);
  const claims = pod.spec.nodeName || scheduled ? undefined : missingClaims(pod);
  if (claims) return waitOf({ reason: 'ResourceClaims', message: claims });
  const waiting = containersOf(pod).flatMap(({ state }) => (state?.waiting?.reason ? [state.waiting] : []));
  const container = waiting.find(({ reason }) => !isPassingWait(reason ?? '')) ?? waiting[0];
  if (container) return waitOf(container);
  const ready = conditionOf(pod, 'Ready');
  if (ready?.reason) return waitOf(ready);
  // Nobody has bound it, and no kubelet has taken it.
  const { nodeName } = pod.spec;
  if (!nodeName || scheduled) return undefined;
  return waitOf({
    reason: 'NodeSilent',
    message: `node ${nodeName}, which the template names, has not taken the pod`,
  });
}

const waitOf = ({ reason, message }: { readonly reason?: string; readonly message?: string }) => ({
  reason: reason ?? 'Unknown',
  message: cut(message),
});

function failureOfPod(pod: Pod, interruption: Interruption | undefined): FailureFacts {
  const { metadata, spec, status } = pod;
  const ends = containersOf(pod).flatMap((container) => endOfContainer(pod, container));
  const last = ends
    .map(({ finishedAt }) => finishedAt ?? '')
    .sort()
    .at(-1);
  const readyUntil = conditionOf(pod, 'Ready')?.lastTransitionTime;
  const refused = isRefusedByItsNode(pod) ? refusedByItsNode(pod) : undefined;
  return {
    phase: status?.phase === 'Succeeded' ? 'Succeeded' : 'Failed',
    node: spec.nodeName,
    reason: status?.reason,
    message: cut(status?.message),
    ...refused,
    finishedAt: last || readyUntil || metadata.deletionTimestamp || (metadata.creationTimestamp ?? ''),
    ended: interruption ? ends : ends.filter(({ exitCode }) => exitCode !== 0),
  };
}

const refusedByItsNode = ({ spec, status }: Pod) => ({
  reason: status?.reason ?? 'NodeMissing',
  message: cut(
    `spec.nodeName of its template names node ${spec.nodeName}, ${status?.reason ? `which refuses it: ${status.message}` : 'which does not exist'}`,
  ),
});

function endOfContainer(pod: Pod, { name, state }: ContainerStatus): ContainerEnd[] {
  const end = state?.terminated;
  if (!end) return [];
  const { exitCode, signal, reason, finishedAt } = end;
  const message = cut(end.message);
  const memoryLimit = memoryLimitOf(pod, name, end);
  return [{ container: name, exitCode, signal, reason, message, memoryLimit, finishedAt }];
}
