import { parseAnchorRecord } from '../../contracts/anchor.ts';
import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { Home } from '../../contracts/home.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, jobNameOf, LABELS, OWN_PREFIX } from '../../contracts/labels.ts';
import { isFinal } from '../../contracts/status.ts';
import type { HostListRule } from '../../contracts/training-job.ts';
import { faultOfId } from '../../contracts/workflow-id.ts';
import { parseWatchRules, type Watch } from '../progress/watch-rules.ts';

interface NamedJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** What the watcher reads from a job's anchor: the id of its workflow, and whether it still needs digests. */
export interface AnchorFacts {
  readonly uid: string;
  readonly namespace: string;
  /** Name of the ConfigMap. */
  readonly name: string;
  /** When it was made, in epoch milliseconds. */
  readonly createdAt?: number;
  /** The installation that the job belongs to: the id of its Temporal namespace. */
  readonly installation?: string;
  /** Id of the cluster that the anchor was created in. */
  readonly clusterId?: string;
  readonly workflowId: string;
  readonly firstRunId?: string;
  /** The anchor's job; absent if the anchor does not name it. */
  readonly job?: NamedJob;
  /** The container whose exit code counts, by role in lower case. */
  readonly mainContainers: Readonly<Record<string, string>>;
  /** Name of the job's main pod. */
  readonly mainPod?: string;
  readonly watch: Watch;
  /** Which pods the job's host list contains. */
  readonly hostList?: HostListRule;
  /** At how many active pods the workflow decides something, in ascending order. */
  readonly milestones?: readonly number[];
  /** The pod whose success is that of the job; absent if it takes more than one. */
  readonly decidingPod?: string;
  /** The roles in lower case whose pods have a Service of their name each. */
  readonly services?: readonly string[];
  /** The gang scheduler that was chosen. */
  readonly gang?: string;
  /** The last recorded phase. */
  readonly phase: string;
  /** Its clean-up has begun: nothing that its pods do changes its outcome. */
  readonly isEnding?: boolean;
  /** Hash of the last digest that the workflow received; empty once it has received another one. */
  readonly digestHash?: string;
  /** When the remains of an ended job expire, in epoch milliseconds. */
  readonly expiresAt?: number;
  /** Which pods an ended job may not have any more. */
  readonly cleanUp?: CleanUpScope;
  /** When its workflow last asked the watcher, in epoch milliseconds. */
  readonly questionAt?: number;
  /** The job's phase is final, so its workflow needs no more digests. */
  readonly final: boolean;
  /** Deleted, or being deleted. */
  readonly deleted: boolean;
}

/** Whose an anchor is. It never changes in the life of an anchor. */
export type AnchorOwner = Pick<AnchorFacts, 'installation' | 'clusterId' | 'workflowId' | 'firstRunId'>;

/** What a worker writes on an anchor when it makes it, and never again. `job`: absent if that is not known. */
type Constants = Pick<AnchorFacts, 'job' | 'mainPod' | 'hostList' | 'services' | 'gang'> &
  Partial<Pick<AnchorFacts, 'mainContainers'>>;

/**
 * Reads an anchor. Returns undefined if it names no workflow that digests could be sent to. `known`: what is known of the
 * anchor; what it says of that itself does not count, because it may have been edited since.
 */
export function anchorFacts(anchor: ConfigMap, known?: AnchorOwner & Constants): AnchorFacts | undefined {
  const { metadata } = anchor;
  const record = parseAnchorRecord(metadata.annotations);
  const { kind, phase = '' } = record;
  const written = { ...record, job: kind && { ...kind, name: jobNameOf(metadata.name) } };
  const { job, mainContainers = {}, mainPod, hostList, services, gang } = known?.job ? known : written;
  const owner = known ?? ownerOn(anchor);
  if (!owner) return undefined;
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAt: Date.parse(metadata.creationTimestamp ?? '') || undefined,
    installation: owner.installation,
    clusterId: owner.clusterId,
    workflowId: owner.workflowId,
    firstRunId: owner.firstRunId,
    job,
    mainContainers,
    mainPod,
    watch: parseWatchRules(metadata.annotations?.[ANNOTATIONS.watch]),
    hostList,
    milestones: record.milestones,
    decidingPod: record.decidingPod,
    services,
    gang,
    phase,
    isEnding: record.isEnding,
    digestHash: record.digestHash,
    expiresAt: record.expiresAt,
    cleanUp: record.cleanUp,
    questionAt: record.questionAt,
    final: isFinal(phase),
    deleted: metadata.deletionTimestamp !== undefined,
  };
}

/** Returns whose an anchor is, as it says; undefined if it names no workflow. */
export function ownerOn({ metadata }: ConfigMap): AnchorOwner | undefined {
  const { workflowId, firstRunId, clusterId } = parseAnchorRecord(metadata.annotations);
  const installation = metadata.labels?.[LABELS.installation];
  return workflowId ? { installation, clusterId, workflowId, firstRunId } : undefined;
}

/** Returns why a ConfigMap is no anchor, though its label says so. Any user may write one in their own namespace. */
export function faultOfAnchor({ metadata }: ConfigMap): string {
  const id = metadata.annotations?.[ANNOTATIONS.workflowId] ?? '';
  return `metadata.annotations[${ANNOTATIONS.workflowId}]: ${faultOfId(id) ?? 'expected an id'}`;
}

/** Drops everything that `anchorFacts` does not read; `managedFields` is most of an anchor's metadata. */
export function trimAnchor({ apiVersion, kind, metadata }: ConfigMap): ConfigMap {
  const { name, namespace, uid, labels, creationTimestamp, deletionTimestamp } = metadata;
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {})
      .filter(([key]) => key.startsWith(OWN_PREFIX))
      .map(([key, text]) => [key, text.slice(0, LONGEST)]),
  );
  const kept = { name, namespace, uid, labels, annotations, creationTimestamp, deletionTimestamp };
  return { apiVersion, kind, metadata: kept };
}

/** Watch rules may have two long patterns; anything longer than this is not ours. */
const LONGEST = 32_768;

/** Whether a job belongs to another installation, or was copied here from another cluster. */
export const isForeign = (anchor: AnchorFacts, { installation, clusterId }: Home): boolean =>
  anchor.installation !== installation ||
  (clusterId !== undefined && anchor.clusterId !== undefined && anchor.clusterId !== clusterId);

/** Whether both anchors refer to the same run of the same workflow. */
export const isSameRun = (a: AnchorFacts, b: AnchorFacts) =>
  a.workflowId === b.workflowId && a.firstRunId === b.firstRunId;

/** Whether both say the same of whose an anchor is, as far as the first is known. */
export const isSameOwner = (known: AnchorOwner, other: AnchorOwner | undefined) =>
  known.installation === other?.installation &&
  known.workflowId === other?.workflowId &&
  (known.firstRunId ?? other.firstRunId) === other.firstRunId &&
  (known.clusterId ?? other.clusterId) === other.clusterId;
