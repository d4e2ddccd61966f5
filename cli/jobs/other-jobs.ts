import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { isFinal } from '../../contracts/status.ts';
import { between } from '../print/times.ts';
import type { Settings } from '../settings/settings.ts';

/** The jobs before and after one of the same name, as a command line names them. */
interface OtherJobs {
  readonly before?: OtherJob;
  readonly newest?: OtherJob;
}

interface OtherJob {
  /** E.g. `train@-1`. */
  readonly named: string;
  readonly job: JobSummary;
}

/**
 * Finds the others in what Temporal still has. An error, also of the job's own `summary`, is no reason to withhold what was
 * found of the job itself.
 */
export async function otherJobs(
  client: SignalboxClient,
  summary: Promise<JobSummary>,
  settings: Settings,
): Promise<OtherJobs> {
  try {
    const shown = await summary;
    const { name, namespace } = shown;
    return neighboursOf(shown, await client.jobsOf({ name, namespace }), settings);
  } catch {
    return {};
  }
}

/** `jobs`: the newest first. */
function neighboursOf(
  shown: JobSummary,
  jobs: readonly JobSummary[],
  { namespace: ofSettings = 'default' }: Pick<Settings, 'namespace'>,
): OtherJobs {
  const at = jobs.findIndex(({ runId }) => runId === shown.runId);
  if (at < 0) return {};
  const named = shown.namespace === ofSettings ? shown.name : `${shown.namespace}/${shown.name}`;
  const before = jobs[at + 1];
  const newest = at > 0 ? jobs[0] : undefined;
  return {
    ...(before ? { before: { named: `${named}@-${at + 1}`, job: before } } : {}),
    ...(newest ? { newest: { named, job: newest } } : {}),
  };
}

/** Returns sentences for those who may mean another job. */
export function otherJobsText({ before, newest }: OtherJobs): string[] {
  return [
    ...(before
      ? [`A job before had this name; it ${stateOfJob(before.job)}: signalbox get ${before.named}`]
      : []),
    ...(newest
      ? [`A later job has this name; it ${stateOfJob(newest.job)}: signalbox get ${newest.named}`]
      : []),
  ];
}

function stateOfJob({ phase, endTime }: JobSummary): string {
  if (!isFinal(phase) || endTime === undefined) return `is ${phase}`;
  const ago = `${between(endTime, undefined)} ago`;
  return phase === 'Stopped' ? `was Stopped ${ago}` : `${phase} ${ago}`;
}
