import { isFields } from '../../../language/fields.ts';
import type { ArchivedJob } from '../../../record/archive/archived-job.ts';
import type { JobSummary } from '../../servers/summary.ts';

/** Returns what a list shows of an archived job. */
export function archivedSummary(job: ArchivedJob): JobSummary {
  const { workflowId, runId, kind, name, namespace, status, submitted, closed } = job;
  const labels = labelsIn(job.manifest);
  return {
    ...{ workflowId, runId, kind, name, namespace, phase: status.phase, attempt: status.attempt },
    ...(status.cause ? { reason: status.cause.reason } : {}),
    startTime: submitted.at,
    endTime: closed,
    ...archivedSubmission(job),
    ...(submitted.key === undefined ? {} : { key: submitted.key }),
    ...(labels ? { labels } : {}),
  };
}

/** Returns who submitted an archived job, and why. */
export const archivedSubmission = ({ submitted: { who, why, rerunOf } }: ArchivedJob) => ({
  ...(who.given === undefined ? {} : { submittedBy: who.given }),
  ...(why === undefined ? {} : { why }),
  ...(rerunOf ? { rerunOf } : {}),
});

function labelsIn(manifest: unknown): Readonly<Record<string, string>> | undefined {
  const metadata = isFields(manifest) ? manifest.metadata : undefined;
  const labels = isFields(metadata) ? metadata.labels : undefined;
  return isFields(labels) ? (labels as Readonly<Record<string, string>>) : undefined;
}
