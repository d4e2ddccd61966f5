import { errorMessage } from '../../language/error-message.ts';
import { whenAborted } from '../../language/when-aborted.ts';
import type { EventStream, StreamEvent } from './event-stream.ts';
import { Viewers } from './viewers.ts';

/** Reads something until it ends or `signal` aborts, and tells what happens. */
export type Source = (tell: (event: StreamEvent) => void, signal: AbortSignal) => Promise<void>;

/** So long a feed goes on without a viewer. */
const LINGERS_MS = 10_000;
/** What a browser may have missed. */
const REMEMBERED = 2_000;

/** What happens to one thing, read once for all who look at it. */
class Feed {
  readonly #viewers = new Viewers(LINGERS_MS, () => this.stop());
  readonly #events: StreamEvent[] = [];
  readonly #stop = new AbortController();
  #away: StreamEvent | undefined;
  #over: StreamEvent | undefined;

  constructor(source: Source, onEnd: () => void) {
    source((event) => this.#tell(event), this.#stop.signal)
      .catch((error: unknown) => this.#tell({ event: 'away', data: { message: errorMessage(error) } }))
      .finally(() => {
        onEnd();
        // A feed that ended by a fault is read anew by browsers that come back.
        if (!this.#over) this.#viewers.close();
      });
    void whenAborted(this.#stop.signal).then(onEnd);
  }

  /** `after`: what the viewer has heard last. */
  add(viewer: EventStream, after: string | undefined): void {
    const heard = this.#events.findIndex(({ id }) => String(id) === after);
    const missed = heard < 0 ? this.#sinceNumber(after) : this.#events.slice(heard + 1);
    for (const event of missed) viewer.send(event);
    if (this.#away) viewer.send(this.#away);
    if (this.#over) viewer.send(this.#over);
    this.#viewers.add(viewer);
  }

  /** Numbers grow: what comes after one can be told also of a number that is not remembered. */
  #sinceNumber(after: string | undefined): readonly StreamEvent[] {
    const number = Number(after);
    return Number.isInteger(number)
      ? this.#events.filter(({ id }) => Number(id) > number)
      : this.#events.slice(-1);
  }

  #tell(event: StreamEvent): void {
    if (event.event === 'away') this.#away = event;
    else this.#heardAgain();
    if (event.event === 'over') this.#over = event;
    if (event.id !== undefined) this.#events.push(event);
    if (this.#events.length > REMEMBERED) this.#events.shift();
    this.#viewers.send(event);
  }

  #heardAgain(): void {
    if (!this.#away) return;
    this.#away = undefined;
    this.#viewers.send({ event: 'back' });
  }

  stop(): void {
    this.#stop.abort();
    this.#viewers.close();
  }
}

/** The feeds that somebody looks at. */
export class Feeds {
  readonly #feeds = new Map<string, Feed>();

  /** `source` is read if nobody looks at the same already. */
  add(
    viewer: EventStream,
    { key, after }: { readonly key: string; readonly after?: string },
    source: Source,
  ): void {
    const known = this.#feeds.get(key);
    if (known) {
      known.add(viewer, after);
      return;
    }
    const feed: Feed = new Feed(source, () => {
      if (this.#feeds.get(key) === feed) this.#feeds.delete(key);
    });
    this.#feeds.set(key, feed);
    feed.add(viewer, after);
  }

  get size(): number {
    return this.#feeds.size;
  }

  stop(): void {
    for (const feed of this.#feeds.values()) feed.stop();
  }
}
