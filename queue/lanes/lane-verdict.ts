import type { Digest } from '../../contracts/digest.ts';

/** What was decided of a job of a lane: its standing while it waits, or why it has to give back what it has. */
export interface LaneVerdict {
  readonly lane?: Digest['lane'];
  readonly eviction?: Omit<NonNullable<Digest['eviction']>, 'attempt'>;
}
