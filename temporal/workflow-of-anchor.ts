import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { jobNameOf, workflowIdOf } from '../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { quoted } from '../contracts/visibility-query.ts';
import { findWorkflow, firstRunIdOf, hasFirstRun } from './find-workflow.ts';
import { listWorkflows } from './list-workflows.ts';
import { isOpen } from './open-workflows.ts';

/** An anchor, and the workflow that it names. Any user of its namespace can write that. */
interface NamedWorkflow {
  readonly namespace: string;
  /** Name of the ConfigMap. */
  readonly name: string;
  readonly uid: string;
  readonly workflowId?: string;
  readonly firstRunId?: string;
}

interface WorkflowOfAnchor {
  /** The last run of the workflow that the anchor names; undefined if Temporal knows none. */
  readonly named: WorkflowExecutionDescription | undefined;
  /** The id of the running workflow that the anchor belongs to; undefined if there is none. */
  readonly running: string | undefined;
  /** The memo of the named workflow, running or closed, proves that the anchor is its own; or its run, if it was not admitted. */
  readonly isProven: boolean;
  /** The first run of the job: that of the named workflow if it is proven, else the one that the anchor names. */
  readonly firstRunId: string | undefined;
}

/**
 * Finds the running workflow of an anchor's job. A workflow's memo says which anchor is its own, and decides: a job must
 * not be taken for ended because its anchor was edited.
 */
export async function findWorkflowOfAnchor(
  temporal: Client,
  anchor: NamedWorkflow,
): Promise<WorkflowOfAnchor> {
  const named = anchor.workflowId ? await findWorkflow(temporal, anchor.workflowId) : undefined;
  const own = named?.memo?.[MEMO.anchorUid];
  const isProven = named !== undefined && (own === undefined ? isOfRun(named, anchor) : own === anchor.uid);
  const firstRunId = isProven ? firstRunIdOf(named) : anchor.firstRunId;
  const found = { named, isProven, firstRunId };
  if (named && (isProven || (own === undefined && isNew(named, anchor)))) {
    return { ...found, running: isOpen(named.status.name) ? named.workflowId : undefined };
  }
  return { ...found, running: await findByMemo(temporal, anchor) };
}

const isOfRun = (workflow: WorkflowExecutionDescription, { firstRunId }: NamedWorkflow): boolean =>
  firstRunIdOf(workflow) === firstRunId;

/** A workflow that has just started has no anchor in its memo yet. */
const isNew = (workflow: WorkflowExecutionDescription, { firstRunId }: NamedWorkflow): boolean =>
  isOpen(workflow.status.name) && hasFirstRun(workflow, firstRunId);

async function findByMemo(
  temporal: Client,
  { namespace, name: anchorName, uid, workflowId }: NamedWorkflow,
): Promise<string | undefined> {
  const name = jobNameOf(anchorName);
  const usual = workflowIdOf({ namespace, name });
  const described = usual === workflowId ? undefined : await findWorkflow(temporal, usual);
  if (described && isOpen(described.status.name) && described.memo?.[MEMO.anchorUid] === uid) return usual;
  const query = [
    `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus = 'Running'`,
    `${SEARCH_ATTRIBUTES.namespace.name} = ${quoted(namespace)} AND ${SEARCH_ATTRIBUTES.name.name} = ${quoted(name)}`,
  ].join(' AND ');
  for await (const running of listWorkflows(temporal, { query })) {
    if (running.memo?.[MEMO.anchorUid] === uid) return running.workflowId;
  }
  return undefined;
}
