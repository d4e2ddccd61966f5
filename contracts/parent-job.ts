import { isFields } from '../language/fields.ts';
import { MEMO } from './messages.ts';

/**
 * The job whose recorded manifest a rerun was made from.
 *
 * @public
 */
export interface ParentJob {
  readonly workflowId: string;
  /** The first run of its workflow's chain of runs, which identifies the job. */
  readonly runId: string;
  /** The revision whose sizes and policy were taken; absent for the one as submitted. */
  readonly revision?: number;
}

/** Returns what a job's memo says; anyone can start a workflow with any memo. */
export function parentIn(memo: Readonly<Record<string, unknown>> | undefined): ParentJob | undefined {
  const given = memo?.[MEMO.rerunOf];
  if (!isFields(given)) return undefined;
  const { workflowId, runId, revision } = given;
  if (typeof workflowId !== 'string' || typeof runId !== 'string') return undefined;
  return { workflowId, runId, ...(Number.isInteger(revision) ? { revision: Number(revision) } : {}) };
}

/** E.g. `job/ml/train, run 5f0c…, revision 2`, as the ledger's first entry has it. */
export const parentText = ({ workflowId, runId, revision }: ParentJob): string =>
  `${workflowId}, run ${runId}${revision === undefined ? '' : `, revision ${revision}`}`;
