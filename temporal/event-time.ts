import type { RunEvent } from './run-chain.ts';

/** Returns when an event was written: RFC 3339, in milliseconds. */
export function timeOfEvent({ eventTime }: Pick<RunEvent, 'eventTime'>): string {
  const ms = Number(eventTime?.seconds ?? 0) * 1000 + Math.floor((eventTime?.nanos ?? 0) / 1_000_000);
  return new Date(ms).toISOString();
}
