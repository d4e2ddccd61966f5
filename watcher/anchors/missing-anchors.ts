import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { readAnchorFacts } from './read-anchor-facts.ts';
import { type FailedItem, type Trying, tryEach } from './try-each.ts';

interface MissingAnchorOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Only jobs of this namespace. */
  readonly namespace?: string;
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
 * contains the uid of its anchor, once it has one. Returns the jobs for which that could not be determined.
 */
export async function findMissingAnchors(
  tools: MissingAnchorOptions,
  how: Trying,
): Promise<readonly FailedItem<AnchorFacts>[]> {
  const { clusterId } = tools.home;
  // Without the id, all jobs of other clusters would seem to have lost their anchors.
  if (clusterId === undefined) return [];
  const failures: FailedItem<AnchorFacts>[] = [];
  for await (const { anchor, isRunning } of recordedAnchors(tools)) {
    if (anchor.clusterId !== clusterId) continue;
    if (tools.namespace && anchor.namespace !== tools.namespace) continue;
    if (tools.isKnown(anchor)) continue;
    const look = async () => {
      const present = await readAnchorFacts(tools.cluster, anchor);
      if (isRunning || present) tools.found(anchor, present);
    };
    failures.push(...(await tryEach([anchor], look, how)));
  }
  return failures;
}

interface RecordedAnchor {
  readonly anchor: AnchorFacts;
  readonly isRunning: boolean;
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
  for await (const { workflowId, memo, typedSearchAttributes, status } of workflows) {
    const uid = memo?.[MEMO.anchorUid];
    const namespace = typedSearchAttributes.get(SEARCH_ATTRIBUTES.namespace);
    const name = typedSearchAttributes.get(SEARCH_ATTRIBUTES.name);
    if (typeof uid !== 'string' || !namespace || !name) continue;
    const clusterId = memo?.[MEMO.clusterId] as string | undefined;
    const owner = { uid, namespace, name: anchorNameOf(name), installation, clusterId, workflowId };
    const anchor = { ...owner, mainContainers: {}, watch: {}, phase: '', final: false, deleted: true };
    yield { anchor, isRunning: isOpen(status.name) };
  }
}
