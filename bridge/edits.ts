import { randomUUID } from 'node:crypto';
import type { FollowedResource } from '../client/use-cases/apply/apply-resource.ts';
import { stateIdOf } from '../contracts/job-resources.ts';
import type { ResourceIdentity } from '../contracts/types.ts';
import { BackOff } from '../language/back-off.ts';

/** A step from what a job follows to what its resource says. The same state, asked for later, is another step. */
interface EditStep {
  /** What tells it from other steps. */
  readonly key: string;
  /** The id of the update that passes it on: as long as nobody answers, it is asked for under the same. */
  readonly updateId: string;
}

interface Asked {
  readonly state: string;
  readonly step: EditStep;
  readonly backOff: BackOff;
  /** In milliseconds of the clock that the caller reads. */
  notBefore: number;
  /** A client that asks again gets the same answer. */
  isSettled: boolean;
}

/** A tool that edits without end must not fill the history of its job. */
const BETWEEN_EDITS_MS = 1_000;
/** Within this the anchor of a job that follows an edit says so. */
const SEEN_MS = 10_000;
const PAUSES = { firstMs: 1_000, mostMs: 1_800_000 };

/** The edits that the bridge has passed on to jobs. A bridge that starts anew asks for the last of each once more. */
export class Edits {
  readonly #asked = new Map<string, Asked>();
  readonly #lastAt = new Map<string, number>();

  forget(uid: string): void {
    this.#asked.delete(uid);
    this.#lastAt.delete(uid);
  }

  /** The job follows what its resource says. */
  inStep(uid: string): void {
    this.#asked.delete(uid);
  }

  isTooEarly(uid: string, now: number): boolean {
    return now - (this.#lastAt.get(uid) ?? Number.NEGATIVE_INFINITY) < BETWEEN_EDITS_MS;
  }

  /** Returns the step to what a resource says; `later` or `settled` if it is not to be asked for now. */
  next(identity: ResourceIdentity, resourceVersion: string, now: number): EditStep | 'later' | 'settled' {
    const { uid } = identity;
    const state = stateIdOf(identity);
    const known = this.#asked.get(uid);
    if (known?.state !== state) {
      const key = `${state}/${resourceVersion}`;
      const step = { key, updateId: key };
      const backOff = new BackOff(PAUSES);
      this.#asked.set(uid, { state, step, backOff, notBefore: 0, isSettled: false });
      return step;
    }
    if (known.isSettled) return 'settled';
    return known.notBefore > now ? 'later' : known.step;
  }

  sent(uid: string, now: number): void {
    this.#lastAt.set(uid, now);
  }

  /**
   * Temporal answers an id that it knows with the answer of then: who asks again does so under another one. Returns whether
   * there is nothing left to ask.
   */
  answered(uid: string, answer: FollowedResource, now: number): boolean {
    const known = this.#asked.get(uid);
    const isSettled = answer.is === 'ended' || (answer.is === 'refused' && !answer.mayPass);
    if (!known) return isSettled;
    const { step, backOff } = known;
    const pause = answer.is === 'followed' ? SEEN_MS : backOff.next();
    const again = { ...step, updateId: `${step.key}/${randomUUID()}` };
    this.#asked.set(uid, { ...known, step: again, notBefore: now + pause, isSettled });
    return isSettled;
  }
}
