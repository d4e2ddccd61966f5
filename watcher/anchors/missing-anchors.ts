import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { isServed, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { readAnchorFacts, readAnchorOfRun } from './read-anchor-facts.ts';
import { type FailedItem, type Trying, tryEach } from './try-each.ts';

interface MissingAnchorOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Only jobs of these namespaces. */
  readonly namespaces?: ServedNamespaces;
  /** Only jobs of this cluster count; the memo of a workflow names its job's cluster. */
  readonly home: Home;
  readonly isKnown: (anchor: AnchorFacts) => boolean;
  /** Called for each missing anchor; `present` is what a read of it found, if it was only edited. */
  readonly found: (anchor: AnchorFacts, present: AnchorFacts | undefined) => void;
}

/** A workflow that was terminated earlier than this is not looked at again: a day without any watcher is rare. */
const CUT_FOR_MS = 24 * 3_600_000;

/**
 * Finds anchors that were deleted, or edited so that they seem to have no job or another one, while no watcher was
 * running. Their workflows still run, or were terminated and nothing has cleaned up after them. The memo of a workflow
 * contains the uid of its anchor once the job is admitted; until then only the anchor names the run. Returns the jobs for
 * which that could not be determined.
 */
export async function findMissingAnchors(
  tools: MissingAnchorOptions,
  how: Trying,
): Promise<readonly FailedItem<AnchorFacts>[]> {
  const { clusterId } = tools.home;
  // Without the id, all jobs of other clusters would seem to have lost their anchors.
  if (clusterId === undefined) return [];
  const failures: FailedItem<AnchorFacts>[] = [];
  for await (const recorded of recordedAnchors(tools)) {
    const { anchor, isAdmitted } = recorded;
    if (!isServed(tools.namespaces, anchor.namespace)) continue;
    const look = () => (isAdmitted ? lookForAnchor(tools, recorded) : lookForUnadmitted(tools, anchor));
    failures.push(...(await tryEach([anchor], look, how)));
  }
  return failures;
}

interface RecordedAnchor {
  /** Without a uid if the job was not admitted. */
  readonly anchor: AnchorFacts;
  readonly isRunning: boolean;
  readonly isAdmitted: boolean;
}

async function lookForAnchor(
  { cluster, home, isKnown, found }: MissingAnchorOptions,
  { anchor, isRunning }: RecordedAnchor,
): Promise<void> {
  if (anchor.clusterId !== home.clusterId || isKnown(anchor)) return;
  const present = await readAnchorFacts(cluster, anchor);
  if (isRunning || present) found(anchor, present);
}

/** A job that was terminated while it was being admitted has an anchor if one of this cluster names its run. */
async function lookForUnadmitted(
  { cluster, isKnown, found }: MissingAnchorOptions,
  anchor: AnchorFacts,
): Promise<void> {
  const present = await readAnchorOfRun(cluster, anchor);
  if (present && !isKnown(present)) found(present, present);
}

async function* recordedAnchors({
  temporal,
  home: { installation },
}: MissingAnchorOptions): AsyncGenerator<RecordedAnchor> {
  const since = new Date(Date.now() - CUT_FOR_MS).toISOString();
  const isCut = `ExecutionStatus IN ('Terminated', 'TimedOut') AND CloseTime > '${since}'`;
  const workflows = listWorkflows(temporal, {
    query: `WorkflowType = '${TRAINING_JOB}' AND (ExecutionStatus = 'Running' OR (${isCut}))`,
    pageSize: 500,
  });
  for await (const { workflowId, runId, memo, typedSearchAttributes, status } of workflows) {
    const uid = memo?.[MEMO.anchorUid];
    const isRunning = isOpen(status.name);
    const isAdmitted = typeof uid === 'string';
    const namespace = typedSearchAttributes.get(SEARCH_ATTRIBUTES.namespace);
    const name = typedSearchAttributes.get(SEARCH_ATTRIBUTES.name);
    if (!namespace || !name || (isRunning && !isAdmitted)) continue;
    const clusterId = memo?.[MEMO.clusterId] as string | undefined;
    // A job that is being admitted is in its first run.
    const firstRunId = isAdmitted ? undefined : runId;
    const owner = { installation, clusterId, workflowId, firstRunId };
    const named = { uid: isAdmitted ? uid : '', namespace, name: anchorNameOf(name), ...owner };
    const anchor = { ...named, mainContainers: {}, watch: {}, phase: '', final: false, deleted: true };
    yield { anchor, isRunning, isAdmitted };
  }
}
