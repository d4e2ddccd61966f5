import type { ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import { parseRosterRule } from '../contracts/roster.ts';
import { isFinal } from '../contracts/status.ts';
import type { RosterRule } from '../contracts/training-job.ts';
import { parseWatchRules, type Watch } from './watch-rules.ts';

/** What the watcher reads from a job's anchor: where its workflow is, and whether it still wants to hear. */
export interface AnchorFacts {
  readonly uid: string;
  readonly namespace: string;
  /** Of the ConfigMap. */
  readonly name: string;
  readonly workflowId: string;
  readonly firstRunId?: string;
  /** The container whose exit code counts, by role in lower case. */
  readonly mainContainers: Readonly<Record<string, string>>;
  /** The pod that speaks for the job. */
  readonly mainPod?: string;
  readonly watch: Watch;
  /** Which pods the job keeps a list of. */
  readonly roster?: RosterRule;
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
    workflowId,
    firstRunId: annotations[ANNOTATIONS.firstRunId],
    mainContainers: pairsOf(annotations[ANNOTATIONS.mainContainer]),
    mainPod: annotations[ANNOTATIONS.mainPod],
    watch: parseWatchRules(annotations[ANNOTATIONS.watch]),
    roster: parseRosterRule(annotations[ANNOTATIONS.roster]),
    final: isFinal(annotations[ANNOTATIONS.phase] ?? ''),
    deleted: metadata.deletionTimestamp !== undefined,
  };
}

/** `master=pytorch,worker=pytorch` */
const pairsOf = (text = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('='))
      .filter(({ length }) => length === 2),
  );

/** Whether it is still the same run of the same workflow that the anchor stands for. */
export const isSameRun = (a: AnchorFacts, b: AnchorFacts) =>
  a.workflowId === b.workflowId && a.firstRunId === b.firstRunId;
