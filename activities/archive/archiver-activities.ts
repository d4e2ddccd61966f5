import { ApplicationFailure } from '@temporalio/common';
import type { ArchiveRequest, ArchiverBeat } from '../../contracts/archiver.ts';
import { archiveAsked } from './archive-asked.ts';
import { archiveClosed } from './archive-closed.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

export type ArchiverActivities = ReturnType<typeof createArchiverActivities>;

/** The activities of the archiver. A worker without an archive leaves them to others. */
export function createArchiverActivities(dependencies: ArchiverDependencies | undefined) {
  const here = () => {
    if (dependencies) return dependencies;
    throw ApplicationFailure.create({
      message: 'this worker has no archive (SIGNALBOX_ARCHIVE_STORE is none)',
      type: 'NoArchive',
      nextRetryDelay: '5s',
    });
  };
  return {
    archiveClosed: async (before?: ArchiverBeat) => archiveClosed(here(), before),
    archiveAsked: async (request: ArchiveRequest, signed?: string) => archiveAsked(here(), request, signed),
  };
}
