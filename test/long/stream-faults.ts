import type { Readable, Writable } from 'node:stream';
import { type ApiFault, type Asked, expired, forbidden, partsOf } from './api-faults.ts';

/** How one stream fails while all others work. */
export const STREAM_FAULTS = {
  /** Its rights are taken away: lists and watches are refused, and the open watch ends. */
  forbidden: 'loses its permissions (403)',
  /** The connection of its watch is dead, and nobody is told. Another connection works. */
  dead: 'has a dead connection',
  /** Each watch is answered with 410 Gone: it has to list again and again. */
  expired: 'is told 410 Gone each time',
  /** Its watch ends with 410 Gone, and lists take their time. */
  slow: 'has slow lists',
} as const;

export type StreamFault = keyof typeof STREAM_FAULTS;

/** A resource by its name in paths, e.g. `pods`, and what happens to its stream. */
interface Blinded {
  readonly resource: string;
  readonly fault: StreamFault;
  readonly listsTakeMs: number;
}

/** What happens to a request. */
export interface Treatment {
  readonly fault?: ApiFault;
  readonly afterMs?: number;
}

interface OpenWatch {
  readonly resource: string;
  readonly from: Readable;
}

/** What befalls the streams of those who read through one proxy. */
export class StreamFaults {
  #blinded: Blinded | undefined;
  #hits = 0;
  #wasListed = false;
  readonly #open = new Map<Writable, OpenWatch>();
  readonly #dead = new Set<Writable>();

  /** Whether the stream of this resource fails now. */
  isFaulty(resource: string): boolean {
    return this.#blinded?.resource === resource;
  }

  begin(blinded: Blinded): void {
    this.#blinded = blinded;
    this.#hits = 0;
    this.#wasListed = false;
    for (const [to, watch] of this.#open) {
      if (watch.resource !== blinded.resource) continue;
      this.#hits++;
      if (blinded.fault === 'dead') this.#silence(to, watch);
      else to.destroy();
    }
  }

  /** Returns how many requests and open watches it concerned. */
  end(): number {
    this.#blinded = undefined;
    for (const to of this.#dead) to.destroy();
    return this.#hits;
  }

  /** What happens to a request before the API server sees it. */
  treat(asked: Asked): Treatment {
    const blinded = this.#blinded;
    if (!blinded || !reads(asked, blinded.resource)) return {};
    const isWatch = isWatchOf(asked);
    const treatment = this.#treatmentOf(asked, blinded, isWatch);
    if (!isWatch) this.#wasListed = true;
    if (treatment.fault ?? treatment.afterMs) this.#hits++;
    return treatment;
  }

  /** A watch begins to deliver. */
  opened(asked: Asked, from: Readable, to: Writable): void {
    if (!isWatchOf(asked)) return;
    this.#open.set(to, { resource: partsOf(asked.path).resource, from });
    to.on('close', () => {
      this.#open.delete(to);
      this.#dead.delete(to);
    });
  }

  #treatmentOf(asked: Asked, { fault, listsTakeMs }: Blinded, isWatch: boolean): Treatment {
    if (fault === 'forbidden') return { fault: forbidden(asked) };
    if (fault === 'expired' && isWatch) return { fault: expired() };
    if (fault !== 'slow') return {};
    if (isWatch) return this.#wasListed ? {} : { fault: expired() };
    return { afterMs: listsTakeMs };
  }

  /** What the API server sends is lost from now on. */
  #silence(to: Writable, { from }: OpenWatch): void {
    from.unpipe(to);
    from.resume();
    this.#dead.add(to);
  }
}

function reads({ method, path }: Asked, resource: string): boolean {
  const parts = partsOf(path);
  return method === 'GET' && parts.resource === resource && parts.subresource === undefined;
}

const isWatchOf = ({ path }: Asked) => new URL(path, 'http://any').searchParams.has('watch');
