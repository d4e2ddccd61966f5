import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Dependencies } from '../support/dependencies.ts';

export interface EndedJob {
  /** RFC 3339; now, without one. */
  readonly completionTime?: string;
  /** Of its manifest; it wins over the worker's setting. */
  readonly ttlSeconds?: number;
}

/** Annotations of the anchor of a job that has ended: until when what is left of it is kept; for ever without one. */
export function expiryOf(
  { keepEndedMs }: Pick<Dependencies, 'keepEndedMs'>,
  { completionTime, ttlSeconds }: EndedJob,
): Readonly<Record<string, string>> {
  const keptMs = ttlSeconds === undefined ? keepEndedMs : ttlSeconds * 1000;
  if (keptMs === undefined) return {};
  const ended = Date.parse(completionTime ?? '') || Date.now();
  return { [ANNOTATIONS.expiresAt]: new Date(ended + keptMs).toISOString() };
}
