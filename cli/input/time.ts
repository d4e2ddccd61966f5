import { InvalidArgumentError } from 'commander';

/** Reads a time: RFC 3339, or a date, which begins at midnight in UTC. */
export function timeAt(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError(
    `Expected a time like 2026-11-22T04:00:00Z, or a date like 2026-11-22, got ${JSON.stringify(text)}.`,
  );
}
