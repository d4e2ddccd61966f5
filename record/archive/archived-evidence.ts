import type { EvidenceRecord } from '../../contracts/types.ts';
import { keyAtEndOf, recordKeyOf } from '../../evidence/record-key.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { JobArchive } from './job-archive.ts';

/** Returns the evidence in an archive as a store of it, which nothing can be written to. */
export async function archivedEvidence(archive: JobArchive): Promise<EvidenceStore> {
  const records = new Map((await archive.evidence()).map((record) => [keyOfRecord(record), record]));
  return {
    location: archive.ref,
    examine: async () => undefined,
    write: () => Promise.reject(new Error(`${archive.ref}: archives are read-only`)),
    find: async (key) => {
      const record = records.get(key);
      return record && JSON.stringify(record);
    },
    list: async (folder) => [...records.keys()].filter((key) => key.startsWith(`${folder}/`)),
    refOf: () => archive.ref,
    keyOf: (ref) => keyAtEndOf(decodeURIComponent(ref)),
    close: () => undefined,
  };
}

const keyOfRecord = ({ job: { namespace, name }, anchorUid, summary }: EvidenceRecord): string =>
  recordKeyOf({ namespace, name, anchorUid }, summary);
