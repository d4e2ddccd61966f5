import type { Digest } from '../contracts/digest.ts';
import type { JobEvent } from '../machines/model/job-events.ts';

/**
 * Events that a job has received but not processed, in order of arrival. Keeps only the newest digest of an anchor,
 * in the place of the first: a digest from before a timer fired is processed before the timer.
 */
export class EventQueue {
  readonly #events: JobEvent[];

  /** `carried`: events that an earlier run received; they precede those of this run. */
  constructor(carried: readonly JobEvent[] = []) {
    this.#events = [...carried];
  }

  push(event: JobEvent): void {
    this.#events.push(event);
  }

  /** `now`: in epoch milliseconds. */
  pushDigest(digest: Digest, now: number): void {
    const event: JobEvent = { type: 'digest', digest, at: now };
    const place = this.#events.findIndex((other) => isDigestOf(digest.anchor, other));
    if (place < 0) this.#events.push(event);
    else if (!isOlder(digest, this.#events[place]!)) this.#events[place] = event;
  }

  take(): JobEvent | undefined {
    return this.#events.shift();
  }

  takeAll(): JobEvent[] {
    return this.#events.splice(0);
  }

  isEmpty(): boolean {
    return this.#events.length === 0;
  }

  last<Type extends JobEvent['type']>(type: Type): Extract<JobEvent, { readonly type: Type }> | undefined {
    const isMeant = (event: JobEvent): event is Extract<JobEvent, { readonly type: Type }> =>
      event.type === type;
    return this.#events.findLast(isMeant);
  }
}

/** The machine ignores digests of another anchor, e.g. of the job that had the name before: none may replace its own. */
const isDigestOf = (anchor: string, event: JobEvent) =>
  event.type === 'digest' && event.digest.anchor === anchor;

const isOlder = (digest: Digest, than: JobEvent) =>
  than.type === 'digest' &&
  !digest.anchorDeleted &&
  digest.resourceVersions.pods < than.digest.resourceVersions.pods;
