import type { LedgerEntry } from '../../contracts/types.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import { aSigner } from '../record/log/a-log.ts';
import { archiveRecorded } from './recorded-archive.ts';

/** Archives the job ml/train, which was restarted, as if its pods had requested GPUs. */
export async function archiveOnGpus(folder: string, signer = aSigner()): Promise<void> {
  const leaf = await archiveRecorded({ folder, history: 'restarted', name: 'train', change: onGpus });
  await appendToLog(new FileArchiveStore(folder), signer, [leaf]);
}

const onGpus = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.map((entry, index) =>
    index === 0
      ? { ...entry, devices: { Master: { 'nvidia.com/gpu': 2 }, Worker: { 'nvidia.com/gpu': 8 } } }
      : entry,
  );
