import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ArchiverBeat } from '../contracts/archiver.ts';
import { pause } from '../language/timers.ts';
import { describeArchiver } from '../temporal/describe-archiver.ts';
import { ArchiverLag } from './archiver-lag.ts';
import { exposeArchiverLag, observeArchiver } from './archiver-metrics.ts';

/** Each look is one request to Temporal. */
const EVERY_MS = 15_000;

/**
 * Keeps the archiver's metrics of this worker, whichever worker archives: what has stopped the archiver must not look like
 * an archiver that has nothing to do.
 */
export async function watchArchiver(
  temporal: Client,
  installation: string,
  { log, stop }: { readonly log: Pick<Logger, 'debug'>; readonly stop: AbortSignal },
): Promise<void> {
  const age = new ArchiverLag();
  exposeArchiverLag(age);
  while (!stop.aborted) {
    try {
      const archiver = await describeArchiver(temporal, installation);
      if (archiver) age.saw(archiver.lookedAt);
      const { beat } = (await archiver?.activity<ArchiverBeat>('archiveClosed')) ?? {};
      if (beat) observeArchiver(beat);
    } catch (error) {
      log.debug({ err: error }, 'the archiver could not be looked at');
    }
    await pause(EVERY_MS, stop);
  }
}
