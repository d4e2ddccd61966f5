import { createHash } from 'node:crypto';

/** The last octets 0, 1 and 255 are not used: they look like networks, hosts and broadcasts. */
const FIRST_OCTET = 2;
const PER_BLOCK = 253;
const SIZE = 256 * PER_BLOCK;

/**
 * Returns two octets of the loopback range for one local node. Sandboxes of one machine share that range, so each
 * folder gets its own fixed network: two pods on the same address and port would collide.
 */
export function networkOf(dir: string): string {
  return `127.${64 + ((createHash('sha256').update(dir).digest()[0] as number) % 190)}`;
}

/** Allocates addresses of a network. A released one is reused last, because old peers may still connect to it. */
export class Addresses {
  readonly #network: string;
  readonly #taken = new Set<string>();
  #next = 0;

  constructor(network: string) {
    this.#network = network;
  }

  allocate(): string {
    for (let tried = 0; tried < SIZE; tried++) {
      const address = this.#at(this.#next++ % SIZE);
      if (!this.#taken.has(address)) return this.#take(address);
    }
    throw new RangeError(`${this.#network}.0.0: expected at most ${SIZE} pods, all addresses are taken`);
  }

  /** Reserves the address that a pod already has; false if it is another pod's or of another network. */
  reserve(address: string): boolean {
    if (!address.startsWith(`${this.#network}.`) || this.#taken.has(address)) return false;
    this.#take(address);
    return true;
  }

  release(address: string): void {
    this.#taken.delete(address);
  }

  #take(address: string): string {
    this.#taken.add(address);
    return address;
  }

  #at(index: number): string {
    return `${this.#network}.${Math.floor(index / PER_BLOCK)}.${FIRST_OCTET + (index % PER_BLOCK)}`;
  }
}
