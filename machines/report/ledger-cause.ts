import type { LedgerCause } from '../../contracts/types.ts';
import type { JobEvent } from '../model/job-events.ts';

/** Returns why an event of the machine has an entry. */
export function ledgerCause(event: JobEvent): LedgerCause {
  switch (event.type) {
    case 'digest':
      return { type: 'digest' };
    case 'deadline':
      return { type: 'timer', timer: event.name };
    case 'effectDone':
      return { type: 'effect', effect: event.effect, ended: 'done' };
    case 'effectFailed':
      return { type: 'effect', effect: event.effect, ended: 'failed' };
    case 'effectRefused':
      return { type: 'effect', effect: event.effect, ended: 'refused' };
    default:
      return event.request ?? { type: 'request', request: event.type, through: 'update', who: {} };
  }
}
