import { workflowInfo } from '@temporalio/workflow';
import { ANNOTATIONS } from '../contracts/labels.ts';
import { MEMO } from '../contracts/messages.ts';
import { parentIn, parentText } from '../contracts/parent-job.ts';
import type { JobOutcome } from '../contracts/status.ts';
import type { Cause, JobStatus, LedgerCause, LedgerWho } from '../contracts/types.ts';
import { shorten } from '../language/shorten.ts';
import type { LastEntry } from '../machines/report/ledger-book.ts';
import { ADMISSION, type NewEntry } from '../machines/report/new-entry.ts';
import { WORDS_LENGTH } from './interventions.ts';
import { findScheduledStart } from './scheduled-start.ts';
import { findSubmitter } from './submitter.ts';

/** Entries of a job that is not admitted yet: it has a status, but no machine. */

/** Returns the first entry of every job. */
export function submittedEntry(status: JobStatus, manifest: unknown): NewEntry {
  const { memo, startTime } = workflowInfo();
  const parent = parentIn(memo);
  const why = memo?.[MEMO.why];
  return {
    ...placeOfStatus(status),
    at: startTime.getTime(),
    cause: {
      type: 'submitted',
      who: submitter(manifest),
      ...(typeof why === 'string' ? { why: shorten(why, WORDS_LENGTH) } : {}),
      ...(parent ? { parent: parentText(parent) } : {}),
    },
    message: `${status.kind || 'a job'} ${status.namespace}/${status.name} was submitted`,
    effects: [{ effect: ADMISSION }],
  };
}

/** Returns the entry of a job that waits for its admission. */
export const waitingEntry = (status: JobStatus, { reason, message }: Cause): NewEntry => ({
  ...placeOfStatus(status),
  reason,
  at: Date.now(),
  cause: { type: 'effect', effect: ADMISSION, ended: 'refused' },
  message: shorten(`${reason}: ${message}`, WORDS_LENGTH),
});

/** Returns the entry of a job that begins anew, because its custom resource was edited. */
export const editedEntry = (last: LastEntry, generation: number): NewEntry => ({
  ...last,
  at: Date.now(),
  cause: { type: 'effect', effect: ADMISSION, ended: 'done' },
  message: `the custom resource was edited before the job was admitted: the job begins anew with generation ${generation}`,
  effects: [{ effect: ADMISSION }],
});

/** Returns the entry of a job that has ended before it was admitted. */
export const endedEntry = (outcome: JobOutcome, cause: LedgerCause, at = Date.now()): NewEntry => ({
  ...placeOfStatus(outcome),
  at,
  cause,
  message: outcome.cause?.message ?? outcome.phase,
  ...(outcome.cause ? { decided: outcome.cause } : {}),
  ...(outcome.cause?.rule ? { rule: outcome.cause.rule } : {}),
});

export const ADMISSION_FAILED: LedgerCause = { type: 'effect', effect: ADMISSION, ended: 'failed' };

const placeOfStatus = ({ state, phase, attempt, cause }: JobStatus) => ({
  ...{ to: state, phase, attempt, revision: 1 },
  ...(cause ? { reason: cause.reason } : {}),
});

/**
 * The person that the manifest names, because a pipeline may have submitted the job for a user. Empty if only the client
 * that started the workflow is known: the history has it.
 */
function submitter(manifest: unknown): LedgerWho {
  const requester = requesterIn(manifest);
  if (requester) return { given: requester, source: `annotation ${ANNOTATIONS.requestedBy}` };
  const given = findSubmitter(undefined);
  if (given === undefined) return {};
  const source = sourceOfName(given);
  return { given: shorten(given, WORDS_LENGTH), ...(source ? { source } : {}) };
}

/** The manifest is not checked yet. */
function requesterIn(manifest: unknown): string | undefined {
  const { metadata } = (manifest ?? {}) as {
    metadata?: { annotations?: Record<string, unknown> | null } | null;
  };
  const requester = metadata?.annotations?.[ANNOTATIONS.requestedBy];
  return typeof requester === 'string' ? shorten(requester, WORDS_LENGTH) : undefined;
}

function sourceOfName(given: string): string | undefined {
  if (given === `schedule ${findScheduledStart()?.scheduleId}`) return 'schedule';
  return given === `workflow ${workflowInfo().parent?.workflowId}` ? 'parent workflow' : undefined;
}
