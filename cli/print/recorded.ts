import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { KnownStatus } from '../../client/servers/recorded-status.ts';
import { note } from './output.ts';

/** Says that no worker answered, and where the status was read instead. */
export function noteIfRecorded(job: Pick<JobHandle, 'workflowId'>, status: KnownStatus): void {
  const text = recordedText(job, status);
  if (text !== undefined) note(text);
}

export const recordedText = (
  { workflowId }: Pick<JobHandle, 'workflowId'>,
  { recordedIn }: KnownStatus,
): string | undefined =>
  recordedIn &&
  `warning: no worker answers for ${workflowId}. ${SENTENCES[recordedIn]} Start a worker: signalbox up`;

const SENTENCES = {
  anchor: 'This is its last status, as its anchor in the cluster has it.',
  temporal: 'This is what Temporal has recorded; its anchor in the cluster would have more.',
} as const;
