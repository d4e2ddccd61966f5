import type { Digest } from '../../contracts/digest.ts';

/** What is told to a job of a lane: while it waits its standing, while it has to give back what it has why. */
export interface LaneWord {
  readonly lane?: Digest['lane'];
  readonly eviction?: Omit<NonNullable<Digest['eviction']>, 'attempt'>;
}
