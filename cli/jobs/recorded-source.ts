import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type RecordedSource, recordedSource } from '../../record/compare/recorded-source.ts';
import { loadDataConverter } from '../../temporal/connection.ts';
import { decodePayloads, loadedConverter } from '../../temporal/payloads.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns what a job was built from, with the converter of the installation. */
export async function sourceIn(
  histories: readonly RunHistory[],
  { temporal }: Settings,
): Promise<RecordedSource> {
  const converter = loadedConverter(await loadDataConverter(temporal));
  return recordedSource(histories, (payloads) => decodePayloads(converter, payloads));
}

export async function historiesIn(archive: JobArchive): Promise<RunHistory[]> {
  const histories: RunHistory[] = [];
  for await (const { history } of archive.histories()) histories.push(history);
  return histories;
}
