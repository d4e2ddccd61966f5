import { GANG_MESSAGE_LENGTH, type GangDigest } from '../../contracts/digest.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { attemptOf } from '../../contracts/objects.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import type { Eviction, GangAdapter } from '../../gang/gang.ts';
import { shorten } from '../../language/shorten.ts';

export interface GroupFacts {
  readonly attempt: number;
  readonly provider: GangProvider;
  readonly gang: GangDigest;
  /** Whether the scheduler takes back what it has admitted. */
  readonly eviction?: Eviction;
}

/** Reads a group by its scheduler's adapter. */
export function groupFacts(
  group: KubeObject,
  { provider, readGroup, readEviction }: GangAdapter,
): GroupFacts {
  const gang = readGroup(group);
  const eviction = readEviction?.(group);
  return {
    attempt: attemptOf(group),
    provider,
    gang: { ...gang, message: gang.message && shorten(gang.message, GANG_MESSAGE_LENGTH) },
    ...(eviction
      ? { eviction: { ...eviction, message: shorten(eviction.message, GANG_MESSAGE_LENGTH) } }
      : {}),
  };
}
