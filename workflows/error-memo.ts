import { upsertMemo, workflowInfo } from '@temporalio/workflow';
import { errorText } from '../contracts/error-text.ts';
import { MEMO } from '../contracts/messages.ts';
import type { JobStatus } from '../contracts/types.ts';

/** Lets lists say why a job has failed without reading anything of it. Only such jobs have it, once. */
export function noteError({ phase, cause }: JobStatus): void {
  const error = phase === 'Failed' && cause ? errorText(cause) : undefined;
  if (error === undefined || workflowInfo().memo?.[MEMO.error] === error) return;
  upsertMemo({ [MEMO.error]: error });
}
