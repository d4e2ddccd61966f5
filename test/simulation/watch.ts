import { errors } from 'undici';
import { ConnectionError } from '../../cluster/errors.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import type { Change } from './api-server.ts';
import type { ModelProcess } from './process.ts';
import { isSelected, selectorOf } from './selectors.ts';
import { Stream } from './stream.ts';
import { processNow } from './virtual-time.ts';

const SILENCE_MS = 90_000;
const BOOKMARK_MS = 60_000;
const LOOK_MS = 30_000;

interface Watched {
  readonly process: ModelProcess;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
}

export class Watch extends Stream {
  readonly plural: string;
  readonly #namespace: string | undefined;
  readonly #selector: ReturnType<typeof selectorOf>;
  readonly #endsAt: number;

  constructor({ process, plural, namespace, query }: Watched, closed: (stream: Stream) => void) {
    super(process, closed);
    this.plural = plural;
    this.#namespace = namespace;
    this.#selector = selectorOf(query);
    this.#endsAt = Date.now() + Number(query.get('timeoutSeconds') ?? 300) * 1_000;
  }

  get name(): string {
    return this.plural;
  }

  /** An object that is not selected any more is a deleted one, for this watch. */
  notify({ plural, before, after, resourceVersion }: Change): void {
    if (plural !== this.plural) return;
    const was = this.#selects(before);
    const is = this.#selects(after);
    if (!was && !is) return;
    const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
    const object = is ? after! : restamped(before!, resourceVersion);
    this.push(JSON.stringify({ type, object }));
  }

  /** Bookmarks, and the time limits of both ends. */
  keepAlive(resourceVersion: () => number): void {
    if (this.isOver || this.process.isDead) return;
    const idleMs = Date.now() - this.lastAt;
    if (idleMs >= SILENCE_MS)
      this.fail(new ConnectionError(`GET ${this.plural}`, new errors.BodyTimeoutError()));
    else if (Date.now() >= this.#endsAt && !this.isSilent) this.fail();
    else if (idleMs >= BOOKMARK_MS && !this.isSilent && !this.hasNews)
      this.push(JSON.stringify({ type: 'BOOKMARK', object: bookmark(resourceVersion()) }));
    processNow.exit(() => setTimeout(() => this.keepAlive(resourceVersion), LOOK_MS));
  }

  #selects = (object: KubeObject | undefined) => isSelected(object, this.#selector, this.#namespace);
}

const bookmark = (resourceVersion: number) => ({ metadata: { resourceVersion: String(resourceVersion) } });

/** The last state that was selected, with the resource version of the change. */
const restamped = (before: KubeObject, resourceVersion: number): KubeObject => ({
  ...before,
  metadata: { ...before.metadata, resourceVersion: String(resourceVersion) },
});
