import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ArchiverBeat, TimedRequest } from '../../contracts/archiver.ts';
import { temporalClock } from '../../temporal/temporal-clock.ts';
import { archiveAsked } from './archive-asked.ts';
import { archiveClosed } from './archive-closed.ts';
import type { ArchiverDependencies, ArchiverHost } from './archiver-dependencies.ts';
import { ArchiverCache } from './archiver-session.ts';

export type ArchiverActivities = ReturnType<typeof createArchiverActivities>;

/** The activities of the archiver. A worker without an archive leaves them to others. */
export function createArchiverActivities(host: ArchiverHost | undefined) {
  // An activity that Temporal has given up may still run: its successor then begins with nothing.
  let free: ArchiverCache | undefined;
  return {
    archiveClosed: async (before?: ArchiverBeat): Promise<ArchiverBeat> => {
      const dependencies = await dependenciesOf(host);
      const cache = free ?? new ArchiverCache();
      free = undefined;
      try {
        return await archiveClosed(dependencies, cache, before);
      } finally {
        free = cache;
      }
    },
    archiveAsked: async (request: TimedRequest, signed?: string) =>
      archiveAsked(await dependenciesOf(host), request, signed),
  };
}

async function dependenciesOf(host: ArchiverHost | undefined): Promise<ArchiverDependencies> {
  if (host) return { ...host, now: await temporalClock(host.temporal, Context.current().info) };
  throw ApplicationFailure.create({
    message: 'this worker has no archive (SIGNALBOX_ARCHIVE_STORE is none)',
    type: 'NoArchive',
    nextRetryDelay: '5s',
  });
}
