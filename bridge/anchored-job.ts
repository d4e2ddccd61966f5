import { parseAnchorRecord } from '../contracts/anchor.ts';
import { apiGroupOf, type ConfigMap, type OwnerReference } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, jobNameOf, LABELS } from '../contracts/labels.ts';
import { controllerOf } from '../contracts/objects.ts';
import { parseRecordedStatus } from '../contracts/recorded-status.ts';
import { isFinal } from '../contracts/status.ts';
import type { JobStatus } from '../contracts/types.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** What the bridge keeps of a job's anchor. */
export interface AnchoredJob {
  readonly uid: string;
  readonly namespace: string;
  /** Of the ConfigMap. */
  readonly anchorName: string;
  /** Of the job. */
  readonly name: string;
  /** The custom resource that the job was made from; undefined if it was submitted. */
  readonly owner: Pick<OwnerReference, 'apiVersion' | 'kind' | 'uid'> | undefined;
  readonly installation: string | undefined;
  /** The first run of its workflow. */
  readonly runId: string | undefined;
  /** Generation of the spec that it follows, and hash of the annotations beside it. */
  readonly generation: number | undefined;
  readonly annotations: string | undefined;
  readonly status: ShownStatus;
  /** The job has ended, and the anchor does not say how: its status was damaged, or did not fit into it. */
  readonly hasLostEnd: boolean;
}

/** The part of a job's status that its resource or its events show. */
export type ShownStatus = Partial<Pick<JobStatus, (typeof SHOWN)[number]>>;

const SHOWN = [
  ...(['phase', 'state', 'since', 'attempt', 'restarts', 'cause', 'conditions', 'mode'] as const),
  ...([
    'replicaStatuses',
    'wanted',
    'startTime',
    'completionTime',
    'progress',
    'evidence',
    'timeline',
    'warnings',
  ] as const),
] as const;

export function anchoredJob({ metadata, data }: ConfigMap): AnchoredJob {
  const { firstRunId, phase = '' } = parseAnchorRecord(metadata.annotations);
  const status = shownStatus(parseRecordedStatus(data?.status));
  const generation = Number(metadata.annotations?.[ANNOTATIONS.generation]);
  const { apiVersion, kind, uid } = controllerOf({ metadata }) ?? {};
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    anchorName: metadata.name,
    name: jobNameOf(metadata.name),
    owner: uid === undefined ? undefined : { apiVersion: apiVersion!, kind: kind!, uid },
    installation: metadata.labels?.[LABELS.installation],
    runId: firstRunId,
    generation: Number.isSafeInteger(generation) && generation > 0 ? generation : undefined,
    annotations: metadata.annotations?.[ANNOTATIONS.annotationsHash],
    status,
    hasLostEnd: isFinal(phase) && !isFinal(status.phase ?? ''),
  };
}

/**
 * Whether an anchor is the one of a resource's job. Any user who may write ConfigMaps somewhere can name any owner; only those who may
 * do so in the namespace of the resource can write one of this name there.
 */
export const isAnchorOf = (
  { namespace, anchorName, owner }: AnchoredJob,
  resource: Pick<ResourceFacts, 'apiVersion' | 'kind' | 'namespace' | 'name' | 'uid'>,
): boolean =>
  namespace === resource.namespace &&
  anchorName === anchorNameOf(resource.name) &&
  owner?.uid === resource.uid &&
  owner.kind === resource.kind &&
  apiGroupOf(owner.apiVersion) === apiGroupOf(resource.apiVersion);

/** A job that has not ended shows no end, whatever its anchor says. */
function shownStatus(status: Partial<JobStatus>): ShownStatus {
  const shown: ShownStatus = Object.fromEntries(
    SHOWN.flatMap((field) => (field in status ? [[field, status[field]]] : [])),
  );
  if (isFinal(shown.phase ?? '')) return shown;
  const { completionTime: _, conditions, ...live } = shown;
  return conditions ? { ...live, conditions: conditions.filter(({ type }) => !ENDS.has(type)) } : live;
}

/** Kubeflow's conditions that say that a job has ended. */
const ENDS: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);
