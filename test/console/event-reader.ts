import { request } from 'node:http';

interface ReadEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A browser that follows a stream of events. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly #request: ReturnType<typeof request>;
  /** The status of the answer. */
  readonly status: Promise<number>;
  isClosed = false;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    const answered = Promise.withResolvers<number>();
    this.status = answered.promise;
    let rest = '';
    this.#request = request(url, { headers }, (response) => {
      answered.resolve(response.statusCode!);
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const blocks = `${rest}${chunk}`.split('\n\n');
        rest = blocks.pop()!;
        for (const block of blocks) this.#hear(block);
      });
      response.on('close', () => {
        this.isClosed = true;
      });
      response.on('error', () => undefined);
    });
    this.#request.on('error', () => answered.resolve(0));
    this.#request.end();
  }

  #hear(block: string): void {
    const lines = block.split('\n').map((line) => /^(\w+): (.*)$/s.exec(line));
    const fields = Object.fromEntries(lines.flatMap((found) => (found ? [[found[1]!, found[2]!]] : [])));
    if (fields.event)
      this.events.push({ event: fields.event, id: fields.id, data: JSON.parse(fields.data ?? '{}') });
  }

  /** The numbers of the ledger entries that it has heard. */
  get numbers(): number[] {
    return this.events.filter(({ event }) => event === 'entry').map(({ id }) => Number(id));
  }

  close(): void {
    this.#request.destroy();
  }
}
