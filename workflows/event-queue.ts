import type { Digest } from '../contracts/digest.ts';
import type { JobEvent } from '../machines/model/job-events.ts';

/**
 * What a job has heard and not looked at yet, in the order in which it came. Of digests only the newest is kept, in the
 * place of the first of them: what the watcher saw before a timer went off is heard before the timer.
 */
export class EventQueue {
  readonly #events: JobEvent[];

  /** `heard`: what an earlier run has heard; it comes before what this one hears. */
  constructor(heard: readonly JobEvent[] = []) {
    this.#events = [...heard];
  }

  push(event: JobEvent): void {
    this.#events.push(event);
  }

  /** `now`: in epoch milliseconds. */
  pushDigest(digest: Digest, now: number): void {
    const event: JobEvent = { type: 'digest', digest, at: now };
    const place = this.#events.findIndex(({ type }) => type === 'digest');
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

  includes(type: JobEvent['type']): boolean {
    return this.#events.some((event) => event.type === type);
  }
}

const isOlder = (digest: Digest, than: JobEvent) =>
  than.type === 'digest' && !digest.anchorDeleted && digest.revision.pods < than.digest.revision.pods;
