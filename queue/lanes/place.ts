import { addTo, isWithin, smallerOf, takeFrom, type Vector } from './vector.ts';

/** Where jobs take room: a pool, or a lane with its limit. Changes during a decision. */
export class Place {
  /** What is not granted. */
  readonly free: bigint[];
  /**
   * What is free once the jobs that give back are gone, less what is promised to others: to those for whom they give back, and
   * to a job that nothing may pass.
   */
  readonly later: bigint[];

  constructor(total: Vector) {
    this.free = [...total];
    this.later = [...total];
  }

  /** For a job that holds room already. */
  occupy(demand: Vector, isYielding: boolean): void {
    takeFrom(this.free, demand);
    if (!isYielding) takeFrom(this.later, demand);
  }

  /** For a job that gives its room back. */
  expect(demand: Vector): void {
    addTo(this.later, demand);
  }

  promise(demand: Vector): void {
    takeFrom(this.later, demand);
  }

  /** Whether a job that was promised nothing can have so much now. */
  hasRoom(demand: Vector): boolean {
    return isWithin(demand, this.free) && isWithin(demand, this.later);
  }

  /** What a job that was promised nothing could have now. */
  get available(): bigint[] {
    return smallerOf(this.free, this.later);
  }
}
