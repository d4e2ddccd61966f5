import type { Candidate, Cap } from './candidate.ts';
import type { Backfilled } from './lanes-decision.ts';
import type { PoolLines } from './pool-lines.ts';
import type { Reservation } from './reservation.ts';
import type { Victim } from './victims.ts';

/** What became of a job that waits. */
export type LaneOutcome =
  | { readonly is: 'granted'; readonly backfilled?: Backfilled; readonly after?: readonly string[] }
  | { readonly is: 'capped'; readonly cap: Cap }
  | { readonly is: 'promised'; readonly by: readonly Candidate[] }
  | { readonly is: 'blocked'; readonly block: Block }
  /** Behind the first job of its lane. */
  | { readonly is: 'behind'; readonly head: Candidate; readonly block?: Block };

/** Why a job cannot start. */
export type Block =
  | { readonly by: 'limit' }
  | { readonly by: 'room' }
  /** What is free is promised to a job for which others stopped. */
  | { readonly by: 'promise'; readonly to?: Candidate }
  | { readonly by: 'reservation'; readonly of: Reservation }
  /** It would have to give back at once what it takes. */
  | { readonly by: 'claim'; readonly of: Candidate };

export interface PoolDecision {
  readonly lines: PoolLines;
  readonly outcomes: ReadonlyMap<Candidate, LaneOutcome>;
  readonly victims: readonly (Victim & { readonly winner: Candidate })[];
  readonly reservations: readonly Reservation[];
  /** The job that nothing passes that could delay it. */
  readonly strict?: Candidate;
  /** To whom something is promised. */
  readonly promised: ReadonlySet<Candidate>;
}
