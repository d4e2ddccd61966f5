import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { MEMO } from '../../../contracts/messages.ts';
import type { ParentJob } from '../../../contracts/parent-job.ts';
import { quoted } from '../../../contracts/visibility-query.ts';
import { BackOff } from '../../../language/back-off.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { listWorkflows } from '../../../temporal/list-workflows.ts';
import { isLive, recordedPhase } from '../../../temporal/live-jobs.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { KeyReusedError } from '../../errors/errors.ts';
import type { SubmissionResult } from '../../servers/client-settings.ts';
import type { Run } from '../../servers/follow-runs.ts';
import { outcomeOf } from '../../servers/outcome.ts';
import { nameTaken } from './name-taken.ts';

/** A run, and the first of its chain, which continue-as-new extends. */
export interface FoundRun extends Run {
  readonly firstRunId: string;
}

interface WantedSubmission {
  readonly workflowId: string;
  readonly hash: string;
  readonly manifest: unknown;
  readonly key: string | undefined;
  readonly rerun: boolean;
  /** A completed job with this manifest is the same, whatever its key. */
  readonly acceptsCompleted?: boolean;
  readonly rerunOf?: ParentJob;
}

/**
 * Either the id is free, and `reusePolicy` names the earlier ends that a start may follow, or it has the same job, or one
 * that has ended and is being cleaned up.
 */
type Found =
  | {
      readonly state: 'free';
      readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';
      readonly lastRunId: string | undefined;
    }
  | { readonly state: 'same'; readonly result: SubmissionResult; readonly run: FoundRun }
  | EndingJob;

/** A job whose clean-up keeps its name. */
export interface EndingJob {
  readonly state: 'ending';
  readonly job: WorkflowExecutionDescription;
}

/** Returns the run that an earlier submission started. Throws `NameTakenError` or `KeyReusedError` if there is another. */
export async function findSubmission(client: Client, wanted: WantedSubmission): Promise<Found> {
  const last = await findWorkflow(client, wanted.workflowId);
  if (!last) return { state: 'free', reusePolicy: 'REJECT_DUPLICATE', lastRunId: undefined };
  const same = await sameSubmission(client, wanted, last);
  if (same) {
    const run = { workflowId: wanted.workflowId, runId: same.runId, firstRunId: firstRunOfKnown(same) };
    return { state: 'same', result: await resultOf(client, same), run };
  }
  if (isLive(last)) throw await taken(client, wanted, last);
  if (isOpen(last.status.name)) return { state: 'ending', job: last };
  return { state: 'free', reusePolicy: 'ALLOW_DUPLICATE', lastRunId: last.runId };
}

async function taken(client: Client, wanted: WantedSubmission, last: WorkflowExecutionDescription) {
  const isSame = last.memo?.[MEMO.manifestHash] === wanted.hash;
  const differences = isSame ? '' : await differencesTo(client, wanted, last);
  return nameTaken(last, { hash: wanted.hash, isRerun: isParent(last, wanted), differences });
}

/** Loaded only for an error: it reads YAML. */
async function differencesTo(client: Client, { manifest }: WantedSubmission, run: KnownRun): Promise<string> {
  const { differingFields } = await import('./differing-fields.ts');
  return differingFields(client, { workflowId: run.workflowId, runId: run.runId }, manifest);
}

async function sameSubmission(
  client: Client,
  wanted: WantedSubmission,
  last: WorkflowExecutionDescription,
): Promise<KnownRun | undefined> {
  const isSameManifest = last.memo?.[MEMO.manifestHash] === wanted.hash;
  if (wanted.acceptsCompleted && isSameManifest && !isLive(last) && (await hasCompleted(client, last)))
    return last;
  if (wanted.key !== undefined) return runWithKey(client, { ...wanted, key: wanted.key }, last);
  if (!isSameManifest || isOpenParent(last, wanted)) return undefined;
  if (isLive(last)) return last;
  return !wanted.rerun && (await hasCompleted(client, last)) ? last : undefined;
}

/** A job that is run again is another job, though its manifest is the same. */
const isOpenParent = (last: WorkflowExecutionDescription, wanted: WantedSubmission) =>
  isOpen(last.status.name) && isParent(last, wanted);

const isParent = (last: WorkflowExecutionDescription, { rerunOf }: WantedSubmission) =>
  firstRunOfKnown(last) === rerunOf?.runId;

/** How long the visibility store may be behind, in milliseconds. */
const BEHIND_MS = 5_000;
const PAUSE = { firstMs: 50, mostMs: 1_000 };

async function runWithKey(
  client: Client,
  wanted: WantedSubmission & { readonly key: string },
  last: WorkflowExecutionDescription,
): Promise<KnownRun | undefined> {
  const { workflowId, key, hash } = wanted;
  const same = await newestRunWithKey(client, last, key);
  const recorded = same?.memo?.[MEMO.manifestHash];
  if (same && recorded !== undefined && recorded !== hash) {
    const differences = await differencesTo(client, wanted, same);
    throw new KeyReusedError({ workflowId, runId: same.runId, key, differences });
  }
  return same;
}

/**
 * Returns the newest run of a submission; undefined if there is none. Earlier runs than the last of the workflow id are found in
 * the visibility store, for as long as Temporal keeps them.
 */
export const newestRunWithKey = async (
  client: Client,
  last: WorkflowExecutionDescription,
  key: string,
): Promise<KnownRun | undefined> =>
  last.memo?.[MEMO.key] === key ? last : earlierRunWithKey(client, last, key);

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

async function resultOf(client: Client, same: KnownRun): Promise<SubmissionResult> {
  if (isLive(same)) return 'already-running';
  return (await hasCompleted(client, same)) ? 'already-completed' : 'already-ended';
}

/** During its clean-up a job has recorded its phase, but no outcome. The workflow of a stopped job is COMPLETED as well. */
async function hasCompleted(client: Client, run: KnownRun): Promise<boolean> {
  if (isOpen(run.status.name)) return recordedPhase(run) === 'Completed';
  const { workflowId, runId } = run;
  return (
    run.status.name === 'COMPLETED' && (await outcomeOf(client, { workflowId, runId })).phase === 'Completed'
  );
}

export const firstRunOfKnown = ({ raw, runId }: KnownRun): string => {
  const info = 'workflowExecutionInfo' in raw ? raw.workflowExecutionInfo : raw;
  return (info as { firstRunId?: string | null } | null | undefined)?.firstRunId || runId;
};

type KnownRun = WorkflowExecutionDescription | WorkflowExecutionInfo;
