import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { readAnchorFacts } from './read-anchor-facts.ts';
import { type FailedItem, type Trying, tryEach } from './try-each.ts';

export interface MissingAnchorOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Only jobs of this namespace. */
  readonly namespace?: string;
  /** Only jobs of this cluster count; the memo of a workflow names its job's cluster. */
  readonly home: Home;
  readonly isKnown: (anchor: AnchorFacts) => boolean;
  /** Called for each missing anchor; `present` is what a read of it found, if it only lost its labels. */
  readonly found: (anchor: AnchorFacts, present: AnchorFacts | undefined) => void;
}

/**
 * Finds anchors that were deleted, or lost their labels, while no watcher was running. Their workflows still run, but the
 * stream of anchors does not have them. The memo of a workflow contains the uid of its anchor, once it has one. Returns the jobs for which
 * that could not be determined.
 */
export async function findMissingAnchors(
  tools: MissingAnchorOptions,
  how: Trying,
): Promise<readonly FailedItem<AnchorFacts>[]> {
  const { clusterId } = tools.home;
  // Without the id, all jobs of other clusters would seem to have lost their anchors.
  if (clusterId === undefined) return [];
  const failures: FailedItem<AnchorFacts>[] = [];
  for await (const anchor of recordedAnchors(tools)) {
    if (anchor.clusterId !== clusterId) continue;
    if (tools.namespace && anchor.namespace !== tools.namespace) continue;
    if (!tools.isKnown(anchor)) failures.push(...(await tryEach([anchor], (one) => look(tools, one), how)));
  }
  return failures;
}

async function look({ cluster, found }: MissingAnchorOptions, anchor: AnchorFacts): Promise<void> {
  found(anchor, await readAnchorFacts(cluster, anchor));
}

async function* recordedAnchors({
  temporal,
  home: { installation },
}: MissingAnchorOptions): AsyncGenerator<AnchorFacts> {
  const running = listWorkflows(temporal, {
    query: `WorkflowType = '${TRAINING_JOB}' AND ExecutionStatus = 'Running'`,
    pageSize: 500,
  });
  for await (const { workflowId, memo, typedSearchAttributes } of running) {
    const uid = memo?.[MEMO.anchorUid];
    const namespace = typedSearchAttributes.get(SEARCH_ATTRIBUTES.namespace);
    const name = typedSearchAttributes.get(SEARCH_ATTRIBUTES.name);
    if (typeof uid !== 'string' || !namespace || !name) continue;
    const clusterId = memo?.[MEMO.clusterId] as string | undefined;
    const anchor = { uid, namespace, name: anchorNameOf(name), installation, clusterId, workflowId };
    yield { ...anchor, mainContainers: {}, watch: {}, phase: '', final: false, deleted: true };
  }
}
