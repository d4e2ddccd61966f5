import { type CleanUpScope, parseCleanUpScope } from '../../contracts/clean-up.ts';
import type { Home } from '../../contracts/home.ts';
import { parseHostListRule } from '../../contracts/host-list.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
import { isFinal } from '../../contracts/status.ts';
import type { HostListRule } from '../../contracts/training-job.ts';
import type { NamedJob } from '../../frameworks/kinds/pod-names.ts';
import { parseWatchRules, type Watch } from '../progress/watch-rules.ts';

/** What the watcher reads from a job's anchor: where its workflow is, and whether it still wants to hear. */
export interface AnchorFacts {
  readonly uid: string;
  readonly namespace: string;
  /** Of the ConfigMap. */
  readonly name: string;
  /** That the job belongs to, as the id of its Temporal namespace. */
  readonly installation?: string;
  /** Of the cluster that the anchor was made in. */
  readonly clusterId?: string;
  readonly workflowId: string;
  readonly firstRunId?: string;
  /** Which job it is of; absent on an anchor that does not say. */
  readonly job?: NamedJob;
  /** The container whose exit code counts, by role in lower case. */
  readonly mainContainers: Readonly<Record<string, string>>;
  /** The pod that speaks for the job. */
  readonly mainPod?: string;
  readonly watch: Watch;
  /** Which pods the job keeps a list of. */
  readonly hostList?: HostListRule;
  /** When what is left of an ended job goes, in epoch milliseconds. */
  readonly expiresAt?: number;
  /** Which pods of an ended job may not be there any more. */
  readonly cleanUp?: CleanUpScope;
  /** When its workflow last asked what the watcher sees. */
  readonly questionAt?: number;
  /** The job's phase is final: there is nothing more to tell it. */
  readonly final: boolean;
  /** Gone, or being deleted. */
  readonly deleted: boolean;
}

/** Undefined for an anchor that names no workflow: nobody could be told about it. */
export function anchorFacts({ metadata }: ConfigMap): AnchorFacts | undefined {
  const annotations = metadata.annotations ?? {};
  const workflowId = annotations[ANNOTATIONS.workflowId];
  if (!workflowId) return undefined;
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    installation: metadata.labels?.[LABELS.installation],
    clusterId: annotations[ANNOTATIONS.clusterId],
    workflowId,
    firstRunId: annotations[ANNOTATIONS.firstRunId],
    job: jobOf(metadata),
    mainContainers: pairsOf(annotations[ANNOTATIONS.mainContainer]),
    mainPod: annotations[ANNOTATIONS.mainPod],
    watch: parseWatchRules(annotations[ANNOTATIONS.watch]),
    hostList: parseHostListRule(annotations[ANNOTATIONS.hostList]),
    expiresAt: Date.parse(annotations[ANNOTATIONS.expiresAt] ?? '') || undefined,
    cleanUp: parseCleanUpScope(annotations[ANNOTATIONS.cleanUp]),
    questionAt: Number(annotations[ANNOTATIONS.asked]) || undefined,
    final: isFinal(annotations[ANNOTATIONS.phase] ?? ''),
    deleted: metadata.deletionTimestamp !== undefined,
  };
}

/** An anchor without what `anchorFacts` does not read: who set which field is most of its metadata. */
export function trimAnchor({ apiVersion, kind, metadata }: ConfigMap): ConfigMap {
  const { name, namespace, uid, labels, annotations, deletionTimestamp } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, labels, annotations, deletionTimestamp } };
}

/** `kubeflow.org/v1 PyTorchJob` */
function jobOf({ annotations, labels }: ConfigMap['metadata']): NamedJob | undefined {
  const [apiVersion, kind] = annotations?.[ANNOTATIONS.kind]?.split(' ') ?? [];
  const name = labels?.[LABELS.job];
  return apiVersion && kind && name ? { apiVersion, kind, name } : undefined;
}

/** `master=pytorch,worker=pytorch` */
const pairsOf = (text = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('='))
      .filter(({ length }) => length === 2),
  );

/** Whether a job is somebody else's: of another installation, or copied here from another cluster. */
export const isForeign = (anchor: AnchorFacts, { installation, clusterId }: Home): boolean =>
  anchor.installation !== installation ||
  (clusterId !== undefined && anchor.clusterId !== undefined && anchor.clusterId !== clusterId);

/** Whether it is still the same run of the same workflow that the anchor stands for. */
export const isSameRun = (a: AnchorFacts, b: AnchorFacts) =>
  a.workflowId === b.workflowId && a.firstRunId === b.firstRunId;
