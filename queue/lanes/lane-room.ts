import { addTo, fitsInto, smallerOf, takeFrom, type Vector } from './vector.ts';

/** Where jobs take room: a pool, or a lane with its limit. Changes during a decision. */
export class LaneRoom {
  /** What is not granted. */
  readonly free: bigint[];
  /**
   * What is free once the jobs that give back are gone, less what is promised to those for whom they give back.
   */
  readonly later: bigint[];
  readonly #promised: bigint[];

  constructor(total: Vector) {
    this.free = [...total];
    this.later = [...total];
    this.#promised = total.map(() => 0n);
  }

  /** For a job that holds room already. */
  occupy(demand: Vector, isYielding: boolean): void {
    takeFrom(this.free, demand);
    if (!isYielding) takeFrom(this.later, demand);
  }

  /** A job is to give its room back. */
  expect(demand: Vector): void {
    addTo(this.later, demand);
  }

  promise(demand: Vector): void {
    takeFrom(this.later, demand);
    addTo(this.#promised, demand);
  }

  takeBack(demand: Vector): void {
    addTo(this.later, demand);
    takeFrom(this.#promised, demand);
  }

  /** Whether a job that was promised nothing can have so much now. */
  hasRoom(demand: Vector): boolean {
    return fitsInto(demand, this.free) && fitsInto(demand, this.later);
  }

  /**
   * What a job can build on for which others stop. Negative where more is granted than there is, e.g. since a node was lost; what
   * is missing for others is not for it to make up.
   */
  get basis(): bigint[] {
    return this.later.map((later, r) => {
      if (later >= 0n) return later;
      const withoutPromises = later + this.#promised[r]!;
      return withoutPromises < 0n ? withoutPromises : 0n;
    });
  }

  /** What a job that was promised nothing could have now. */
  get available(): bigint[] {
    return smallerOf(this.free, this.later);
  }
}
