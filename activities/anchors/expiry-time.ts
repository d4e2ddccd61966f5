import { formatAnchorRecord } from '../../contracts/anchor.ts';
import type { Dependencies } from '../support/dependencies.ts';

interface EndedJob {
  /** RFC 3339; now if absent. */
  readonly completionTime?: string;
  /** From the manifest; takes precedence over the worker's setting. */
  readonly ttlSeconds?: number;
}

/** Returns the anchor's annotation with the expiry time of an ended job; none if the job is kept forever. */
export function expiryOf(
  { keepEndedMs }: Pick<Dependencies, 'keepEndedMs'>,
  { completionTime, ttlSeconds }: EndedJob,
): Readonly<Record<string, string>> {
  const keptMs = ttlSeconds === undefined ? keepEndedMs : ttlSeconds * 1000;
  if (keptMs === undefined) return {};
  const ended = Date.parse(completionTime ?? '') || Date.now();
  return formatAnchorRecord({ expiresAt: ended + keptMs });
}
