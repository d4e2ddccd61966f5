import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

type Direction = 'there' | 'back';

/** A connection through the proxy. */
interface Link {
  readonly ends: readonly [near: Socket, far: Socket];
  /** Each piece of data waits for so long. */
  delayMs: number;
  /** Data that goes there is not heard of again, nor is the end of the connection. */
  readonly swallows: Set<Direction>;
}

/**
 * Stands between a process and a server, and does to their connections what networks do. What is lost on the way cannot
 * be made up for, so that a connection that lost something never heals: it is cut in the end.
 */
export class TcpProxy {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #refusing = false;
  #partitioned = false;

  private constructor(target: number) {
    this.#server = createServer((near) => this.#accept(near, target));
  }

  static async open(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get links(): readonly Link[] {
    return [...this.#links];
  }

  delay(link: Link, delayMs: number): void {
    link.delayMs = delayMs;
  }

  /** With a reset, which both ends hear of. */
  cut(link: Link): void {
    this.#links.delete(link);
    for (const socket of link.ends) socket.resetAndDestroy();
  }

  halfOpen(link: Link, directions: readonly Direction[]): void {
    for (const direction of directions) link.swallows.add(direction);
  }

  /** New connections, until it heals. */
  refuse(): void {
    this.#refusing = true;
  }

  /** All connections, old and new, are half-open in both directions until it heals. */
  partition(): void {
    this.#partitioned = true;
    for (const link of this.#links) this.halfOpen(link, ['there', 'back']);
  }

  /** What lost data is cut. */
  heal(): void {
    this.#refusing = false;
    this.#partitioned = false;
    for (const link of this.#links) {
      link.delayMs = 0;
      if (link.swallows.size > 0) this.cut(link);
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const link of this.#links) this.cut(link);
  }

  #accept(near: Socket, target: number): void {
    near.on('error', () => undefined);
    if (this.#refusing) return void near.resetAndDestroy();
    const far = connect(target, '127.0.0.1');
    const swallows: Direction[] = this.#partitioned ? ['there', 'back'] : [];
    const link: Link = { ends: [near, far], delayMs: 0, swallows: new Set(swallows) };
    this.#links.add(link);
    join(near, far, gate(link, 'there'));
    join(far, near, gate(link, 'back'));
    for (const [one, other, direction] of [
      [near, far, 'there'],
      [far, near, 'back'],
    ] as const) {
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('close', (isBroken: boolean) => {
        // Whoever is cut off does not hear that the other one has gone.
        if (link.swallows.has(direction)) return;
        this.#links.delete(link);
        if (isBroken) other.resetAndDestroy();
        else other.destroySoon();
      });
    }
  }
}

function join(from: Socket, to: Socket, through: Transform): void {
  from.pipe(through).pipe(to);
}

const gate = (link: Link, direction: Direction) =>
  new Transform({
    transform(chunk, _encoding, done) {
      if (link.swallows.has(direction)) return done();
      if (link.delayMs === 0) return done(null, chunk);
      setTimeout(() => (link.swallows.has(direction) ? done() : done(null, chunk)), link.delayMs);
    },
    flush(done) {
      // An end is lost as data is.
      if (!link.swallows.has(direction)) done();
    },
  });
