import type { EvidenceStore } from '../evidence/store.ts';
import type { Archive } from '../record/archive/archive-reader.ts';
import type { ArchivedJob } from '../record/archive/archived-job.ts';

/** A client that may ask a worker reads with its rights: it shows what its own installation has recorded, and nothing beside it. */

/** Returns the archive with only the jobs of a Temporal namespace: installations may share a store. */
export function ownArchive(archive: Archive, temporalNamespace: string): Archive {
  const isOwn = (job: ArchivedJob) => job.temporalNamespace === temporalNamespace;
  const all: Archive['all'] = async (wanted) => (await archive.all(wanted)).filter(({ job }) => isOwn(job));
  return {
    ...archive,
    all,
    find: async (wanted) => (await all(wanted))[0],
    list: ({ matches = () => true, ...filter } = {}) =>
      archive.list({ ...filter, matches: (job) => isOwn(job) && matches(job) }),
  };
}

/**
 * Returns a store that finds records by their own keys alone. A client on the machine of a worker finds them by the directory in
 * their refs; a worker does not: a status with other refs can be forged.
 */
export const ownRecords = (store: EvidenceStore): EvidenceStore => ({
  location: store.location,
  examine: () => store.examine(),
  write: (key, record) => store.write(key, record),
  find: (key) => store.find(key),
  list: (folder) => store.list(folder),
  refOf: (key) => store.refOf(key),
  keyOf: (ref) => store.keyOf(ref),
  close: () => undefined,
});
