import type { JobEvent } from '../machines/model/job-events.ts';
import type { JobView } from './interventions.ts';
import type { Ledger } from './ledger.ts';
import { settleSignal } from './signalled-requests.ts';

/** Writes entries of requests that arrived after the machine had ended. They change nothing. */
export function recordLateRequests(ledger: Ledger, events: readonly JobEvent[], view: JobView): void {
  for (const event of events) {
    const settled = settleSignal(event, view);
    if (!('request' in settled) || !settled.request) continue;
    ledger.note({
      ...ledger.last(),
      at: settled.at,
      cause: settled.request,
      message: settled.cause.message,
      minor: true,
    });
  }
}
