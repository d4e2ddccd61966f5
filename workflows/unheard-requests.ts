import type { JobEvent } from '../machines/model/job-events.ts';
import type { JobView } from './interventions.ts';
import type { Ledger } from './ledger.ts';
import { settleSignal } from './signalled-requests.ts';

/** Writes entries of requests that arrived after the machine had ended. They change nothing. */
export function noteUnheard(ledger: Ledger, events: readonly JobEvent[], view: JobView): void {
  for (const event of events) {
    const heard = settleSignal(event, view);
    if (!('request' in heard) || !heard.request) continue;
    ledger.note({
      ...ledger.last(),
      at: heard.at,
      cause: heard.request,
      message: heard.cause.message,
      minor: true,
    });
  }
}
