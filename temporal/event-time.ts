import type { RunEvent } from './run-chain.ts';

type Time = NonNullable<RunEvent['eventTime']>;

/** Returns a time of Temporal in epoch milliseconds. */
export const msOf = ({ seconds, nanos }: Time): number =>
  Number(seconds ?? 0) * 1000 + Math.floor((nanos ?? 0) / 1_000_000);

/** Returns when an event was written: RFC 3339, in milliseconds. */
export const timeOfEvent = ({ eventTime }: Pick<RunEvent, 'eventTime'>): string =>
  new Date(msOf(eventTime ?? {})).toISOString();
