import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { BackOff } from '../contracts/back-off.ts';
import { workflowIdOf } from '../contracts/labels.ts';
import { MEMO } from '../contracts/messages.ts';
import type { ParentJob } from '../contracts/parent-job.ts';
import { findWorkflow } from '../temporal/find-workflow.ts';
import { listWorkflows } from '../temporal/list-workflows.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import { quoted } from '../temporal/quoted.ts';
import type { SubmissionResult } from './client-settings.ts';
import { KeyReusedError, NameTakenError } from './errors.ts';
import type { Run } from './history.ts';
import { outcomeOf } from './outcome.ts';
import { summaryOf } from './summary.ts';

/** A run, and the first of its chain, which continue-as-new extends. */
export interface FoundRun extends Run {
  readonly firstRunId: string;
}

export interface WantedSubmission {
  readonly workflowId: string;
  readonly hash: string;
  readonly key: string | undefined;
  readonly rerun: boolean;
  readonly rerunOf?: ParentJob;
}

/** Either the id is free, and `reusePolicy` names the earlier ends that a start may follow, or it has the same job. */
type Found =
  | {
      readonly state: 'free';
      readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';
      readonly lastRunId: string | undefined;
    }
  | { readonly state: 'same'; readonly result: SubmissionResult; readonly run: FoundRun };

/** Returns the run that an earlier submission started. Throws `NameTakenError` or `KeyReusedError` if there is another. */
export async function findSubmission(client: Client, wanted: WantedSubmission): Promise<Found> {
  const last = await findWorkflow(client, wanted.workflowId);
  if (!last) return { state: 'free', reusePolicy: 'REJECT_DUPLICATE', lastRunId: undefined };
  const same = await sameSubmission(client, wanted, last);
  if (same) {
    const run = { workflowId: wanted.workflowId, runId: same.runId, firstRunId: firstRunOf(same) };
    return { state: 'same', result: await resultOf(client, run, same.status.name), run };
  }
  if (isOpen(last.status.name)) throw nameTaken(last, wanted);
  return { state: 'free', reusePolicy: 'ALLOW_DUPLICATE', lastRunId: last.runId };
}

async function sameSubmission(
  client: Client,
  wanted: WantedSubmission,
  last: WorkflowExecutionDescription,
): Promise<KnownRun | undefined> {
  if (wanted.key !== undefined) return runWithKey(client, { ...wanted, key: wanted.key }, last);
  if (last.memo?.[MEMO.manifestHash] !== wanted.hash || isLiveParent(last, wanted)) return undefined;
  if (isOpen(last.status.name)) return last;
  const run = { workflowId: wanted.workflowId, runId: last.runId };
  return !wanted.rerun && (await hasCompleted(client, run, last.status.name)) ? last : undefined;
}

/** A job that is run again is another job, though its manifest is the same. */
const isLiveParent = (last: WorkflowExecutionDescription, { rerunOf }: WantedSubmission) =>
  isOpen(last.status.name) && firstRunOf(last) === rerunOf?.runId;

/** How long the visibility store may be behind, in milliseconds. */
const BEHIND_MS = 5_000;
const PAUSE = { firstMs: 50, mostMs: 1_000 };

/** Earlier runs than the last are found in the visibility store, for as long as Temporal keeps them. */
async function runWithKey(
  client: Client,
  wanted: WantedSubmission & { readonly key: string },
  last: WorkflowExecutionDescription,
): Promise<KnownRun | undefined> {
  const { workflowId, key, hash } = wanted;
  const same = last.memo?.[MEMO.key] === key ? last : await earlierRunWithKey(client, last, key);
  const recorded = same?.memo?.[MEMO.manifestHash];
  if (same && recorded !== undefined && recorded !== hash) {
    throw new KeyReusedError({ workflowId, runId: same.runId, key });
  }
  return same;
}

/**
 * Temporal writes the visibility store after the workflow: while the last run is not there, earlier ones may be missing,
 * too. Without waiting, the key of a run that has just ended would be taken for a new one.
 */
async function earlierRunWithKey(
  client: Client,
  last: WorkflowExecutionDescription,
  key: string,
): Promise<WorkflowExecutionInfo | undefined> {
  const query = `WorkflowId = ${quoted(last.workflowId)} AND ExecutionStatus != 'ContinuedAsNew'`;
  const until = Date.now() + BEHIND_MS;
  const backOff = new BackOff(PAUSE);
  for (;;) {
    let hasLast = false;
    for await (const info of listWorkflows(client, { query })) {
      if (info.memo?.[MEMO.key] === key) return info;
      hasLast ||= info.runId === last.runId;
    }
    if (hasLast || Date.now() > until) return undefined;
    await delay(backOff.next());
  }
}

async function resultOf(client: Client, run: Run, status: string): Promise<SubmissionResult> {
  if (isOpen(status as WorkflowExecutionInfo['status']['name'])) return 'already-running';
  return (await hasCompleted(client, run, status)) ? 'already-completed' : 'already-ended';
}

/** The workflow of a stopped job is COMPLETED as well. */
const hasCompleted = async (client: Client, run: Run, status: string) =>
  status === 'COMPLETED' && (await outcomeOf(client, run)).phase === 'Completed';

const firstRunOf = ({ raw, runId }: KnownRun): string => {
  const info = 'workflowExecutionInfo' in raw ? raw.workflowExecutionInfo : raw;
  return (info as { firstRunId?: string | null } | null | undefined)?.firstRunId || runId;
};

type KnownRun = WorkflowExecutionDescription | WorkflowExecutionInfo;

function nameTaken(last: WorkflowExecutionDescription, wanted: WantedSubmission): NameTakenError {
  const { workflowId, phase, name, namespace } = summaryOf(last);
  const own = workflowIdOf({ namespace, name }) === workflowId;
  const stopCommand = own
    ? `\`signalbox stop ${name} -n ${namespace}\``
    : `\`signalbox stop --workflow-id ${workflowId}\``;
  const taken = { workflowId, phase, since: last.startTime };
  if (isLiveParent(last, wanted)) {
    const remedy = `Stop it (${stopCommand}), or give the new job another name, e.g. ${name}-2.`;
    return new NameTakenError({ ...taken, remedy, what: 'The job to run again' });
  }
  const isSameManifest = last.memo?.[MEMO.manifestHash] === wanted.hash;
  const what = isSameManifest ? `Another submission of this manifest, with ${keyOf(last)},` : undefined;
  const remedy = `Stop it (${stopCommand}), or choose another metadata.name.`;
  return new NameTakenError({ ...taken, remedy, what });
}

function keyOf({ memo }: WorkflowExecutionDescription): string {
  const key = memo?.[MEMO.key];
  return key === undefined ? 'no key' : `the key ${JSON.stringify(key)}`;
}
