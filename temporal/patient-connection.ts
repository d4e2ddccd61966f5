import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { TemporalSettings } from '../contracts/settings.ts';
import { callAfter, pause } from '../language/timers.ts';
import { connectTemporal } from './connection.ts';

const PAUSE_MS = 1_000;
/** An attempt takes ten seconds. */
const SILENT_MS = 1_000;

interface ConnectionWait {
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** Called with the reason for waiting; with undefined once connected. */
  readonly waiting: (why: string | undefined) => void;
}

/** Returns a Temporal client once the server answers, however long that takes; undefined if `stop` aborts first. */
export async function connectWithRetries(
  settings: TemporalSettings,
  { log, stop, waiting }: ConnectionWait,
): Promise<Client | undefined> {
  while (!stop.aborted) {
    waiting(`not connected to ${settings.address}`);
    const cancel = callAfter(SILENT_MS, () =>
      log.warn({ address: settings.address }, 'Temporal does not answer yet'),
    );
    try {
      const client = await connectTemporal(settings);
      waiting(undefined);
      return client;
    } catch (error) {
      log.warn({ err: error, address: settings.address }, 'Temporal does not answer; retrying');
      await pause(PAUSE_MS, stop);
    } finally {
      cancel();
    }
  }
  return undefined;
}
