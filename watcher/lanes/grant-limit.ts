import { TURN_MS } from '../../queue/decide-turns.ts';

/** So many are taken in time even by a worker that is busy. */
const LEAST = 64;

interface GivenGrant {
  /** In epoch milliseconds. */
  readonly at: number;
}

/**
 * How many grants may be under way. Each is to be taken within seconds, and jobs that are let in together wait for workers: what
 * runs out meanwhile has cost a task and is given again only later. So there are more as long as all are taken by the next
 * decision, and the fewest once one has run out.
 */
export class GrantLimit {
  #most = LEAST;
  #wasReached = false;
  #decidedAt = 0;

  /** Returns how many more may be given. `given`: those that are not taken. */
  left(given: Iterable<GivenGrant>, at: number): number {
    const ends = [...given].map((grant) => grant.at + TURN_MS);
    const valid = ends.filter((end) => end >= at).length;
    if (ends.some((end) => end >= this.#decidedAt && end < at)) this.#most = LEAST;
    else if (valid === 0 && this.#wasReached) this.#most *= 2;
    this.#decidedAt = at;
    return Math.max(0, this.#most - valid);
  }

  /** `wasReached`: a decision had more to give. */
  note({ wasReached }: { readonly wasReached: boolean }): void {
    this.#wasReached = wasReached;
  }
}
