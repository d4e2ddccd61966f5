import { parseAnchorRecord } from '../contracts/anchor.ts';
import type { ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, jobNameOf, LABELS } from '../contracts/labels.ts';
import { controllerOf } from '../contracts/objects.ts';
import { parseRecordedStatus } from '../contracts/recorded-status.ts';
import { isFinal, type JobStatus } from '../contracts/status.ts';

/** What the bridge keeps of a job's anchor. */
export interface AnchoredJob {
  readonly uid: string;
  readonly namespace: string;
  /** Of the job. */
  readonly name: string;
  /** uid of the custom resource that the job was made from; undefined if it was submitted. */
  readonly resourceUid: string | undefined;
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
  ...(['phase', 'state', 'since', 'attempt', 'cause', 'conditions', 'replicaStatuses', 'mode'] as const),
  ...(['wanted', 'startTime', 'completionTime', 'progress', 'evidence', 'timeline'] as const),
] as const;

export function anchoredJob({ metadata, data }: ConfigMap): AnchoredJob {
  const { firstRunId, phase = '' } = parseAnchorRecord(metadata.annotations);
  const status = shownStatus(parseRecordedStatus(data?.status));
  const generation = Number(metadata.annotations?.[ANNOTATIONS.generation]);
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    name: jobNameOf(metadata.name),
    resourceUid: controllerOf({ metadata })?.uid,
    installation: metadata.labels?.[LABELS.installation],
    runId: firstRunId,
    generation: Number.isSafeInteger(generation) && generation > 0 ? generation : undefined,
    annotations: metadata.annotations?.[ANNOTATIONS.annotationsHash],
    status,
    hasLostEnd: isFinal(phase) && !isFinal(status.phase ?? ''),
  };
}

const shownStatus = (status: Partial<JobStatus>): ShownStatus =>
  Object.fromEntries(SHOWN.flatMap((field) => (field in status ? [[field, status[field]]] : [])));
