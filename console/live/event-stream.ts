import type { IncomingMessage, ServerResponse } from 'node:http';

/** Proxies cut a stream that is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser comes back after a cut; not all at once. */
const RETRY_MS = { least: 1_000, most: 4_000 } as const;
/** A browser that does not read costs the memory of everybody: it comes back where it was. */
const MOST_BEHIND = 1_000_000;

export interface StreamEvent {
  readonly event: 'entry' | 'changed' | 'away' | 'back' | 'over' | 'reload' | 'line';
  /** Where a browser goes on that comes back. */
  readonly id?: string | number;
  readonly data?: object;
}

/** A stream of events to one browser (server-sent events). */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that collect answers before they send them.
      'x-accel-buffering': 'no',
    });
    const retry = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
    response.write(`retry: ${Math.round(retry)}\n\n`);
    this.#heartbeat = setInterval(() => this.#write(': still there\n\n'), HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.#heartbeat));
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  onClose(call: () => void): void {
    if (this.isClosed) call();
    else this.#response.once('close', call);
  }

  send({ event, id, data = {} }: StreamEvent): void {
    const number = id === undefined ? '' : `id: ${id}\n`;
    // JSON has no line breaks, so no data can begin a field of its own.
    this.#write(`${number}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): void {
    if (this.isClosed) return;
    if (this.#response.writableLength > MOST_BEHIND) this.#response.destroy();
    else this.#response.write(text);
  }
}

/** Where a browser goes on: what it heard last, or what its page was made of. */
export function lastHeard(request: IncomingMessage, query: URLSearchParams): string | undefined {
  const given = request.headers['last-event-id'] ?? query.get('after');
  return typeof given === 'string' && given !== '' ? given : undefined;
}
