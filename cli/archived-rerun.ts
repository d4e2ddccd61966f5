import { planRerun, type RerunPlan } from '../client/rerun/rerun-manifest.ts';
import type { RerunOptions } from '../client/rerun/rerun-options.ts';
import type { JobArchive } from '../record/archive/job-archive.ts';
import { historiesIn, sourceIn } from './recorded-source.ts';
import type { Settings } from './settings/settings.ts';

/** Plans a rerun of an archived job. */
export async function planArchivedRerun(
  archive: JobArchive,
  options: RerunOptions,
  settings: Settings,
): Promise<RerunPlan> {
  const { workflowId, firstRunId: runId, name, namespace } = archive.job;
  const source = await sourceIn(await historiesIn(archive), settings);
  return planRerun({ parent: { workflowId, runId }, name, namespace, source }, options);
}
