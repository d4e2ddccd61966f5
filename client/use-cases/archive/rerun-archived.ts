import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { type RecordedSource, recordedSource } from '../../../record/compare/recorded-source.ts';
import { loadDataConverter } from '../../../temporal/connection.ts';
import { decodePayloads, loadedConverter } from '../../../temporal/payloads.ts';
import type { RunHistory } from '../../../temporal/run-chain.ts';
import { planRerun, type RerunPlan } from '../rerun/rerun-manifest.ts';
import type { RerunChanges } from '../rerun/rerun-options.ts';

/** Plans a rerun of an archived job. `settings`: the path of the module with that of its installation. */
export async function planArchivedRerun(
  archive: JobArchive,
  changes: RerunChanges,
  settings: { readonly dataConverter?: string },
): Promise<RerunPlan> {
  const { workflowId, firstRunId: runId, name, namespace } = archive.job;
  const source = await archivedSource(archive, settings);
  return planRerun({ parent: { workflowId, runId }, name, namespace, source }, changes);
}

/** Returns what an archived job was built from. */
export async function archivedSource(
  archive: JobArchive,
  settings: { readonly dataConverter?: string },
): Promise<RecordedSource> {
  const histories = await archivedHistories(archive);
  const converter = loadedConverter(await loadDataConverter(settings));
  return recordedSource(histories, (payloads) => decodePayloads(converter, payloads));
}

export async function archivedHistories(archive: JobArchive): Promise<RunHistory[]> {
  const histories: RunHistory[] = [];
  for await (const { history } of archive.histories()) histories.push(history);
  return histories;
}
